// SPDX-License-Identifier: Apache-2.0
// This file declares what the subcommands of `clarity` share: registration, the arguments beside their options, and
// errors.
#pragma once

#include "support/counted.h"
#include "support/nearest.h"

#include <stdexcept>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace clarity::tools {

/// Exit codes of every subcommand but `run`, `check`, `profile` and `debug`, which return that of the program or of
/// gdb.
enum ExitCode : int {
  successCode = 0,
  failureCode = 1,  ///< the work failed, or a result is wrong
  usageCode = 2,    ///< the command line is invalid; no work was started
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
  std::vector<std::string> rest;  ///< not parsed here: PROGRAM ARGS of `run`, `check`, what follows `--` elsewhere
  int status = successCode;       ///< the result of main; set by the subcommand
};

// Each registers its subcommand, which runs inside app.parse().
void addInfoCommand(CLI::App& app, Invocation& invocation);
void addRunCommand(CLI::App& app, Invocation& invocation);
void addCheckCommand(CLI::App& app, Invocation& invocation);
void addProfileCommand(CLI::App& app, Invocation& invocation);
void addDebugCommand(CLI::App& app, Invocation& invocation);
void addCompileCommand(CLI::App& app, Invocation& invocation);
void addOptCommand(CLI::App& app, Invocation& invocation);
void addExecCommand(CLI::App& app, Invocation& invocation);
void addBenchCommand(CLI::App& app, Invocation& invocation);
/// Hidden: `bench` starts it in a new process to measure one driver.
void addMeasureCommand(CLI::App& app, Invocation& invocation);
/// Hidden: the build writes completion scripts and manual pages with it.
void addGenerateCommand(CLI::App& app, Invocation& invocation);

/// "clarity exec [OPTIONS] FILE.cl KERNEL", for a command or the program itself.
std::string usageOf(const CLI::App& app);
/// The commands that help texts list.
std::vector<CLI::App*> visibleCommands(CLI::App& app);

using support::Counted;
using support::didYouMean;

}  // namespace clarity::tools
