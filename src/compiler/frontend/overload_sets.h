// SPDX-License-Identifier: Apache-2.0
// This file declares what puts OpenCL's builtin functions and a program's own functions of the same names into one
// overload set.
#pragma once

#include <clang/Lex/Token.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>

#include <memory>
#include <set>
#include <string>

namespace clang {
class CompilerInstance;
class FunctionDecl;
class IdentifierInfo;
class NamedDecl;
}  // namespace clang

namespace clarity::compiler {

/// Clang declares a builtin function where look-up finds no other function of its name, so that a program's
/// `float3 mad(S, S, S)` would hide every builtin `mad`. Here a name has all its builtins, as if a header had declared
/// them, with three differences: a function of the program with a builtin's parameters takes its place; a name that
/// the program declares as something else (a variable, a type) hides them; and a declaration never meets the builtins
/// as earlier declarations of the same function, so that it may be static or return another type.
///
/// Watches the tokens that the parser reads: a name is looked up after it has been read.
class OverloadSets {
public:
  /// @param hidden names whose builtins a function of the program hides, as any inner declaration would
  OverloadSets(clang::CompilerInstance&, const std::set<std::string>& hidden);

  /// To be called with every token after macro expansion, in order.
  void read(const clang::Token&);

  /// The names for which builtins and functions of the program were candidates of the same calls.
  const std::set<std::string>& shared() const { return shared_; }

  /// The builtin function with the name and the parameters of a function, or nullptr.
  const clang::FunctionDecl* builtinLike(const clang::FunctionDecl&);

private:
  struct Name {
    llvm::SmallVector<clang::NamedDecl*, 0> builtins;
    bool areVisible = false;
  };

  void readName(clang::IdentifierInfo&);
  void follow(const clang::Token&);
  Name& builtinsOf(clang::IdentifierInfo&);
  void collectDeclared(clang::IdentifierInfo&, Name&);
  bool isSomethingElse(clang::IdentifierInfo&);
  void hide(Name&);
  void show(clang::IdentifierInfo&, Name&);

  clang::CompilerInstance& compiler_;
  const std::set<std::string>& hidden_;
  std::set<std::string> shared_;
  llvm::DenseMap<clang::IdentifierInfo*, std::unique_ptr<Name>> names_;
  bool inProgram_ = false;      ///< behind the base header
  bool inInitialiser_ = false;  ///< in a declaration at program scope, behind its '='
  bool isMember_ = false;       ///< behind '.' or '->'
  unsigned depth_ = 0;          ///< the depth of parentheses and brackets
};

}  // namespace clarity::compiler
