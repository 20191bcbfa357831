// SPDX-License-Identifier: Apache-2.0
// This file is `clarity exec --sweep local`: it times a kernel with many work-group sizes, and compares what it writes.
#include "exec_sweep.h"

#include "cl_api.h"
#include "command.h"
#include "files.h"
#include "numbers.h"
#include "progress.h"
#include "screen.h"
#include "table.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace clarity::tools {
namespace {

/// Launches of one size, of which the median counts.
constexpr size_t timedLaunches = 7;

struct Swept {
  std::vector<size_t> local;        // empty: chosen by the driver
  std::vector<double> sorted = {};  // seconds
  bool hasOtherResults = false;
  std::string failure = {};
  double seconds() const { return sorted.empty() ? 0 : median(sorted); }
};

std::vector<std::vector<std::byte>> contentsOf(Launch& launch) {
  std::vector<std::vector<std::byte>> contents;
  for (cl_uint i = 0; i < launch.values.size(); ++i)
    if (const std::optional<Array> array = launch.read(i)) contents.push_back(array->bytes);
  return contents;
}

/// Launches once, and adds the time if it is not the first launch of the size.
void launchOnce(Launch& launch, Swept& swept, bool isFirst) {
  launch.local = swept.local;
  try {
    const double seconds = launch.run(1, [](size_t) {}).kernelSeconds.front();
    if (!isFirst) swept.sorted.insert(std::ranges::upper_bound(swept.sorted, seconds), seconds);
  } catch (const Failure& failure) {
    swept.failure = failure.what();
  }
}

std::string tableOf(const std::vector<Swept>& all, const std::vector<size_t>& given, bool colour, size_t columns) {
  Table table;
  table.addColumn("work-group", "", Table::Align::Left);
  for (const char* heading : {"median", "min", "max", "of the best"}) table.addColumn(heading);
  table.addColumn("results", "", Table::Align::Left);
  for (const Swept& each : all) {
    std::string name = each.local.empty() ? "driver's choice" : shapeText(each.local);
    if (!given.empty() && each.local == given) name += " (given)";
    if (!each.failure.empty()) {
      table.addRow({name, "-", "-", "-", "-", Table::Cell("failed", Table::Mark::Bad)});
      continue;
    }
    const double slower = all.front().seconds() > 0 ? each.seconds() / all.front().seconds() : 1;
    table.addRow({name, timeText(each.seconds()), timeText(each.sorted.front()), timeText(each.sorted.back()),
                  fmt::format("{:.2f}", slower),
                  each.hasOtherResults ? Table::Cell("others", Table::Mark::Bad) : Table::Cell("same")});
  }
  return table.text(colour, columns);
}

nlohmann::ordered_json jsonOf(const ExecOptions& options, const Launch& launch, const std::vector<Swept>& all) {
  using Json = nlohmann::ordered_json;
  Json json{{"kernel", options.kernel}, {"global", launch.global}, {"sizes", Json::array()}};
  for (const Swept& each : all) {
    Json row{{"local", each.local.empty() ? Json() : Json(each.local)}};
    if (each.failure.empty())
      row.update(
          {{"seconds", each.sorted}, {"median_seconds", each.seconds()}, {"same_results", !each.hasOtherResults}});
    else
      row["failure"] = each.failure;
    json["sizes"].push_back(std::move(row));
  }
  return json;
}

}  // namespace

std::vector<std::vector<size_t>> sweptSizes(const std::vector<size_t>& global, size_t least, size_t most) {
  std::vector<std::vector<size_t>> all{{}};
  for (const size_t size : global) {
    std::vector<std::vector<size_t>> longer;
    for (const std::vector<size_t>& begun : all)
      for (size_t local = 1; local <= most && size % local == 0; local *= 2) {
        longer.push_back(begun);
        longer.back().push_back(local);
      }
    all = std::move(longer);
  }
  const auto items = [](const std::vector<size_t>& local) {
    size_t product = 1;
    for (const size_t size : local) product *= size;  // at most `most` to the power of three
    return product;
  };
  std::erase_if(all, [&](const std::vector<size_t>& local) { return items(local) > most; });
  const bool anyLarge = std::ranges::any_of(all, [&](const auto& local) { return items(local) >= least; });
  if (anyLarge) std::erase_if(all, [&](const std::vector<size_t>& local) { return items(local) < least; });
  return all;
}

int sweepLocal(const ExecOptions& options, Launch& launch, const std::vector<Argument>& arguments) {
  const auto required = launch.kernel.getWorkGroupInfo<CL_KERNEL_COMPILE_WORK_GROUP_SIZE>(launch.device);
  if (required[0] != 0)
    throw UsageError(fmt::format("kernel '{}' requires work-groups of {}: there is nothing to sweep", options.kernel,
                                 shapeText({required[0], required[1], required[2]})));
  const size_t most = launch.kernel.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(launch.device);
  std::vector<std::vector<size_t>> sizes = sweptSizes(launch.global, 16, most);
  // Results are compared with those of --local, or of the driver's choice.
  sizes.insert(sizes.begin(), std::vector<size_t>{});
  if (!launch.local.empty()) {
    std::erase(sizes, launch.local);
    sizes.insert(sizes.begin(), launch.local);
  }
  const std::vector<size_t> given = launch.local;
  launch.setArguments(arguments);
  std::vector<Swept> all;
  for (const std::vector<size_t>& local : sizes) all.push_back({.local = local});
  std::vector<std::vector<std::byte>> wanted;
  // In turn, so that a machine that is busy for a while is so for all sizes.
  const size_t rounds = 1 + std::max(options.repeat, timedLaunches);
  Progress progress(rounds);
  for (size_t round = 0; round < rounds; ++round) {
    progress.step(fmt::format("round {} of {}", round + 1, rounds));
    for (Swept& each : all) {
      if (each.failure.empty()) launchOnce(launch, each, round == 0);
      if (round > 0 || !each.failure.empty()) continue;
      std::vector<std::vector<std::byte>> contents = contentsOf(launch);
      if (wanted.empty())
        wanted = std::move(contents);
      else
        each.hasOtherResults = contents != wanted;
    }
  }
  progress.clear();
  const std::string first = sizes.front().empty() ? "the driver's choice" : shapeText(sizes.front());
  std::ranges::sort(all, {}, [](const Swept& each) { return std::pair(!each.failure.empty(), each.seconds()); });
  if (options.json) writeText(options.jsonFile, jsonOf(options, launch, all).dump(2) + "\n");
  if (options.quiet || (options.json && options.jsonFile == "-")) return successCode;
  fmt::print("{} on {}, range {}\n\n{}", options.kernel, launch.device.getInfo<CL_DEVICE_NAME>(),
             shapeText(launch.global), tableOf(all, given, standardOutputHasColour(), screenWidth()));
  std::string notes;
  for (const Swept& each : all)
    if (!each.failure.empty() && notes.empty()) notes = fmt::format("{}: {}\n", shapeText(each.local), each.failure);
  if (std::ranges::any_of(all, &Swept::hasOtherResults))
    notes += fmt::format(
        "others: a buffer is not what it is with {}, bit by bit. Such a kernel relies on a work-group "
        "size, or adds floats in another order.\n",
        first);
  if (!notes.empty()) fmt::print("\n{}", wrapped(notes, screenWidth()));
  return successCode;
}

}  // namespace clarity::tools
