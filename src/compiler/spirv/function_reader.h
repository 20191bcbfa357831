// SPDX-License-Identifier: Apache-2.0
// This file declares the reader of a function's body. Each instruction has a handler; handlers are grouped in files by
// kind and listed in handlers.h.
#pragma once

#include "compiler/spirv/module_reader.h"

#include <llvm/IR/IRBuilder.h>

#include <functional>
#include <optional>
#include <unordered_map>

namespace clarity::compiler::spirv {

class DebugInfo;

/// The effects of a builtin function beside its value.
enum class Effect { Any, ReadsMemory, None };

class FunctionReader {
public:
  /// `debug` has begun with the function; an instruction outside of functions has none.
  FunctionReader(ModuleReader& module, const FunctionRange& range, DebugInfo* debug = nullptr);

  void read();

  // For handlers.

  llvm::IRBuilder<>& builder() { return builder_; }
  ModuleReader& module() { return module_; }
  llvm::Function& function() { return *range_.function; }
  llvm::LLVMContext& context() { return module_.context(); }
  /// The instruction that is read.
  const Instruction& current() const { return *current_; }

  /// Whether the instruction is an operation of constants, outside of functions (evaluate).
  bool isConstant() const { return !debug_; }

  /// The value of an id. Refuses the module if it has none here.
  llvm::Value& value(std::uint32_t id);
  /// The value of an operand of the current instruction.
  llvm::Value& operand(std::size_t index);
  /// SPIR-V's type of a value.
  const Type& typeOf(std::uint32_t id) const { return module_.typeOf(id, current()); }
  const Type& type(std::uint32_t id) const { return module_.types().at(id, current()); }
  /// SPIR-V's type of the current instruction's result.
  const Type& resultType() const { return type(current().type); }
  /// The type of the object that a pointer points to; it has a size.
  /// A byte for an untyped pointer.
  llvm::Type* pointeeOf(const Type& pointer) const;
  /// Whether an access by a pointer may be of a type: any by an untyped pointer.
  bool mayAccess(const Type& pointer, const llvm::Type* type) const {
    return pointer.isUntyped || pointeeOf(pointer) == type;
  }
  /// The number in an operand that must be constant.
  std::uint64_t number(std::size_t index) const { return module_.number(current()[index], current()); }

  /// Whether the current instruction takes denormal numbers of this type for zeros, and gives none (denormals.h).
  bool flushes(const llvm::Type& type) const {
    return type.isFPOrFPVectorTy() && (flushedNow_ & type.getScalarSizeInBits()) != 0;
  }
  /// The number as it takes or gives it.
  llvm::Value* flushed(llvm::Value& value);
  /// Memory that it has written, such as its second result, has no denormal numbers afterwards if it gives none.
  void flushWritten(llvm::Value& pointer, llvm::Type& type);

  llvm::BasicBlock& block(std::uint32_t label);
  /// Calls a function of the builtin library by its mangled name; declares it if need be.
  llvm::CallInst* call(std::string_view mangledName, llvm::Type* result, llvm::ArrayRef<llvm::Value*> arguments,
                       Effect effect = Effect::Any);
  /// A variable of the function, at its entry.
  llvm::AllocaInst* variable(llvm::Type* type, const llvm::Twine& name = "");
  /// Computes something where the function begins.
  void atEntry(llvm::function_ref<void()> compute);

  /// The image and the sampler of a value of OpTypeSampledImage.
  struct SampledImage {
    std::uint32_t image = 0, sampler = 0;
  };
  void setSampledImage(std::uint32_t id, SampledImage pair) { sampledImages_[id] = pair; }
  SampledImage sampledImage(std::uint32_t id) const;

  /// OpPhi: an empty phi node, whose values follow when all blocks have been read.
  llvm::PHINode* phi();
  /// Metadata for the branches that lead back to a loop's header.
  void setLoopControl(std::uint32_t header, std::uint32_t latch, llvm::MDNode* control);
  /// The block that is read now.
  std::uint32_t currentLabel() const { return label_; }

private:
  friend llvm::Value* evaluate(ModuleReader&, const Instruction&,
                               const std::function<llvm::Constant*(llvm::Instruction&)>&);
  void read(const Instruction& instruction);
  void begin(const Instruction& label);
  void fillPhis();
  void attachLoopControls();
  llvm::Value* entryValue(std::uint32_t id);
  /// Refuses a call of what the builtin library does not have, or has with another type.
  void checkBuiltin(std::string_view mangledName, llvm::FunctionType& type) const;

  struct LoopControlOf {
    std::uint32_t header, latch;
    llvm::MDNode* control;
  };

  ModuleReader& module_;
  const FunctionRange& range_;
  DebugInfo* debug_;
  llvm::IRBuilder<> builder_;
  const Instruction* current_;
  std::uint32_t label_ = 0;
  std::uint32_t flushedWidths_ = 0, flushedNow_ = 0;  ///< widths in the function, in the instruction (denormals.h)
  // By ids, which may be any number: llvm::DenseMap has two that are none of its keys.
  std::unordered_map<std::uint32_t, llvm::BasicBlock*> blocks_;
  std::unordered_map<std::uint32_t, llvm::Value*> entryValues_;  ///< values of builtin variables and constant samplers
  std::unordered_map<std::uint32_t, SampledImage> sampledImages_;
  std::vector<std::pair<const Instruction*, llvm::PHINode*>> phis_;
  std::vector<LoopControlOf> loopControls_;
};

/// The value of an instruction outside of functions (OpSpecConstantOp): it is read into a function that is thrown away,
/// and what comes of it is folded, one instruction after another. nullptr if a fold fails.
llvm::Value* evaluate(ModuleReader& module, const Instruction& instruction,
                      const std::function<llvm::Constant*(llvm::Instruction&)>& fold);

}  // namespace clarity::compiler::spirv
