// SPDX-License-Identifier: Apache-2.0
// This file rewrites debug information.
#include "compiler/host/debug_variables.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DebugProgramInstruction.h>
#include <llvm/IR/Module.h>

#include <cstdint>

namespace clarity::compiler {
namespace {

/// Sections of version 5 refer to each other by tables that a debugger needs relocated.
constexpr unsigned versionOfDwarf = 4;
/// gdb looks for the end of a function's prologue in the line table only for a producer of this name.
constexpr char producer[] = "clang (Clarity)";

/// The same place without "in address space N" (DW_OP_constu N, DW_OP_swap, DW_OP_xderef): here all have one.
llvm::DIExpression* withoutAddressSpace(llvm::DIExpression* expression) {
  const llvm::ArrayRef<std::uint64_t> elements = expression->getElements();
  llvm::SmallVector<std::uint64_t, 8> kept;
  for (std::size_t i = 0; i < elements.size();) {
    if (i + 3 < elements.size() && elements[i] == llvm::dwarf::DW_OP_constu &&
        elements[i + 2] == llvm::dwarf::DW_OP_swap && elements[i + 3] == llvm::dwarf::DW_OP_xderef) {
      i += 4;
      continue;
    }
    const std::size_t size = llvm::DIExpression::ExprOperand(elements.data() + i).getSize();
    kept.append(elements.begin() + i, elements.begin() + std::min(i + size, elements.size()));
    i += size;
  }
  return kept.size() == elements.size() ? expression : llvm::DIExpression::get(expression->getContext(), kept);
}

llvm::DICompileUnit* makeUnit(llvm::Module& module, llvm::DIFile* file) {
  llvm::DICompileUnit* const unit = llvm::DICompileUnit::getDistinct(
      module.getContext(), llvm::DISourceLanguageName(llvm::dwarf::DW_LANG_OpenCL), file, producer,
      /*IsOptimized=*/false, "", 0, "", llvm::DICompileUnit::FullDebug, nullptr, nullptr, nullptr, nullptr, nullptr, 0,
      /*SplitDebugInlining=*/true, false, llvm::DICompileUnit::DebugNameTableKind::None, false, "", "");
  module.getOrInsertNamedMetadata("llvm.dbg.cu")->addOperand(unit);
  return unit;
}

void describe(llvm::Function& function) {
  for (llvm::BasicBlock& block : function)
    for (llvm::Instruction& instruction : block)
      for (llvm::DbgVariableRecord& record : llvm::filterDbgVars(instruction.getDbgRecordRange()))
        record.setExpression(withoutAddressSpace(record.getExpression()));
}

}  // namespace

void describeVariables(llvm::Module& module) {
  llvm::DICompileUnit* unit = nullptr;
  for (llvm::Function& function : module) {
    const llvm::DISubprogram* const own = function.getSubprogram();
    if (!own || function.isDeclaration()) continue;
    if (!unit) unit = makeUnit(module, own->getFile());
    describe(function);
  }
  if (!unit) return;
  // Those of variables in constant and global memory would name sections whose places debuggers do not know.
  for (llvm::GlobalVariable& variable : module.globals()) variable.eraseMetadata(llvm::LLVMContext::MD_dbg);
  llvm::DebugInfoFinder all;
  all.processModule(module);
  for (llvm::DISubprogram* const each : all.subprograms())
    if (each->isDefinition()) {
      each->replaceUnit(unit);
      each->replaceLinkageName(nullptr);  // debuggers would show clang's name of a kernel's body
    }
  if (!module.getModuleFlag("Debug Info Version"))
    module.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
  if (!module.getModuleFlag("Dwarf Version")) module.addModuleFlag(llvm::Module::Max, "Dwarf Version", versionOfDwarf);
}

}  // namespace clarity::compiler
