// SPDX-License-Identifier: Apache-2.0
// This file is `clarity bench`: it verifies and times every sample, measures the overhead of the driver and the rates
// of the machine, in one run and for each driver under comparison.
#include "bench.h"
#include "command.h"
#include "device_choice.h"
#include "driver.h"
#include "files.h"
#include "option_text.h"
#include "screen.h"
#include "table.h"

#include <memory>
#include <optional>
#include <regex>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace clarity::tools {
namespace {

struct BenchOptions {
  std::string icd, device, samples, filter;
  std::vector<std::string> compare;
  std::string jsonFile;
  bool json = false, quick = false, list = false;
  double limitSeconds = 120;
};

bool matches(const std::string& filter, const std::string& name) {
  return filter.empty() || std::regex_search(name, std::regex(filter, std::regex::icase));
}

std::vector<std::filesystem::path> chosenSamples(const BenchOptions& options) {
  const std::filesystem::path folder =
      options.samples.empty() ? defaultSamplesFolder() : std::filesystem::path(options.samples);
  if (folder.empty())
    throw Failure("the samples were not found beside this command; give their folder with --samples DIR");
  std::vector<std::filesystem::path> chosen;
  for (const std::filesystem::path& program : findSamples(folder))
    if (matches(options.filter, program.filename().string())) chosen.push_back(program);
  return chosen;
}

void measureSystem(const BenchOptions& options, BenchReport& report, Progress& progress) {
  using Measure = std::vector<SystemRow> (*)(const Contender&, bool);
  const std::pair<const char*, Measure> groups[] = {{"latency", measureLatency}, {"transfer", measureTransfer}};
  report.systems.resize(report.contenders.size());
  report.systemFailures.resize(report.contenders.size());
  for (const auto& [group, measure] : groups) {
    if (!matches(options.filter, group)) continue;
    for (size_t i = 0; i < report.contenders.size(); ++i) {
      progress.step(fmt::format("{} on {}", group, report.contenders[i].platform));
      try {
        for (SystemRow& row : measure(report.contenders[i], options.quick)) report.systems[i].push_back(std::move(row));
      } catch (const Failure& failure) {
        report.systemFailures[i] += failure.what();
      }
    }
  }
}

void requirePattern(const std::string& filter) {
  constexpr std::size_t longest = 1000;  // a pattern is read recursively
  if (filter.size() > longest)
    throw UsageError(fmt::format("--filter: {} characters, {} are allowed", filter.size(), longest));
  try {
    const std::regex check(filter);
  } catch (const std::regex_error& error) {
    throw UsageError(fmt::format("--filter {}: {}", filter, error.what()));
  }
}

int bench(const BenchOptions& options) {
  requirePattern(options.filter);
  const bool systemWanted = matches(options.filter, "latency") || matches(options.filter, "transfer");
  std::vector<std::filesystem::path> programs;
  // Samples may be missing only if the filter selects rows of the driver alone.
  const bool dispensable =
      systemWanted && !options.filter.empty() && options.samples.empty() && defaultSamplesFolder().empty();
  if (!dispensable) programs = chosenSamples(options);
  if (options.list) {
    for (const auto& program : programs) fmt::print("{}\n", program.filename().string());
    for (const char* group : {"latency", "transfer"})
      if (matches(options.filter, group)) fmt::print("{}\n", group);
    return successCode;
  }
  if (programs.empty() && !systemWanted)
    throw UsageError(fmt::format("--filter {}: no name matches; --list shows the names", options.filter));

  if (options.json && !options.jsonFile.empty()) requireWritable(options.jsonFile);
  BenchReport report;
  report.contenders.push_back(identify(options.icd, options.device));
  for (const std::string& icd : options.compare) report.contenders.push_back(identify(icd, options.device));
  const Contender& own = report.contenders.front();
  std::optional<MachineMeter> meter;  // of the CPU; other devices are measured by what they compute
  if (own.isCpu) meter.emplace(options.quick ? Effort::Quick : Effort::Normal);
  Progress progress(1 + report.contenders.size() * (programs.size() + matches(options.filter, "latency") +
                                                    matches(options.filter, "transfer")));
  progress.step("stream and multiply-add rates of the device");
  if (meter)
    meter->measure();
  else
    report.machine = measureDevice(own);
  for (const auto& program : programs) {
    std::vector<SampleOutcome>& outcomes = report.samples.emplace_back();
    for (const Contender& contender : report.contenders) {
      progress.step(fmt::format("{} on {}", program.filename().string(), contender.platform));
      outcomes.push_back(runSample(program, contender, options.quick, options.limitSeconds));
    }
    if (meter && !options.quick) meter->measure();
  }
  measureSystem(options, report, progress);
  if (meter) {
    meter->measure();
    report.machine = meter->rates();
  }
  progress.clear();

  if (options.json && (options.jsonFile.empty() || options.jsonFile == "-")) {
    fmt::print("{}\n", reportJson(report).dump(2));
  } else {
    fmt::print("{}", reportText(report, standardOutputHasColour()));
    if (options.json) writeText(options.jsonFile, reportJson(report).dump(2) + "\n");
  }
  return report.allRight() ? successCode : failureCode;
}

}  // namespace

void addBenchCommand(CLI::App& app, Invocation& invocation) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* sub = app.add_subcommand("bench", "Run, check and time the samples; measure the driver");
  sub->add_option("--filter", options->filter,
                  "Only samples whose names match, and of the measurements `latency` and `transfer` those that match")
      ->type_name("REGEX");
  sub->add_flag("--list", options->list, "List the names and run nothing");
  sub->add_flag("--quick", options->quick, "Small problems, few repetitions");
  sub->add_option("--compare", options->compare,
                  "Another driver to compare with: a library, an .icd file or a folder of .icd files")
      ->type_name("ICD")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  CLI::Option* json =
      sub->add_option("--json", options->jsonFile,
                      "Write the results as JSON to FILE, or without FILE to standard output in place of the table")
          ->type_name("[FILE]")
          ->expected(0, 1);
  sub->add_option("--samples", options->samples, "Folder of the sample programs")->type_name("DIR");
  sub->add_option("--timeout", options->limitSeconds, "Time limit of one sample, in seconds")
      ->check(positiveNumber())
      ->type_name("S")
      ->capture_default_str();
  sub->add_option("-d,--device", options->device, std::string(deviceHelp) + ". The drivers of --compare use it, too")
      ->type_name("DEVICE");
  addIcdOption(*sub, options->icd);
  sub->footer(
      "Exit code 1 if any result is wrong or a sample fails.\n\n"
      "Examples:\n"
      "  clarity bench --quick\n"
      "  clarity bench --device gpu\n"
      "  clarity bench --filter 'matmul|transpose' \\\n"
      "      --compare /etc/OpenCL/vendors/pocl.icd --json bench.json");
  sub->callback([options, json, &invocation] {
    options->json = json->count() > 0;
    invocation.status = bench(*options);
  });
}

}  // namespace clarity::tools
