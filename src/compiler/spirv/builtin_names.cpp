// SPDX-License-Identifier: Apache-2.0
// This file lists the functions of the builtin library's modules, each module when it is asked for first.
#include "compiler/spirv/builtin_names.h"

#include "builtins/builtins.h"
#include "compiler/ir/opaque_types.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>

#include <atomic>
#include <memory>
#include <optional>
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

std::string textOfBuiltin(llvm::FunctionType& type) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  lowered(&type)->print(stream);
  return text;
}

/// Without a lock: a compile that is given up in its middle would keep it (compiler/guard/worker.h). Threads that ask
/// for a module at the same time may each list it; one list stays.
std::string_view typeOfBuiltin(std::string_view mangledName) {
  static auto& known = *new std::vector<std::atomic<const Functions*>>(builtins::moduleCount());  // lists stay
  if (mangledName == "__translate_sampler_initializer") return "i64 (i32)";  // the pass lower-images knows it
  const std::optional<std::size_t> number = builtins::moduleOf(mangledName);
  if (!number) return {};
  const Functions* functions = known[*number].load(std::memory_order_acquire);
  if (!functions) {
    auto made = std::make_unique<const Functions>(functionsOf(*number));
    if (known[*number].compare_exchange_strong(functions, made.get(), std::memory_order_acq_rel))
      functions = made.release();
  }
  const auto found = functions->find(llvm::StringRef(mangledName));
  return found == functions->end() ? std::string_view() : std::string_view(found->second);
}

}  // namespace clarity::compiler::spirv
