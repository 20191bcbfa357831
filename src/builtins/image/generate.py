#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# This file writes the OpenCL C source of the functions of images (OpenCL C 3.0, 6.15.15): every type of image, access,
# kind of coordinate and type of colour. A program's image types are opaque; the library's functions take what
# lower-images makes of them under the mangled names of the declarations.
#
#   generate.py read|write|query > image_KIND.cl
"""Generates the functions that read, write and query images."""

import collections
import sys

# name: mangled; dimensions: those that are addressed; coordinate: width of the vector; array: has layers
Type = collections.namedtuple("Type", "name dimensions coordinate array depth")
TYPES = [
    Type("image1d", 1, 1, False, False),
    Type("image1d_buffer", 1, 1, False, False),
    Type("image1d_array", 1, 2, True, False),
    Type("image2d", 2, 2, False, False),
    Type("image2d_depth", 2, 2, False, True),
    Type("image2d_array", 2, 4, True, False),
    Type("image2d_array_depth", 2, 4, True, True),
    Type("image3d", 3, 4, False, False),
]
COLOURS = {"f": "float4", "i": "int4", "ui": "uint4", "h": "half4"}
MANGLED = {"float": "f", "int": "i", "uint": "j", "half": "Dh"}


def mangled(name, image, access, parameters):
    """The mangled name of a function whose parameters are an image and `parameters`; a type of more than one letter is
    repeated as a substitution. A sampler is 'sampler'."""
    text = f"_Z{len(name)}{name}"
    seen = []

    def named(word):
        seen.append(word)
        return f"{len(word)}{word}"

    text += named(f"ocl_{image}_{access}")
    for parameter in parameters:
        if parameter == "sampler":
            text += named("ocl_sampler")
            continue
        scalar = parameter.rstrip("234")
        if scalar == parameter:
            text += MANGLED[scalar]
        elif parameter in seen:
            number = seen.index(parameter)
            text += "S_" if number == 0 else f"S{number - 1}_"
        else:
            text += f"Dv{parameter[len(scalar):]}_{MANGLED[scalar]}"
            seen.append(parameter)
    return text


def vector(scalar, width):
    """float, float2, ..."""
    return scalar if width == 1 else f"{scalar}{width}"


def define(result, name, image, access, parameters, body):
    """One function. `parameters`: (type, name) behind the image."""
    symbol = mangled(name, image.name, access, [kind for kind, _ in parameters])
    declared = "".join(f", {'Sampler' if kind == 'sampler' else kind} {word}" for kind, word in parameters)
    own = f"f{symbol}"
    print(f'{result} {own}(Image image{declared}) __asm("{symbol}");\n'
          f"IMAGE_FUNCTION {result} {own}(Image image{declared}) {{ {body} }}")


def parts(image, coordinate="at"):
    """x, y and z of an integer coordinate; layers are z."""
    if image.coordinate == 1:
        return [coordinate, "0", "0"]
    if image.array and image.dimensions == 1:
        return [f"{coordinate}.x", "0", f"{coordinate}.y"]
    return [f"{coordinate}.x", f"{coordinate}.y", f"{coordinate}.z" if image.coordinate == 4 else "0"]


def spread(image, value):
    """A coordinate as float4, the same for all images."""
    if image.coordinate == 1 or (image.array and image.dimensions == 1):
        return f"(float4)({value}{'.x' if image.coordinate > 1 else ''}, 0, 0, 0)"
    return f"(float4)({value}.xy, 0, 0)" if image.dimensions == 2 else value


def widened(image, value):
    """A gradient as float4."""
    return {1: f"(float4)({value}, 0, 0, 0)", 2: f"(float4)({value}, 0, 0)", 3: value}[image.dimensions]


def result_of(image, kind):
    """The type that a function returns or takes."""
    return "float" if image.depth else COLOURS[kind]


def returned(image, kind, expression):
    """The statement that returns a sample."""
    if image.depth:
        return f"return {expression}.x;"
    return f"return __builtin_convertvector({expression}, half4);" if kind == "h" else f"return {expression};"


def read(image, access, kind):
    """All functions that read one type of image."""
    name, inner = f"read_image{kind}", "f" if kind == "h" else kind
    integers, floats = vector("int", image.coordinate), vector("float", image.coordinate)
    x, y, z = parts(image)
    layer = f"layerOf({z}, image->layers)" if image.array else z
    dimensions = image.dimensions
    result = result_of(image, kind)

    def make(parameters, expression, before=""):
        define(result, name, image, access, parameters, before + returned(image, kind, expression))

    at = (integers, "at")
    # 6.15.15.3: without a sampler as with CLK_ADDRESS_NONE, of which what is outside is undefined: the border here.
    make([at], f"texel_{inner}(image, firstLevel(image), true, {dimensions}, {x}, {y}, {layer})")
    if image.name == "image1d_buffer":
        return
    place = f"{spread(image, 'at')}, {layer}"
    if access == "ro":
        make([("sampler", "sampler"), at],
             f"at_{inner}(image, firstLevel(image), sampler, {dimensions}, {x}, {y}, {layer})")
        make([("sampler", "sampler"), (floats, "at")],
             f"sample_{inner}(image, firstLevel(image), sampler, {dimensions}, {place})")
    if kind == "h":
        return
    make([("sampler", "sampler"), (floats, "at"), ("float", "lod")],
         f"mip_{inner}(image, sampler, {dimensions}, {place}, lod)")
    gradient = vector("float", 4 if dimensions == 3 else dimensions)
    size = "(float4)(image->width, image->height, image->depth, 0)"
    make([("sampler", "sampler"), (floats, "at"), (gradient, "dx"), (gradient, "dy")],
         f"mip_{inner}(image, sampler, {dimensions}, {place}, lod)",
         f"float lod = lodOf(sampler, {widened(image, 'dx')}, {widened(image, 'dy')}, {size}); ")


def write(image, access, kind):
    """All functions that write one type of image."""
    name, inner = f"write_image{kind}", "f" if kind == "h" else kind
    x, y, z = parts(image)
    slices = "image->layers" if image.array else "level.depth" if image.dimensions == 3 else "1"
    colour = "(float4)(colour, 0, 0, 0)" if image.depth else \
        "__builtin_convertvector(colour, float4)" if kind == "h" else "colour"
    at, what = (vector("int", image.coordinate), "at"), (result_of(image, kind), "colour")
    body = f"write_{inner}(image, level, {image.dimensions}, {slices}, {x}, {y}, {z}, {colour});"
    define("void", name, image, access, [at, what], f"Level level = firstLevel(image); {body}")
    if kind != "h" and image.name != "image1d_buffer":
        define("void", name, image, access, [at, ("int", "lod"), what],
               "if ((uint)lod >= image->levels) return; "
               f"Level level = levelOf(image, lod, {image.dimensions}); {body}")


def query(image, access):
    """All queries of one type of image. They are so short that they are inlined at once."""
    def make(name, expression, result="int"):
        symbol = mangled(name, image.name, access, [])
        print(f'{result} f{symbol}(Image image) __asm("{symbol}");\n'
              f"__attribute__((always_inline)) {result} f{symbol}(Image image) {{ return {expression}; }}")

    make("get_image_width", "image->width")
    make("get_image_channel_data_type", "image->type")
    make("get_image_channel_order", "image->order")
    if image.dimensions > 1:
        make("get_image_height", "image->height")
    if image.dimensions == 2:
        make("get_image_dim", "(int2)(image->width, image->height)", "int2")
    if image.dimensions == 3:
        make("get_image_depth", "image->depth")
        make("get_image_dim", "(int4)(image->width, image->height, image->depth, 0)", "int4")
    if image.array:
        make("get_image_array_size", "image->layers", "size_t")
    if image.name != "image1d_buffer":
        make("get_image_num_mip_levels", "image->levels")


def main():
    kind = sys.argv[1]
    print(f'// Generated by image/generate.py {kind}.\n#include "image/image.clh"\n')
    for image in TYPES:
        for access in {"read": ["ro", "rw"], "write": ["wo", "rw"], "query": ["ro", "wo", "rw"]}[kind]:
            if kind == "query":
                query(image, access)
                continue
            for colour in "f" if image.depth else COLOURS:
                (read if kind == "read" else write)(image, access, colour)
    return 0


if __name__ == "__main__":
    sys.exit(main())
