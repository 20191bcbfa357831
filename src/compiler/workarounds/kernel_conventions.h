// SPDX-License-Identifier: Apache-2.0
// This file declares what gives kernels their calling convention back.
#pragma once

#include <memory>

namespace clang {
class ASTConsumer;
}

namespace clarity::compiler {

/// Gives kernels, ahead of `next`, the calling convention of kernels: `__attribute__((ms_abi)) kernel void k(...)`.
/// Upstream (clang 22): Sema warns that the target has no such convention and takes that of functions in its place, and
/// code generation follows a null pointer.
std::unique_ptr<clang::ASTConsumer> mendKernelConventions(std::unique_ptr<clang::ASTConsumer> next);

}  // namespace clarity::compiler
