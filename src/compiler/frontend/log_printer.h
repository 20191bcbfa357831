// SPDX-License-Identifier: Apache-2.0
// This file declares the printer of clang's findings for the build log.
#pragma once

#include "compiler/frontend/options.h"
#include "compiler/ir/backend.h"

namespace clang {
class DiagnosticConsumer;
class DiagnosticOptions;
}  // namespace clang
namespace llvm {
class raw_ostream;
}  // namespace llvm

namespace clarity::compiler {

/// Clang's text, but where clang goes wrong, and sentences that name the cure where clang leaves it out. Asks at each
/// finding whether the compile may go on. The stream, the options and the target outlive the printer, which the caller
/// owns.
clang::DiagnosticConsumer* makeLogPrinter(llvm::raw_ostream& out, clang::DiagnosticOptions& options, Language language,
                                          const Target& target);

}  // namespace clarity::compiler
