// SPDX-License-Identifier: Apache-2.0
// This file declares the instrumentation of passes: what `--print-after`, `--print-after-all`, `--print-changed`,
// `--verify-each` and `--time-passes` ask for (opt.h: PassTrace), by LLVM's callbacks around each pass; the limits of a
// compile are checked there, too.
#pragma once

#include "compiler/pipeline/pass_times.h"
#include "compiler/pipeline/trace_request.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/PassInstrumentation.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class Any;
class TargetMachine;
}  // namespace llvm

namespace clarity::compiler {

/// The callbacks for one compile; when it goes, it prints the times.
class PassTracer {
public:
  /// `title`: what is compiled, for the table of times.
  PassTracer(PassTrace trace, std::string title, const llvm::TargetMachine& machine);
  ~PassTracer();
  PassTracer(const PassTracer&) = delete;
  PassTracer& operator=(const PassTracer&) = delete;

  /// For every PassBuilder of the compile. Where nothing is traced they only check the compile's limits (limits.h).
  llvm::PassInstrumentationCallbacks& callbacks() { return callbacks_; }

private:
  struct Running {
    std::string name;
    std::string before;                      ///< the IR, for --print-changed
    std::optional<std::uint64_t> hash = {};  ///< of the IR, where it tells whether the pass changed it
  };

  void registerCallbacks();
  void begin(llvm::StringRef type, const llvm::Any& ir);
  void end(const llvm::Any* ir, bool saysUnchanged);
  void addTime();
  void verify(const std::string& name, const llvm::Any& ir) const;
  void print(const std::string& name, const llvm::Any& ir, const std::string& before) const;
  std::string nameOf(llvm::StringRef type);

  PassTrace trace_;
  std::string title_;
  bool isActive_;  ///< something is to be traced
  llvm::PassInstrumentationCallbacks callbacks_;
  std::vector<Running> running_;
  bool verified_ = false;  ///< what the first pass began with, for --verify-each
  std::chrono::nanoseconds since_{};
  PassTimes times_;
};

/// The trace that tracePasses (opt.h) asked for, and --verify-each where the build has it always on.
PassTrace passTrace(bool traced);

}  // namespace clarity::compiler
