// SPDX-License-Identifier: Apache-2.0
// This file lists the functions of the builtin library's modules, each module when it is asked for first.
#include "compiler/spirv/builtin_names.h"

#include "builtins/builtins.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace clarity::compiler::spirv {
namespace {

using Functions = llvm::StringMap<std::string>;  // names and types

/// The functions that a module of the library defines.
Functions functionsOf(std::size_t number) {
  llvm::LLVMContext context;
  Functions names;
  const llvm::StringRef bitcode(builtins::libraryModule(number).bitcode);
  auto module = llvm::getLazyBitcodeModule(llvm::MemoryBufferRef(bitcode, "library"), context);
  if (!module) {
    llvm::consumeError(module.takeError());
    return names;
  }
  for (const llvm::Function& function : **module)
    if (!function.isDeclaration() && !function.hasLocalLinkage()) {
      llvm::raw_string_ostream text(names[function.getName()]);
      function.getFunctionType()->print(text);
    }
  return names;
}

}  // namespace

std::string_view typeOfBuiltin(std::string_view mangledName) {
  static std::mutex mutex;
  static std::vector<std::unique_ptr<Functions>> known(builtins::moduleCount());
  const std::optional<std::size_t> number = builtins::moduleOf(mangledName);
  if (!number) return {};
  const std::scoped_lock lock(mutex);
  if (!known[*number]) known[*number] = std::make_unique<Functions>(functionsOf(*number));
  const auto found = known[*number]->find(llvm::StringRef(mangledName));
  return found == known[*number]->end() ? std::string_view() : std::string_view(found->second);
}

}  // namespace clarity::compiler::spirv
