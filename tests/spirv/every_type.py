#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every instruction that becomes a call of OpenCL C's functions, for every type that it may have: the function exists
in the builtin library, with this type.

    every_type.py CLARITY SPIRV_AS

The reader refuses calls of functions that there are not (builtin_names.h), so a module that can be used is the proof.
"""
import os
import re
import subprocess
import sys
import tempfile

SCALARS = {"i8": 8, "i16": 16, "i32": 32, "i64": 64, "f16": 16, "f32": 32, "f64": 64}
INTEGERS, FLOATS = ("i8", "i16", "i32", "i64"), ("f16", "f32", "f64")
COUNTS = (1, 2, 3, 4, 8, 16)
SPACES = {"f": "Function", "g": "CrossWorkgroup", "l": "Workgroup", "c": "UniformConstant", "x": "Generic"}
CAPABILITIES = """Kernel Addresses Linkage Int8 Int16 Int64 Float16 Float64 Vector16 GenericPointer Float16Buffer Groups
GroupNonUniform GroupNonUniformVote GroupNonUniformArithmetic GroupNonUniformBallot GroupNonUniformShuffle
GroupNonUniformShuffleRelative GroupNonUniformClustered GroupNonUniformRotateKHR SubgroupDispatch SubgroupShuffleINTEL
SubgroupBufferBlockIOINTEL Int64Atomics AtomicFloat32AddEXT AtomicFloat64AddEXT AtomicFloat16AddEXT
AtomicFloat32MinMaxEXT AtomicFloat64MinMaxEXT AtomicFloat16MinMaxEXT GroupUniformArithmeticKHR"""


def vector(scalar, count):
    return scalar if count == 1 else f"{scalar}v{count}"


TYPES = [vector(scalar, count) for scalar in SCALARS for count in COUNTS]

UNARY = """acos acosh acospi asin asinh asinpi atan atanh atanpi cbrt ceil cos cosh cospi erfc erf exp exp2 exp10 expm1
fabs floor lgamma log log2 log10 log1p logb rint round rsqrt sin sinh sinpi sqrt tan tanh tanpi tgamma trunc degrees
radians sign""".split()
BINARY = """atan2 atan2pi copysign fdim fmax fmin fmod hypot maxmag minmag nextafter pow powr remainder fmax_common
fmin_common step""".split()
FAST = "cos exp exp2 exp10 log log2 log10 recip rsqrt sin sqrt tan".split()
INTEGER_UNARY = "s_abs u_abs clz ctz popcount".split()
INTEGER_BINARY = """s_abs_diff u_abs_diff s_add_sat u_add_sat s_hadd u_hadd s_rhadd u_rhadd s_max u_max s_min u_min
rotate s_sub_sat u_sub_sat s_mul_hi u_mul_hi""".split()
INTEGER_TERNARY = "s_clamp u_clamp s_mad_hi u_mad_hi s_mad_sat u_mad_sat bitselect".split()


def extended_of_floats(scalar, count):
    t, number = vector(scalar, count), vector("i32", count)
    yield from ((name, t, [t]) for name in UNARY)
    yield from ((name, t, [t, t]) for name in BINARY)
    yield from ((name, t, [t, t, t]) for name in ("fma", "mad", "fclamp", "mix", "smoothstep", "bitselect"))
    for space in "fglx":
        yield from ((name, t, [t, f"p{space}_{t}"]) for name in ("fract", "modf", "sincos"))
        yield from ((name, t, [t, f"p{space}_{number}"]) for name in ("frexp", "lgamma_r"))
        yield "remquo", t, [t, t, f"p{space}_{number}"]
    yield from ((name, t, [t, number]) for name in ("ldexp", "pown", "rootn"))
    yield "ilogb", number, [t]
    yield "nan", t, [vector("i" + scalar[1:], count)]
    yield "select", t, [t, t, vector("i" + scalar[1:], count)]
    if count <= 4:
        fast = ["fast_"] if scalar == "f32" else []
        for prefix in [""] + fast:
            yield from ((prefix + "length", scalar, [t]), (prefix + "distance", scalar, [t, t]),
                        (prefix + "normalize", t, [t]))
        if count > 2:
            yield "cross", t, [t, t]


def extended_of_integers(scalar, count):
    t = vector(scalar, count)
    yield from ((name, t, [t]) for name in INTEGER_UNARY)
    yield from ((name, t, [t, t]) for name in INTEGER_BINARY)
    yield from ((name, t, [t, t, t]) for name in INTEGER_TERNARY)
    yield "select", t, [t, t, t]
    if scalar != "i64":
        wide = vector(f"i{2 * SCALARS[scalar]}", count)
        yield from (("s_upsample", wide, [t, t]), ("u_upsample", wide, [t, t]))
    if scalar == "i32":
        yield from ((name, t, [t, t, t]) for name in ("s_mad24", "u_mad24"))
        yield from ((name, t, [t, t]) for name in ("s_mul24", "u_mul24"))


def extended_of_memory(scalar, count):
    t = vector(scalar, count)
    yield "prefetch", "void", [f"pg_{t}", "i64"]
    if count == 1:
        return
    yield from (("vloadn", t, ["i64", f"p{space}_{scalar}", count]) for space in SPACES)
    yield from (("vstoren", "void", [t, "i64", f"p{space}_{scalar}"]) for space in "fglx")
    mask = vector(f"i{SCALARS[scalar]}", count)
    for source in (2, 4, 8, 16):
        if count != 3:
            yield "shuffle", t, [vector(scalar, source), mask]
            yield "shuffle2", t, [vector(scalar, source), vector(scalar, source), mask]


def extended_of_halves(count):
    t = vector("f32", count)
    loads = ["vload_half"] if count == 1 else ["vload_halfn", "vloada_halfn"]
    stores = ["vstore_half"] if count == 1 else ["vstore_halfn", "vstorea_halfn"]
    size = [] if count == 1 else [count]
    yield from ((name, t, ["i64", f"p{space}_f16"] + size) for name in loads for space in SPACES)
    for data in (t, vector("f64", count)):
        for space in "fglx":
            for name in stores:
                yield name, "void", [data, "i64", f"p{space}_f16"]
                yield from ((name + "_r", "void", [data, "i64", f"p{space}_f16", mode])
                            for mode in ("RTE", "RTZ", "RTP", "RTN"))
    for prefix in ("half_", "native_"):
        yield from ((prefix + name, t, [t]) for name in FAST)
        yield from ((prefix + name, t, [t, t]) for name in ("divide", "powr"))


def operand(argument):
    return f"%{argument}_u" if str(argument)[0] in "ifp" else str(argument)


def extended():
    rows = []
    for count in COUNTS:
        for scalar in FLOATS:
            rows += extended_of_floats(scalar, count)
        for scalar in INTEGERS:
            rows += extended_of_integers(scalar, count)
        for scalar in SCALARS:
            rows += extended_of_memory(scalar, count)
        rows += extended_of_halves(count)
    for name, result, arguments in rows:
        yield "=", f"OpExtInst %{result} %std {name} " + " ".join(operand(each) for each in arguments), ""


def conversions():
    modes = ("", "RTE", "RTZ", "RTP", "RTN")
    for count in COUNTS:
        for source in SCALARS:
            for target in SCALARS:
                a, b = vector(source, count), vector(target, count)
                kinds = source[0] + target[0]
                for sign in "SU":
                    if kinds == "fi":
                        yield from (("=", f"OpConvertFTo{sign} %{b} %{a}_u", mode + sat) for mode in modes
                                    for sat in ("", "s"))
                    elif kinds == "if":
                        yield from (("=", f"OpConvert{sign}ToF %{b} %{a}_u", mode) for mode in modes)
                    elif kinds == "ii" and source != target:
                        yield from (("=", f"Op{sign}Convert %{b} %{a}_u", sat) for sat in ("", "s"))
                if kinds == "ii":
                    yield from (("=", f"OpSatConvert{way} %{b} %{a}_u", "") for way in ("SToU", "UToS"))
                if kinds == "ff" and source != target:
                    yield from (("=", f"OpFConvert %{b} %{a}_u", mode) for mode in modes)


def arithmetic(type_name):
    if type_name[0] == "f":
        return "FAdd FMin FMax FMul".split()
    return "IAdd SMin UMin SMax UMax IMul BitwiseAnd BitwiseOr BitwiseXor".split()


def groups():
    forms = ("Reduce", "InclusiveScan", "ExclusiveScan")
    extended_ones = "IMul FMul BitwiseAnd BitwiseOr BitwiseXor".split()
    for t in TYPES:
        for scope in ("%c2", "%c3"):
            yield "=", f"OpGroupBroadcast %{t} {scope} %{t}_u %c1", ""
            for form in forms:
                names = [name + "KHR" if name in extended_ones else name for name in arithmetic(t)]
                yield from (("=", f"OpGroup{name} %{t} {scope} {form} %{t}_u", "") for name in names)
        yield from (("=", f"OpGroupNonUniform{name} %{t} %c3 {form} %{t}_u", "") for name in arithmetic(t)
                    for form in forms)
        yield from (("=", f"OpGroupNonUniform{name} %{t} %c3 ClusteredReduce %{t}_u %c4", "") for name in arithmetic(t))
        yield from (("=", f"OpGroupNonUniform{name} %{t} %c3 %{t}_u %c1", "")
                    for name in ("Broadcast", "Shuffle", "ShuffleXor", "ShuffleUp", "ShuffleDown", "RotateKHR"))
        yield "=", f"OpGroupNonUniformRotateKHR %{t} %c3 %{t}_u %c1 %c4", ""
        yield "=", f"OpGroupNonUniformBroadcastFirst %{t} %c3 %{t}_u", ""
        yield "=", f"OpGroupNonUniformAllEqual %bool %c3 %{t}_u", ""
        yield from (("=", f"OpSubgroupShuffle{kind}INTEL %{t} %{t}_u %c1", "") for kind in ("", "Xor"))
        yield from (("=", f"OpSubgroupShuffle{kind}INTEL %{t} %{t}_u %{t}_u %c1", "") for kind in ("Up", "Down"))
        for to, source in (("l", "g"), ("g", "l")):
            yield "=", f"OpGroupAsyncCopy %event %c2 %p{to}_{t}_u %p{source}_{t}_u %i64_u %i64_u %event_u", ""
        if t in [vector(scalar, count) for scalar in INTEGERS for count in (1, 2, 4, 8)]:
            for space in "gl":
                yield "=", f"OpSubgroupBlockReadINTEL %{t} %p{space}_{t.split('v')[0]}_u", ""
                yield "", f"OpSubgroupBlockWriteINTEL %p{space}_{t.split('v')[0]}_u %{t}_u", ""


def atomics():
    for t in ("i32", "i64") + FLOATS:
        for space in "gxlf":
            pointer = f"%p{space}_{t}_u"
            yield "=", f"OpAtomicLoad %{t} {pointer} %c1 %c0", ""
            yield "", f"OpAtomicStore {pointer} %c1 %c0 %{t}_u", ""
            yield "=", f"OpAtomicExchange %{t} {pointer} %c1 %c0 %{t}_u", ""
            names = "FAddEXT FMinEXT FMaxEXT" if t[0] == "f" else "IAdd ISub SMin UMin SMax UMax And Or Xor"
            yield from (("=", f"OpAtomic{name} %{t} {pointer} %c1 %c0 %{t}_u", "") for name in names.split())
            if t[0] == "i":
                for name in ("IIncrement", "IDecrement"):
                    yield "=", f"OpAtomic{name} %{t} {pointer} %c1 %c0", ""
                yield "=", f"OpAtomicCompareExchange %{t} {pointer} %c1 %c0 %c0 %{t}_u %{t}_u", ""


def declarations():
    yield "%void = OpTypeVoid\n%bool = OpTypeBool\n%event = OpTypeEvent\n%event_u = OpConstantNull %event"
    yield "%function = OpTypeFunction %void"
    for scalar, bits in SCALARS.items():
        yield f"%{scalar} = " + (f"OpTypeInt {bits} 0" if scalar[0] == "i" else f"OpTypeFloat {bits}")
        yield from (f"%{vector(scalar, count)} = OpTypeVector %{scalar} {count}" for count in COUNTS[1:])
    yield from (f"%c{number} = OpConstant %i32 {number}" for number in range(5))
    for t in TYPES:
        yield f"%{t}_u = OpUndef %{t}"
        for space, name in SPACES.items():
            yield f"%p{space}_{t} = OpTypePointer {name} %{t}\n%p{space}_{t}_u = OpUndef %p{space}_{t}"


def module(instructions):
    """The text, and the number of the first of these instructions."""
    begin = [f"OpCapability {each}" for each in CAPABILITIES.split()] + ['%std = OpExtInstImport "OpenCL.std"']
    begin += ["OpMemoryModel Physical64 OpenCL", 'OpEntryPoint Kernel %main "main"']
    body = []
    for number, (result, text, decoration) in enumerate(instructions):
        body.append(f"%r{number} = {text}" if result else text)
        if decoration.rstrip("s"):
            begin.append(f"OpDecorate %r{number} FPRoundingMode {decoration.rstrip('s')}")
        if decoration.endswith("s"):
            begin.append(f"OpDecorate %r{number} SaturatedConversion")
    begin += "\n".join(declarations()).split("\n") + ["%main = OpFunction %void None %function", "%entry = OpLabel"]
    return "\n".join(begin + body + ["OpReturn", "OpFunctionEnd"]), len(begin) + 1


def main():
    clarity, assembler = sys.argv[1:3]
    failures = 0
    for kind in (extended, conversions, groups, atomics):
        instructions = list(kind())
        text, first = module(instructions)
        with tempfile.TemporaryDirectory() as folder:
            source, binary = os.path.join(folder, "m.spvasm"), os.path.join(folder, "m.spv")
            with open(source, "w", encoding="utf-8") as out:
                out.write(text)
            subprocess.run([assembler, "--target-env", "spv1.4", source, "-o", binary], check=True)
            run = subprocess.run([clarity, "compile", binary, "--emit", "portable-ir", "-o", os.devnull],
                                 capture_output=True, text=True)
        print(f"{kind.__name__}: {len(instructions)} instructions")
        if run.returncode != 0:
            failures += 1
            number = re.search(r"instruction (\d+) ", run.stderr)
            print(run.stderr, instructions[int(number[1]) - first] if number else "")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
