// SPDX-License-Identifier: Apache-2.0
// This file declares what gives arrays of events their initialisers.
#pragma once

#include <memory>

namespace clang {
class ASTConsumer;
}

namespace clarity::compiler {

/// Rewrites, ahead of `next`, initialisers of arrays of events: `event_t e[2] = {0, 0};`, as OpenCL C 3.0, section
/// 6.15.11, has it for one event. Upstream (clang 22): Sema converts 0 to an event, but not in a list of initialisers;
/// it marks the variable as wrong, reports nothing, and code generation reads a type that is not there. Any other
/// expression that is marked so without an error becomes one.
std::unique_ptr<clang::ASTConsumer> mendNullEvents(std::unique_ptr<clang::ASTConsumer> next);

}  // namespace clarity::compiler
