// SPDX-License-Identifier: Apache-2.0
// This file declares the reader of a module: types, constants, variables and functions, in this order, as SPIR-V has
// them. Bodies of functions are function_reader.h's.
#pragma once

#include "compiler/ir/source.h"
#include "compiler/spirv/types.h"

#include <llvm/IR/Module.h>

#include <map>
#include <memory>
#include <set>
#include <span>
#include <string_view>
#include <vector>

namespace clarity::compiler::spirv {

/// The instructions of a function, from OpFunction to OpFunctionEnd.
struct FunctionRange {
  const Instruction* definition = nullptr;
  const Instruction* line = nullptr;  ///< the OpLine ahead of it
  std::span<const Instruction> body;  ///< empty for a declaration
  std::vector<Instruction> parameters;
  llvm::Function* function = nullptr;
};

/// The words of a literal number: narrow ones are in the low bits of one word.
std::size_t wordsOf(unsigned bits);
/// The place of a variable's initial value among its operands: a variable by an untyped pointer has its type ahead.
inline std::size_t initialOf(const Instruction& variable) { return variable.op == Op::UntypedVariableKHR ? 2 : 1; }

llvm::APInt numberOf(std::span<const std::uint32_t> words, unsigned bits);

class ModuleReader {
public:
  ModuleReader(const Binary& binary, const Annotations& annotations,
               std::span<const SpecializationValue> specialization, llvm::LLVMContext& context);

  /// The module as portable IR, not verified.
  std::unique_ptr<llvm::Module> read();

  llvm::Module& module() { return *module_; }
  llvm::LLVMContext& context() { return module_->getContext(); }
  const llvm::DataLayout& layout() const { return module_->getDataLayout(); }
  const Types& types() const { return types_; }
  const Annotations& annotations() const { return annotations_; }
  /// Whether LLVM's own target wrote the module, up to LLVM 22, whose mistakes are read as what they mean.
  bool isOfLlvmsTarget() const {
    return binary_.generator >> 16 == llvmsTarget && (binary_.generator & 0xffff) <= lastLlvm;
  }

  /// The instruction whose result is the id. Refuses the module if there is none.
  const Instruction& definitionOf(std::uint32_t id, const Instruction& user) const;
  /// The type of a value.
  const Type& typeOf(std::uint32_t id, const Instruction& user) const;
  /// The value of an id that has been read; nullptr if it has not.
  llvm::Value* valueOf(std::uint32_t id) const { return id < values_.size() ? values_[id] : nullptr; }
  void setValue(std::uint32_t id, llvm::Value* value) { values_[id] = value; }
  llvm::Constant& constant(std::uint32_t id, const Instruction& user) const;
  /// The type of what a variable contains. Refuses the module if that has no size.
  llvm::Type* typeOfVariable(const Instruction& variable) const;
  /// A number that must be constant: a scope, an array's length.
  std::uint64_t number(std::uint32_t id, const Instruction& user) const;

  /// The FPFastMathMode of what computes numbers of a type and has no such decoration.
  std::uint32_t fastMathOf(const llvm::Type& scalar) const;

  /// The widths of the numbers that functions flush to zero if they are denormal (denormals.h).
  std::uint32_t flushedWidths() const { return flushedWidths_; }

  llvm::Function* functionOf(std::uint32_t id) const;
  /// The kernel of a block whose literal has this type, the same whenever it is asked for.
  llvm::Function& blockKernel(std::uint32_t function, llvm::Type& literal, llvm::Align alignment,
                              const Instruction& user);

private:
  void index();
  void readScope();  ///< everything ahead of the functions
  void readFastMathDefaults();
  void readConstant(const Instruction& instruction);
  llvm::Constant* constantOf(const Instruction& instruction);
  llvm::Constant* scalarConstant(const Instruction& instruction);
  llvm::Constant* compositeConstant(const Instruction& instruction);
  llvm::Constant* replicatedConstant(const Instruction& instruction);
  llvm::Constant* constantOfParts(const Instruction& instruction, llvm::ArrayRef<llvm::Constant*> parts);
  llvm::Constant* computedConstant(const Instruction& instruction);
  const SpecializationValue* specializationOf(const Instruction& instruction) const;
  void readVariable(const Instruction& instruction);
  llvm::GlobalVariable* sharedVariable(const Linkage& linkage, const llvm::Type& type,
                                       const Instruction& instruction) const;
  void findFunctions(std::span<const Instruction> instructions);
  llvm::Function& createFunction(FunctionRange& range);
  void declareFunction(FunctionRange& range);
  llvm::Constant* functionPointer(const Instruction& instruction);
  llvm::Constant* pipeStorage(const Instruction& instruction);
  llvm::Function* sharedFunction(const std::string& name, const FunctionRange& range) const;
  std::string_view sourceNameOf(const Instruction& function) const;
  std::set<std::string_view> placeBlocks();
  void makeKernels();

  static constexpr std::uint32_t llvmsTarget = 43;  ///< in the registry of generators
  static constexpr std::uint32_t lastLlvm = 22;

  const Binary& binary_;
  const Annotations& annotations_;
  std::span<const SpecializationValue> specialization_;
  std::unique_ptr<llvm::Module> module_;
  Types types_;
  std::vector<const Instruction*> definitions_;  ///< by id
  std::vector<llvm::Value*> values_;             ///< by id
  std::vector<FunctionRange> functions_;
  std::map<const llvm::Type*, std::uint32_t> fastMath_;
  std::uint32_t flushedWidths_ = 0;
  std::map<std::uint32_t, llvm::Function*> blockKernels_;  ///< by the block's function
};

}  // namespace clarity::compiler::spirv
