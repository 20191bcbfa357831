// SPDX-License-Identifier: Apache-2.0
// This file installs the diagnostic handler.
#include "compiler/guard/context.h"

#include "compiler/guard/limits.h"

#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/Support/raw_ostream.h>

namespace clarity::compiler {
namespace {

class Collector final : public llvm::DiagnosticHandler {
public:
  explicit Collector(std::string& errors) : errors_(errors) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo& diagnostic) override {
    if (diagnostic.getSeverity() != llvm::DS_Error) return true;
    llvm::raw_string_ostream out(errors_);
    out << "error: ";
    llvm::DiagnosticPrinterRawOStream printer(out);
    diagnostic.print(printer);
    out << '\n';
    return true;
  }

  // Passes ask this while they work, at each change that they would remark on.
  bool isAnyRemarkEnabled() const override { return noRemarks(); }
  bool isMissedOptRemarkEnabled(llvm::StringRef) const override { return noRemarks(); }
  bool isPassedOptRemarkEnabled(llvm::StringRef) const override { return noRemarks(); }
  bool isAnalysisRemarkEnabled(llvm::StringRef) const override { return noRemarks(); }

private:
  static bool noRemarks() {
    checkLimits();
    return false;
  }

  std::string& errors_;
};

}  // namespace

CollectingContext::CollectingContext() { setDiagnosticHandler(std::make_unique<Collector>(errors)); }

}  // namespace clarity::compiler
