// SPDX-License-Identifier: Apache-2.0
// This file is `clarity debug`: it starts gdb for an OpenCL program whose kernels are compiled to be debugged, with the
// commands of debug/clarity_gdb.py.
#include "check_record.h"
#include "child.h"
#include "command.h"
#include "driver.h"
#include "files.h"
#include "option_text.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace clarity::tools {
namespace {

constexpr const char* debuggerScript =
#include "debug_script.inc"
    ;

struct DebugOptions {
  std::string icd, gdb = "gdb", what, interpreter, scriptFile;
  std::vector<std::string> files, commands;
  bool checks = false, batch = false, quiet = false;
};

/// A gdb that cannot run the script is found out about before it fails in the middle of a session.
void requireGdb(const std::string& gdb) {
  ChildResult result;
  try {
    result = runChild({gdb, "-nx", "-batch", "-ex", "python print('has', 'Python')"}, {});
  } catch (const Failure&) {
    throw Failure(
        fmt::format("'{}' cannot be started; install gdb (in Debian and Ubuntu the package gdb), or name it "
                    "with --gdb",
                    gdb));
  }
  if (!result.output.contains("has Python"))
    throw Failure(
        fmt::format("'{}' has no Python, which the commands for work-items are written in; name another gdb "
                    "with --gdb",
                    gdb));
}

std::vector<std::string> gdbCommand(const DebugOptions& options, const std::filesystem::path& script,
                                    const std::vector<std::string>& program) {
  std::vector<std::string> words{options.gdb};
  if (options.quiet || options.batch) words.emplace_back("-q");
  if (options.batch) words.emplace_back("--batch");
  if (!options.interpreter.empty()) words.push_back("--interpreter=" + options.interpreter);
  words.insert(words.end(), {"-x", script.string()});
  for (const std::string& file : options.files) words.insert(words.end(), {"-x", file});
  for (const std::string& command : options.commands) words.insert(words.end(), {"-ex", command});
  words.emplace_back("--args");
  words.insert(words.end(), program.begin(), program.end());
  return words;
}

int debug(const DebugOptions& options, const std::vector<std::string>& program) {
  if (!options.scriptFile.empty()) {
    writeText(options.scriptFile, debuggerScript);
    return successCode;
  }
  if (program.empty()) throw UsageError("the program to run is missing");
  if (options.checks && !options.what.empty()) requireKnownChecks("--what", options.what);
  if (!options.checks && !options.what.empty()) throw UsageError("--what says what --check looks for");
  for (const std::string& file : options.files) (void)readText(file);  // an error if it cannot be read
  requireGdb(options.gdb);
  const TemporaryFolder folder;
  const std::filesystem::path script = folder.path() / "clarity_gdb.py", sources = folder.path() / "sources";
  writeText(script, debuggerScript);
  std::filesystem::create_directory(sources);
  useDriver(options.icd);
  ::setenv("CLARITY_DEBUG", "1", 1);
  ::setenv("CLARITY_DEBUG_SOURCES", sources.c_str(), 1);
  ::setenv("CLARITY_MESSAGES", "always", 0);
  if (options.checks) ::setenv("CLARITY_CHECK", options.what.empty() ? "all" : options.what.c_str(), 1);
  return runInForeground("debug", gdbCommand(options, script, program));
}

}  // namespace

void addDebugCommand(CLI::App& app, Invocation& invocation) {
  auto options = std::make_shared<DebugOptions>();
  CLI::App* sub = app.add_subcommand("debug", "Run an OpenCL program and its kernels in gdb");
  sub->add_flag("--check", options->checks, "Stop where a check finds a mistake, as `clarity check` would report it");
  sub->add_option("--what", options->what, "What --check looks for, as with `clarity check` (default: all)")
      ->type_name("LIST");
  sub->add_option("-x", options->files, "Execute the gdb commands in a file; may be repeated")
      ->type_name("FILE")
      ->allow_extra_args(false);
  sub->add_option("--ex,--eval-command", options->commands,
                  "Execute a gdb command, after all -x; may be repeated; -ex is the same")
      ->type_name("COMMAND")
      ->allow_extra_args(false);
  sub->add_flag("--batch", options->batch, "End gdb when it has executed these commands");
  sub->add_flag("-q,--quiet", options->quiet, "gdb does not introduce itself");
  sub->add_option("--interpreter", options->interpreter, "gdb's interpreter, for editors: mi")->type_name("NAME");
  sub->add_option("--gdb", options->gdb, "The gdb to start")->type_name("PROGRAM")->capture_default_str();
  sub->add_option("--script", options->scriptFile,
                  "Write the gdb commands for work-items to a file, for `source` in other front ends, and run nothing; "
                  "- is standard output")
      ->type_name("FILE");
  addIcdOption(*sub, options->icd);
  sub->footer(
      "Everything after PROGRAM is passed to it. Kernels run on the CPU device, one\n"
      "work-item at a time, in code that is not optimised. Beside gdb's own commands:\n\n"
      "  break saxpy, break k.cl:12 if $gid(0) == 37    before the program is built\n"
      "  info work-items                                the work-group that runs\n"
      "  work-item 5,3                                  select one by its local id\n"
      "  buffer y 0 64                                  elements of a buffer\n"
      "  $gid(d) $lid(d) $group(d) $gsize(d) $lsize(d) $ngroups(d) $elements(p)\n\n"
      "Examples:\n"
      "  clarity debug ./simulation --steps 10\n"
      "  clarity debug --check python3 test.py\n"
      "  clarity debug -batch -ex 'break k.cl:12' -ex run -ex bt ./simulation");
  sub->callback([options, &invocation] { invocation.status = debug(*options, invocation.rest); });
}

}  // namespace clarity::tools
