// SPDX-License-Identifier: Apache-2.0
// This file declares the source lines of a module: OpLine, OpenCL.DebugInfo.100 and NonSemantic.Shader.DebugInfo.100 as
// LLVM's locations, in the form that clang gives to programs in OpenCL C. Lines that are wrong are left out: they have
// no effect on what a program computes, and are no reason to refuse a module.
#pragma once

#include "compiler/spirv/module_reader.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DebugLoc.h>

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace llvm {
class CallInst;
}

namespace clarity::compiler::spirv {

class DebugInfo {
public:
  DebugInfo(ModuleReader& module, const Binary& binary);

  /// Gives the function a DISubprogram if its instructions have lines. `name` is for one that has no DebugFunction.
  void begin(const FunctionRange& range, std::string_view name);
  /// Takes notice of an instruction of the function's body.
  void read(const Instruction& instruction);
  /// The place of the instructions that follow; nothing without lines.
  llvm::DebugLoc location();
  /// The function is complete: LLVM wants a place for every call.
  void end();

private:
  struct Line {
    std::uint32_t file = 0;  ///< the id of an OpString
    unsigned line = 0, column = 0;
  };

  void collect(const Binary& binary);
  void readSource(const Instruction& instruction);
  void readExtended(const Instruction& instruction);
  /// The instruction of a set of debug information that has the id as its result; nullptr if there is none.
  const Instruction* find(std::uint32_t id) const;
  /// Operands behind the set and the number: an id, or a number, which one of the sets has as a constant.
  std::uint32_t idAt(const Instruction& instruction, std::size_t index) const;
  unsigned numberAt(const Instruction& instruction, std::size_t index) const;
  std::uint32_t fileOfSource(std::uint32_t source) const;
  std::string_view textAt(const Instruction& instruction, std::size_t index) const;

  llvm::DICompileUnit& unit(llvm::DIFile& file);
  llvm::DIFile* file(std::uint32_t id);
  llvm::DISubprogram* makeSubprogram(std::string_view name, std::string_view linkageName, const Line& line);
  llvm::DISubprogram* subprogramOf(const Instruction& function);
  llvm::DILocalScope* scopeOf(std::uint32_t id, unsigned depth = 0);
  llvm::DILocation* inlinedAt(std::uint32_t id, unsigned depth = 0);

  ModuleReader& module_;
  llvm::LLVMContext& context_;
  std::unordered_map<std::uint32_t, const Instruction*> infos_;      ///< instructions of the sets, by id
  std::unordered_map<std::uint32_t, const Instruction*> functions_;  ///< DebugFunction by OpFunction's id
  std::unordered_map<std::uint32_t, std::string> texts_;             ///< texts of files, by id of their names
  std::unordered_map<std::uint32_t, llvm::DIFile*> files_;
  std::unordered_map<std::uint32_t, llvm::DISubprogram*> subprograms_;  ///< by DebugFunction's id
  std::unordered_map<std::uint32_t, llvm::DILocalScope*> scopes_;
  std::unordered_map<std::uint32_t, llvm::DILocation*> inlined_;
  llvm::DICompileUnit* unit_ = nullptr;
  const Instruction* lastSource_ = nullptr;  ///< that text may continue
  std::size_t textBytes_ = 0;                ///< bytes of all texts

  llvm::DenseSet<llvm::DISubprogram*> described_;  ///< functions that have been read

  // The function that is read, and the place in it.
  llvm::Function* function_ = nullptr;
  llvm::DISubprogram* subprogram_ = nullptr;
  std::optional<Line> line_;
  std::uint32_t scope_ = 0, inlinedAt_ = 0;
};

}  // namespace clarity::compiler::spirv
