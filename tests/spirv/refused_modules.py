# SPDX-License-Identifier: Apache-2.0
"""The table of refused.py: modules and messages. Ids are numbered by spirv-as in the order of their first mention."""

HEAD = """OpCapability Addresses
OpCapability Linkage
OpCapability Kernel
OpCapability Int8
OpCapability Int16
OpCapability Int64
OpCapability Float64
OpCapability Float16
OpCapability Vector16
OpCapability GenericPointer
OpCapability Groups
OpCapability ImageBasic
OpCapability Pipes
%std = OpExtInstImport "OpenCL.std"
"""
MEMORY = "OpMemoryModel Physical64 OpenCL\n"

# Ids: std 1, void 2, bool 3, i8 4, i16 5, i32 6, i64 7, f32 8, f64 9, v4 10, v2 11, p 12, pl 13, px 14, pf 15, s 16,
# ps 17, 18 to 21 the numbers 0 to 3, true 22, nothing 23.
BEGIN = HEAD + MEMORY + """%void = OpTypeVoid
%bool = OpTypeBool
%i8 = OpTypeInt 8 0
%i16 = OpTypeInt 16 0
%i32 = OpTypeInt 32 0
%i64 = OpTypeInt 64 0
%f32 = OpTypeFloat 32
%f64 = OpTypeFloat 64
%v4 = OpTypeVector %f32 4
%v2 = OpTypeVector %i32 2
%p = OpTypePointer CrossWorkgroup %i32
%pl = OpTypePointer Workgroup %i32
%px = OpTypePointer Generic %i32
%pf = OpTypePointer Function %i32
%s = OpTypeStruct %i32 %f32
%ps = OpTypePointer CrossWorkgroup %s
%c0 = OpConstant %i32 0
%c1 = OpConstant %i32 1
%c2 = OpConstant %i32 2
%c3 = OpConstant %i32 3
%true = OpConstantTrue %bool
%nothing = OpTypeFunction %void
"""
FUNCTION = """%f = OpFunction %void None %nothing
%l = OpLabel
OpReturn
OpFunctionEnd
"""

MODES = HEAD + MEMORY + """OpEntryPoint Kernel %f "f"
{mode}
%i32 = OpTypeInt 32 0
%i64 = OpTypeInt 64 0
%void = OpTypeVoid
%c1 = OpConstant %i32 1
%large = OpConstant %i64 4294967296
%nothing = OpTypeFunction %void
""" + FUNCTION

# Modules that are small and demand much.
ZERO_SIZE = """%none = OpTypeStruct
%many = OpConstant %i64 1000000000000000
%nones = OpTypeArray %none %many
%pn = OpTypePointer CrossWorkgroup %nones
"""
NESTED = "%n0 = OpTypeStruct %i32\n" + "".join(
    f"%n{i} = OpType{kind}\n" for i, kind in
    ((i, f"Struct %n{i - 1}" if i % 2 else f"Array %n{i - 1} %c1") for i in range(1, 255)))


def changed(index, value):
    """A change of one word."""
    def change(words):
        return words[:index] + [value] + words[index + 1:]
    return change


# The file as words and bytes.
BYTES = [
    (lambda words: b"", "its size is 0 bytes; the header alone has 20"),
    (lambda words: b"\x03\x02\x23\x07abc", "its size is 7 bytes, which is not a multiple of 4"),
    (lambda words: words[:4], "its size is 16 bytes; the header alone has 20"),
    (changed(0, 0x12345678), "its first word is 0x12345678, not the magic number 0x07230203"),
    (changed(1, 0x00010700), "its version is 0x00010700; 1.0 to 1.6 are read"),
    (changed(1, 0x00000900), "its version is 0x00000900; 1.0 to 1.6 are read"),
    (changed(3, 0), "its bound of ids is 0; it must be from 1 to 4194303"),
    (changed(3, 0x400000), "its bound of ids is 4194304; it must be from 1 to 4194303"),
    (changed(4, 1), "its schema is 1, not 0"),
    (changed(5, 0x00000011), "instruction 1 (OpCapability) has 0 words, the module 135 more"),
    (changed(5, 0x00ff0011), "instruction 1 (OpCapability) has 255 words, the module 135 more"),
    (changed(5, 0x0002ffff), "instruction 1 has the unknown opcode 65535"),
    (changed(6, 0xffff), "instruction 1 (OpCapability): operand 1 has the unknown value 0xffff"),
    (changed(5, 0x00010011), "instruction 1 (OpCapability): it has 0 operands and needs more"),
    (changed(5, 0x00030011), "instruction 1 (OpCapability): it has 2 operands, and only 1 mean anything"),
]

# An untyped pointer in global memory, %pu, and a constant of that type.
UNTYPED = BEGIN + "%event = OpTypeEvent\n!0x00031141 %pu !5 ; OpTypeUntypedPointerKHR\n%null = OpConstantNull %pu\n"


def in_function(line):
    """A module in which a function does something with the constant."""
    return UNTYPED + FUNCTION.replace("OpReturn", line + " ; <-\nOpReturn")


# Two functions or variables with one name; the second follows.
LINKED = (HEAD + 'OpMemoryModel Physical64 OpenCL\nOpDecorate %f LinkageAttributes "part" Export\n'
          'OpDecorate %g LinkageAttributes "part" {kind}\n%void = OpTypeVoid\n%i32 = OpTypeInt 32 0\n'
          "%p = OpTypePointer CrossWorkgroup %i32\n%q = OpTypePointer UniformConstant %i32\n"
          "%nothing = OpTypeFunction %void\n%fn = OpTypeFunction %i32\n")

# Whole modules.
MODULES = [
    (MODES.format(mode="OpExecutionMode %f DenormFlushToZero 8 ; <-"),
     "floating-point numbers have 16, 32 or 64 bits, not 8"),
    (MODES.format(mode='OpEntryPoint Kernel %g "g" ; <-\nOpExecutionMode %f DenormFlushToZero 32') +
     FUNCTION.replace("%f", "%g").replace("%l", "%m"),
     "'f' and 'g' may share functions, and do not flush the same denormal numbers"),
    (BEGIN + "%g = OpConstantFunctionPointerINTEL %i32 %f ; <-\n" + FUNCTION, "its type 6 is not a pointer"),
    (BEGIN + "%g = OpConstantFunctionPointerINTEL %p %c1 ; <-\n" + FUNCTION, "the id 19 is not a function"),
    (LINKED.format(kind="Export") + FUNCTION + "%g = OpFunction %void None %nothing ; <-\n%m = OpLabel\nOpReturn\n"
     "OpFunctionEnd\n", "'part' is defined by instruction 24, too"),
    (LINKED.format(kind="Import") + FUNCTION + "%g = OpFunction %i32 None %fn ; <-\nOpFunctionEnd\n",
     "'part' has another type elsewhere in the module"),
    (LINKED.format(kind="Import") + "%f = OpVariable %p CrossWorkgroup\n"
     "%g = OpFunction %i32 None %fn ; <-\nOpFunctionEnd\n", "'part' has another type elsewhere in the module"),
    (LINKED.format(kind="Export") + "%f = OpVariable %p CrossWorkgroup\n%g = OpVariable %p CrossWorkgroup ; <-\n",
     "'part' is defined twice"),
    (LINKED.format(kind="Import") + "%f = OpVariable %p CrossWorkgroup\n%g = OpVariable %q UniformConstant ; <-\n",
     "'part' has another type elsewhere in the module"),
    (UNTYPED + "%x = OpVariable %pu CrossWorkgroup ; <-\n", "its type 25 is not a pointer"),
    (UNTYPED + "%e2 = OpTypeEvent\n!0x00051142 %p %x !5 %i32 ; OpUntypedVariableKHR ; <-\n",
     "its type 12 is not an untyped pointer"),
    (UNTYPED + "%e2 = OpTypeEvent\n!0x00041142 %pu %x !5 ; OpUntypedVariableKHR ; <-\n",
     "it does not say what it contains"),
    (HEAD + 'OpMemoryModel Physical64 OpenCL\nOpDecorate %f LinkageAttributes "__clarity_barrier" Import\n'
     "%void = OpTypeVoid\n%nothing = OpTypeFunction %void\n%f = OpFunction %void None %nothing\nOpFunctionEnd\n",
     "'__clarity_barrier': names that begin with __clarity_ are the implementation's"),
    (in_function("%x = OpPtrDiff %i64 %null %null"), "its pointers are untyped"),
    (in_function("%x = OpSizeOf %i32 %null"), "its pointer is untyped"),
    (in_function("%x = OpFunctionCall %void %f\nOpStore %null %x"), "there are no values of its type"),
    (in_function("OpCopyMemory %null %null"), "both of its pointers are untyped"),
    (in_function("%x = OpAccessChain %pu %null %c0"), "the id 0 is not a type"),
    (in_function("!0x00061143 %p %x %s %null %c0 ; OpUntypedAccessChainKHR"),
     "its result does not point to the type 6"),
    (in_function("!0x00061143 %pu %x %c0 %null %c0 ; OpUntypedAccessChainKHR"), "the id 18 is not a type"),
    (in_function("!0x00071147 %pu %x %s %null %null %c0 ; OpUntypedPtrAccessChainKHR"), "operand 3 is not an integer"),
    (in_function("!0x000a1152 %event %x %c2 %null %null %c3 %c1 %c1 %nothing ; OpUntypedGroupAsyncCopyKHR"),
     "no type of OpenCL C has elements of 3 bytes"),
    (BEGIN + "%n = OpConstant %i32 2097152\n%big = OpTypeArray %i32 %n\n"
     "!0x0004116d %big %all %c1 ; OpConstantCompositeReplicateEXT ; <-\n" + FUNCTION,
     "it has 2097152 parts, more than 1048576"),
    (HEAD, "it has no OpMemoryModel"),
    ("OpCapability Shader ; <-\n", "the capability Shader is not supported"),
    (HEAD + "OpMemoryModel Physical32 OpenCL ; <-\n",
     "its addressing model is Physical32; devices have addresses of 64 bits, Physical64"),
    (HEAD + "OpMemoryModel Physical64 GLSL450 ; <-\n", "its memory model is GLSL450, not OpenCL"),
    ('OpCapability Kernel\n%a = OpExtInstImport "GLSL.std.450" ; <-\n',
     "the set of instructions 'GLSL.std.450' is unknown"),
    (HEAD + MEMORY + 'OpEntryPoint GLCompute %f "f" ; <-\n' + "%void = OpTypeVoid\n%nothing = OpTypeFunction %void\n" +
     FUNCTION, "its execution model is GLCompute; OpenCL has Kernel"),
    (HEAD + MEMORY + "%i = OpTypeInt 129 0 ; <-\n", "integers have 2 to 128 bits, not 129"),
    (HEAD + MEMORY + "%i = OpTypeFloat 128 ; <-\n", "floating-point numbers have 16, 32 or 64 bits, not 128"),
    (HEAD + MEMORY + "%i = OpTypeInt 32 0\n%v = OpTypeVector %i 17 ; <-\n",
     "vectors have 1 to 16 components, not 17"),
    (HEAD + MEMORY + "%i = OpTypeVoid\n%v = OpTypeVector %i 4 ; <-\n",
     "its components are of type 2, which is not a number"),
    (BEGIN + "%x = OpTypeArray %i32 %c0 ; <-\n", "its length is 0"),
    (BEGIN + "%x = OpTypeArray %void %c1 ; <-\n", "the type 2 has no size"),
    (BEGIN + "%n = OpConstant %i64 1152921504606846975\n%x = OpTypeArray %i32 %n ; <-\n",
     "it is larger than any memory: 1152921504606846975 times 4 bytes"),
    (BEGIN + "%x = OpTypeStruct %i32 %void ; <-\n", "the type 2 has no size"),
    (BEGIN + NESTED + "%x = OpTypeStruct %n254 ; <-\n", "it is nested in more than 255 levels"),
    (BEGIN + NESTED + "%x = OpTypeArray %n254 %c1 ; <-\n", "it is nested in more than 255 levels"),
    (BEGIN + ZERO_SIZE + "%x = OpTypeFunction %void %nones ; <-\n", "the type 26 has more than 4096 parts"),
    (BEGIN + ZERO_SIZE + "%x = OpTypeFunction %nones ; <-\n", "the type 26 has more than 4096 parts"),
    (BEGIN + ZERO_SIZE + "%x = OpConstantNull %nones\n%fn = OpTypeFunction %void %pn\n%f = OpFunction %void None %fn\n"
     "%a = OpFunctionParameter %pn\n%l = OpLabel\nOpStore %a %x ; <-\nOpReturn\nOpFunctionEnd\n",
     "its value has more than 4096 parts"),
    (BEGIN + ZERO_SIZE + "%fn = OpTypeFunction %void %pn\n%f = OpFunction %void None %fn\n"
     "%a = OpFunctionParameter %pn\n%l = OpLabel\n%x = OpLoad %nones %a ; <-\nOpReturn\nOpFunctionEnd\n",
     "its value has more than 4096 parts"),
    (BEGIN + "%big = OpConstant %i32 4097\n%x = OpTypeArray %i32 %big\n%f = OpFunction %void None %nothing\n"
     "%l = OpLabel\n%y = OpUndef %x ; <-\nOpReturn\nOpFunctionEnd\n", "its value has more than 4096 parts"),
    (HEAD + MEMORY + "OpDecorate %g Restrict\n%g = OpDecorationGroup\n" + "OpGroupDecorate %g %g\n" * 20 +
     "OpGroupDecorate %g %g ; <-\n", "groups give more than 1048576 decorations"),
    (HEAD + MEMORY + "OpDecorate %g Restrict\n%g = OpDecorationGroup\n" + "OpGroupDecorate %g %g\n" * 19 +
     "OpGroupMemberDecorate %g %s 0 %s 1 ; <-\n", "groups give more than 1048576 decorations"),
    (HEAD + MEMORY + "OpDecorate %v BuiltIn WorkDim\n%f32 = OpTypeFloat 32\n%pi = OpTypePointer Input %f32\n"
     "%void = OpTypeVoid\n%nothing = OpTypeFunction %void\n%v = OpVariable %pi Input\n" +
     FUNCTION.replace("OpReturn", "%x = OpLoad %f32 %v ; <-\nOpReturn"), "a builtin variable has the wrong type"),
    (MODES.format(mode="OpExecutionMode %f LocalSizeId %c1 %c1 %c1 ; <-"),
     "the mode LocalSizeId belongs to OpExecutionModeId"),
    (MODES.format(mode="OpExecutionModeId %f LocalSize 1 1 1 ; <-"),
     "the mode LocalSize belongs to OpExecutionMode"),
    (MODES.format(mode="OpExecutionModeId %f LocalSizeId %c1 %large %c1 ; <-"),
     "the number 4294967296 is larger than an int"),
    (MODES.format(mode="OpExecutionModeId %f LocalSizeId %c1 %i32 %c1 ; <-"), "the id 4 is not a constant"),
    (BEGIN + "%x = OpTypePointer Uniform %i32 ; <-\n", "the storage class Uniform is not one of OpenCL's"),
    (BEGIN + "%x = OpTypeFunction %void %void ; <-\n", "the type 2 has no size"),
    (BEGIN + "%x = OpTypeImage %void Cube 0 0 0 0 Unknown ReadOnly ; <-\n",
     "images of dimension Cube are not OpenCL's"),
    (BEGIN + "%x = OpTypeVector %x 4 ; <-\n", "the id 24 is not a type"),
    (BEGIN + "%x = OpTypeFunction %x ; <-\n", "the id 24 is not a type"),
    (BEGIN + "%x = OpTypeMatrix %v4 4 ; <-\n", "types of this kind are not supported"),
    (BEGIN + "%x = OpConstantTrue %i32 ; <-\n", "its type 6 does not fit"),
    (BEGIN + "%x = OpConstantComposite %v2 %c1 ; <-\n", "its type 11 does not have 1 parts"),
    (BEGIN + "%x = OpConstantComposite %v4 %c1 %c1 %c1 %c1 ; <-\n", "part 0 has another type"),
    (BEGIN + "%x = OpConstantComposite %s %c1 %c1 ; <-\n", "part 1 has another type"),
    (BEGIN + "%x = OpConstantNull %void ; <-\n", "there are no constants of type 2"),
    (BEGIN + "%x = OpSpecConstantOp %i32 IAdd %c1 %true\n",
     "instruction 38 (OpIAdd): operand 2 is not of the same type as the one before"),
    (BEGIN + "%v = OpVariable %p Workgroup ; <-\n",
     "its storage class is Workgroup, that of its type CrossWorkgroup"),
    (BEGIN + "%v = OpVariable %pf Function ; <-\n", "no variable at module scope is in the storage class Function"),
    (BEGIN + "%v = OpVariable %i32 CrossWorkgroup ; <-\n", "its type 6 is not a pointer"),
    (BEGIN + "%v = OpVariable %p CrossWorkgroup %true ; <-\n", "its initial value 22 has another type"),
    (BEGIN + "%f = OpFunction %void None %i32 ; <-\n%l = OpLabel\nOpReturn\nOpFunctionEnd\n",
     "the id 6 is not a type of functions"),
    (BEGIN + "%f = OpFunction %i32 None %nothing ; <-\n%l = OpLabel\nOpReturn\nOpFunctionEnd\n",
     "its result has not the type that its type says"),
    (BEGIN + "%f = OpFunction %void None %nothing ; <-\n%a = OpFunctionParameter %i32\n%l = OpLabel\nOpReturn\n"
     "OpFunctionEnd\n", "its type has 0 parameters, it has 1"),
    (BEGIN + "%f = OpFunction %void None %nothing ; <-\nOpFunctionEnd\n", "it has no blocks and is not imported"),
    (BEGIN + "%f = OpFunction %void None %nothing ; <-\n%l = OpLabel\nOpReturn\n",
     "the function has no OpFunctionEnd"),
    (BEGIN + "%f = OpFunction %void None %nothing ; <-\n%l = OpLabel\nOpFunctionEnd\n",
     "its last block has no terminator"),
    (BEGIN + FUNCTION + "OpReturn ; <-\n", "it is outside of a function"),
    (BEGIN + "%f = OpFunction %void None %nothing\n%l = OpLabel\nOpReturn\nOpReturn ; <-\nOpFunctionEnd\n",
     "it is not in a block"),
    (BEGIN + "%f = OpFunction %void None %nothing\n%l = OpLabel\n%m = OpLabel ; <-\nOpReturn\nOpFunctionEnd\n",
     "the block before it has no terminator"),
    (BEGIN + "%f = OpFunction %void None %nothing\n%l = OpLabel\nOpBranch %f ; <-\nOpFunctionEnd\n",
     "the id 24 is not a block of this function"),
    (BEGIN.replace("%void = OpTypeVoid", 'OpEntryPoint Kernel %k "k" ; <-\n%void = OpTypeVoid').replace(
        MEMORY, MEMORY + "", 1) + FUNCTION, "the id 2 is not a function"),
]

# The body of a function with parameters of these types.
BODIES = [
    ("i32", "%r = OpFunctionPointerCallINTEL %i32 %a ; <-", "operand 1 is not a pointer"),
    ("i32", "%r = OpFunctionPointerCallINTEL %i32 ; <-", "it has no pointer to a function"),
    ("i32 f32", "%r = OpIAdd %i32 %a %b ; <-", "operand 2 is not of the same type as the one before"),
    ("f32 f32", "%r = OpIAdd %f32 %a %b ; <-", "operand 1 is not an integer"),
    ("i32 i32", "%r = OpIAdd %i64 %a %b ; <-", "its result has another type than its operands"),
    ("i32 i32", "%r = OpFAdd %f32 %a %b ; <-", "operand 1 is not a floating-point number"),
    ("i32 v2", "%r = OpShiftLeftLogical %i32 %a %b ; <-", "its operands have different sizes"),
    ("i32", "%r = OpLogicalNot %bool %a ; <-", "operand 1 is not a bool"),
    ("f32 f32", "%r = OpDot %f32 %a %b ; <-", "its operands are not vectors"),
    ("v4 f64", "%r = OpVectorTimesScalar %v4 %a %b ; <-", "its operands are not a vector and a number"),
    ("i32 i32", "%r = OpIAddCarry %i32 %a %b ; <-", "its result is not a structure of two such numbers"),
    ("i32 i32", "%r = OpIAddCarry %s %a %b ; <-", "its result is not a structure of two such numbers"),
    ("i32 v2", "%r = OpBitFieldUExtract %i32 %a %b %a ; <-", "operand 2 is not an integer"),
    ("i32", "%r = OpBitCount %v2 %a ; <-", "its result is not such an integer"),
    ("f32", "%r = OpFNegate %f64 %a ; <-", "its result has not the type 9"),
    ("v4", "%r = OpUGreaterThan %bool %a %a ; <-", "operand 1 is not an integer"),
    ("i32 i32", "%r = OpIEqual %i32 %a %b ; <-", "its result has not the type 6"),
    ("bool i32 f32", "%r = OpSelect %i32 %a %b %c ; <-", "operand 3 is not of the same type as the one before"),
    ("f32", "%r = OpConvertFToS %v2 %a ; <-", "its result is not an integer of the size of its operand"),
    ("i32", "%r = OpConvertSToF %i32 %a ; <-", "its result is not a floating-point number of the size of its operand"),
    ("i32", "%r = OpBitcast %i64 %a ; <-", "its types have different sizes"),
    ("s", "%r = OpCompositeExtract %i32 %a 2 ; <-", "there is no part 2 among 2"),
    ("s", "%r = OpCompositeExtract %f32 %a 0 ; <-", "its result has not the type 8"),
    ("i32", "%r = OpCompositeExtract %i32 %a 0 ; <-", "there is no part 0 among 0"),
    ("f32 s", "%r = OpCompositeInsert %s %a %b 0 ; <-", "the part has another type"),
    ("i32", "%r = OpCompositeConstruct %v2 %a ; <-", "its type has 2 parts, it gives 1"),
    ("i32", "%r = OpCompositeConstruct %v2 %a %a %a ; <-", "there is no part 2 among 2"),
    ("i32", "%r = OpCompositeConstruct %s %a %a ; <-", "part 1 has another type"),
    ("i32", "%r = OpCopyLogical %s %a ; <-", "its types differ"),
    ("f64", "!0x0004191a %f64 %r %a ; OpRoundFToTF32INTEL ; <-", "operand 1 is not a float"),
    ("i32", "!0x0004116f %i32 %r %a ; OpCompositeConstructReplicateEXT ; <-", "its result has no parts"),
    ("i32", "!0x0004116f %s %r %a ; OpCompositeConstructReplicateEXT ; <-", "part 1 has another type"),
    ("i32", "%r = OpVariableLengthArrayINTEL %pf %a ; <-", "its length is not a constant"),
    ("i32", "%r = OpVariableLengthArrayINTEL %p %c1 ; <-", "its result is not in the storage class Function"),
    ("v4 v2", "%r = OpVectorShuffle %v4 %a %b 0 1 2 4 ; <-", "its vectors have different components"),
    ("v4 v4", "%r = OpVectorShuffle %v4 %a %b 0 1 2 8 ; <-", "there is no component 8 among 8"),
    ("i32", "%r = OpVectorExtractDynamic %i32 %a %c0 ; <-", "operand 1 is not a vector"),
    ("v4 i32", "%r = OpVectorInsertDynamic %v4 %a %b %c0 ; <-", "the component has another type"),
    ("p", "%r = OpLoad %f32 %a ; <-", "its pointer points to another type"),
    ("p f32", "OpStore %a %b ; <-", "its pointer points to another type"),
    ("i32", "%r = OpLoad %i32 %a ; <-", "the type 6 is not a pointer"),
    ("p", "%r = OpLoad %i32 %a Aligned 3 ; <-", "the alignment 3 is not a power of two below 2^30"),
    ("p", "%r = OpLoad %i32 %a Aligned !0 ; <-", "the alignment 0 is not a power of two below 2^30"),
    ("p", "%v = OpVariable %p CrossWorkgroup ; <-", "variables of a function are in the storage class Function"),
    ("ps", "%r = OpAccessChain %p %a %c2 ; <-", "the structure 16 has no member 2"),
    ("ps i32", "%r = OpAccessChain %p %a %b ; <-", "the id 27 is not a constant"),
    ("ps", "%r = OpAccessChain %pl %a %c0 ; <-", "its result has not the type 13"),
    ("ps", "%r = OpAccessChain %ps %a %c0 ; <-", "its result does not point to the type 6"),
    ("p", "%r = OpAccessChain %p %a %c0 ; <-", "the type 6 has no parts"),
    ("i32", "%r = OpConvertPtrToU %i64 %a ; <-", "operand 1 is not a pointer"),
    ("p", "%r = OpPtrCastToGeneric %pl %a ; <-", "its result is not a generic pointer"),
    ("p", "%r = OpGenericCastToPtr %pl %a ; <-", "it is not from a generic pointer to another"),
    ("p", "%r = OpGenericPtrMemSemantics %i32 %a ; <-", "its pointer is not generic"),
    ("i32", "OpBranchConditional %a %entry %entry ; <-", "operand 1 is not a bool"),
    ("f32", "OpSwitch %a %entry ; <-", "operand 1 is not an integer"),
    ("i32", "OpSwitch %a %more 1 %more 1 %more ; <-\n%more = OpLabel", "the target for 1 is there twice"),
    ("i32", "OpSwitch %a %more 1 !4294967295 ; <-\n%more = OpLabel", "no instruction has the result 4294967295"),
    ("i32", "OpReturnValue %a ; <-\n%more = OpLabel", "the function returns another type"),
    ("i32", "%r = OpFunctionCall %void %a ; <-", "the id 26 is not a function"),
    ("i32", "%r = OpFunctionCall %void %f ; <-", "it gives 0 arguments, the function takes 1"),
    ("i32", "%r = OpFunctionCall %void %f %true ; <-", "argument 0 has another type"),
    ("i32", "OpBranch %more\n%more = OpLabel\n%r = OpPhi %i32 %true %entry ; <-", "the value 22 has another type"),
    ("i32", "OpBranch %more\n%more = OpLabel\n%r = OpPhi %i32 %a %more ; <-",
     "a block that leads here has no value"),
    ("p", "%r = OpAtomicIAdd %i32 %a %c1 %c0 %true ; <-", "its value has another type than the object"),
    ("ps", "%r = OpAtomicLoad %s %a %c1 %c0 ; <-", "its object is not a number"),
    ("p f32", "%r = OpAtomicIAdd %i32 %a %b %c0 %c1 ; <-", "operand 2 is not an integer"),
    ("i32", "OpControlBarrier %a %c2 %c0 ; <-", "the id 26 is not a constant"),
    ("p", "%n = OpConstant %i32 9 ; <-", "this instruction is not supported"),
    ("i32", "%r = OpGroupAll %bool %c2 %a ; <-", "operand 2 is not a bool"),
    ("i32", "%r = OpGroupIAdd %i32 %c1 Reduce %a ; <-",
     "its execution scope is Device; OpenCL has Workgroup and Subgroup"),
    ("i32", "%r = OpGroupIAdd %i32 %c2 ClusteredReduce %a ; <-",
     "the group operation ClusteredReduce is not possible here"),
    ("i32", "%r = OpExtInst %i32 %std sin %a ; <-", "OpenCL C has no function sin(unsigned int)"),
    ("f32", "%r = OpExtInst %f64 %std sin %a ; <-",
     "its result or an operand has another type than in OpenCL C's sin(float)"),
    ("f32", "%r = OpExtInst %f32 %std !9999 %a ; <-", "OpenCL.std has no instruction 9999"),
    ("f32", "%r = OpExtInst %f32 %std !57 ; <-", "OpenCL C has no function sin()"),
    ("i32", "%r = OpIAdd %i32 %a %later ; <-\n%later = OpIAdd %i32 %a %a", "the id 29 has no value here"),
    ("i32", "%r = OpBitcast %i64 %f ; <-", "the id 25 has no value here"),
    ("i32", "%r = OpIAdd %i32 %a %missing ; <-", "no instruction has the result 29"),
    ("i32", "%r = OpIAdd %i32 %a %i32 ; <-", "the id 6 has no value here"),
    ("i32", "%r = OpIAdd %i32 %a %a\n%r = OpIMul %i32 %a %a ; <-", "the id 28 is the result of instruction 42, too"),
    ("i32", "%r = OpImageRead %v4 %a %a ; <-", "the id 26 is not an image"),
    ("i32", "%r = OpImageSampleExplicitLod %v4 %a %a Lod %a ; <-", "the id 26 is not a sampled image of this function"),
    ("i32", "%r = OpGetNumPipePackets %i32 %a %c1 %c1 ; <-", "operand 1 is not a pipe"),
    ("i32", "%r = OpGroupNonUniformElect %bool %c2 ; <-", "its execution scope is not Subgroup"),
    ("i32", "%r = OpEnqueueMarker %i32 %a %a %a %a ; <-", "operand 1 is not a command-queue"),
    ("i32", "OpRetainEvent %a ; <-", "operand 1 is not an event of the device"),
    ("px", "%r = OpGetKernelWorkGroupSize %i32 %a %a %c1 %c1 ; <-", "the id 26 is not a function"),
    ("px", "%r = OpGetKernelWorkGroupSize %i32 %f %a %c1 %c3 ; <-", "3 is no alignment"),
    ("p px", "%r = OpGetKernelWorkGroupSize %i32 %f %b %c1 %c1 ; <-",
     "the function of a block takes the address of its literal and pointers to local memory, and returns nothing"),
    ("i32", "%r = OpBuildNDRange %s %a %a %a ; <-", "its result is not the structure of an NDRange"),
]

# Modules that are read, in little memory.
DEMANDING = [
    # One string is the text of a file many times.
    HEAD + '%debug = OpExtInstImport "NonSemantic.Shader.DebugInfo.100"\n' + MEMORY +
    '%name = OpString "a.cl"\n%text = OpString "' + "x" * 50000 + '"\n%void = OpTypeVoid\n' +
    "%nothing = OpTypeFunction %void\n%source = OpExtInst %void %debug DebugSource %name %text\n" +
    "".join(f"%d{i} = OpExtInst %void %debug DebugSourceContinued %text\n" for i in range(40000)) + FUNCTION,
]
