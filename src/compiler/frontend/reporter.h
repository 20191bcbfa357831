// SPDX-License-Identifier: Apache-2.0
// This file reports the project's diagnostics in clang's format: file, line, column, the line of source and a caret.
#pragma once

#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/DiagnosticIDs.h>
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

/// Ends with "[-Wformat]", as clang's warnings of formats that do not fit: `clarity check` reports all of them.
inline void reportFormat(clang::CompilerInstance& compiler, clang::SourceLocation place, llvm::StringRef text) {
  clang::DiagnosticsEngine& diagnostics = compiler.getDiagnostics();
  if (diagnostics.getIgnoreAllWarnings()) return;
  if (diagnostics.getWarningsAsErrors()) return reportError(compiler, place, text);
  const unsigned id = diagnostics.getDiagnosticIDs()->getCustomDiagID({clang::diag::Severity::Warning, "%0",
                                                                       clang::DiagnosticIDs::CLASS_WARNING, true, true,
                                                                       clang::diag::Group::Format});
  diagnostics.Report(place, id) << text;
}

}  // namespace clarity::compiler
