// SPDX-License-Identifier: Apache-2.0
// This file declares the check of memory orders and scopes, which clang knows only of its own atomic operations.
#pragma once

namespace clang {
class CallExpr;
class CompilerInstance;
class FunctionDecl;
}  // namespace clang

namespace clarity::compiler {

/// Warns where a call of an atomic function of OpenCL C 2.0 and later has a constant order or scope that the function must not be given
/// (OpenCL C 3.0, section 6.15.12). Other calls pass. The callee has a
/// name, and the arguments depend on no template.
void checkAtomicOrders(clang::CompilerInstance&, const clang::CallExpr&, const clang::FunctionDecl& callee);

}  // namespace clarity::compiler
