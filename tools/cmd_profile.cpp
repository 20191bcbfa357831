// SPDX-License-Identifier: Apache-2.0
// This file is `clarity profile`: it runs an OpenCL program on this driver, which records its calls and commands, and
// shows where the time went.
#include "child.h"
#include "command.h"
#include "driver.h"
#include "files.h"
#include "numbers.h"
#include "option_text.h"
#include "profile_advice.h"
#include "profile_compare.h"
#include "profile_output.h"
#include "screen.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace clarity::tools {
namespace {

struct ProfileOptions {
  std::string icd, jsonFile, traceFile, pageFile, recordFile, readFile, slowerPart;
  std::vector<std::string> compared;  // old, new
  bool quiet = false;
};

/// "5%" or "5": 0.05.
double partOf(const std::string& text) {
  const std::string number = text.ends_with('%') ? text.substr(0, text.size() - 1) : text;
  char* end = nullptr;
  const double percent = std::strtod(number.c_str(), &end);
  if (number.empty() || *end != '\0' || !(percent >= 0 && percent <= 1e6))
    throw UsageError(fmt::format("--fail-if-slower {}: not a percentage such as 5%", text));
  return percent / 100;
}

int compare(const ProfileOptions& options, const std::vector<std::string>& words) {
  if (!words.empty()) throw UsageError("--compare reads two records, no program is run");
  for (const std::string& file : {options.traceFile, options.pageFile, options.recordFile, options.readFile})
    if (!file.empty()) throw UsageError("--compare writes tables and JSON only");
  const double part = options.slowerPart.empty() ? 0 : partOf(options.slowerPart);
  const ProfileComparison comparison = compareProfiles(readRuns(options.compared[0]), readRuns(options.compared[1]));
  if (!options.jsonFile.empty()) writeText(options.jsonFile, comparisonJson(comparison));
  if (!options.quiet) printError(comparisonText(comparison, screenWidth(), standardErrorHasColour()));
  if (options.slowerPart.empty()) return successCode;
  const std::vector<ComparedKernel> slower = slowerKernels(comparison, part);
  for (const ComparedKernel& kernel : slower)
    printError(wrapped(fmt::format("clarity profile: kernel '{}' takes {} instead of {}: {:.1f} % more, and {} are "
                                   "allowed\n",
                                   kernel.kernel, timeText(kernel.newSeconds), timeText(kernel.oldSeconds),
                                   100 * (kernel.ratio() - 1), options.slowerPart),
                       screenWidth()));
  return slower.empty() ? successCode : failureCode;
}

/// The processes of a record, with what the compiler says of their kernels.
std::vector<ProfiledProcess> processesOf(const std::string& record) {
  std::vector<ProfiledProcess> processes = readRecord(record);
  for (ProfiledProcess& process : processes) addKernelCode(process);
  return processes;
}

/// Writes what was asked for. The tables go to standard error, as the program's own output has standard output.
void show(const ProfileOptions& options, const std::vector<ProfiledProcess>& processes) {
  if (!options.jsonFile.empty()) writeText(options.jsonFile, profileJson(processes));
  if (!options.traceFile.empty()) writeText(options.traceFile, profileTrace(processes));
  if (!options.pageFile.empty()) writeText(options.pageFile, profilePage(processes));
  if (options.quiet) return;
  for (const ProfiledProcess& process : processes) {
    if (process.commands.empty() && processes.size() > 1) continue;
    printError("\n" + profileText(process, screenWidth(), standardErrorHasColour()));
  }
}

int profile(const ProfileOptions& options, const std::vector<std::string>& words) {
  if (!options.compared.empty()) return compare(options, words);
  if (!options.slowerPart.empty()) throw UsageError("--fail-if-slower needs --compare OLD NEW");
  for (const std::string& file : {options.jsonFile, options.traceFile, options.pageFile, options.recordFile})
    if (!file.empty()) requireWritable(file);
  if (!options.readFile.empty()) {
    if (!words.empty()) throw UsageError("--read shows a record, no program is run");
    show(options, processesOf(readData(options.readFile)));
    return successCode;
  }
  if (words.empty()) throw UsageError("the program to run is missing");
  const TemporaryFolder folder;
  const std::filesystem::path record = folder.path() / "record";
  useDriver(options.icd);
  ::setenv("CLARITY_PROFILE", record.c_str(), 1);
  ::setenv("CLARITY_MESSAGES", "always", 0);
  int signal = 0;
  const int status = runInForeground("profile", words, &signal);
  if (std::error_code error; !std::filesystem::exists(record, error)) {
    const bool started = status != cannotStartCode && status != notFoundCode;
    if (started)
      printError(wrapped(signal == 0 ? std::string("clarity profile: no OpenCL call reached Clarity\n")
                                     : fmt::format("clarity profile: signal {} ({}) ended the program, and there is no "
                                                   "record: no OpenCL call reached Clarity, or the signal left it no "
                                                   "time to write one\n",
                                                   signal, ::strsignal(signal)),
                         screenWidth()));
    return status == successCode ? failureCode : status;
  }
  const std::string text = readData(record);
  if (!options.recordFile.empty()) writeText(options.recordFile, text);
  show(options, processesOf(text));
  return status;
}

}  // namespace

void addProfileCommand(CLI::App& app, Invocation& invocation) {
  auto options = std::make_shared<ProfileOptions>();
  CLI::App* sub = app.add_subcommand("profile", "Run an OpenCL program and show where its time goes");
  sub->add_option("--html", options->pageFile, "Write a page with tables and timeline that needs no other file")
      ->type_name("FILE");
  sub->add_option("--trace", options->traceFile,
                  "Write a trace that Perfetto (ui.perfetto.dev) and chrome://tracing open")
      ->type_name("FILE");
  sub->add_option("--json", options->jsonFile, "Write the sums as JSON; - is standard output")->type_name("FILE");
  sub->add_option("--record", options->recordFile, "Keep the driver's record of every call and command")
      ->type_name("FILE");
  sub->add_option("--read", options->readFile, "Show a record that was kept, and run nothing")->type_name("FILE");
  sub->add_option("--compare", options->compared,
                  "Show what changed between two records, or two folders of records of several runs")
      ->type_name("OLD NEW")
      ->expected(2);
  sub->add_option("--fail-if-slower", options->slowerPart,
                  "With --compare: exit code 1 if a kernel became slower by more than this, beyond the noise")
      ->type_name("PERCENT");
  sub->add_flag("-q,--quiet", options->quiet, "Print no tables");
  addIcdOption(*sub, options->icd);
  sub->footer(
      "Everything after PROGRAM is passed to it. Tables go to standard error: kernels,\n"
      "transfers, waits, compiles, API calls, and at most five pieces of advice.\n"
      "The exit code is that of the program; 1 if no OpenCL call reached Clarity.\n\n"
      "Examples:\n"
      "  clarity profile ./simulation --steps 10\n"
      "  clarity profile --html profile.html --trace trace.json python3 train.py\n"
      "  clarity profile --record run.profile ./simulation\n"
      "  clarity profile --read run.profile --json -\n"
      "  clarity profile --compare old.profile new.profile --fail-if-slower 5%");
  sub->callback([options, &invocation] { invocation.status = profile(*options, invocation.rest); });
}

}  // namespace clarity::tools
