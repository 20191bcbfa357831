// SPDX-License-Identifier: Apache-2.0
// This file is `clarity check`: it runs an OpenCL program on this driver, which checks what its kernels and its calls
// do.
#include "check_record.h"
#include "command.h"
#include "driver.h"
#include "files.h"
#include "option_text.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

extern char** environ;

namespace clarity::tools {
namespace {

// The exit codes of shells and env(1) if a program cannot be started.
constexpr int kCannotStart = 126, kNotThere = 127;
// That of git bisect, and of other tools, for what could not be tested.
constexpr int kNotChecked = 125;

struct CheckOptions {
  std::string what = "all", icd, jsonFile, sarifFile, junitFile, suppressFile, allow;
  unsigned seconds = 30;
};

/// The program's exit code, 128 + signal if a signal ended it.
int runToEnd(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  if (const int error = ::posix_spawnp(&child, arguments[0], nullptr, nullptr, arguments.data(), environ)) {
    fmt::print(stderr, "clarity check: cannot run '{}': {}\n", words[0], std::strerror(error));
    return error == ENOENT ? kNotThere : kCannotStart;
  }
  // Signals of the terminal are for the program; what it was found to do is written all the same.
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGQUIT, SIG_IGN);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// The exit code of a program in which nothing was found: 0 only if all of it was checked.
int statusOf(int status, const CheckRecord::Coverage& coverage) {
  const bool isAll = coverage.processes != 0 && coverage.leftOut.empty();
  if (coverage.processes == 0)
    fmt::print(stderr, "clarity check: no OpenCL call reached Clarity, nothing was checked\n");
  else if (status == 0 && !isAll)
    fmt::print(stderr, "clarity check: the exit code is {}, as not everything was checked\n", kNotChecked);
  return status == 0 && !isAll ? kNotChecked : status;
}

int check(const CheckOptions& options, const std::vector<std::string>& words) {
  if (words.empty()) throw UsageError("the program to run is missing");
  requireKnownChecks("--what", options.what);
  for (const std::string& file : {options.jsonFile, options.sarifFile, options.junitFile})
    if (!file.empty()) requireWritable(file);
  if (!options.suppressFile.empty()) {
    (void)readText(options.suppressFile);  // an error if it cannot be read
    ::setenv("CLARITY_CHECK_SUPPRESS", std::filesystem::absolute(options.suppressFile).c_str(), 1);
  }
  if (!options.allow.empty()) ::setenv("CLARITY_CHECK_SAME_VALUE", "1", 1);
  ::setenv("CLARITY_CHECK_SECONDS", std::to_string(options.seconds).c_str(), 1);
  useDriver(options.icd);
  ::setenv("CLARITY_MESSAGES", "always", 0);
  const CheckRecord record(options.what);
  const int status = runToEnd(words);
  const auto findings = record.findings();
  const std::string program = fmt::format("{}", fmt::join(words, " "));
  if (!options.jsonFile.empty()) writeText(options.jsonFile, findings.dump(2) + "\n");
  if (!options.sarifFile.empty()) writeText(options.sarifFile, sarifOf(findings, program));
  if (!options.junitFile.empty()) writeText(options.junitFile, junitOf(findings, program));
  if (!findings.empty()) return kFailure;
  return status == kNotThere || status == kCannotStart ? status : statusOf(status, record.coverage());
}

}  // namespace

void addCheckCommand(CLI::App& app, Invocation& invocation) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* sub = app.add_subcommand("check", "Run an OpenCL program and find mistakes in its kernels and in itself");
  sub->add_option("--what", options->what,
                  "What to check: all, or a list, separated by commas:\n"
                  "  memory      accesses outside of buffers, arrays and variables, through null pointers, not "
                  "aligned, of a kind that flags forbid\n"
                  "  bounds      of memory, accesses outside of it, with optimised code: nearly as fast as without\n"
                  "  uninitialised  uses of variables and buffers that were never written\n"
                  "  races       accesses to the same memory that nothing orders\n"
                  "  barriers    barriers that not all work-items of a work-group reach\n"
                  "  arithmetic  divisions by zero, shifts by too much, conversions out of range\n"
                  "  overflow    of signed integers; all leaves this and not-finite out\n"
                  "  not-finite  NaN and infinities, where they are made of finite numbers\n"
                  "  host        objects that are never released, errors that are not looked at, memory that is used "
                  "too early")
      ->type_name("LIST")
      ->capture_default_str();
  sub->add_option("--json", options->jsonFile, "Write what was found as JSON; - is standard output")->type_name("FILE");
  sub->add_option("--sarif", options->sarifFile, "Write it as SARIF 2.1.0, which code hosts show")->type_name("FILE");
  sub->add_option("--junit", options->junitFile, "Write it as JUnit XML, which CI servers show")->type_name("FILE");
  sub->add_option("--suppress", options->suppressFile,
                  "Do not report what this file lists: lines KIND:KERNEL:FILE:LINE or KIND:KERNEL:VARIABLE, in which * "
                  "stands for any text")
      ->type_name("FILE");
  sub->add_option("--allow", options->allow, "same-value: work-items may write the same value to the same memory")
      ->check(oneOf({"same-value"}))
      ->type_name("WHAT");
  sub->add_option("--seconds", options->seconds,
                  "End a kernel, and report its loops, if a work-item is in them for so long; 0: never")
      ->envname("CLARITY_CHECK_SECONDS")
      ->capture_default_str()
      ->type_name("N");
  sub->add_option("--icd", options->icd,
                  "Driver to use instead of Clarity's: a library, an .icd file or a folder of .icd files")
      ->envname("CLARITY_ICD")
      ->type_name("PATH");
  sub->footer(
      "Kernels run on the CPU device while they are checked; GPUs are not shown.\n"
      "CLARITY_DEVICE_TYPE=gpu is for programs that use nothing but a GPU.\n\n"
      "Everything after PROGRAM is passed to it. What is found goes to standard error.\n"
      "The exit code is 1 if a mistake was found, otherwise that of the program; 125 if\n"
      "that is 0, but a kernel could not be checked or no OpenCL call reached Clarity;\n"
      "127 if the program was not found, 126 if it could not be started.\n\n"
      "Examples:\n"
      "  clarity check ./simulation --steps 10\n"
      "  clarity check --what memory,races --sarif findings.sarif python3 test.py");
  sub->callback([options, &invocation] { invocation.status = check(*options, invocation.rest); });
}

}  // namespace clarity::tools
