"""Records: values lie where offset() says, come back as they were, and are refused if they do not fit."""

import itertools
import os
import pickle
import random
import threading

import numpy as np
import plait
import pytest

ROWS = "nk: nK(d:f16 /32k, q:u4 16k 2k@16)"
PANELS = "nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)"
SUMMED = "nk: N(K(w:s8 4n 4k), bias:s32 4n /k =+sum(w)*-izp)"
SIX = "nk: nK(s:u6 2k@64=0 /32k 2k@32, s.4:u2 2k@64=1 /32k 2k@32, s:u4 2k@64=1 /32k 2k@32)"


def bits_at(data, place, count):
    """Returns bits of a buffer as a number; bit 0 is the lowest of byte 0."""
    return int.from_bytes(data.tobytes(), "little") >> place & ((1 << count) - 1)


def weights(n, k, seed=1):
    draw = np.random.default_rng(seed)
    return {"d": draw.standard_normal((n, k // 32)).astype(np.float16), "q": draw.integers(0, 16, (n, k), np.uint8)}


def reason_of(call, *arguments, **named):
    with pytest.raises(plait.Rejection) as caught:
        call(*arguments, **named)
    return caught.value.reason


@pytest.mark.parametrize("tag, flip", [(ROWS, 0), (PANELS, 8), ("nk: N(K(q:u4 4k 4n 2k), K(d:f16 4n /32k))", 0)])
def test_values_lie_where_offset_says(tag, flip):
    record = plait.Record(tag, (16, 64))
    given = weights(16, 64)
    data = record.pack(given)
    assert data.nbytes == record.size and data.dtype == np.uint8 and data.ctypes.data % 64 == 0
    for n, k in itertools.product(range(16), range(64)):
        assert bits_at(data[record.offset("q", n, k) // 8:][:1], record.offset("q", n, k) % 8, 4) == given["q"][n, k] ^ flip
        at = record.offset("d", n, k) // 8
        assert data[at:at + 2].view(np.float16)[0] == given["d"][n, k // 32]
    back = record.unpack(data)
    assert list(back) == [field.name for field in record.fields]
    assert all(np.array_equal(back[name], given[name]) and back[name].dtype == given[name].dtype for name in given)
    assert list(record.unpack(data, "d")) == ["d"]
    record.verify(data)


def test_text_fields_and_equality():
    record = plait.Record("nk:NK( d:f16 8n/32k,q:u4^8 2k 8n 8k 2k@16 )", (16, 64))
    assert (record.text, record.dims, record.size) == (PANELS, (16, 64), 2 * 2 * (16 + 128))
    assert record.fields[1] == ("q", "u4", 4, 1, (16, 64), False, False, True)
    assert record == plait.Record(PANELS, [16, 64]) == pickle.loads(pickle.dumps(record)) and hash(record) == hash(plait.Record(PANELS, (16, 64)))
    assert record != plait.Record(PANELS, (16, 96)) and record != PANELS
    assert eval(repr(record)) == record
    with pytest.raises(AttributeError):
        record.size = 3
    assert plait.Record(SIX, (2, 128)).fields == (("s", "u8", 6, 3, (2, 4), False, False, False),)


@pytest.mark.parametrize("word, bits, signed", [("u1", 1, False), ("u2", 2, False), ("u4", 4, False), ("s4", 4, True), ("u3", 3, False),
                                                ("u6", 6, False), ("u8", 8, False), ("s8", 8, True), ("u12", 12, False), ("f6_e2m3", 6, False),
                                                ("f4_e2m1", 4, False), ("e8m0", 8, False), ("s32", 32, True)])
def test_each_type_comes_back_and_refuses_what_it_cannot_hold(word, bits, signed):
    record = plait.Record(f"nk: nk(x:{word})", (3, 8))
    low, high = (-1 << (bits - 1), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)
    dtype = record.unpack(np.zeros(record.size, np.uint8))["x"].dtype
    given = np.array([low, high, *(random.Random(3).randrange(low, high + 1) for _ in range(22))], np.int64).reshape(3, 8)
    data = record.pack({"x": given.astype(dtype)})
    back = record.unpack(data)["x"]
    assert np.array_equal(back, given), word
    for n, k in itertools.product(range(3), range(8)):
        assert bits_at(data, record.offset("x", n, k), bits) == int(given[n, k]) & ((1 << bits) - 1)
    if word[0] in "us":
        assert np.array_equal(record.pack({"x": given}), data)  # any integers that fit
        if bits < 32:
            for wrong in (low - 1, high + 1):
                one_wrong = given.copy()  # the other values fit, among them the least and the greatest
                one_wrong[1, 5] = wrong
                assert reason_of(record.pack, {"x": one_wrong}) == "value_is_out_of_range"


def test_packed_values_are_said_and_never_guessed():
    record, given = plait.Record("nk: nk(q:u4, t:u2, f:u8)", (4, 8)), weights(4, 32)["q"][:, :8]
    whole = {"q": given, "t": given & 3, "f": given}
    nibbles = given[:, ::2] | given[:, 1::2] << 4
    pairs = sum((given[:, i::4] & 3) << 2 * i for i in range(4)).astype(np.uint8)
    data = record.pack(whole)
    for arrays, packed in (({**whole, "q": nibbles, "t": pairs}, True), ({**whole, "q": nibbles}, ["q"]), ({**whole, "t": pairs}, ("t",)),
                           ({**whole, "q": nibbles, "t": pairs}, {"q", "t"}), (whole, []), (whole, False)):
        assert np.array_equal(record.pack(arrays, packed=packed), data)
        back = record.unpack(data, packed=packed)
        assert all(np.array_equal(back[name], arrays[name]) and back[name].shape == arrays[name].shape for name in arrays)
    # Half of the columns of one-per-byte values have the shape of nibbles.
    for wrong, packed in (({**whole, "q": given[:, :4]}, False), ({**whole, "q": nibbles}, False), ({**whole, "q": nibbles}, ["t"]),
                          (whole, True), (whole, ["q"]), ({**whole, "q": nibbles[:, :2]}, ["q"]), ({**whole, "q": nibbles.reshape(-1)}, ["q"])):
        assert reason_of(record.pack, wrong, packed=packed) == "array_shape_differs"
    with pytest.raises(plait.Rejection, match="say packed=True"):
        record.pack({**whole, "q": nibbles})
    assert reason_of(record.pack, {**whole, "q": nibbles.astype(np.int16)}, packed=["q"]) == "data_types_differ"
    for names in (["f"], ["z"], ["q", "f"]):
        assert reason_of(record.pack, whole, packed=names) == reason_of(record.unpack, data, packed=names) == "field_is_not_packed"
    for wrong in ("q", 3, None):
        with pytest.raises(TypeError):
            record.pack(whole, packed=wrong)
    odd = plait.Record("nk: nk(q:u4)", (4, 7))
    values = {"q": given[:, :7]}
    assert reason_of(odd.pack, values, packed=True) == reason_of(odd.unpack, odd.pack(values), packed=True) == "array_shape_differs"
    signed, small = plait.Record("nk: nk(q:s4)", (4, 8)), given.astype(np.int8) - np.int8(8)
    bits = small.view(np.uint8) & 15
    assert np.array_equal(signed.pack({"q": bits[:, ::2] | bits[:, 1::2] << 4}, packed=True), signed.pack({"q": small}))
    assert np.array_equal(signed.unpack(signed.pack({"q": small}))["q"], small)


def test_floating_types_are_converted_and_bits_are_not():
    record = plait.Record("nk: nk(x:bf16)", (2, 4))
    numbers = np.array([[0, 1, -2, 3.5], [1e30, 0.5, -0.25, 8]], np.float32)
    data = record.pack({"x": numbers})
    assert np.array_equal(data.view(np.uint16).reshape(2, 4), (numbers.view(np.uint32) >> 16).astype(np.uint16) + (numbers.view(np.uint32) >> 15 & 1).astype(np.uint16))
    assert np.array_equal(record.pack({"x": data.view(np.uint16).reshape(2, 4)}), data)
    assert reason_of(record.pack, {"x": np.ones((2, 4), np.int64)}) == "data_types_differ"
    assert reason_of(plait.Record("nk: nk(x:f32)", (2, 4)).pack, {"x": np.ones((2, 4), np.int32)}) == "data_types_differ"
    assert reason_of(plait.Record("nk: nk(x:s8)", (2, 4)).pack, {"x": np.ones((2, 4), np.float32)}) == "data_types_differ"


def test_sums_take_their_parameters():
    record = plait.Record(SUMMED, (8, 8))
    given = {"w": np.arange(64, dtype=np.int8).reshape(8, 8), "bias": np.arange(8, dtype=np.int32).reshape(8, 1) * 1000}
    assert reason_of(record.pack, given) == "parameter_is_missing"
    data = record.pack(given, {"izp": 3})
    assert np.array_equal(record.field(data, "bias").reshape(8), given["bias"][:, 0] - 3 * given["w"].sum(1, dtype=np.int32))
    for parameters in ({"izp": "three"}, [3]):
        with pytest.raises(TypeError):
            record.pack(given, parameters)
    assert reason_of(record.unpack, data) == "parameter_is_missing"
    back = record.unpack(data, parameters={"izp": 3})
    assert np.array_equal(back["bias"], given["bias"]) and np.array_equal(back["w"], given["w"])
    assert np.array_equal(record.unpack(data, "w")["w"], given["w"])
    sums = plait.Record("nk: N(K(w:s8 4n 4k), sums:s32 4n /k =sum(w))", (8, 8))
    data = sums.pack({"w": given["w"]})
    sums.verify(data)
    data[sums.offset("sums", 5, 0) // 8] ^= 1
    assert reason_of(sums.verify, data) == "record_is_damaged"


def test_sums_in_pieces_are_those_of_their_own_rows():
    record = plait.Record("nk: N(K(q:u8 4n 4k), sum:s32 2n@2=0 2n /k =sum(q), sum:s32 2n@2=1 2n /k =sum(q))", (8, 8))
    q = np.arange(64, dtype=np.uint8).reshape(8, 8)
    data = record.pack({"q": q})
    assert np.array_equal(record.unpack(data, "sum")["sum"][:, 0], q.sum(1, dtype=np.int32))
    record.verify(data)
    wrong = data.copy()
    wrong[record.offset("sum", 0, 0) // 8] ^= 1
    assert reason_of(record.verify, wrong) == "record_is_damaged"


def test_verify_leaves_padding_out():
    record = plait.Record("nk: NK(q:u8 8n 4k)", (13, 8))
    data = np.zeros(record.size, np.uint8)
    data[-1] = 1
    with pytest.raises(plait.Rejection, match="the padding of field q is not zero at index 15 of axis 0"):
        record.verify(data)
    record.verify(data, ignore_padding=True)
    with pytest.raises(TypeError):
        record.verify(data, ignore_padding=1)


def test_repack_there_and_back_and_with_dropped_fields():
    rows, panels, only = plait.Record(ROWS, (24, 96)), plait.Record(PANELS, (24, 96)), plait.Record("nk: nk(q:u4)", (24, 96))
    file = np.frombuffer(random.Random(2).randbytes(rows.size), np.uint8)
    packed = rows.repack(panels, file)
    assert np.array_equal(panels.repack(rows, packed), file)
    assert reason_of(rows.repack, only, file) == "field_is_dropped"
    assert np.array_equal(only.unpack(rows.repack(only, bytes(file), drop=["d"]))["q"], rows.unpack(file)["q"])
    assert reason_of(rows.repack, plait.Record(PANELS, (24, 64)), file) == "dims_differ"
    with pytest.raises(TypeError):
        rows.repack(only, file, drop="d")


def test_threads_and_chunks_of_a_repack_are_the_whole(tmp_path):
    rows, panels = plait.Record(ROWS, (1021, 2048)), plait.Record(PANELS, (1021, 2048))
    file = np.frombuffer(random.Random(3).randbytes(rows.size), np.uint8)
    whole = rows.repack(panels, file)
    for threads in (2, 3, 100):
        assert np.array_equal(rows.repack(panels, file, threads=threads), whole)
    file.tofile(tmp_path / "rows")
    mapped = np.memmap(tmp_path / "rows", np.uint8, "r").view(np.ndarray)
    for size in (1, 50_000, 1 << 30):
        chunks = list(rows.repack_chunks(panels, mapped, chunk_bytes=size))
        assert np.array_equal(np.concatenate(chunks), whole) and (len(chunks) > 1) == (size < 1 << 30)
    assert reason_of(rows.repack_chunks, plait.Record(PANELS, (24, 64)), file) == "dims_differ"
    apart = plait.Record("nk: (d:f16 nK /32k, q:u4 nK 16k 2k@16)", (1021, 2048))
    assert reason_of(next, apart.repack_chunks(panels, file)) == "record_is_not_cut"
    for wrong in ({"threads": 0}, {"threads": -1}, {"threads": 1 << 40}):
        assert reason_of(lambda: rows.repack(panels, file, **wrong)) == "position_is_out_of_range"
    assert reason_of(rows.repack_chunks, panels, file, (), None, 0) == "position_is_out_of_range"
    for call in (lambda: rows.repack(panels, file, threads=1.5), lambda: rows.repack_chunks(PANELS, file), lambda: rows.repack_chunks(panels, file, chunk_bytes="1")):
        with pytest.raises(TypeError):
            call()


def test_a_field_is_a_view():
    panels, data = plait.Record(PANELS, (16, 64)), np.zeros(plait.Record(PANELS, (16, 64)).size, np.uint8)
    given = weights(16, 64)
    data[:] = panels.pack(given)
    scales = panels.field(data, "d")
    assert scales.shape == (2, 8, 2) and np.shares_memory(scales, data)
    assert np.array_equal(scales.reshape(16, 2), given["d"])
    scales[1, 2, 1] = 7
    assert panels.unpack(data)["d"][10, 1] == 7
    rows = plait.Record("nk: nK(d:f32 /32k, x:s8 32k)", (3, 64))
    memory = rows.pack({"d": np.arange(6, dtype=np.float32).reshape(3, 2), "x": np.arange(192, dtype=np.uint8).view(np.int8).reshape(3, 64)})
    assert rows.field(memory, "d").tolist() == [[0, 1], [2, 3], [4, 5]] and rows.field(memory, "d").strides == (72, 36)
    assert np.array_equal(rows.field(memory, "x").reshape(3, 64), rows.unpack(memory)["x"])
    assert not rows.field(memory.tobytes(), "d").flags.writeable
    padded = plait.Record("nk: Nk(d:f16 8n)", (5, 2))
    assert padded.field(padded.pack({"d": np.ones((5, 2), np.float16)}), "d").shape == (5, 2)
    assert reason_of(panels.field, data, "q") == "field_is_not_bytes"
    assert reason_of(plait.Record("nk: nk(x:u8^128)", (2, 2)).field, bytes(4), "x") == "field_is_mapped"
    assert reason_of(panels.field, data, "z") == "field_is_missing"


def test_blobs_say_what_they_hold(tmp_path):
    record = plait.Record(PANELS, (16, 64))
    data = record.pack(weights(16, 64))
    path = tmp_path / "w.plait"
    record.save(path, data, "avx2")
    assert os.listdir(tmp_path) == ["w.plait"]
    for source in (path, str(path), path.read_bytes(), record.blob(data, "avx2")):
        opened = plait.open_blob(source)
        assert opened.record == record and np.array_equal(opened.data, data) and opened.key == "avx2"
    whole = path.read_bytes()
    for size in range(0, len(whole), 37):
        assert reason_of(plait.open_blob, whole[:size]).startswith("blob_is_truncated")
        path.write_bytes(whole[:size])
        assert reason_of(plait.open_blob, path).startswith("blob_is_truncated")
    path.write_bytes(whole + b"1")
    for longer in (whole + b"1", whole + whole, path):
        assert reason_of(plait.open_blob, longer) == "blob_is_too_long"
    for byte, reason in ((0, "blob_is_not_one"), (8, "blob_version_is_unknown"), (70, "blob_text_is_damaged"), (len(whole) - 1, "blob_data_is_damaged")):
        damaged = bytearray(whole)
        damaged[byte] ^= 1
        assert reason_of(plait.open_blob, damaged) == reason
    assert reason_of(record.blob, data, "seventeen_letters") == "key_is_too_long"
    with pytest.raises(FileNotFoundError):
        plait.open_blob(tmp_path / "none")


def test_a_save_that_fails_leaves_the_old_file(tmp_path, monkeypatch):
    record = plait.Record("nk: nk(x:u8)", (2, 2))
    path = tmp_path / "w.plait"
    record.save(path, bytes(4))
    before = path.read_bytes()
    monkeypatch.setattr(os, "fsync", lambda descriptor: (_ for _ in ()).throw(OSError("no space")))
    with pytest.raises(OSError):
        record.save(path, b"1234")
    assert path.read_bytes() == before and os.listdir(tmp_path) == ["w.plait"]
    with pytest.raises(OSError):
        record.save(tmp_path / "none" / "w.plait", b"1234")


def test_wrong_arguments_are_refused():
    record, given = plait.Record(PANELS, (16, 64)), weights(16, 64)
    assert reason_of(plait.Record, PANELS, (16,)) == "rank_differs"
    assert reason_of(plait.Record, "nk: NK(q:u4 2k 8n 8k 2k@9)", (16, 64)) == "step_is_not_reached"
    assert reason_of(plait.Record, "nk: nk(q:u4)\0", (16, 64)) == "text_has_a_zero"
    assert reason_of(record.pack, {"d": given["d"]}) == "field_is_missing"
    assert reason_of(record.pack, {**given, "z": given["d"]}) == "field_is_missing"
    assert reason_of(record.pack, {**given, "d": given["d"].T}) == "array_shape_differs"
    assert reason_of(record.pack, {**given, "q": given["q"] + 16}) == "value_is_out_of_range"
    data = record.pack(given)
    assert reason_of(record.unpack, data[:-1]) == "buffer_is_too_small"
    assert reason_of(record.unpack, bytes(data) + b"1") == "buffer_is_too_large"
    assert reason_of(record.unpack, data.view(np.int8)) == "data_types_differ"
    assert reason_of(record.unpack, np.concatenate([data, data])[::2]) == "array_is_not_dense"
    assert reason_of(record.unpack, data, "z") == "field_is_missing"
    assert reason_of(record.offset, "q", 1) == "rank_differs"
    assert reason_of(record.offset, "q", 16, 0) == "position_is_out_of_range"
    for call in (lambda: plait.Record(3, (2, 2)), lambda: plait.Record(PANELS, "ab"), lambda: record.pack([given]),
                 lambda: record.pack({**given, "q": given["q"].tolist()}), lambda: record.unpack("abc"), lambda: record.repack(PANELS, data),
                 lambda: record.unpack(data, 3)):
        with pytest.raises(TypeError):
            call()


def test_threads_share_a_record():
    record, wrong = plait.Record(PANELS, (16, 64)), []

    def work(seed):
        given = weights(16, 64, seed)
        for _ in range(20):
            if not np.array_equal(record.unpack(record.pack(given))["q"], given["q"]):
                wrong.append(seed)
    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_a_record_without_indices_is_zero():
    record = plait.Record("nk: N(K(w:s8 4n 4k), sums:s32 4n /k =sum(w))", (8, 0))
    assert record.size == 32 and not record.pack({"w": np.zeros((8, 0), np.int8)}).any()
    assert plait.Record("nk: N(K(w:s8 4n 4k), sums:s32 4n /k =sum(w))", (0, 8)).pack({"w": np.zeros((0, 8), np.int8)}).size == 0


def words_of(values, order=range(8), dtype=np.uint32):
    """Packs groups of 8 values of 4 bits along the last axis; place i of a word has value order[i] of its group."""
    groups = values.reshape(*values.shape[:-1], -1, 8).astype(np.uint64)
    return sum(groups[..., value] << np.uint64(4 * place) for place, value in enumerate(order)).astype(dtype)


def test_words_of_gptq_and_awq():
    k, n, group, draw = 256, 48, 64, np.random.default_rng(7)
    w, z = draw.integers(0, 16, (k, n), np.uint8), draw.integers(0, 16, (k // group, n), np.uint8)
    scales, awq = draw.random((k // group, n)).astype(np.float16), (0, 2, 4, 6, 1, 3, 5, 7)
    gptq = plait.Record("kn: (w:u4 Kn 8k, z:u4 KN 8n /64k, s:f16 Kn /64k)", (k, n))
    # What is in the files is what the library reads as int32.
    given = {"w": plait.Words(words_of(w.T).T.view(np.int32)), "z": plait.Words(words_of(z)), "s": scales}
    data = gptq.pack(given)
    back = gptq.unpack(data)
    assert np.array_equal(back["w"], w) and np.array_equal(back["z"], z) and np.array_equal(back["s"], scales)
    assert data[:k * n // 2].tobytes() == np.ascontiguousarray(words_of(w.T).T).tobytes()

    record = plait.Record("kn: (w:u4 kN 2n 4n@2, z:u4 KN 2n 4n@2 /64k, s:f16 Kn /64k)", (k, n))
    back = record.unpack(record.pack({"w": plait.Words(words_of(w, awq)), "z": plait.Words(words_of(z, awq)), "s": scales}))
    assert np.array_equal(back["w"], w) and np.array_equal(back["z"], z)

    # Into another order at once: GPTQ's rows to panels of 8 by 8.
    panels = plait.Record("kn: NK(w:u4^8 2k 8n 8k 2k@16)", (k, n))
    only = plait.Record("kn: w:u4 Kn 8k", (k, n))
    moved = only.repack(panels, only.pack({"w": plait.Words(words_of(w.T).T)}))
    assert np.array_equal(panels.unpack(moved)["w"], w)


@pytest.mark.parametrize("tag, dims, make", [
    ("nk: w:u4 nk", (5, 64), lambda w: words_of(w)),
    ("nk: w:u4 nk", (5, 64), lambda w: words_of(w).view(np.uint64)),
    ("nk: w:u4 nk", (5, 64), lambda w: words_of(w).astype(">u4")),
    ("nk: w:u4 Nk 8n!", (8, 6), lambda w: words_of(w.T, range(7, -1, -1))[..., 0]),
    ("nk: w:u2 Kn 16k", (3, 32), lambda w: np.sum(w.reshape(3, 2, 16).astype(np.uint32) << np.arange(0, 32, 2, dtype=np.uint32), 2, dtype=np.uint32).T),
    ("nk: w:s8 Kn 4k", (3, 8), lambda w: w.reshape(3, 2, 4).view(np.int32)[..., 0].T),
    ("nk: N(w:s4 K 8n 8k)", (16, 16), lambda w: words_of(w.reshape(2, 8, 2, 8).transpose(0, 2, 1, 3).astype(np.uint8) & 15).reshape(4, 8)),
    ("nk: nK(e:e8m0 /32k, w:u4 16k 2k@16)", (4, 64), lambda w: words_of(w.reshape(4, 2, 2, 16).transpose(0, 1, 3, 2).reshape(4, 2, 32)).reshape(4, 2, -1)),
])
def test_words_hold_the_values_of_the_loops(tag, dims, make):
    record = plait.Record(tag, dims)
    field = record._field("w")
    low, high = (-8, 8) if field.type == "s4" else (-128, 128) if field.type == "s8" else (0, 1 << field.bits)
    w = np.random.default_rng(11).integers(low, high, dims).astype(np.int8 if low else np.uint8)
    others = {f.name: np.ones(f.shape, np.uint8) for f in record.fields if f.name != "w"}
    values = record.unpack(record.pack({"w": plait.Words(make(w)), **others}), "w")["w"]
    assert np.array_equal(values, w)


def test_words_that_are_refused():
    record = plait.Record("kn: (w:u4 Kn 8k, f:u4^8 Kn 8k, t:u4 Kn 3k, p:u4 kN 8n)", (24, 5))
    pack = lambda name, array: record.pack({name: plait.Words(array)})
    with pytest.raises(plait.Rejection, match=r"have the shape \(5, 3\), but the record stores \(3, 5\) of uint32"):
        pack("w", np.zeros((5, 3), np.uint32))
    with pytest.raises(plait.Rejection, match="words of field 't' are uint32, which the innermost loops of the tag do not fill"):
        pack("t", np.zeros((8, 5), np.uint32))
    with pytest.raises(plait.Rejection, match="inverted bits"):
        pack("f", np.zeros((3, 5), np.uint32))
    with pytest.raises(plait.Rejection, match="float32, but words are integers"):
        pack("w", np.zeros((3, 5), np.float32))
    with pytest.raises(plait.Rejection, match="not zero after the last value"):
        pack("p", np.full((24, 1), 1 << 20, np.uint32))
    # Without the word that says so, words are no values.
    assert reason_of(record.pack, {"w": np.zeros((3, 5), np.uint32)}) == "array_shape_differs"
    with pytest.raises(TypeError, match="array has to be a NumPy array"):
        pack("w", "text")


def test_axes_of_one_value_may_be_left_out():
    record = plait.Record("kn: (w:u8 kn, g:s32 k /n, bias:f32 n /k, all:f32 /k /n)", (6, 4))
    full = {"w": np.ones((6, 4), np.uint8), "g": np.arange(6, dtype=np.int32).reshape(6, 1), "bias": np.arange(4, dtype=np.float32).reshape(1, 4),
            "all": np.ones((1, 1), np.float32)}
    short = {name: array.reshape([extent for extent in array.shape if extent != 1]) for name, array in full.items()}
    assert np.array_equal(record.pack(full), record.pack(short))
    assert reason_of(record.pack, {**full, "g": np.zeros(4, np.int32)}) == "array_shape_differs"
