// SPDX-License-Identifier: Apache-2.0
// This file declares the types of a module. LLVM's pointers have lost what they point to, so SPIR-V's types are kept
// while a module is read.
#pragma once

#include "compiler/spirv/annotations.h"

#include <llvm/IR/DerivedTypes.h>

#include <memory>
#include <vector>

namespace llvm {
class DataLayout;
class LLVMContext;
}  // namespace llvm

namespace clarity::compiler::spirv {

struct Type {
  Op op = Op::TypeVoid;
  std::uint32_t id = 0;
  llvm::Type* llvm = nullptr;
  std::uint32_t element = 0;           ///< id: of a vector, an array, what a pointer points to, a function's result
  std::uint64_t count = 0;             ///< elements of a vector or an array
  std::vector<std::uint32_t> members;  ///< ids: of a structure, a function's parameters
  StorageClass storage = StorageClass::Function;  ///< a pointer's storage
  bool isUntyped = false;                         ///< a pointer to anything (SPV_KHR_untyped_pointers)
  Dim dim = Dim::Dim1D;                           ///< an image's dimensions
  bool isBFloat = false;                          ///< a number in the encoding BFloat16KHR: LLVM has its bits
  bool isDepth = false, isArrayed = false, isMultisampled = false;
  AccessQualifier access = AccessQualifier::ReadOnly;
  unsigned depth = 0;       ///< the depth of structures and arrays in each other
  std::uint64_t parts = 1;  ///< numbers, pointers and empty structures in a value

  bool isInteger() const { return op == Op::TypeInt; }
  bool isFloat() const { return op == Op::TypeFloat; }
  bool isPointer() const { return op == Op::TypePointer; }
};

/// The most parts of a value, beside constants and variables: they are in registers.
inline constexpr std::uint64_t mostParts = 4096;

/// LLVM's address space of a storage class. Refuses those that kernels do not have.
unsigned addressSpaceOf(StorageClass storage, const Instruction& user);

class Types {
public:
  Types(llvm::LLVMContext& context, const llvm::DataLayout& layout, const Annotations& annotations)
      : context_(context), layout_(layout), annotations_(annotations) {}

  static bool isType(Op op);
  /// Adds the type that an instruction declares. `lengthOf` gives the value of an array's length.
  template <class LengthOf>
  void declare(const Instruction& instruction, LengthOf lengthOf) {
    if (instruction.op == Op::TypeArray) return declareArray(instruction, lengthOf(instruction[1]));
    declareOther(instruction);
  }

  /// Refuses the module if the id is not a type.
  const Type& at(std::uint32_t id, const Instruction& user) const;
  const Type* find(std::uint32_t id) const;
  /// The type of components of a vector, or the type itself.
  const Type& scalarOf(const Type& type, const Instruction& user) const;
  /// A type of LLVM that has a size, for memory.
  llvm::Type* sized(std::uint32_t id, const Instruction& user) const;

private:
  void declareOther(const Instruction& instruction);
  void declareArray(const Instruction& instruction, std::uint64_t length);
  void declareInteger(const Instruction& instruction, Type& type);
  void declareFloat(const Instruction& instruction, Type& type);
  void declareVector(const Instruction& instruction, Type& type);
  void declareStruct(const Instruction& instruction, Type& type);
  void declarePointer(const Instruction& instruction, Type& type);
  void declareFunction(const Instruction& instruction, Type& type);
  void declareImage(const Instruction& instruction, Type& type);
  Type& add(const Instruction& instruction);
  /// Adds `count` parts of another type to what an aggregate consists of.
  void contain(const Instruction& instruction, Type& whole, const Type& part, std::uint64_t count) const;
  /// Refuses a type that is larger than any memory.
  void checkSize(const Instruction& instruction, std::uint64_t count, llvm::Type& element) const;
  llvm::Type* opaque(const char* name, std::initializer_list<unsigned> numbers = {}) const;

  llvm::LLVMContext& context_;
  const llvm::DataLayout& layout_;
  const Annotations& annotations_;
  std::unordered_map<std::uint32_t, std::unique_ptr<Type>> types_;
};

}  // namespace clarity::compiler::spirv
