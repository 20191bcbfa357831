# SPDX-License-Identifier: Apache-2.0
"""Numbers in the form of src/profile/record_format.h."""


def number(value):
    data = b""
    while value >= 0x80:
        data += bytes([value & 0x7f | 0x80])
        value >>= 7
    return data + bytes([value])


def numbers(*values):
    return b"".join(number(value) for value in values)


def difference(value, base=0):
    value -= base
    return number(value << 1 if value >= 0 else ~(value << 1))
