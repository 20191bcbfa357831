// SPDX-License-Identifier: Apache-2.0
// This file prints a module and makes debug information of the lines.
#include "compiler/frontend/text_locations.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/AssemblyAnnotationWriter.h>
#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Metadata.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/FormattedStream.h>
#include <llvm/Support/raw_ostream.h>

#include <optional>
#include <string>

namespace clarity::compiler {
namespace {

/// Instructions are indented by two columns.
constexpr unsigned column = 3;

/// Notes the line that each instruction is printed on.
class Lines final : public llvm::AssemblyAnnotationWriter {
public:
  void emitInstructionAnnot(const llvm::Instruction* instruction, llvm::formatted_raw_ostream& out) override {
    lines_[instruction] = out.getLine() + 1;
  }
  unsigned of(const llvm::Instruction& instruction) const { return lines_.lookup(&instruction); }

private:
  llvm::DenseMap<const llvm::Instruction*, unsigned> lines_;
};

bool lacksLocations(const llvm::Function& function) { return !function.isDeclaration() && !function.getSubprogram(); }

std::string printed(const llvm::Module& module, Lines& lines) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::formatted_raw_ostream formatted(stream);
  module.print(formatted, &lines);
  formatted.flush();
  return text;
}

}  // namespace

void addTextLocations(llvm::Module& module, std::string_view name) {
  if (llvm::none_of(module, lacksLocations)) return;
  Lines lines;
  const std::string text = printed(module, lines);
  llvm::DIBuilder builder(module);
  const std::string fileName = std::string(name) + (name.ends_with(".ll") ? "" : ".ll");
  llvm::DIFile* const file = builder.createFile(fileName, ".", std::nullopt, llvm::StringRef(text));
  builder.createCompileUnit(llvm::DISourceLanguageName(llvm::dwarf::DW_LANG_OpenCL), file, "clarity", false, "", 0, "",
                            llvm::DICompileUnit::LineTablesOnly);
  llvm::DISubroutineType* const type = builder.createSubroutineType(builder.getOrCreateTypeArray({}));
  for (llvm::Function& function : module) {
    if (!lacksLocations(function)) continue;
    const unsigned first = lines.of(*llvm::inst_begin(function));
    llvm::DISubprogram* const subprogram =
        builder.createFunction(file, function.getName(), function.getName(), file, first, type, first,
                               llvm::DINode::FlagZero, llvm::DISubprogram::SPFlagDefinition);
    function.setSubprogram(subprogram);
    for (llvm::Instruction& instruction : llvm::instructions(function))
      instruction.setDebugLoc(llvm::DILocation::get(module.getContext(), lines.of(instruction), column, subprogram));
  }
  builder.finalize();
  if (!module.getModuleFlag("Debug Info Version"))
    module.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
}

}  // namespace clarity::compiler
