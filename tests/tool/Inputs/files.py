# SPDX-License-Identifier: Apache-2.0
# This file makes and shows NumPy and PNG files without the libraries that the command uses, to check it against.
#   files.py npy FILE TYPE SHAPE [fortran] VALUE...   TYPE as <f4, SHAPE as 2x3
#   files.py show-npy FILE
#   files.py png FILE grey|rgb|rgba WIDTH HEIGHT      pixel (x, y) has the channels x, y, x + y, 255 - x
#   files.py show-png FILE
#   files.py json FILE                                the keys, types and lengths of what is in it
import ast
import json
import struct
import sys
import zlib

CODES = {"f4": "f", "f8": "d", "i4": "i", "u4": "I", "i2": "h", "u1": "B", "i8": "q", "f2": "e", "b1": "?"}


def write_npy(name, kind, shape, words):
    order = words[0] == "fortran"
    values = [float(w) if kind[1] == "f" else int(w) for w in words[order:]]
    shape = tuple(int(s) for s in shape.split("x"))
    header = repr({"descr": kind, "fortran_order": order, "shape": shape}).encode()
    header += b" " * (63 - (10 + len(header)) % 64) + b"\n"
    prefix = ">" if kind[0] == ">" else "<"
    with open(name, "wb") as out:
        out.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header)
        out.write(struct.pack(f"{prefix}{len(values)}{CODES[kind[1:]]}", *values))


def show_npy(name):
    data = open(name, "rb").read()
    assert data[:8] == b"\x93NUMPY\x01\x00", "not version 1.0"
    length = struct.unpack("<H", data[8:10])[0]
    assert (10 + length) % 64 == 0 and data[9 + length] == 10, "the header is not aligned or not ended"
    header = ast.literal_eval(data[10 : 10 + length].decode())
    code = CODES[header["descr"][1:]]
    body = data[10 + length :]
    count = len(body) // struct.calcsize("<" + code)
    print(header["descr"], header["fortran_order"], header["shape"], *struct.unpack(f"<{count}{code}", body))


def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def write_png(name, kind, width, height):
    channels = {"grey": 1, "rgb": 3, "rgba": 4}[kind]
    rows = b""
    for y in range(height):
        rows += b"\0" + b"".join(bytes((x, y, x + y, 255 - x)[:channels]) for x in range(width))
    colour = {"grey": 0, "rgb": 2, "rgba": 6}[kind]
    with open(name, "wb") as out:
        out.write(b"\x89PNG\r\n\x1a\n")
        out.write(chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, colour, 0, 0, 0)))
        out.write(chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def unfilter(kind, row, above, step):
    for i in range(len(row)):
        a, b = (row[i - step] if i >= step else 0), above[i]
        c = above[i - step] if i >= step else 0
        nearest = min((abs(b - c), 0, a), (abs(a - c), 1, b), (abs(a + b - 2 * c), 2, c))[2]
        row[i] = (row[i] + (0, a, b, (a + b) // 2, nearest)[kind]) % 256
    return row


def show_png(name):
    data, at, packed = open(name, "rb").read(), 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", body[:10])
        if kind == b"IDAT":
            packed += body
        at += length + 12
    channels = {0: 1, 2: 3, 6: 4}[colour]
    raw, stride = zlib.decompress(packed), width * channels
    print(f"{width}x{height} depth {depth} channels {channels}")
    above = bytearray(stride)
    for y in range(height):
        line = raw[y * (stride + 1) : (y + 1) * (stride + 1)]
        above = unfilter(line[0], bytearray(line[1:]), above, channels)
        print(*above)


def show_json(key, value):
    print(key, type(value).__name__, len(value) if isinstance(value, list) else "")
    if isinstance(value, dict):
        for inner in value:
            show_json(inner, value[inner])
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        for inner in value:
            show_json("item", inner)


mode, name = sys.argv[1:3]
if mode == "npy":
    write_npy(name, sys.argv[3], sys.argv[4], sys.argv[5:])
elif mode == "show-npy":
    show_npy(name)
elif mode == "png":
    write_png(name, sys.argv[3], int(sys.argv[4]), int(sys.argv[5]))
elif mode == "json":
    show_json("whole", json.load(open(name)))
elif mode == "show-png":
    show_png(name)
else:
    sys.exit(f"unknown mode {mode}")
