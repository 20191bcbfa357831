// SPDX-License-Identifier: Apache-2.0
// This file is `clarity check`: it runs an OpenCL program on this driver, which checks what its kernels and its calls
// do.
#include "check_record.h"
#include "child.h"
#include "command.h"
#include "driver.h"
#include "files.h"
#include "option_text.h"
#include "screen.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

namespace clarity::tools {
namespace {

// That of git bisect, and of other tools, for what could not be tested.
constexpr int notCheckedCode = 125;

struct CheckOptions {
  std::string what = "all", icd, jsonFile, sarifFile, junitFile, suppressFile, allow;
  unsigned seconds = 30;
};

/// The exit code of a program in which nothing was found: 0 only if all of it was checked. It stays what it is where
/// standard error takes nothing.
int statusOf(int status, const CheckRecord::Coverage& coverage) {
  const bool isAll = coverage.processes != 0 && coverage.leftOut.empty();
  if (coverage.processes == 0)
    std::fputs("clarity check: no OpenCL call reached Clarity, nothing was checked\n", stderr);
  else if (status == 0 && !isAll)
    std::fprintf(stderr, "clarity check: the exit code is %d, as not everything was checked\n", notCheckedCode);
  return status == 0 && !isAll ? notCheckedCode : status;
}

/// In place of the driver's last line: no code of the driver runs at the end of such a program.
void sayHowItEnded(int signal, std::size_t mistakes) {
  const std::string found =
      mistakes == 0 ? "no mistakes" : fmt::format("{} mistake{}", mistakes, mistakes == 1 ? "" : "s");
  printError(
      fmt::format("clarity check: {} until signal {} ({}) ended the program\n", found, signal, ::strsignal(signal)));
}

int check(const CheckOptions& options, const std::vector<std::string>& words) {
  if (words.empty()) throw UsageError("the program to run is missing");
  requireKnownChecks("--what", options.what);
  for (const std::string& file : {options.jsonFile, options.sarifFile, options.junitFile})
    if (!file.empty()) requireWritable(file);
  std::optional<TemporaryFolder> copies;
  if (!options.suppressFile.empty()) {
    const std::string text = readText(options.suppressFile);  // an error if it cannot be read
    std::filesystem::path file = std::filesystem::absolute(options.suppressFile);
    if (std::error_code error; !std::filesystem::is_regular_file(file, error)) {
      // A pipe, which the driver could not read again.
      file = copies.emplace().path() / "suppressed";
      writeText(file, text);
    }
    ::setenv("CLARITY_CHECK_SUPPRESS", file.c_str(), 1);
  }
  if (!options.allow.empty()) ::setenv("CLARITY_CHECK_SAME_VALUE", "1", 1);
  ::setenv("CLARITY_CHECK_SECONDS", std::to_string(options.seconds).c_str(), 1);
  useDriver(options.icd);
  ::setenv("CLARITY_MESSAGES", "always", 0);
  const CheckRecord record(options.what);
  int signal = 0;
  const int status = runInForeground("check", words, &signal);
  const auto findings = record.findings();
  if (signal != 0 && record.coverage().processes != 0) sayHowItEnded(signal, findings.size());
  const std::string program = fmt::format("{}", fmt::join(words, " "));
  if (!options.jsonFile.empty()) writeText(options.jsonFile, findings.dump(2) + "\n");
  if (!options.sarifFile.empty()) writeText(options.sarifFile, sarifOf(findings, program));
  if (!options.junitFile.empty()) writeText(options.junitFile, junitOf(findings, program));
  if (!findings.empty()) return failureCode;
  return status == notFoundCode || status == cannotStartCode ? status : statusOf(status, record.coverage());
}

}  // namespace

void addCheckCommand(CLI::App& app, Invocation& invocation) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* sub = app.add_subcommand("check", "Run an OpenCL program and report mistakes in it and in its kernels");
  sub->add_option("--what", options->what,
                  "What to check: all, or a list, separated by commas:\n"
                  "  memory      accesses that are out of bounds, through null pointers, misaligned, or forbidden by "
                  "the flags of a buffer\n"
                  "  bounds      accesses out of bounds alone, with optimised code: nearly as fast as without checks\n"
                  "  uninitialised  uses of values that were never written\n"
                  "  races       conflicting accesses that nothing orders\n"
                  "  barriers    barriers that not all work-items of a work-group reach\n"
                  "  arithmetic  divisions by zero, shifts by too much, conversions out of range\n"
                  "  overflow    signed arithmetic that overflows (not part of all)\n"
                  "  not-finite  where NaN and infinities begin (not part of all)\n"
                  "  host        leaked objects, ignored error codes, results used too early")
      ->type_name("LIST")
      ->capture_default_str();
  sub->add_option("--json", options->jsonFile, "Write the findings as JSON; - is standard output")->type_name("FILE");
  sub->add_option("--sarif", options->sarifFile, "Write the findings as SARIF 2.1.0, for code hosts")
      ->type_name("FILE");
  sub->add_option("--junit", options->junitFile, "Write the findings as JUnit XML, for CI servers")->type_name("FILE");
  sub->add_option(
         "--suppress", options->suppressFile,
         "Do not report the findings in this file: lines KIND:KERNEL:FILE:LINE or KIND:KERNEL:VARIABLE, where * "
         "stands for any text")
      ->type_name("FILE");
  sub->add_option("--allow", options->allow, "same-value: report no races between writes of the same value")
      ->check(oneOf({"same-value"}))
      ->type_name("WHAT");
  sub->add_option("--seconds", options->seconds,
                  "End a kernel, and report its loops, when a work-item has spent N seconds in them; 0: never")
      ->envname("CLARITY_CHECK_SECONDS")
      ->capture_default_str()
      ->type_name("N");
  addIcdOption(*sub, options->icd);
  sub->footer(
      "Checked programs see the CPU device alone. If a program accepts GPUs only, set\n"
      "CLARITY_DEVICE_TYPE=gpu.\n\n"
      "Everything after PROGRAM is passed to it. Findings go to standard error.\n"
      "The exit code is 1 if a mistake was found, otherwise that of the program; 125 if\n"
      "that is 0, but a kernel could not be checked or no OpenCL call reached Clarity;\n"
      "127 if the program was not found, 126 if it could not be started.\n\n"
      "Examples:\n"
      "  clarity check ./simulation --steps 10\n"
      "  clarity check --what memory,races --sarif findings.sarif python3 test.py");
  sub->callback([options, &invocation] { invocation.status = check(*options, invocation.rest); });
}

}  // namespace clarity::tools
