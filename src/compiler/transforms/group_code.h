// SPDX-License-Identifier: Apache-2.0
// This file declares what a work-group computes once, at its start, in the function that runs it.
#pragma once

#include <llvm/ADT/Twine.h>
#include <llvm/IR/IRBuilder.h>

#include <array>
#include <cstdint>

namespace llvm {
class BasicBlock;
class Function;
class LLVMContext;
class MDNode;
class Module;
}  // namespace llvm

namespace clarity::compiler {

/// Sizes of spill rows are multiples of this: work-items; keeps every row aligned to a cache line.
inline constexpr std::uint64_t rowRounding = 64;

/// The function for a work-group while it is built: its first blocks, and values that are the same for the whole group.
/// These are emitted where they are first needed, all in the start block.
class GroupCode {
public:
  struct Options {
    bool groupAgnostic = false;  ///< the "group" is a slice of global ids
    bool wideIds = false;        ///< ids and counters have 64 bits
  };
  GroupCode(llvm::Function& function, Options options);

  /// Splits the function's entry: the stack of the group, its start, its end. With barriers, a box of any size runs in
  /// chunks.
  void makeEntry(bool hasBarriers);

  llvm::Function& function() const { return function_; }
  llvm::Module& module() const { return module_; }
  llvm::LLVMContext& context() const { return context_; }
  llvm::IntegerType* i64() const { return llvm::Type::getInt64Ty(context_); }
  llvm::IntegerType* i32() const { return llvm::Type::getInt32Ty(context_); }
  llvm::Type* counterType() const { return counterType_; }
  llvm::BasicBlock& entry() const { return *entry_; }  ///< the function's entry: places on the stack
  llvm::BasicBlock& start() const { return *start_; }  ///< the begin of the group, or of a chunk of the box
  llvm::BasicBlock& end() const { return *end_; }
  bool interleaved() const { return interleaved_; }  ///< y counts interleaved work-groups

  llvm::BasicBlock* newBlock(const llvm::Twine& name, llvm::BasicBlock* before = nullptr) const;
  llvm::MDNode* dimensionNode(unsigned dimension) const;
  /// At the end of the start block, whether that is complete or not.
  llvm::IRBuilder<> atStart() const;

  /// Work-items along a dimension, one past the last counter.
  llvm::Value* size(unsigned dimension) const { return size_[dimension]; }
  bool isOne(unsigned dimension) const;
  /// All work-items, in 64 bits.
  llvm::Value* items(llvm::IRBuilder<>& builder) const;
  /// The same in the counters' type, once.
  llvm::Value* linearSize();
  /// Work-items that a spill row has room for.
  llvm::Value* rowItems();
  llvm::Value* spillArea();
  /// The global id of counter 0.
  llvm::Value* base(unsigned dimension);

private:
  llvm::Value* narrow(llvm::IRBuilder<>& builder, llvm::Value* value) const {
    return builder.CreateTrunc(value, counterType_);
  }
  llvm::Value* sizeOfBox(llvm::IRBuilder<>& builder, unsigned dimension) const;
  llvm::Value* localSize(llvm::IRBuilder<>& builder, unsigned dimension) const;

  llvm::Function& function_;
  llvm::Module& module_;
  llvm::LLVMContext& context_;
  const Options options_;
  const bool merged_;  ///< groups side by side run as one
  const bool interleaved_;
  llvm::Type* const counterType_;
  llvm::BasicBlock *entry_ = nullptr, *start_ = nullptr, *end_ = nullptr;
  std::array<llvm::Value*, 3> size_{}, base_{};
  std::array<llvm::Value*, 3> chunkAt_{};  ///< where the chunk begins in its box
  llvm::Value *rowItems_ = nullptr, *spillArea_ = nullptr, *linearSize_ = nullptr;
};

}  // namespace clarity::compiler
