// SPDX-License-Identifier: Apache-2.0
// This file runs LLVM's IR linker and reports its errors with the names that the program uses.
#include "compiler/frontend/linker.h"

#include "compiler/frontend/shared_names.h"
#include "compiler/ir/demangled_name.h"
#include "compiler/ir/program_functions.h"

#include "compiler/guard/context.h"

#include <fmt/format.h>
#include <llvm/ADT/SCCIterator.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/Module.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/MemoryBuffer.h>

#include <vector>

namespace clarity::compiler {
namespace {

using Modules = std::vector<std::unique_ptr<llvm::Module>>;

bool read(CollectingContext& context, std::span<const std::shared_ptr<const CompiledProgram>> programs,
          Modules& modules, std::string& log) {
  for (std::size_t i = 0; i < programs.size(); ++i) {
    if (programs[i]->kind == BinaryType::Executable) {
      log +=
          fmt::format("error: program {} of {} is an executable; only compiled objects and libraries can be linked\n",
                      i + 1, programs.size());
      return false;
    }
    auto module = llvm::parseBitcodeFile(llvm::MemoryBufferRef(programs[i]->bitcode, "program"), context);
    if (!module) {
      log += fmt::format("error: program {} of {} cannot be read: {}\n", i + 1, programs.size(),
                         llvm::toString(module.takeError()));
      return false;
    }
    modules.push_back(std::move(*module));
  }
  return true;
}

/// True if every name is defined by at most one module.
bool definedOnce(const Modules& modules, std::string& log) {
  llvm::StringMap<std::size_t> owners;
  bool once = true;
  for (std::size_t i = 0; i < modules.size(); ++i) {
    for (const llvm::GlobalValue& value : modules[i]->global_values()) {
      if (!value.isStrongDefinitionForLinker() || value.hasLocalLinkage() || value.hasAppendingLinkage()) continue;
      if (value.getName().starts_with(kernelBodyPrefix)) continue;  // its kernel is reported
      const auto [owner, isNew] = owners.try_emplace(value.getName(), i);
      if (isNew) continue;
      log += fmt::format("error: '{}' is defined in program {} and in program {} of {}\n",
                         demangledName(value.getName()), owner->second + 1, i + 1, modules.size());
      once = false;
    }
  }
  return once;
}

/// True if there is no cycle of calls between functions of different programs.
bool withoutRecursion(llvm::Module& module, std::string& log) {
  llvm::CallGraph calls(module);
  for (auto circle = llvm::scc_begin(&calls); !circle.isAtEnd(); ++circle) {
    if (!circle.hasCycle()) continue;
    std::string names;
    for (const llvm::CallGraphNode* node : *circle)
      if (const llvm::Function* function = node->getFunction())
        names += fmt::format("{}'{}'", names.empty() ? "" : ", ", demangledName(function->getName()));
    log += fmt::format("error: recursion is not supported in OpenCL C: these functions call each other: {}\n", names);
    return false;
  }
  return true;
}

}  // namespace

std::unique_ptr<llvm::Module> linkPrograms(CollectingContext& context,
                                           std::span<const std::shared_ptr<const CompiledProgram>> programs,
                                           std::string& log) {
  Modules modules;
  if (!read(context, programs, modules, log) || !definedOnce(modules, log)) return nullptr;
  if (const std::string conflicts = reconcileSharedNames(modules); !conflicts.empty()) {
    log += conflicts;
    return nullptr;
  }
  std::unique_ptr<llvm::Module> whole = std::move(modules.front());
  llvm::Linker linker(*whole);
  bool joined = true;
  for (std::size_t i = 1; joined && i < modules.size(); ++i) joined = !linker.linkInModule(std::move(modules[i]));
  log += context.errors;
  if (!joined || (programs.size() > 1 && !withoutRecursion(*whole, log))) return nullptr;
  return whole;
}

}  // namespace clarity::compiler
