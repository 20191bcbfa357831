// SPDX-License-Identifier: Apache-2.0
// This file declares the check of memory orders and scopes, which clang checks for its own atomic operations only.
#pragma once

namespace clang {
class CallExpr;
class CompilerInstance;
class FunctionDecl;
}  // namespace clang

namespace clarity::compiler {

/// Warns where a call of an atomic function of OpenCL C 2.0 and later has a constant order or scope that is invalid for
/// it (OpenCL C 3.0, section 6.15.12). Ignores other calls. The callee must have a name, and no argument may depend on
/// a template parameter.
void checkAtomicOrders(clang::CompilerInstance&, const clang::CallExpr&, const clang::FunctionDecl& callee);

}  // namespace clarity::compiler
