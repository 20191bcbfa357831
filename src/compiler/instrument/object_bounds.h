// SPDX-License-Identifier: Apache-2.0
// This file gives each pointer of a function the bounds of the object that it was computed from, as values of the IR:
// a pointer that leaves its object is wrong also where it meets another one.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IRBuilder.h>

namespace llvm {
class ArrayType;
class Function;
class GEPOperator;
class LoadInst;
class Value;
}  // namespace llvm

namespace clarity::compiler {

/// i64 values. An object that is null has neither.
struct ObjectBounds {
  llvm::Value* begin = nullptr;
  llvm::Value* bytes = nullptr;
};

/// Kinds of an access, as bits; a buffer has no bytes for what its flags forbid.
enum AccessBits : unsigned { readAccess = 1, writeAccess = 2 };

/// The pointer that a pointer made of an integer was computed from; null if it is none, or several.
llvm::Value* behindInteger(llvm::Value* pointer);

/// Whether an index that is a constant exceeds the array that it is for.
bool exceedsArray(const llvm::Value* pointer);

/// An array that is a member of a structure, or a row of a matrix.
struct InnerArray {
  llvm::Value* begin = nullptr;  ///< a pointer to it
  llvm::ArrayType* type = nullptr;
};
/// The array of an element within its object; nulls where there is none. A pointer that is computed from one to an
/// element of a row may leave the row.
InnerArray innerArrayOf(llvm::Value* pointer);

/// Objects are the kernel's arguments, variables and, of pointers that come from memory or are computed from integers,
/// whatever the runtime finds at the address.
class ObjectBoundsBuilder {
public:
  /// The origin of bounds that the code does not say.
  struct Options {
    bool argumentsBegin = false;  ///< at the pointers that the kernel gets; otherwise the runtime is asked
    bool asksRuntime = true;      ///< whether other pointers have bounds; otherwise all addresses are their object's
  };
  ObjectBoundsBuilder(llvm::Function&, Options);
  explicit ObjectBoundsBuilder(llvm::Function& function) : ObjectBoundsBuilder(function, Options()) {}

  /// Inserts what computes the bounds, ahead of all uses of the pointer.
  ObjectBounds of(llvm::Value* pointer, unsigned access);

  /// Has the runtime keep the bounds of pointers that the function stores in memory of its own and loads again.
  void trackStores();

  /// The bounds of innerArrayOf(). Null values where there is none.
  ObjectBounds arrayOf(llvm::Value* pointer);

private:
  using Key = std::pair<llvm::Value*, unsigned>;

  ObjectBounds make(llvm::Value* pointer, unsigned access);
  ObjectBounds ofVariable(llvm::Value* pointer, std::uint64_t bytes);
  ObjectBounds ofStored(llvm::LoadInst& load, unsigned access);
  ObjectBounds ofArgument(llvm::Value* pointer, unsigned index, unsigned access);
  ObjectBounds found(llvm::Value* pointer, unsigned access);
  llvm::IRBuilder<> behind(llvm::Value* value) const;

  llvm::Function& function_;
  const Options options_;
  llvm::IntegerType* i64_;
  llvm::DenseMap<Key, ObjectBounds> known_;
};

}  // namespace clarity::compiler
