// Globals of a user, with names that headers also use for parameters and variables. `index` is left out, because
// <string.h> declares a function of that name.
#pragma once

static constexpr int a = 1, b = 1, c = 1, d = 1, e = 1, f = 1, g = 1, h = 1, i = 1, j = 1, k = 1, m = 1, n = 1, o = 1,
                     p = 1, q = 1, r = 1, s = 1, t = 1, u = 1, v = 1, w = 1, x = 1, y = 1, z = 1;
static constexpr int A = 1, B = 1, C = 1, D = 1, K = 1, L = 1, M = 1, N = 1, P = 1, Q = 1, R = 1, S = 1, T = 1, U = 1;
static constexpr int src = 1, dst = 1, in = 1, out = 1, from = 1, to = 1, at = 1, of = 1, here = 1, why = 1, all = 1,
                     one = 1;
static constexpr int dims = 1, extents = 1, strides = 1, axis = 1, axes = 1, offset = 1, offsets = 1, layout = 1,
                     layout_ = 1, tag = 1, rank = 1, shape = 1, stride = 1, extent = 1, tensor = 1, view = 1, block = 1,
                     blocks = 1;
static constexpr int size = 1, data = 1, count = 1, begin = 1, end = 1, first = 1, last = 1, value = 1, values = 1,
                     number = 1, numbers = 1, other = 1, text = 1, name = 1, type = 1, key = 1, row = 1, rows = 1,
                     step = 1, steps = 1;
static constexpr int plan = 1, kernel = 1, tile = 1, lanes = 1, bytes = 1, bits = 1, mask = 1, masks = 1, scale = 1,
                     bound = 1, bounds = 1, loop = 1, loops = 1, order = 1, chunk = 1, chunks = 1, threads = 1,
                     side = 1, sizes = 1;
static constexpr int part = 1, parts = 1, piece = 1, pieces = 1, field = 1, fields = 1, record = 1, group = 1,
                     groups = 1, address = 1;
static constexpr int input = 1, output = 1, weights = 1, bias = 1, batch = 1, channels = 1, height = 1, width = 1,
                     buffer = 1, result = 1, total = 1, sum = 1, factor = 1, position = 1, element = 1, elements = 1,
                     digits = 1;
