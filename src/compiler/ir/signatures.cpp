// SPDX-License-Identifier: Apache-2.0
// This file compares and writes types. A difference between int and uint is none here: the IR does not have it.
#include "compiler/ir/signatures.h"

#include "compiler/ir/primitives.h"

#include <fmt/format.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Function.h>
#include <llvm/Support/raw_ostream.h>

#include <iterator>

namespace clarity::compiler {
namespace {

std::string integerText(unsigned bits) {
  switch (bits) {
    case 1: return "bool";
    case 8: return "char";
    case 16: return "short";
    case 32: return "int";
    case 64: return "long";
    default: return fmt::format("integer of {} bits", bits);
  }
}

std::string pointerText(unsigned addressSpace) {
  switch (addressSpace) {
    case 0: return "private pointer";
    case globalAddressSpace: return "global pointer";
    case constantAddressSpace: return "constant pointer";
    case localAddressSpace: return "local pointer";
    case genericAddressSpace: return "generic pointer";
    default: return "pointer";
  }
}

/// The name that the program has written: a context gives a structure of a second module "struct.S.0".
llvm::StringRef nameOf(const llvm::StructType& type) {
  llvm::StringRef name = type.getName();
  const auto [first, last] = name.rsplit('.');
  return llvm::all_of(last, llvm::isDigit) && !last.empty() && first != name ? first : name;
}

/// With the members, as structures of one name may differ in them.
std::string structureText(const llvm::StructType& type) {
  std::string text = "struct ";
  if (type.hasName()) {
    llvm::StringRef name = nameOf(type);
    if (name.consume_front("union.")) text = "union ";
    name.consume_front("struct.");
    text += name.str() + " ";
  }
  std::string members;
  for (const llvm::Type* member : type.elements()) members += (members.empty() ? "" : ", ") + typeText(*member);
  return fmt::format("{}{{{}}}", text, members);
}

/// "write_only image2d_array_t": the parameters of spirv.Image are its dimensions, whether it has depths, layers and
/// samples, two that OpenCL does not have, and the access.
std::string imageText(const llvm::TargetExtType& type) {
  static constexpr const char* dimensions[] = {"1d", "2d", "3d", "", "", "1d_buffer"};
  static constexpr const char* accesses[] = {"read_only ", "write_only ", "read_write "};
  const llvm::ArrayRef<unsigned> facts = type.int_params();
  if (facts.size() < 7 || facts[0] >= std::size(dimensions) || facts[6] >= std::size(accesses)) return "image";
  return fmt::format("{}image{}{}{}{}_t", accesses[facts[6]], dimensions[facts[0]], facts[2] ? "_array" : "",
                     facts[3] ? "_msaa" : "", facts[1] ? "_depth" : "");
}

/// "int[4][30]", the outer length first, which may be unknown: "int[][30]".
std::string arrayText(const llvm::ArrayType& type) {
  std::string lengths;
  const llvm::Type* element = &type;
  for (; const auto* const array = llvm::dyn_cast<llvm::ArrayType>(element); element = array->getElementType())
    lengths += array->getNumElements() == 0 ? "[]" : fmt::format("[{}]", array->getNumElements());
  return typeText(*element) + lengths;
}

std::string opaqueText(const llvm::TargetExtType& type) {
  if (type.getName() == "spirv.Image") return imageText(type);
  return llvm::StringSwitch<std::string>(type.getName())
      .Case("spirv.Sampler", "sampler_t")
      .Case("spirv.Event", "event_t")
      .Case("spirv.DeviceEvent", "clk_event_t")
      .Case("spirv.Queue", "queue_t")
      .Case("spirv.ReserveId", "reserve_id_t")
      .Case("spirv.Pipe", "pipe")
      .Default(type.getName().str());
}

/// "void", "half", "float", "double", which have the same names in the IR.
std::string printed(const llvm::Type& type) {
  std::string text;
  llvm::raw_string_ostream out(text);
  type.print(out);
  return text;
}

/// The structure that a parameter passes by value or that receives the result; null for other parameters.
llvm::Type* structureOf(const llvm::Function& function, unsigned index) {
  llvm::Type* const byValue = function.getParamByValType(index);
  return byValue ? byValue : function.getParamStructRetType(index);
}

}  // namespace

bool areAlike(const llvm::Type& left, const llvm::Type& right) {
  if (&left == &right) return true;
  const auto* one = llvm::dyn_cast<llvm::StructType>(&left);
  const auto* other = llvm::dyn_cast<llvm::StructType>(&right);
  if (one && other)
    return one->isPacked() == other->isPacked() && one->isOpaque() == other->isOpaque() &&
           llvm::equal(one->elements(), other->elements(),
                       [](const llvm::Type* a, const llvm::Type* b) { return areAlike(*a, *b); });
  const auto* row = llvm::dyn_cast<llvm::ArrayType>(&left);
  const auto* otherRow = llvm::dyn_cast<llvm::ArrayType>(&right);
  return row && otherRow && row->getNumElements() == otherRow->getNumElements() &&
         areAlike(*row->getElementType(), *otherRow->getElementType());
}

bool haveAlikeTypes(const llvm::Function& left, const llvm::Function& right) {
  const llvm::FunctionType& one = *left.getFunctionType();
  const llvm::FunctionType& other = *right.getFunctionType();
  return &one == &other ||
         (one.isVarArg() == other.isVarArg() && areAlike(*one.getReturnType(), *other.getReturnType()) &&
          llvm::equal(one.params(), other.params(),
                      [](const llvm::Type* a, const llvm::Type* b) { return areAlike(*a, *b); }));
}

bool passAlikeStructures(const llvm::Function& left, const llvm::Function& right) {
  for (unsigned i = 0; i < left.arg_size() && i < right.arg_size(); ++i) {
    const llvm::Type* const one = structureOf(left, i);
    const llvm::Type* const other = structureOf(right, i);
    if (!one != !other || (one && !areAlike(*one, *other))) return false;
  }
  return true;
}

std::string typeText(const llvm::Type& type) {
  if (const auto* integer = llvm::dyn_cast<llvm::IntegerType>(&type)) return integerText(integer->getBitWidth());
  if (const auto* pointer = llvm::dyn_cast<llvm::PointerType>(&type)) return pointerText(pointer->getAddressSpace());
  if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(&type))
    return fmt::format("{}{}", typeText(*vector->getElementType()), vector->getNumElements());
  if (const auto* array = llvm::dyn_cast<llvm::ArrayType>(&type)) return arrayText(*array);
  if (const auto* structure = llvm::dyn_cast<llvm::StructType>(&type)) return structureText(*structure);
  if (const auto* opaque = llvm::dyn_cast<llvm::TargetExtType>(&type)) return opaqueText(*opaque);
  return printed(type);
}

std::string signatureOf(const llvm::Function& function) {
  std::string parameters;
  const auto add = [&](const std::string& text) { parameters += (parameters.empty() ? "" : ", ") + text; };
  for (const llvm::Argument& argument : function.args()) {
    const llvm::Type* const structure = structureOf(function, argument.getArgNo());
    add(typeText(structure ? *structure : *argument.getType()));
  }
  if (function.isVarArg()) add("...");
  return fmt::format("{} ({})", typeText(*function.getReturnType()), parameters);
}

}  // namespace clarity::compiler
