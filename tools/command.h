// SPDX-License-Identifier: Apache-2.0
// This file is what the subcommands of `clarity` share: how they are registered, what they are given beside their
// options, and how they say that something went wrong.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace clarity::tools {

/// Exit codes of every subcommand but `run`, which ends as the program it started.
enum ExitCode : int {
  kSuccess = 0,
  kFailure = 1,  ///< the work was tried and did not succeed, or a result is wrong
  kUsage = 2,    ///< the command line makes no sense; nothing was tried
};

/// The work did not succeed: a sentence for the user, exit code 1.
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The command line is wrong: a sentence for the user, exit code 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// One call of the command.
struct Invocation {
  std::vector<std::string> rest;  ///< what is not ours to parse: PROGRAM ARGS of `run`, what follows `--` elsewhere
  int status = kSuccess;          ///< what main returns; set by the subcommand
};

// Each registers its subcommand; the subcommand's work is done inside app.parse().
void addInfoCommand(CLI::App& app, Invocation& invocation);
void addRunCommand(CLI::App& app, Invocation& invocation);
void addCompileCommand(CLI::App& app, Invocation& invocation);
void addOptCommand(CLI::App& app, Invocation& invocation);
void addExecCommand(CLI::App& app, Invocation& invocation);
void addBenchCommand(CLI::App& app, Invocation& invocation);
/// Hidden: what `bench` starts in a fresh process to measure one driver.
void addMeasureCommand(CLI::App& app, Invocation& invocation);

/// The word of `known` that the user may have meant by `word`; empty if none is near.
std::string nearest(const std::string& word, const std::vector<std::string>& known);

}  // namespace clarity::tools
