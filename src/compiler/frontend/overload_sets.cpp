// SPDX-License-Identifier: Apache-2.0
// This file adds builtin functions to the names that clang's Sema looks up, and takes them out while a declaration of
// the same name is parsed.
#include "compiler/frontend/overload_sets.h"

#include "compiler/frontend/clang_arguments.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/Builtins.h>
#include <clang/Basic/IdentifierTable.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Sema/Lookup.h>
#include <clang/Sema/Scope.h>
#include <clang/Sema/Sema.h>
#include <llvm/ADT/STLExtras.h>

#include <iterator>

namespace clarity::compiler {
namespace {

bool isAtProgramScope(const clang::NamedDecl& declaration) {
  return declaration.getDeclContext()->getRedeclContext()->isTranslationUnit();
}

/// A function, a template of functions, or a using-declaration of one.
bool isFunction(clang::NamedDecl& declaration) {
  return llvm::isa<clang::FunctionDecl, clang::FunctionTemplateDecl>(declaration.getUnderlyingDecl());
}

bool isInBaseHeader(const clang::SourceManager& sources, clang::SourceLocation place) {
  return sources.getFilename(sources.getExpansionLoc(place)) == llvm::StringRef(baseHeaderText);
}

bool haveSameParameters(const clang::ASTContext& context, const clang::FunctionDecl& one,
                        const clang::FunctionDecl& other) {
  return one.getNumParams() == other.getNumParams() && one.isVariadic() == other.isVariadic() &&
         llvm::all_of(llvm::zip(one.parameters(), other.parameters()), [&](const auto& pair) {
           return context.hasSameUnqualifiedType(std::get<0>(pair)->getType(), std::get<1>(pair)->getType());
         });
}

}  // namespace

OverloadSets::OverloadSets(clang::CompilerInstance& compiler, const std::set<std::string>& hidden)
    : compiler_(compiler), hidden_(hidden) {
  compiler.getLangOpts().DeclareOpenCLBuiltins = false;  // clang's own way; builtinsOf() asks for them
}

void OverloadSets::read(const clang::Token& token) {
  if (!compiler_.hasSema()) return;
  if (!inProgram_) inProgram_ = !isInBaseHeader(compiler_.getSourceManager(), token.getLocation());
  if (!inProgram_) return;
  if (token.is(clang::tok::identifier) && !isMember_) readName(*token.getIdentifierInfo());
  follow(token);
}

void OverloadSets::follow(const clang::Token& token) {
  using namespace clang::tok;
  isMember_ = token.isOneOf(period, arrow);
  if (token.isOneOf(l_paren, l_square))
    ++depth_;
  else if (token.isOneOf(r_paren, r_square) && depth_)
    --depth_;
  if (depth_) return;
  if (token.is(semi))
    inInitialiser_ = false;
  else if (token.is(equal))
    inInitialiser_ = compiler_.getSema().CurContext->isFileContext();
}

/// A name at program scope that is neither in parentheses nor in an initialiser is being declared.
void OverloadSets::readName(clang::IdentifierInfo& name) {
  const unsigned builtin = name.getBuiltinID();
  if (builtin && !compiler_.getASTContext().BuiltinInfo.isPredefinedLibFunction(builtin)) return;  // clang's own
  const bool isDeclared = depth_ == 0 && !inInitialiser_ && compiler_.getSema().CurContext->isFileContext();
  Name& found = builtinsOf(name);
  if (found.builtins.empty()) return;
  if (isDeclared || isSomethingElse(name))
    hide(found);
  else if (!found.areVisible)
    show(name, found);
}

/// Whether the last declaration of the name at program scope is of no function: an enumerator is declared in braces.
bool OverloadSets::isSomethingElse(clang::IdentifierInfo& name) {
  for (auto at = compiler_.getSema().IdResolver.begin(&name); at != clang::IdentifierResolver::iterator(); ++at)
    if (isAtProgramScope(**at) && !llvm::isa<clang::TagDecl>(*at)) return !isFunction(**at);
  return false;
}

OverloadSets::Name& OverloadSets::builtinsOf(clang::IdentifierInfo& name) {
  std::unique_ptr<Name>& known = names_[&name];
  if (known) return *known;
  known = std::make_unique<Name>();
  collectDeclared(name, *known);
  clang::Sema& sema = compiler_.getSema();
  clang::LookupResult result(sema, &name, clang::SourceLocation(), clang::Sema::LookupOrdinaryName);
  result.suppressDiagnostics();
  compiler_.getLangOpts().DeclareOpenCLBuiltins = true;
  if (sema.LookupBuiltin(result))
    llvm::copy_if(result, std::back_inserter(known->builtins),
                  [](const clang::NamedDecl* declaration) { return llvm::isa<clang::FunctionDecl>(declaration); });
  compiler_.getLangOpts().DeclareOpenCLBuiltins = false;
  return *known;
}

/// Functions of builtins/declarations.clh, which are ordinary declarations to clang.
void OverloadSets::collectDeclared(clang::IdentifierInfo& name, Name& known) {
  clang::Sema& sema = compiler_.getSema();
  for (auto at = sema.IdResolver.begin(&name); at != clang::IdentifierResolver::iterator(); ++at) {
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(*at);
    if (function && isAtProgramScope(*function) && !function->isVariadic() &&
        isInBaseHeader(compiler_.getSourceManager(), function->getLocation()))
      known.builtins.push_back(*at);
  }
  known.areVisible = !known.builtins.empty();
}

void OverloadSets::hide(Name& name) {
  if (!name.areVisible) return;
  clang::Sema& sema = compiler_.getSema();
  for (clang::NamedDecl* builtin : name.builtins) {
    if (!sema.TUScope->isDeclScope(builtin)) continue;
    sema.TUScope->RemoveDecl(builtin);
    sema.IdResolver.RemoveDecl(builtin);
    if (builtin->getDeclContext()->containsDecl(builtin)) builtin->getDeclContext()->removeDecl(builtin);
  }
  name.areVisible = false;
}

void OverloadSets::show(clang::IdentifierInfo& identifier, Name& name) {
  clang::Sema& sema = compiler_.getSema();
  llvm::SmallVector<const clang::FunctionDecl*, 8> own;
  bool hasOwn = false;
  for (auto at = sema.IdResolver.begin(&identifier); at != clang::IdentifierResolver::iterator(); ++at) {
    if (!isAtProgramScope(**at)) continue;
    if (!isFunction(**at)) continue;  // a structure, which has a name of its own kind
    hasOwn = true;
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>((*at)->getUnderlyingDecl())) own.push_back(function);
  }
  if (hasOwn) {
    if (hidden_.contains(identifier.getName().str())) return;
    shared_.insert(identifier.getName().str());
  }
  const auto isReplaced = [&](const clang::NamedDecl* builtin) {
    return llvm::any_of(own, [&](const clang::FunctionDecl* function) {
      return haveSameParameters(compiler_.getASTContext(), *function, *llvm::cast<clang::FunctionDecl>(builtin));
    });
  };
  for (clang::NamedDecl* builtin : name.builtins) {
    if (isReplaced(builtin) || !sema.IdResolver.tryAddTopLevelDecl(builtin, &identifier)) continue;
    sema.TUScope->AddDecl(builtin);
    if (compiler_.getLangOpts().CPlusPlus) builtin->getDeclContext()->addDecl(builtin);  // for ::name
  }
  name.areVisible = true;
}

const clang::FunctionDecl* OverloadSets::builtinLike(const clang::FunctionDecl& function) {
  clang::IdentifierInfo* const name = function.getIdentifier();
  const auto found = name ? names_.find(name) : names_.end();
  if (found == names_.end()) return nullptr;
  for (const clang::NamedDecl* builtin : found->second->builtins) {
    const auto* candidate = llvm::cast<clang::FunctionDecl>(builtin);
    if (haveSameParameters(compiler_.getASTContext(), function, *candidate)) return candidate;
  }
  return nullptr;
}

}  // namespace clarity::compiler
