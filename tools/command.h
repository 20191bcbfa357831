// SPDX-License-Identifier: Apache-2.0
// This file declares what the subcommands of `clarity` share: registration, the arguments beside their options, and
// errors.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace clarity::tools {

/// Exit codes of every subcommand but `run`, which returns that of the program.
enum ExitCode : int {
  kSuccess = 0,
  kFailure = 1,  ///< the work failed, or a result is wrong
  kUsage = 2,    ///< the command line is invalid; no work was started
};

/// The work failed: a message for the user, exit code 1.
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The command line is invalid: a message for the user, exit code 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// One invocation of the command.
struct Invocation {
  std::vector<std::string> rest;  ///< not parsed here: PROGRAM ARGS of `run`, what follows `--` elsewhere
  int status = kSuccess;          ///< what main returns; set by the subcommand
};

// Each registers its subcommand, which runs inside app.parse().
void addInfoCommand(CLI::App& app, Invocation& invocation);
void addRunCommand(CLI::App& app, Invocation& invocation);
void addCompileCommand(CLI::App& app, Invocation& invocation);
void addOptCommand(CLI::App& app, Invocation& invocation);
void addExecCommand(CLI::App& app, Invocation& invocation);
void addBenchCommand(CLI::App& app, Invocation& invocation);
/// Hidden: `bench` starts it in a new process to measure one driver.
void addMeasureCommand(CLI::App& app, Invocation& invocation);

/// The word of `known` that is most similar to `word`; empty if none is similar.
std::string nearest(const std::string& word, const std::vector<std::string>& known);

}  // namespace clarity::tools
