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
#include <set>
#include <string>
#include <vector>

namespace llvm {
class Any;
class Function;
class Module;
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

  /// Verifies what passes have left unverified. To be called behind the last one.
  void finish(const llvm::Module&);

private:
  struct Running {
    std::string name;
    std::string before;                        ///< the IR, for --print-changed
    std::optional<std::uint64_t> hash = {};    ///< a hash of the IR, where it tells whether the pass changed it
    const llvm::Function* function = nullptr;  ///< nullptr: more than one
    bool isOurs = false;
  };

  void registerCallbacks();
  bool verifies() const { return trace_.verifyEach || trace_.verifyOurs; }
  void begin(llvm::StringRef type, const llvm::Any& ir);
  void end(const llvm::Any* ir, bool saysUnchanged);
  void addTime();
  void verifyChange(const Running& ended, const llvm::Any* ir, bool saysUnchanged);
  void verifyPending(const llvm::Any& ir);
  /// `orOthers`: what else may have broken it, for the error.
  void verify(const std::string& pass, llvm::StringRef orOthers, const llvm::Any& ir);
  void print(const std::string& name, const llvm::Any& ir, const std::string& before) const;
  std::string nameOf(llvm::StringRef type);

  PassTrace trace_;
  std::string title_;
  const llvm::TargetMachine& machine_;
  bool isActive_;  ///< something is to be traced
  bool knowsNames_ = false;
  llvm::PassInstrumentationCallbacks callbacks_;
  std::vector<Running> running_;
  bool verified_ = false;  ///< the IR that the first pass began with, for --verify-each
  /// Functions that passes of LLVM have changed since their last verification, the last of these passes, and whether
  /// one of them has changed more than one function.
  std::set<const llvm::Function*> changed_;
  bool allChanged_ = false;
  std::string changedBy_;
  std::chrono::nanoseconds since_{};
  PassTimes times_;
};

/// The trace that tracePasses (opt.h) asked for, and --verify-each where the build has it always on.
PassTrace passTrace(bool traced);

}  // namespace clarity::compiler
