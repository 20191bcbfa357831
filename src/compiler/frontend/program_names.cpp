// SPDX-License-Identifier: Apache-2.0
// This file renames functions.
#include "compiler/frontend/program_names.h"

#include "builtins/builtins.h"
#include "compiler/frontend/clang_arguments.h"
#include "compiler/frontend/overload_sets.h"
#include "compiler/ir/program_functions.h"

#include <clang/AST/Decl.h>
#include <clang/AST/GlobalDecl.h>
#include <clang/Basic/SourceManager.h>
#include <clang/CodeGen/ModuleBuilder.h>
#include <clang/Frontend/CompilerInstance.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Module.h>

namespace clarity::compiler {
namespace {

bool isBuiltinsName(llvm::StringRef name) { return name == "printf" || builtins::hasName(std::string_view(name)); }

/// Whether the program's text declares the function.
bool isPrograms(const clang::FunctionDecl& function, const clang::SourceManager& sources) {
  return llvm::any_of(function.redecls(), [&](const clang::FunctionDecl* declaration) {
    return !declaration->isImplicit() &&
           sources.getFilename(sources.getExpansionLoc(declaration->getLocation())) != llvm::StringRef(baseHeaderText);
  });
}

}  // namespace

void nameProgramsFunctions(llvm::Module& module, clang::CodeGenerator& generator, clang::CompilerInstance& compiler,
                           OverloadSets& overloads) {
  for (llvm::Function& function : module) {
    if (function.isIntrinsic() || function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL ||
        !isBuiltinsName(function.getName()))
      continue;
    const auto* declaration =
        llvm::dyn_cast_or_null<clang::FunctionDecl>(generator.GetDeclForMangledName(function.getName()));
    if (!declaration || !isPrograms(*declaration, compiler.getSourceManager())) continue;
    if (function.isDeclaration())
      if (const clang::FunctionDecl* builtin = overloads.builtinLike(*declaration))
        function.addFnAttr(builtinAttribute, generator.GetMangledName(builtin));
    function.setName(programPrefix + function.getName());
  }
}

}  // namespace clarity::compiler
