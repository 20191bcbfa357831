// SPDX-License-Identifier: Apache-2.0
// This file declares how corrections of clang come to the declarations of a program.
#pragma once

#include <functional>
#include <memory>

namespace clang {
class ASTConsumer;
class ASTContext;
class Decl;
}  // namespace clang

namespace clarity::compiler {

/// A consumer that calls `visit` for every declaration at the top level, and then `next`.
std::unique_ptr<clang::ASTConsumer> visitAhead(std::unique_ptr<clang::ASTConsumer> next,
                                               std::function<void(clang::ASTContext&, clang::Decl&)> visit);

}  // namespace clarity::compiler
