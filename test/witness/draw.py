"""The random numbers of a case, and random extents: small odd ones, powers of two, and a few long axes."""

import random

MOST_ELEMENTS = 100_000
MOST_PADDED = 300_000
HUGE = 4_000_000  # elements of the few tensors above 24 MB, which are stored past the cache


class Draw(random.Random):
    """Random numbers that are the same for the same seed and case."""

    def __init__(self, seed, case):
        super().__init__((seed << 40) + case)

    def chance(self, probability):
        return self.random() < probability

    def weighted(self, weights):
        """Returns a key of a dictionary of weights."""
        return self.choices(list(weights), list(weights.values()))[0]

    def log_uniform(self, low, high):
        return int(low * (high / low) ** self.random())


# Numbers like a power of two plus one rarely fit into blocks, so they are frequent.
SMALL = [1, 2, 3, 3, 3, 5, 5, 5, 7, 7, 7, 9, 9, 4, 6, 8]
MIDDLE = [10, 11, 12, 13, 15, 16, 17, 17, 23, 24, 25, 31, 32, 33, 33, 47, 48, 49, 63, 64, 65]


def extents(draw):
    """Returns the dims of a tensor."""
    ndims = draw.weighted({1: 10, 2: 30, 3: 32, 4: 18, 5: 6, 6: 2, 8: 1, 12: 1})
    # Plans cut tensors into parts of about 16 KB, so half of the tensors are larger. A few are much larger.
    most = draw.log_uniform(*draw.weighted({(16, 3000): 750, (3000, 12_000): 705, (12_000, MOST_ELEMENTS): 45,
                                            (HUGE // 2, HUGE): 1}))
    huge = most > MOST_ELEMENTS
    dims = []
    product = 1
    for _ in range(ndims):
        kind = draw.weighted({"small": 5, "middle": 3, "long": 2})
        extent = draw.choice(SMALL) if kind == "small" else draw.choice(MIDDLE) if kind == "middle" else \
            draw.randint(50, 400)
        if product * extent > most:
            extent = draw.choice([e for e in (1, 2, 3, 5, 7) if e == 1 or product * e <= most])
        dims.append(extent)
        product *= extent
    if draw.chance(0.4) or huge:
        # One long axis, so that the tensor has nearly the largest size.
        axis = draw.randrange(ndims)
        longest = HUGE if huge else draw.randint(100, 1000)
        dims[axis] = max(1, min(longest, most // (product // dims[axis])))
    draw.shuffle(dims)
    if draw.chance(0.004):
        dims[draw.randrange(ndims)] = 0
    return dims


POWERS = [2, 2, 2, 4, 4, 4, 8, 8, 16, 16, 32, 64]
ODD_COUNTS = (3, 5, 9, 17, 33)
OTHERS = [3, 5, 6, 7, 10, 12, 20, 24, 48]


def blocks(draw, dims, depth):
    """Returns inner blocks as (axis, extent), outer to inner, whose padding does not make a tensor much larger."""
    out = []
    products = [1] * len(dims)
    room = room_for_padding(dims)
    for _ in range(depth):
        # Axes of few indices are chosen as often as others, because their blocks have padding and parts.
        axis = draw.choice([a for a in range(len(dims)) if dims[a] > 1] or [0]) if draw.chance(0.8) else \
            draw.randrange(len(dims))
        extent = draw.choice(POWERS) if draw.chance(0.8) else draw.choice(OTHERS)
        # A number of blocks that tiles do not divide; one of the blocks is mostly padding.
        odd = [b for b in POWERS if rounded_up(dims[axis], products[axis] * b) // (products[axis] * b) in ODD_COUNTS]
        if odd and draw.chance(0.5):
            extent = draw.choice(odd)
        old, new = rounded_up(dims[axis], products[axis]), rounded_up(dims[axis], products[axis] * extent)
        if dims[axis] and (new / old > room or (new > 1.6 * dims[axis] + 3 and draw.chance(0.75))):
            continue
        room /= new / old if dims[axis] else 1
        products[axis] *= extent
        out.append((axis, extent))
    return out


def room_for_padding(dims):
    """Returns the largest allowed quotient of the padded volume and the volume."""
    return max(MOST_PADDED / max(1, product_of(dims)), 1.3)


def rounded_up(extent, block):
    return (extent + block - 1) // block * block


def product_of(numbers):
    out = 1
    for number in numbers:
        out *= number
    return out
