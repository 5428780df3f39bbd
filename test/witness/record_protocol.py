"""The protocol of records.py, and a program in Python that follows it: it answers from record_model.py.

The program reads lines from stdin until the end, and answers each line with exactly one line on stdout, flushed. Both
are one JSON object. Strings have no escapes except for the quotation mark and the backslash. Values are strings,
integers (which may be negative), flat lists of integers or of strings, and flat objects. Keys come in any order, and
unknown keys are ignored. Every request has "op", "tag" and "dims" (extents in the order of the tag's axes). Some have

    "threads"    the number of threads, 1 if absent

Every request may be refused: {"refused": "step_is_not_reached", "column": 21, "sentence": "..."}, with the name of the
reason in reason.hpp. The column counts from 1, and is 0 if the reason has none. A defect of the program or of the
request is {"error": "..."}.

{"op": "record", "tag", "dims"}  ->  {"text", "size", "fields": {"q": "4 64x256 00f3..."}}
    "text"       the canonical text, without dims
    "size"       bytes of the record
    "fields"     "BITS DIMS HASH" for each field name; pieces of one name are one field
    BITS         bits of the value: the largest low + width of its pieces
    DIMS         extents of the field's plain tensor, see below
    HASH         16 hexadecimal digits, of a list of numbers: for each index of the record's dims in row-major order,
                 for each piece that holds bits of the value at that index, in increasing order of low: low, then the
                 place of the bit `low` in bits from the beginning of the record. With h = 0 and w = 1, for each
                 number x of the list: w *= 0x9E3779B97F4A7C15, h += (x + 1) * w; modulo 2^64.

{"op": "places", "tag", "dims", "field": "q"}  ->  {"places": [low, place, low, place, ...]}
    The list that is hashed, at most its first 65536 numbers. It is requested only to explain a wrong hash.

{"op": "pack", "tag", "dims", "values": {"q": HEX, ...}, "parameters": {"izp": 3}}  ->  {"bytes": HEX}
    "values" has every field that is given: all except those of content `=sum(...)`. A field of content `=+sum(...)` is
    given. "parameters" has the numbers that contents name, as integers; it is absent if there are none. "bytes" is the
    whole record. Bits that nothing writes (gaps, padding without ~) are 0.

{"op": "unpack", "tag", "dims", "bytes": HEX, "parameters"}  ->  {"values": {"q": HEX, ...}}
    The values that pack was given. Fields of content `=sum(...)` may be left out, or be there as they are stored.

{"op": "verify", "tag", "dims", "bytes": HEX, "parameters"}  ->  {"ok": 1}, or a refusal
    Checks that pack(unpack(bytes)) == bytes.

{"op": "repack", "tag", "to", "dims", "bytes": HEX, "parameters", "drop": ["sum"]}  ->  {"bytes": HEX}
    "bytes" is a record of "tag", the answer is one of "to", with the same axes in the same order. "drop" has the
    fields that "to" lacks; it is absent if there are none. Fields of "to" with content `=sum(...)` are computed.
    "parameters" are those of "to"; "tag" has no content `=+sum(...)`.

Tensors. A field's plain tensor is row-major. Its axes are the record's axes in logical order, and its extents count the
*different* values: shared digits are removed from the index. With `/32k` of k = 100 the extent along k is 4; with `/k`
it is 1; without shared digits it is 100. In general each shared digit is cut out of k, from the highest step to the
lowest: k becomes k / (step * extent) * step + k % step. The extent is the last of these plus 1. Elements are raw bits,
little-endian:

- If every piece of the name has low 0 and the same type of the library's table, the elements have the bits of the type.
  Element i is at bit i * bits, and bit 0 is the lowest of byte 0. So u4 has two a byte, and f32 has four bytes. The
  last byte's unused bits are 0 in a request, and unspecified in an answer. Pieces by ranges, and the two of a
  ragged field, are such fields, too.
- Otherwise (uN outside the table, or bits that lie apart) an element is a u8 if the value has up to 8 bits, else a u16.

HEX is two lower-case digits a byte, in order.
"""

import json
import sys

import numpy as np

from record_model import Record, pack, unpack
from record_tags import BITS, Refused

MOST_PLACES = 65536


def is_packed(field):
    """True if the elements of a field's tensor have the bits of its type; else each has a u8 or u16."""
    return field.is_whole and field.type in BITS


def to_hex(field, values):
    """Returns a tensor as the protocol has it."""
    if not is_packed(field):
        return values.astype("<u1" if field.bits <= 8 else "<u2").tobytes().hex()
    if field.bits % 8 == 0:
        return values.astype(f"<u{field.bits // 8}").tobytes().hex()
    bits = values.reshape(-1, 1) >> np.arange(field.bits, dtype=np.uint64) & np.uint64(1)
    return np.packbits(bits.astype(np.uint8).reshape(-1), bitorder="little").tobytes().hex()


def from_hex(field, text):
    """Returns the values of a tensor; raises ValueError if the number of bytes is wrong."""
    data, count = np.frombuffer(bytes.fromhex(text), dtype=np.uint8), int(np.prod(field.dims))
    if is_packed(field) and field.bits % 8:
        if data.size != (count * field.bits + 7) // 8:
            raise ValueError(f"{data.size} bytes for {count} elements of {field.type}")
        bits = np.unpackbits(data, bitorder="little")[:count * field.bits].reshape(count, field.bits).astype(np.uint64)
        return (bits << np.arange(field.bits, dtype=np.uint64)).sum(axis=1, dtype=np.uint64).reshape(field.dims)
    size = field.bits // 8 if is_packed(field) else 1 if field.bits <= 8 else 2
    if data.size != count * size:
        raise ValueError(f"{data.size} bytes for {count} elements of {size} bytes")
    return data.view(f"<u{size}").astype(np.uint64).reshape(field.dims)


def hash_of(numbers):
    """Returns the hash of a list of numbers."""
    weights = np.multiply.accumulate(np.full(numbers.size, 0x9E3779B97F4A7C15, dtype=np.uint64))
    return f"{int(((numbers.astype(np.uint64) + np.uint64(1)) * weights).sum(dtype=np.uint64)):016x}"


def fields_of(record):
    """Returns what the answer to `record` has for each field."""
    return {name: f"{field.bits} {'x'.join(map(str, field.dims))} {hash_of(record.numbers_of_places(name))}"
            for name, field in record.fields.items()}


def tensors(record, values):
    return {name: to_hex(record.fields[name], values[name]) for name in values}


def answer(request):
    """Returns the answer to a request."""
    tag, dims, parameters = request["tag"], request["dims"], request.get("parameters", {})
    record = Record(tag, dims)
    if request["op"] == "record":
        return {"text": tag, "size": record.size, "fields": fields_of(record)}
    if request["op"] == "places":
        return {"places": record.numbers_of_places(request["field"])[:MOST_PLACES].tolist()}
    if request["op"] == "pack":
        values = {name: from_hex(record.fields[name], text) for name, text in request["values"].items()}
        return {"bytes": pack(record, dims, values, parameters).hex()}
    data = bytes.fromhex(request["bytes"])
    if request["op"] == "unpack":
        return {"values": tensors(record, unpack(record, dims, data, parameters))}
    if request["op"] == "verify":
        if pack(record, dims, unpack(record, dims, data, parameters), parameters) != data:
            raise Refused("record_is_damaged")
        return {"ok": 1}
    to = Record(request["to"], dims)
    if set(record.fields) - set(to.fields) != set(request.get("drop", [])):
        raise Refused("field_is_not_dropped")
    return {"bytes": repacked(record, to, data, parameters).hex()}


def repacked(record, to, data, parameters):
    """Returns the bytes of one record from those of another one."""
    values = unpack(record, None, data)
    given = {}
    for name, field in to.fields.items():
        if field.content is None or field.content.added:
            if name not in values:
                raise Refused("field_is_missing", field.pieces[0].field.column)
            given[name] = given_values(record, to, name, values[name])
    return pack(to, None, given, parameters)


def given_values(record, to, name, values):
    """Returns values for the shape that a field has in the other record, which may share less."""
    source, field = record.fields[name], to.fields[name]
    index = []
    for axis, extent in record.dims.items():
        of_source, of_field = (f.reduced(axis, np.arange(extent)) for f in (source, field))
        pairs = dict(zip(of_field.tolist(), of_source.tolist()))
        if any(pairs[here] != there for here, there in zip(of_field.tolist(), of_source.tolist())):
            raise Refused("fibre_grows", field.pieces[0].field.column)
        index.append([pairs[here] for here in range(len(pairs))])
    return values[np.ix_(*index)]


def main():
    for line in sys.stdin:
        try:
            out = answer(json.loads(line))
        except Refused as why:
            out = {"refused": why.reason, "column": why.column, "sentence": str(why)}
        print(json.dumps(out), flush=True)


if __name__ == "__main__":
    main()
