// SPDX-License-Identifier: Apache-2.0
// This file shows what a run of `clarity exec` came to: times, buffers and findings, for people and as JSON.
#include "exec_results.h"

#include "check_record.h"
#include "command.h"
#include "counts.h"
#include "files.h"
#include "numbers.h"
#include "screen.h"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace clarity::tools {
namespace {

using Json = nlohmann::ordered_json;

// Work-items a second; 0: unknown. The device's clock allows each compute unit to start at most 64 in a cycle: what is
// above that was not executed. There is no rate of bytes: how many a kernel reads and writes does not follow from the
// sizes of its buffers.
double rateOf(const Launch& launch, size_t items, double seconds) {
  if (seconds <= 0) return 0;
  const double cycles = 1e6 * launch.device.getInfo<CL_DEVICE_MAX_CLOCK_FREQUENCY>() *
                        launch.device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>();
  const double rate = static_cast<double>(items) / seconds;
  return cycles <= 0 || rate <= 64 * cycles ? rate : 0;
}

// The result of a run, for people and as JSON.
struct Summary {
  size_t items = 1, bytes = 0;
  double seconds = 0;  // the median
  std::vector<double> sorted;
  double rate = 0;  // work-items a second; 0: unknown
};

Summary summaryOf(const Launch& launch, const LaunchTimes& times) {
  Summary summary;
  for (size_t size : launch.global) summary.items *= size;
  for (const ArgumentValue& value : launch.values)
    if (const Array* array = std::get_if<Array>(&value)) summary.bytes += array->bytes.size();
  summary.sorted = times.kernelSeconds;
  std::ranges::sort(summary.sorted);
  summary.seconds = median(summary.sorted);
  summary.rate = rateOf(launch, summary.items, summary.seconds);
  return summary;
}

std::string timesText(const ExecOptions& options, const Launch& launch, const Summary& summary) {
  const std::string local = launch.local.empty() ? "chosen by the driver" : shapeText(launch.local);
  const std::vector<double>& sorted = summary.sorted;
  std::string text = fmt::format("{} on {}\n", options.kernel, launch.device.getInfo<CL_DEVICE_NAME>());
  text += fmt::format("  range  {} work-item{}, work-group size {}\n", shapeText(launch.global),
                      summary.items == 1 ? "" : "s", local);
  text += fmt::format("  build  {}\n", timeText(launch.buildSeconds));
  text += fmt::format("  time   {}", timeText(summary.seconds));
  if (sorted.size() > 1)
    text += fmt::format(" (median of {}, {} to {})", sorted.size(), timeText(sorted.front()), timeText(sorted.back()));
  // Counting takes most of that time.
  const bool isObserved = !options.observe.empty();
  if (isObserved) text += ", with --observe: alone, the kernel takes a small part of it";
  text += "\n";
  if (summary.rate > 0 && !isObserved) text += fmt::format("  rate   {} work-items/s\n", siText(summary.rate));
  return wrapped(text, screenWidth());
}

Json jsonOf(const ExecOptions& options, const Launch& launch, const LaunchTimes& times, const Summary& summary) {
  const auto orNull = [](const std::vector<size_t>& sizes) { return sizes.empty() ? Json() : Json(sizes); };
  const auto known = [](double rate) { return rate > 0 ? Json(rate) : Json(); };
  return {{"kernel", options.kernel},
          {"device", launch.device.getInfo<CL_DEVICE_NAME>()},
          {"global", launch.global},
          {"local", orNull(launch.local)},
          {"offset", orNull(launch.offset)},
          {"build_seconds", launch.buildSeconds},
          {"seconds", times.kernelSeconds},
          {"median_seconds", summary.seconds},
          {"work_items_per_second", known(summary.rate)},
          {"buffer_bytes", summary.bytes},
          {"printed", Json::array()},
          {"written", Json::array()}};
}

class ExecResults {
public:
  ExecResults(const ExecOptions& options, Launch& launch, const std::vector<Argument>& arguments)
      : options_(options), launch_(launch), arguments_(arguments), isJson_(options.json && options.jsonFile == "-") {}

  // Returns the exit code. `record`: null without --check.
  int show(const LaunchTimes& times, const std::vector<Print>& prints, const std::vector<Output>& outputs,
           const CheckRecord* record) {
    const Summary summary = summaryOf(launch_, times);
    json_ = jsonOf(options_, launch_, times, summary);
    // Standard output is for a buffer or for JSON where these go there.
    isTaken_ = isJson_ || std::ranges::any_of(outputs, [](const Output& output) { return output.file == "-"; });
    const bool quiet = options_.quiet || isJson_;
    if (!quiet && !record) text(timesText(options_, launch_, summary));  // checked code is slow
    for (const Print& print : prints) show(print);
    for (const Output& output : outputs) show(output, quiet);
    const Json findings = record ? record->findings() : Json::array();
    if (record) json_["findings"] = findings;
    if (options_.json) writeText(options_.jsonFile, json_.dump(2) + "\n");
    if (record && findings.empty() && !quiet) text("check  no mistakes found\n");
    return findings.empty() ? successCode : failureCode;
  }

private:
  void text(const std::string& text) const {
    if (isTaken_)
      printError(text);
    else
      fmt::print("{}", text);
  }

  void show(const Print& print) {
    const auto array = launch_.read(print.argument);
    const Argument& argument = arguments_[print.argument];
    if (!isJson_) text(array ? printed(argument, *array, print.count) : argument.name + ": null\n");
    if (array) json_["printed"].push_back(printedJson(argument, *array, print.count));
  }

  void show(const Output& output, bool quiet) {
    auto array = launch_.read(output.argument);
    if (!array)
      throw UsageError(
          fmt::format("--out {}={}: {} is null", output.argument, output.file, arguments_[output.argument].title()));
    const std::string what = write(output, launch_.global, arguments_[output.argument], std::move(*array));
    if (!quiet && output.file != "-") text(fmt::format("wrote {}: {}\n", output.file, what));
    json_["written"].push_back({{"argument", output.argument}, {"file", output.file}, {"content", what}});
  }

  const ExecOptions& options_;
  Launch& launch_;
  const std::vector<Argument>& arguments_;
  const bool isJson_;
  bool isTaken_ = false;
  Json json_;
};

}  // namespace

int showResults(const ExecOptions& options, Launch& launch, const std::vector<Argument>& arguments,
                const LaunchTimes& times, const std::vector<Print>& prints, const std::vector<Output>& outputs,
                const CheckRecord* record) {
  return ExecResults(options, launch, arguments).show(times, prints, outputs, record);
}

}  // namespace clarity::tools
