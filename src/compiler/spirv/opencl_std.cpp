// SPDX-License-Identifier: Apache-2.0
// This file reads OpenCL.std (the OpenCL extended instruction set of SPIR-V 1.0). Most of its instructions are calls
// of the builtin function with the same name; a prefix says the sign of its integers.
#include "compiler/spirv/handlers.h"
#include "compiler/spirv/mangle.h"
#include "compiler/spirv/printf_call.h"
#include "compiler/spirv/typed_operands.h"

#include <llvm/IR/Constants.h>

#include <iterator>

namespace clarity::compiler::spirv {
namespace {

/// The operands of OpExtInst begin behind the set and the number.
constexpr std::size_t firstArgument = 2;

struct Renamed {
  Std function;
  const char* name;
};

constexpr Renamed renamed[] = {{Std::fclamp, "clamp"}, {Std::fmax_common, "max"}, {Std::fmin_common, "min"}};

/// Functions whose integers have a sign although their names say none: unsigned for all others.
bool hasSign(Std function, std::size_t argument) {
  switch (function) {
    case Std::ldexp:
    case Std::pown:
    case Std::rootn: return argument == 1;
    case Std::frexp:
    case Std::lgamma_r: return argument == 1;
    case Std::remquo: return argument == 2;
    case Std::clz:
    case Std::ctz:
    case Std::popcount:
    case Std::rotate: return true;
    default: return false;
  }
}

/// An argument that is a literal: the number of components of a vector, a rounding mode.
std::uint32_t literalAt(FunctionReader& in, std::size_t argument) { return in.current()[firstArgument + argument]; }

/// The type of a mathematical function's second result, to which its pointer points. The module's own type of the
/// pointer may be another, as LLVM's target loses what pointers point to.
llvm::Type& secondResult(FunctionReader& in, Std function) {
  llvm::Type& result = *in.resultType().llvm;
  if (function == Std::fract || function == Std::modf || function == Std::sincos) return result;
  return *result.getWithNewType(in.builder().getInt32Ty());
}

Mangled& addArgument(FunctionReader& in, Mangled& name, std::size_t index, bool isSigned) {
  const llvm::Type& type = *in.operand(index).getType();
  if (!type.isPointerTy()) return name.add(type, isSigned);
  return name.addPointer(secondResult(in, in.current().as<Std>(1)), isSigned, type.getPointerAddressSpace());
}

/// The type of the numbers that vload and vstore, with these names, access for these components.
llvm::Type& accessed(FunctionReader& in, std::string_view word, const llvm::Type& components) {
  return word.contains("half") ? *in.builder().getHalfTy() : *components.getScalarType();
}

/// A call of a builtin function with all operands as they are.
llvm::Value* callPlain(FunctionReader& in, Std function) {
  std::string_view word = nameOf(function);
  const bool isOfSigned = word.starts_with("s_"), isOfUnsigned = word.starts_with("u_");
  if (isOfSigned || isOfUnsigned) word.remove_prefix(2);
  for (const Renamed& other : renamed)
    if (other.function == function) word = other.name;
  Mangled name(word);
  llvm::SmallVector<llvm::Value*, 4> arguments;
  bool writes = false;
  for (std::size_t i = firstArgument; i < in.current().count(); ++i) {
    // The low half of s_upsample has no sign.
    const bool isLow = function == Std::s_upsample && i == firstArgument + 1;
    addArgument(in, name, i, (isOfSigned && !isLow) || hasSign(function, i - firstArgument));
    arguments.push_back(&in.operand(i));
    writes |= arguments.back()->getType()->isPointerTy();
  }
  llvm::CallInst* const call =
      in.call(name.text(), in.resultType().llvm, arguments, writes ? Effect::Any : Effect::None);
  applyDecorations(in, call);
  for (llvm::Value* const argument : arguments)
    if (argument->getType()->isPointerTy()) in.flushWritten(*argument, secondResult(in, function));
  return call;
}

/// select() takes a mask with the width of its operands; its sign makes no difference.
llvm::Value* callShuffle(FunctionReader& in, Std function) {
  Mangled name(nameOf(function));
  llvm::SmallVector<llvm::Value*, 3> arguments;
  const std::size_t count = in.current().count();
  for (std::size_t i = firstArgument; i < count; ++i) {
    addArgument(in, name, i, i + 1 != count);
    arguments.push_back(&in.operand(i));
  }
  return in.call(name.text(), in.resultType().llvm, arguments, Effect::None);
}

std::string roundingSuffix(FunctionReader& in, std::size_t argument) {
  const std::uint32_t mode = literalAt(in, argument);
  require(mode < std::size(roundingSuffixes), in.current(), "the rounding mode {} is unknown", mode);
  return std::string(roundingSuffixes[mode]);
}

/// The address of the halves that vload and vstore, with these names, access for these components.
llvm::Value& halvesAt(FunctionReader& in, std::string_view word, llvm::Type& halves, llvm::Value& offset,
                      llvm::Value& pointer) {
  llvm::IRBuilder<>& builder = in.builder();
  const auto* const vector = llvm::dyn_cast<llvm::FixedVectorType>(&halves);
  const unsigned count = vector ? vector->getNumElements() : 1;
  const unsigned stride = count == 3 && word.contains("a_half") ? 4 : count;
  llvm::Value* const first =
      builder.CreateMul(builder.CreateZExtOrTrunc(&offset, builder.getInt64Ty()), builder.getInt64(stride));
  return *builder.CreateGEP(builder.getHalfTy(), &pointer, first);
}

/// vload_half and its like where denormal halves are zeros: the library's convert them.
llvm::Value* loadFlushed(FunctionReader& in, std::string_view word, llvm::Type& halves, llvm::Value& offset,
                         llvm::Value& pointer) {
  llvm::IRBuilder<>& builder = in.builder();
  llvm::Value& address = halvesAt(in, word, halves, offset, pointer);
  llvm::Value* const loaded = builder.CreateAlignedLoad(&halves, &address, llvm::Align(2));
  return builder.CreateFPExt(in.flushed(*loaded), in.resultType().llvm);
}

/// vloadn, vload_half, vload_halfn, vloada_halfn: an offset and a pointer; the number of components is a literal.
llvm::Value* callLoad(FunctionReader& in, Std function) {
  std::string word(nameOf(function));
  if (word.ends_with('n')) word = word.substr(0, word.size() - 1) + std::to_string(literalAt(in, 2));
  llvm::Value& offset = integerAt(in, firstArgument);
  llvm::Value& pointer = pointerAt(in, firstArgument + 1);
  llvm::Type* const result = in.resultType().llvm;
  if (word.contains("half") && result->getScalarType()->isFloatTy()) {
    llvm::Type& halves = *result->getWithNewType(in.builder().getHalfTy());
    if (in.flushes(halves)) return loadFlushed(in, word, halves, offset, pointer);
  }
  const std::string name =
      Mangled(word)
          .add(*offset.getType(), false)
          .addPointer(accessed(in, word, *result), true, pointer.getType()->getPointerAddressSpace(), "K")
          .text();
  return in.call(name, result, {&offset, &pointer}, Effect::ReadsMemory);
}

/// vstoren and its like: data, offset, pointer; the forms that end with _r say how to round.
llvm::Value* callStore(FunctionReader& in, Std function) {
  std::string word(nameOf(function));
  std::string rounding;
  if (word.ends_with("_r")) {
    word.resize(word.size() - 2);
    rounding = roundingSuffix(in, 3);
  }
  llvm::Value& data = in.operand(firstArgument);
  const auto* const vector = llvm::dyn_cast<llvm::FixedVectorType>(data.getType());
  if (word.ends_with('n')) {
    require(vector != nullptr, in.current(), "its data is not a vector");
    word = word.substr(0, word.size() - 1) + std::to_string(vector->getNumElements());
  }
  llvm::Value& offset = integerAt(in, firstArgument + 1);
  llvm::Value& pointer = pointerAt(in, firstArgument + 2);
  const std::string name =
      Mangled(word + rounding)
          .add(*data.getType(), true)
          .add(*offset.getType(), false)
          .addPointer(accessed(in, word, *data.getType()), true, pointer.getType()->getPointerAddressSpace())
          .text();
  llvm::CallInst* const call = in.call(name, in.resultType().llvm, {&data, &offset, &pointer});
  if (word.contains("half")) {
    llvm::Type& halves = *data.getType()->getWithNewType(in.builder().getHalfTy());
    if (in.flushes(halves)) in.flushWritten(halvesAt(in, word, halves, offset, pointer), halves);
  }
  return call;
}

/// A format in constant memory, and arguments that are promoted as C promotes them.
llvm::Value* printfOf(FunctionReader& in) {
  llvm::IRBuilder<>& builder = in.builder();
  llvm::Value& format = pointerAt(in, firstArgument);
  llvm::SmallVector<llvm::Value*, 8> arguments = {&format};
  for (std::size_t i = firstArgument + 1; i < in.current().count(); ++i) {
    llvm::Value* value = &in.operand(i);
    llvm::Type* const type = value->getType();
    if (type->isIntegerTy() && type->getIntegerBitWidth() < 32) value = builder.CreateSExt(value, builder.getInt32Ty());
    arguments.push_back(value);
  }
  llvm::CallInst* const call = callPrintf(builder, arguments);
  require(call != nullptr, in.current(), "the module has two forms of printf");
  return call;
}

llvm::Value* callPrefetch(FunctionReader& in) {
  llvm::Value& pointer = pointerAt(in, firstArgument);
  llvm::Value& count = integerAt(in, firstArgument + 1);
  const Type& type = in.typeOf(in.current()[firstArgument]);
  const std::string name = Mangled("prefetch")
                               .addPointer(*in.pointeeOf(type), true, pointer.getType()->getPointerAddressSpace(), "K")
                               .add(*count.getType(), false)
                               .text();
  return in.call(name, in.resultType().llvm, {&pointer, &count});
}

llvm::Value* callOpenCL(FunctionReader& in) {
  const auto function = in.current().as<Std>(1);
  switch (function) {
    case Std::vloadn:
    case Std::vload_half:
    case Std::vload_halfn:
    case Std::vloada_halfn: return callLoad(in, function);
    case Std::vstoren:
    case Std::vstore_half:
    case Std::vstore_half_r:
    case Std::vstore_halfn:
    case Std::vstore_halfn_r:
    case Std::vstorea_halfn:
    case Std::vstorea_halfn_r: return callStore(in, function);
    case Std::shuffle:
    case Std::shuffle2:
    case Std::select: return callShuffle(in, function);
    case Std::printf: return printfOf(in);
    case Std::prefetch: return callPrefetch(in);
    default: break;
  }
  require(!nameOf(function).empty(), in.current(), "OpenCL.std has no instruction {}", in.current()[1]);
  return callPlain(in, function);
}

llvm::Value* extended(FunctionReader& in) {
  if (in.module().annotations().setOf(in.current()) != InstructionSet::OpenCL) return nullptr;
  return callOpenCL(in);
}

}  // namespace

void addExtended(HandlerTable& table) {
  for (const Op op : {Op::ExtInst, Op::ExtInstWithForwardRefsKHR}) table[static_cast<std::size_t>(op)] = extended;
}

}  // namespace clarity::compiler::spirv
