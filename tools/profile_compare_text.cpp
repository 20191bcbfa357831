// SPDX-License-Identifier: Apache-2.0
// This file shows the comparison of two profiles as tables on a terminal, and as JSON.
#include "numbers.h"
#include "profile_compare.h"
#include "screen.h"
#include "table.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace clarity::tools {
namespace {

/// The rows of a list that are shown; the others are counted.
constexpr std::size_t mostCompared = 16;

std::string_view nameOf(Change change) {
  switch (change) {
    case Change::None: return "same";
    case Change::Slower: return "slower";
    case Change::Faster: return "faster";
    case Change::Unknown: return "too few";
    case Change::Gone: return "gone";
    case Change::Fresh: return "new";
  }
  return "";
}

Table::Mark markOf(Change change) {
  if (change == Change::Slower) return Table::Mark::Bad;
  return change == Change::Faster ? Table::Mark::Good : Table::Mark::None;
}

std::string timeOrNone(double seconds) { return seconds > 0 ? timeText(seconds) : "-"; }

std::string quotient(double value) { return value > 0 ? fmt::format("{:.3f}", value) : std::string(); }

void addMore(Table& table, std::size_t all) {
  if (all > mostCompared) table.addRow({Table::Cell(fmt::format("{} more", all - mostCompared), Table::Mark::Faint)});
}

std::string sumsText(const ProfileComparison& comparison, std::size_t columns, bool colour) {
  Table table;
  table.addColumn("a run", "", Table::Align::Left);
  for (const char* heading : {"old", "new", "new / old"}) table.addColumn(heading);
  for (const ComparedSum& sum : comparison.sums)
    table.addRow({sum.name, timeOrNone(sum.oldSeconds), timeOrNone(sum.newSeconds),
                  quotient(sum.oldSeconds > 0 ? sum.newSeconds / sum.oldSeconds : 0)});
  return table.text(colour, columns);
}

std::string kernelsText(const ProfileComparison& comparison, std::size_t columns, bool colour) {
  if (comparison.kernels.empty()) return {};
  Table table;
  table.addColumn("kernel", "global / local", Table::Align::Left);
  table.addColumn("old");
  table.addColumn("new");
  table.addColumn("new / old");
  table.addColumn("interval", "of 95 %");
  table.addColumn("", "");
  for (std::size_t i = 0; i < std::min(comparison.kernels.size(), mostCompared); ++i) {
    const ComparedKernel& kernel = comparison.kernels[i];
    const std::string interval = kernel.low > 0 ? fmt::format("{:.3f} to {:.3f}", kernel.low, kernel.high) : "";
    table.addRow({shortened(kernel.kernel, 18), timeOrNone(kernel.oldSeconds), timeOrNone(kernel.newSeconds),
                  quotient(kernel.newSeconds > 0 ? kernel.ratio() : 0), interval,
                  Table::Cell(std::string(nameOf(kernel.change)), markOf(kernel.change))});
    const auto addSizes = [&](const std::string& sizes) {
      table.addRow({Table::Cell(shortened("  " + sizes, 22), Table::Mark::Faint)});
    };
    addSizes(kernel.oldSizes.empty() ? kernel.newSizes : kernel.oldSizes);
    if (!kernel.oldSizes.empty() && !kernel.newSizes.empty() && kernel.oldSizes != kernel.newSizes)
      addSizes("now " + kernel.newSizes);
  }
  addMore(table, comparison.kernels.size());
  return "\nKernels, by the time that a run gained or lost; medians of launches\n" + table.text(colour, columns);
}

std::string linesText(const ProfileComparison& comparison, std::size_t columns, bool colour) {
  if (comparison.lines.empty()) return {};
  Table table;
  table.addColumn("kernel", "", Table::Align::Left);
  for (const char* heading : {"line", "old", "new"}) table.addColumn(heading);
  table.addColumn("source", "", Table::Align::Left);
  for (std::size_t i = 0; i < std::min(comparison.lines.size(), mostCompared); ++i) {
    const ComparedLine& line = comparison.lines[i];
    const std::uint32_t number = line.newLine != 0 ? line.newLine : line.oldLine;
    table.addRow({shortened(line.kernel, 16), number == 0 ? "" : std::to_string(number), timeOrNone(line.oldSeconds),
                  timeOrNone(line.newSeconds), shortened(line.text, columns > 60 ? columns - 50 : 10)});
  }
  addMore(table, comparison.lines.size());
  return "\nLines that changed by more than their samples vary; processor time a launch\n" +
         table.text(colour, columns);
}

}  // namespace

std::string comparisonText(const ProfileComparison& comparison, std::size_t columns, bool colour) {
  std::string text = sumsText(comparison, columns, colour) + kernelsText(comparison, columns, colour) +
                     linesText(comparison, columns, colour);
  if (std::min(comparison.oldRuns, comparison.newRuns) < 3)
    text += "\n" +
            wrapped(
                "The intervals hold for these runs. How runs differ is seen with three records or more a "
                "side: give folders of records in place of files.",
                columns) +
            "\n";
  return text;
}

std::string comparisonJson(const ProfileComparison& comparison) {
  using Json = nlohmann::ordered_json;
  Json json{{"old_runs", comparison.oldRuns}, {"new_runs", comparison.newRuns}};
  json["kernels"] = json["lines"] = json["sums"] = Json::array();
  for (const ComparedKernel& kernel : comparison.kernels)
    json["kernels"].push_back({{"kernel", kernel.kernel},
                               {"old_sizes", kernel.oldSizes},
                               {"new_sizes", kernel.newSizes},
                               {"old_launches", kernel.oldCount},
                               {"new_launches", kernel.newCount},
                               {"old_seconds", kernel.oldSeconds},
                               {"new_seconds", kernel.newSeconds},
                               {"low", kernel.low},
                               {"high", kernel.high},
                               {"change", nameOf(kernel.change)}});
  for (const ComparedLine& line : comparison.lines)
    json["lines"].push_back({{"kernel", line.kernel},
                             {"source", line.text},
                             {"old_line", line.oldLine},
                             {"new_line", line.newLine},
                             {"old_seconds", line.oldSeconds},
                             {"new_seconds", line.newSeconds},
                             {"old_samples", line.oldSamples},
                             {"new_samples", line.newSamples}});
  for (const ComparedSum& sum : comparison.sums)
    json["sums"].push_back({{"name", sum.name}, {"old_seconds", sum.oldSeconds}, {"new_seconds", sum.newSeconds}});
  return json.dump(2) + "\n";
}

}  // namespace clarity::tools
