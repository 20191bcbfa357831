// SPDX-License-Identifier: Apache-2.0
// This file reports the project's diagnostics in clang's format: file, line, column, the line of source and a caret.
#pragma once

#include <clang/Basic/Diagnostic.h>
#include <clang/Frontend/CompilerInstance.h>

namespace clarity::compiler {

inline void reportError(clang::CompilerInstance& compiler, clang::SourceLocation place, llvm::StringRef text) {
  clang::DiagnosticsEngine& diagnostics = compiler.getDiagnostics();
  diagnostics.Report(place, diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error, "%0")) << text;
}

/// -w and -Werror do not apply to custom warnings by themselves.
inline void reportWarning(clang::CompilerInstance& compiler, clang::SourceLocation place, llvm::StringRef text) {
  clang::DiagnosticsEngine& diagnostics = compiler.getDiagnostics();
  if (diagnostics.getIgnoreAllWarnings()) return;
  if (diagnostics.getWarningsAsErrors()) return reportError(compiler, place, text);
  diagnostics.Report(place, diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Warning, "%0")) << text;
}

}  // namespace clarity::compiler
