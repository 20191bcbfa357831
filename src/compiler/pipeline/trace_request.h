// SPDX-License-Identifier: Apache-2.0
// This file is what a user may ask to see of passes. No LLVM type is visible.
#pragma once

#include <string>
#include <vector>

namespace clarity::compiler {

/// The output asked for of passes as they run, on standard error.
struct PassTrace {
  std::vector<std::string> printAfter;  ///< IR behind passes of these names
  bool printAfterAll = false;
  bool printChanged = false;  ///< IR behind passes that have changed it
  bool verifyEach = false;    ///< a pass that leaves malformed IR, or hides a change, ends the compile with an error
  /// The same for passes of ours. LLVM's are verified together, where one of ours or the end of the run follows: they
  /// are the most, and a verification after each one of them takes half as long as everything else.
  bool verifyOurs = false;
  bool timePasses = false;  ///< a table for each run of a pipeline
};

/// Asks for this of all compiles of the process. To be called once, before the first.
void tracePasses(PassTrace trace);
bool passesAreTraced();
/// Whether times of passes were asked for.
bool passesAreTimed();

/// Verifies the IR around every pass of ours in all compiles of the process, whoever asks for them: as
/// PassTrace::verifyOurs does, but the cache is used. To be called once, before the first.
void verifyPasses();

}  // namespace clarity::compiler
