// SPDX-License-Identifier: Apache-2.0
// This file makes LLVM's types of those of a module, as clang makes them of OpenCL's.
#include "compiler/spirv/types.h"

#include "compiler/ir/primitives.h"

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/LLVMContext.h>

#include <algorithm>

namespace clarity::compiler::spirv {
namespace {

constexpr unsigned privateMemory = 0;
/// Optimisers make integers of any width, such as products of twice as many bits
/// (SPV_INTEL_arbitrary_precision_integers).
constexpr unsigned mostIntegerBits = 128;
/// Larger types are in no device's memory. LLVM counts bits in 64 bits.
constexpr std::uint64_t mostBytes = 1ull << 40;
/// LLVM follows types recursively. SPIR-V allows structures as many levels (section 2.17).
constexpr unsigned mostLevels = 255;

}  // namespace

unsigned addressSpaceOf(StorageClass storage, const Instruction& user) {
  switch (storage) {
    case StorageClass::Function:
    case StorageClass::Private:
    case StorageClass::Input:
    case StorageClass::CodeSectionINTEL: return privateMemory;
    case StorageClass::CrossWorkgroup: return globalAddressSpace;
    case StorageClass::UniformConstant: return constantAddressSpace;
    case StorageClass::Workgroup: return localAddressSpace;
    case StorageClass::Generic: return genericAddressSpace;
    default: refuse(user, "the storage class {} is not one of OpenCL's", nameOf(storage));
  }
}

bool Types::isType(Op op) {
  switch (op) {
    case Op::TypeVoid:
    case Op::TypeBool:
    case Op::TypeInt:
    case Op::TypeFloat:
    case Op::TypeVector:
    case Op::TypeImage:
    case Op::TypeSampler:
    case Op::TypeSampledImage:
    case Op::TypeArray:
    case Op::TypeStruct:
    case Op::TypeOpaque:
    case Op::TypePointer:
    case Op::TypeUntypedPointerKHR:
    case Op::TypeFunction:
    case Op::TypeEvent:
    case Op::TypeDeviceEvent:
    case Op::TypeReserveId:
    case Op::TypeQueue:
    case Op::TypePipe:
    case Op::TypeForwardPointer:
    case Op::TypePipeStorage:
    case Op::TypeNamedBarrier: return true;
    default: return false;
  }
}

const Type* Types::find(std::uint32_t id) const {
  const auto found = types_.find(id);
  return found == types_.end() ? nullptr : found->second.get();
}

const Type& Types::at(std::uint32_t id, const Instruction& user) const {
  const Type* const type = find(id);
  // The type that an instruction declares is not known in it.
  require(type != nullptr && type->llvm != nullptr, user, "the id {} is not a type", id);
  return *type;
}

const Type& Types::scalarOf(const Type& type, const Instruction& user) const {
  return type.op == Op::TypeVector ? at(type.element, user) : type;
}

llvm::Type* Types::sized(std::uint32_t id, const Instruction& user) const {
  llvm::Type* const type = at(id, user).llvm;
  require(type->isSized(), user, "the type {} has no size", id);
  return type;
}

void Types::checkSize(const Instruction& instruction, std::uint64_t count, llvm::Type& element) const {
  const std::uint64_t bytes = layout_.getTypeAllocSize(&element).getFixedValue();
  require(bytes == 0 || count <= mostBytes / bytes, instruction, "it is larger than any memory: {} times {} bytes",
          count, bytes);
}

void Types::contain(const Instruction& instruction, Type& whole, const Type& part, std::uint64_t count) const {
  whole.depth = std::max(whole.depth, part.depth + 1);
  require(whole.depth <= mostLevels, instruction, "it is nested in more than {} levels", mostLevels);
  // Beyond that, the number makes no difference.
  const std::uint64_t added = std::min(part.parts, 2 * mostParts) * std::min(count, 2 * mostParts);
  whole.parts = std::min(whole.parts + added, 2 * mostParts);
}

Type& Types::add(const Instruction& instruction) {
  // OpTypeForwardPointer precedes the declaration of its pointer.
  const std::uint32_t id = instruction.op == Op::TypeForwardPointer ? instruction[0] : instruction.result;
  std::unique_ptr<Type>& type = types_[id];
  const bool isOnlyForward = type && type->isPointer() && type->element == 0 && !type->isUntyped;
  require(!type || (isOnlyForward && instruction.op == Op::TypePointer), instruction, "the type {} is declared twice",
          id);
  if (!type) type = std::make_unique<Type>();
  const bool isPointer = instruction.op == Op::TypeForwardPointer || instruction.op == Op::TypeUntypedPointerKHR;
  type->op = isPointer ? Op::TypePointer : instruction.op;
  type->id = id;
  return *type;
}

llvm::Type* Types::opaque(const char* name, std::initializer_list<unsigned> numbers) const {
  llvm::Type* const parameter = llvm::Type::getVoidTy(context_);
  return llvm::TargetExtType::get(
      context_, name, numbers.size() > 1 ? llvm::ArrayRef<llvm::Type*>(parameter) : llvm::ArrayRef<llvm::Type*>(),
      numbers);
}

void Types::declareOther(const Instruction& instruction) {
  Type& type = add(instruction);
  switch (instruction.op) {
    case Op::TypeVoid: type.llvm = llvm::Type::getVoidTy(context_); return;
    case Op::TypeBool: type.llvm = llvm::Type::getInt1Ty(context_); return;
    case Op::TypeInt: return declareInteger(instruction, type);
    case Op::TypeFloat: return declareFloat(instruction, type);
    case Op::TypeVector: return declareVector(instruction, type);
    case Op::TypeStruct: return declareStruct(instruction, type);
    case Op::TypeForwardPointer:
    case Op::TypeUntypedPointerKHR:
    case Op::TypePointer: return declarePointer(instruction, type);
    case Op::TypeFunction: return declareFunction(instruction, type);
    case Op::TypeImage: return declareImage(instruction, type);
    case Op::TypeSampler: type.llvm = opaque("spirv.Sampler"); return;
    case Op::TypeSampledImage:
      type.element = instruction[0];
      type.llvm = at(type.element, instruction).llvm;  // FunctionReader keeps the sampler beside the image
      return;
    case Op::TypeEvent: type.llvm = opaque("spirv.Event"); return;
    case Op::TypeDeviceEvent: type.llvm = opaque("spirv.DeviceEvent"); return;
    case Op::TypeReserveId: type.llvm = opaque("spirv.ReserveId"); return;
    case Op::TypeQueue: type.llvm = opaque("spirv.Queue"); return;
    case Op::TypePipe:
      type.access = instruction.as<AccessQualifier>(0);
      type.llvm = opaque("spirv.Pipe", {instruction[0]});
      return;
    case Op::TypePipeStorage: type.llvm = llvm::PointerType::get(context_, globalAddressSpace); return;
    case Op::TypeOpaque: type.llvm = llvm::StructType::create(context_, literalString(instruction, 0).text); return;
    default: refuse(instruction, "types of this kind are not supported");
  }
}

void Types::declareInteger(const Instruction& instruction, Type& type) {
  const std::uint32_t bits = instruction[0];
  require(bits >= 2 && bits <= mostIntegerBits, instruction, "integers have 2 to {} bits, not {}", mostIntegerBits,
          bits);
  type.llvm = llvm::Type::getIntNTy(context_, bits);
}

void Types::declareFloat(const Instruction& instruction, Type& type) {
  const std::uint32_t bits = instruction[0];
  require(bits == 16 || bits == 32 || bits == 64, instruction, "floating-point numbers have 16, 32 or 64 bits, not {}",
          bits);
  if (instruction.has(1)) {
    type.isBFloat = instruction.as<FPEncoding>(1) == FPEncoding::BFloat16KHR && bits == 16;
    require(type.isBFloat, instruction, "the encoding {} is not supported",
            nameOf(OperandKind::FPEncoding_, instruction[1]));
    type.llvm = llvm::Type::getInt16Ty(context_);
    return;
  }
  type.llvm = bits == 16   ? llvm::Type::getHalfTy(context_)
              : bits == 32 ? llvm::Type::getFloatTy(context_)
                           : llvm::Type::getDoubleTy(context_);
}

void Types::declareVector(const Instruction& instruction, Type& type) {
  type.element = instruction[0];
  type.count = instruction[1];
  const Type& element = at(type.element, instruction);
  require(element.isInteger() || element.isFloat() || element.op == Op::TypeBool, instruction,
          "its components are of type {}, which is not a number", type.element);
  // SPIR-V has 2, 3, 4, 8 or 16 (section 2.16.1); LLVM's target writes others for what its optimiser makes.
  require(type.count >= 1 && type.count <= 16, instruction, "vectors have 1 to 16 components, not {}", type.count);
  type.llvm = llvm::FixedVectorType::get(element.llvm, static_cast<unsigned>(type.count));
}

void Types::declareArray(const Instruction& instruction, std::uint64_t length) {
  Type& type = add(instruction);
  type.element = instruction[0];
  type.count = length;
  require(length > 0, instruction, "its length is 0");
  llvm::Type* const element = sized(type.element, instruction);
  require(llvm::ArrayType::isValidElementType(element), instruction, "no array has elements of type {}", type.element);
  checkSize(instruction, length, *element);
  type.parts = 0;
  contain(instruction, type, at(type.element, instruction), length);
  type.llvm = llvm::ArrayType::get(element, length);
}

void Types::declareStruct(const Instruction& instruction, Type& type) {
  llvm::SmallVector<llvm::Type*, 8> members;
  type.parts = instruction.count() == 0 ? 1 : 0;
  for (const std::uint32_t member : instruction.operands) {
    type.members.push_back(member);
    llvm::Type* const made = sized(member, instruction);
    require(llvm::StructType::isValidElementType(made), instruction, "no structure has members of type {}", member);
    checkSize(instruction, instruction.count(), *made);
    contain(instruction, type, at(member, instruction), 1);
    members.push_back(made);
  }
  const bool isPacked = annotations_.has(type.id, Decoration::CPacked);
  const std::string_view name = annotations_.nameOf(type.id);
  type.llvm = name.empty() ? llvm::StructType::get(context_, members, isPacked)
                           : llvm::StructType::create(context_, members, llvm::StringRef(name), isPacked);
}

void Types::declarePointer(const Instruction& instruction, Type& type) {
  const bool isForward = instruction.op == Op::TypeForwardPointer;
  type.storage = instruction.as<StorageClass>(isForward ? 1 : 0);
  type.isUntyped = instruction.op == Op::TypeUntypedPointerKHR;
  if (!isForward && !type.isUntyped) type.element = instruction[1];
  type.llvm = llvm::PointerType::get(context_, addressSpaceOf(type.storage, instruction));
}

void Types::declareFunction(const Instruction& instruction, Type& type) {
  type.element = instruction[0];
  llvm::Type* const result = at(type.element, instruction).llvm;
  require(llvm::FunctionType::isValidReturnType(result), instruction, "no function returns a value of type {}",
          type.element);
  const auto requireFew = [&](std::uint32_t id) {
    require(at(id, instruction).parts <= mostParts, instruction, "the type {} has more than {} parts", id, mostParts);
  };
  requireFew(type.element);
  llvm::SmallVector<llvm::Type*, 8> parameters;
  for (const std::uint32_t parameter : instruction.from(1)) {
    type.members.push_back(parameter);
    parameters.push_back(sized(parameter, instruction));
    requireFew(parameter);
  }
  type.llvm = llvm::FunctionType::get(result, parameters, false);
}

/// Operands: sampled type, dimension, depth, arrayed, multisampled, sampled, format, access.
void Types::declareImage(const Instruction& instruction, Type& type) {
  type.dim = instruction.as<Dim>(1);
  type.isDepth = instruction[2] == 1;
  type.isArrayed = instruction[3] == 1;
  type.isMultisampled = instruction[4] == 1;
  if (instruction.has(7)) type.access = instruction.as<AccessQualifier>(7);
  require(type.dim == Dim::Dim1D || type.dim == Dim::Dim2D || type.dim == Dim::Dim3D || type.dim == Dim::Buffer,
          instruction, "images of dimension {} are not OpenCL's", nameOf(OperandKind::Dim_, instruction[1]));
  type.llvm = opaque("spirv.Image", {instruction[1], type.isDepth, type.isArrayed, type.isMultisampled, 0, 0,
                                     static_cast<unsigned>(type.access)});
}

}  // namespace clarity::compiler::spirv
