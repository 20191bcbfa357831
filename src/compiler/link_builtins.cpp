// SPDX-License-Identifier: Apache-2.0
// This file reads the chapters that a program needs, lazily: only functions that are used leave the bitcode.
#include "compiler/link_builtins.h"

#include "builtins/builtins.h"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Module.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/MemoryBuffer.h>

namespace clarity::compiler {

namespace {

llvm::Error linkChapter(llvm::Module& module, const builtins::Chapter& chapter) {
  const llvm::MemoryBufferRef buffer(llvm::StringRef(chapter.bitcode), llvm::StringRef(chapter.name));
  auto library = llvm::getLazyBitcodeModule(buffer, module.getContext(), /*ShouldLazyLoadMetadata=*/true);
  if (!library) return library.takeError();
  (*library)->setTargetTriple(module.getTargetTriple());
  (*library)->setDataLayout(module.getDataLayout());
  if (llvm::Linker::linkModules(module, std::move(*library), llvm::Linker::LinkOnlyNeeded))
    return llvm::createStringError("chapter '" + llvm::Twine(llvm::StringRef(chapter.name)) + "' of the builtin library could not be linked");
  return llvm::Error::success();
}

}  // namespace

llvm::Error linkBuiltins(llvm::Module& module) {
  std::uint64_t needed = 0;
  for (const llvm::Function& function : module)
    if (function.isDeclaration() && !function.isIntrinsic()) needed |= builtins::chaptersOf(std::string_view(function.getName()));
  const auto chapters = builtins::chapters();
  for (unsigned i = 0; i < chapters.size(); ++i)
    if (needed >> i & 1)
      if (llvm::Error error = linkChapter(module, chapters[i])) return error;
  return llvm::Error::success();
}

std::string demangledName(llvm::StringRef name) {
  if (!name.starts_with("_Z")) return name.str();
  return llvm::demangle(name.str());
}

}  // namespace clarity::compiler
