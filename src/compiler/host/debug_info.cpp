// SPDX-License-Identifier: Apache-2.0
// This file gives native IR the compile unit that clang's has not, and the entry the kernel's place.
#include "compiler/host/debug_info.h"

#include "builtins/builtins.h"
#include "compiler/host/jit.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <algorithm>

namespace clarity::compiler {
namespace {

/// Sections of version 5 refer to each other by tables that a debugger needs relocated.
constexpr unsigned dwarfVersion = 4;

/// Whether two functions are one in the source: clang makes two of a kernel, of which one calls the other.
bool areOne(const llvm::DISubprogram& a, const llvm::DISubprogram& b) {
  return a.getName() == b.getName() && a.getLine() == b.getLine() && a.getFile() == b.getFile();
}

/// Leads the locations of one function to its own subprogram.
class Locations {
public:
  explicit Locations(llvm::DISubprogram& own) : own_(own) {}

  const llvm::DILocation* of(const llvm::DILocation* location) {
    const auto known = made_.find(location);
    if (known != made_.end()) return known->second;
    const llvm::DILocation* const result = make(*location);
    made_[location] = result;
    return result;
  }

private:
  const llvm::DILocation* make(const llvm::DILocation& location) {
    const bool isOwn = areOne(*location.getScope()->getSubprogram(), own_);
    if (const llvm::DILocation* call = location.getInlinedAt()) {
      // A part of the kernel, inlined into another part of it, stands where it stands.
      const bool isKernelItself = isOwn && areOne(*call->getScope()->getSubprogram(), own_) && !call->getInlinedAt();
      if (!isKernelItself) return inlined(location, const_cast<llvm::DILocation*>(of(call)));
    }
    if (isOwn) return llvm::DILocation::get(own_.getContext(), location.getLine(), location.getColumn(), &own_);
    return inlined(location, start());
  }

  /// Calls are distinct, so that two of one line stay two.
  const llvm::DILocation* inlined(const llvm::DILocation& location, llvm::DILocation* call) {
    llvm::LLVMContext& context = own_.getContext();
    if (location.isDistinct())
      return llvm::DILocation::getDistinct(context, location.getLine(), location.getColumn(), location.getScope(),
                                           call);
    return llvm::DILocation::get(context, location.getLine(), location.getColumn(), location.getScope(), call);
  }

  llvm::DILocation* start() {
    if (!start_) start_ = llvm::DILocation::getDistinct(own_.getContext(), own_.getLine(), 0, &own_);
    return start_;
  }

  llvm::DISubprogram& own_;
  llvm::DILocation* start_ = nullptr;
  llvm::DenseMap<const llvm::DILocation*, const llvm::DILocation*> made_;
};

/// The subprogram of the kernel's own code among the locations of its entry; null: there is none.
llvm::DISubprogram* subprogramOf(const llvm::Function& entry, std::string_view kernel) {
  for (const llvm::Instruction& instruction : llvm::instructions(entry))
    for (const llvm::DILocation* at = instruction.getDebugLoc().get(); at; at = at->getInlinedAt())
      if (llvm::DISubprogram* const found = at->getScope()->getSubprogram();
          found && std::string_view(found->getName()) == kernel)
        return found;
  return nullptr;
}

/// A copy that no other function of the module has.
llvm::DISubprogram* copyOf(const llvm::DISubprogram& place) {
  return llvm::DISubprogram::getDistinct(place.getContext(), place.getScope(), place.getName(), "", place.getFile(),
                                         place.getLine(), place.getType(), place.getScopeLine(), nullptr, 0, 0,
                                         place.getFlags(), place.getSPFlags(), place.getUnit());
}

void placeFunction(llvm::Function& function) {
  llvm::DISubprogram* const own = function.getSubprogram();
  Locations locations(*own);
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    instruction.dropDbgRecords();
    if (const llvm::DILocation* location = instruction.getDebugLoc().get())
      instruction.setDebugLoc(locations.of(location));
  }
}

llvm::DICompileUnit* unitOf(llvm::Module& module, llvm::DIFile* file) {
  llvm::DICompileUnit* const unit = llvm::DICompileUnit::getDistinct(
      module.getContext(), llvm::DISourceLanguageName(llvm::dwarf::DW_LANG_OpenCL), file, "Clarity",
      /*IsOptimized=*/true, "", 0, "", llvm::DICompileUnit::FullDebug, nullptr, nullptr, nullptr, nullptr, nullptr, 0,
      /*SplitDebugInlining=*/true, false, llvm::DICompileUnit::DebugNameTableKind::None, false, "", "");
  module.getOrInsertNamedMetadata("llvm.dbg.cu")->addOperand(unit);
  return unit;
}

}  // namespace

std::string entrySymbolOf(std::string_view kernel, std::string_view fallback) {
  const auto isPlain = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  const bool isUsable = !kernel.empty() && !llvm::isDigit(kernel.front()) && std::ranges::all_of(kernel, isPlain) &&
                        !isRuntimeSymbol(kernel);
  return std::string(isUsable ? kernel : fallback);
}

void describeLines(llvm::Module& module, std::string_view entry, std::string_view kernel, bool withUnit) {
  llvm::Function* const function = module.getFunction(llvm::StringRef(entry));
  if (function && !function->getSubprogram())
    if (const llvm::DISubprogram* const place = subprogramOf(*function, kernel))
      function->setSubprogram(copyOf(*place));
  llvm::DICompileUnit* unit = nullptr;
  for (llvm::Function& each : module) {
    llvm::DISubprogram* const own = each.getSubprogram();
    if (!own || each.isDeclaration()) continue;
    if (!unit && withUnit) unit = unitOf(module, own->getFile());
    placeFunction(each);
  }
  if (!unit) return;
  llvm::DebugInfoFinder all;
  all.processModule(module);
  for (llvm::DISubprogram* const each : all.subprograms())
    if (each->isDefinition()) each->replaceUnit(unit);
  if (!module.getModuleFlag("Debug Info Version"))
    module.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
  if (!module.getModuleFlag("Dwarf Version")) module.addModuleFlag(llvm::Module::Max, "Dwarf Version", dwarfVersion);
}

}  // namespace clarity::compiler
