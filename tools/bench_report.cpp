// SPDX-License-Identifier: Apache-2.0
// This file writes the results of `clarity bench`: tables for people, JSON for programs.
#include "bench.h"
#include "command.h"
#include "numbers.h"
#include "screen.h"
#include "table.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace clarity::tools {
namespace {

using Json = nlohmann::ordered_json;
using Mark = Table::Mark;

double flopsPerSecond(const SampleRow& row) { return row.milliseconds > 0 ? row.flops / row.seconds() : 0; }
double bytesPerSecond(const SampleRow& row) { return row.milliseconds > 0 ? row.bytes / row.seconds() : 0; }

// The larger of two ratios: memory rate of the kernel by that of the machine, and the same for arithmetic.
double machineFraction(const SampleRow& row, const MachineRates& machine) {
  const double memory = machine.stream > 0 ? bytesPerSecond(row) / machine.stream : 0;
  const double arithmetic = machine.fma > 0 ? flopsPerSecond(row) / machine.fma : 0;
  return std::max(memory, arithmetic);
}

std::string orDash(double value, double scale) { return value > 0 ? shortText(value * scale) : "-"; }

std::string ratioText(double ratio) {
  if (!(ratio > 0)) return "-";
  return fmt::format("{:.{}f}", ratio, ratio < 10 ? 2 : ratio < 100 ? 1 : 0);
}

std::string percentText(double fraction) {
  if (fraction <= 0) return "-";
  const double percent = 100 * fraction;
  return percent < 1    ? fmt::format("{:.2f}", percent)
         : percent < 10 ? fmt::format("{:.1f}", percent)
                        : fmt::format("{:.0f}", percent);
}

// The row of another contender for the same case.
const SampleRow* counterpart(const SampleOutcome& other, const SampleRow& row) {
  const auto found = std::ranges::find_if(
      other.rows, [&](const SampleRow& r) { return r.kernel == row.kernel && r.size == row.size; });
  return found == other.rows.end() ? nullptr : &*found;
}

Table::Cell otherResult(const SampleOutcome& other, const SampleRow* row) {
  if (!row) return {other.failure.empty() ? "-" : "failed", Mark::Faint};
  return row->verified ? Table::Cell(orDash(row->milliseconds, 1)) : Table::Cell("WRONG", Mark::Bad);
}

// A name that fits into a heading: PoCL for "Portable Computing Language".
std::string shortName(const Contender& contender) {
  if (contender.platform == "Portable Computing Language") return "PoCL";
  return contender.platform.size() <= 16 ? contender.platform : contender.platform.substr(0, 15) + ".";
}

const char* ofText(const BenchReport& report) { return report.contenders.front().isCpu ? "of machine" : "of device"; }

std::string samplesTable(const BenchReport& report, bool colour) {
  Table table;
  table.addColumn("sample", "", Table::Align::Left);
  table.addColumn("kernel", "", Table::Align::Left);
  table.addColumn("size");
  table.addColumn("time", "ms");
  table.addColumn("arithmetic", "GFLOP/s");
  table.addColumn("memory", "GB/s");
  table.addColumn(ofText(report), "%");
  table.addColumn("result", "", Table::Align::Left);
  for (size_t i = 1; i < report.contenders.size(); ++i) {
    table.addColumn(shortName(report.contenders[i]), "ms");
    table.addColumn("speed-up", "x");
  }
  for (const std::vector<SampleOutcome>& outcomes : report.samples) {
    const SampleOutcome& own = outcomes.front();
    std::string name = own.sample;
    for (const SampleRow& row : own.rows) {
      std::vector<Table::Cell> cells = {
          std::exchange(name, ""),
          row.kernel,
          row.size,
          orDash(row.milliseconds, 1) + (row.isUnsteady() ? " ?" : ""),
          orDash(flopsPerSecond(row), 1e-9),
          orDash(bytesPerSecond(row), 1e-9),
          percentText(machineFraction(row, report.machine)),
          row.verified ? Table::Cell("verified", Mark::Good) : Table::Cell("WRONG", Mark::Bad)};
      for (size_t i = 1; i < outcomes.size(); ++i) {
        const SampleRow* other = counterpart(outcomes[i], row);
        cells.push_back(otherResult(outcomes[i], other));
        cells.emplace_back(other && row.milliseconds > 0 ? ratioText(other->milliseconds / row.milliseconds) : "-");
      }
      table.addRow(std::move(cells));
    }
    // Wrong results have a row already; other failures do not.
    if (!own.failure.empty() && std::ranges::all_of(own.rows, &SampleRow::verified))
      table.addRow({std::exchange(name, ""), "-", "-", "-", "-", "-", "-", {"FAILED", Mark::Bad}});
  }
  return table.text(colour, screenWidth());
}

std::string systemTable(const BenchReport& report, bool colour) {
  Table table;
  table.addColumn("driver", "", Table::Align::Left);
  table.addColumn("measured");
  table.addColumn("", "", Table::Align::Left);
  table.addColumn("of memcpy", "%");
  for (size_t i = 1; i < report.contenders.size(); ++i) {
    table.addColumn(shortName(report.contenders[i]));
    table.addColumn("", "", Table::Align::Left);
    table.addColumn("speed-up", "x");
  }
  // The number and its unit are two columns, so that both are aligned.
  const auto value = [](const SystemRow& row) -> std::pair<std::string, std::string> {
    if (row.bytesPerSecond) return {shortText(*row.bytesPerSecond * 1e-9), "GB/s"};
    const double us = row.seconds.value_or(0) * 1e6;
    return us < 1000 ? std::pair{shortText(us), std::string("us")} : std::pair{shortText(us * 1e-3), std::string("ms")};
  };
  std::string group;
  for (const SystemRow& row : report.systems.front()) {
    if (!group.empty() && group != row.group) table.addRule();
    group = row.group;
    auto [number, unit] = value(row);
    std::vector<Table::Cell> cells = {
        row.name, number, unit, row.memcpy && row.bytesPerSecond ? percentText(*row.bytesPerSecond / *row.memcpy) : ""};
    for (size_t i = 1; i < report.systems.size(); ++i) {
      const auto other = std::ranges::find(report.systems[i], row.name, &SystemRow::name);
      if (other == report.systems[i].end()) {
        cells.insert(cells.end(), {"-", "", "-"});
        continue;
      }
      auto [otherNumber, otherUnit] = value(*other);
      const double ratio = row.seconds ? *other->seconds / *row.seconds : *row.bytesPerSecond / *other->bytesPerSecond;
      cells.insert(cells.end(), {otherNumber, otherUnit, ratioText(ratio)});
    }
    table.addRow(std::move(cells));
  }
  return table.text(colour, screenWidth());
}

std::string footer(const BenchReport& report) {
  const MachineRates& m = report.machine;
  const bool isCpu = report.contenders.front().isCpu;
  std::string text = fmt::format("{}: {}, {}, measured in this run:\n", isCpu ? "Machine" : "Device", m.processor,
                                 Counted{m.threads, isCpu ? "processor" : "compute unit"});
  text += fmt::format("  {} GB/s ({})\n", shortText(m.stream * 1e-9), m.streamBy);
  text += fmt::format("  {} GFLOP/s (float, {})\n", shortText(m.fma * 1e-9), m.fmaBy);
  text += fmt::format("{}: the larger of GB/s and GFLOP/s relative to these; above 100 % the\ndata is in caches.\n",
                      ofText(report));
  if (report.contenders.size() > 1) {
    text += fmt::format("speed-up: time of the driver in the column to the left / time of {}.\n",
                        shortName(report.contenders[0]));
  }
  return text;
}

// The times of --quick that a second run did not confirm.
std::string unsteady(const BenchReport& report) {
  size_t rows = 0, all = 0;
  const SampleRow* worst = nullptr;
  for (const auto& outcomes : report.samples)
    for (const SampleRow& row : outcomes.front().rows) {
      ++all;
      if (!row.isUnsteady()) continue;
      ++rows;
      if (!worst || row.spread > worst->spread) worst = &row;
    }
  if (!worst) return {};
  return fmt::format(
      "?: two runs differ by a factor of 2 or more, the shorter is shown ({} of {}; the most by {:.1f}, {} of "
      "{}). "
      "Other programs disturb such short times: measure without --quick.\n",
      rows, Counted{all, "time"}, worst->spread, worst->kernel, worst->sample);
}

std::string failures(const BenchReport& report) {
  std::string text;
  for (const auto& outcomes : report.samples)
    for (size_t i = 0; i < outcomes.size(); ++i)
      if (!outcomes[i].failure.empty())
        text +=
            fmt::format("  {} on {}: {}\n", outcomes[i].sample, shortName(report.contenders[i]), outcomes[i].failure);
  for (size_t i = 0; i < report.systemFailures.size(); ++i)
    if (!report.systemFailures[i].empty())
      text += fmt::format("  {}: {}\n", shortName(report.contenders[i]), report.systemFailures[i]);
  return text.empty() ? text : "Failed:\n" + text;
}

std::string verdict(const BenchReport& report) {
  size_t results = 0, wrong = 0, failed = 0;
  for (const auto& outcomes : report.samples) {
    results += outcomes.front().rows.size();
    wrong += static_cast<size_t>(std::ranges::count(outcomes.front().rows, false, &SampleRow::verified));
    failed += !outcomes.front().failure.empty();
  }
  if (report.samples.empty()) return {};
  if (wrong == 0 && failed == 0)
    return results == 1 ? "The only result is correct.\n"
                        : fmt::format("All {} of {} are correct.\n", Counted{results, "result"},
                                      Counted{report.samples.size(), "sample"});
  return fmt::format("{} of {} {} WRONG; {} of {} failed.\n", wrong, Counted{results, "result"},
                     wrong == 1 ? "is" : "are", failed, Counted{report.samples.size(), "sample"});
}

Json jsonOf(const SampleOutcome& outcome, const BenchReport& report) {
  Json json = {{"sample", outcome.sample},
               {"failure", outcome.failure.empty() ? Json() : Json(outcome.failure)},
               {"cases", Json::array()}};
  for (const SampleRow& row : outcome.rows)
    json["cases"].push_back({{"case", row.kernel},
                             {"size", row.size},
                             {"kernel_ms", row.milliseconds},
                             {"flops", row.flops},
                             {"bytes", row.bytes},
                             {"flops_per_second", flopsPerSecond(row)},
                             {"bytes_per_second", bytesPerSecond(row)},
                             {"spread", row.spread},
                             {"machine_fraction", machineFraction(row, report.machine)},
                             {"verified", row.verified}});
  return json;
}

Json jsonOf(const SystemRow& row) {
  Json json = {{"group", row.group}, {"name", row.name}};
  if (row.seconds) json["seconds"] = *row.seconds;
  if (row.bytesPerSecond) json["bytes_per_second"] = *row.bytesPerSecond;
  if (row.memcpy) json["memcpy_bytes_per_second"] = *row.memcpy;
  return json;
}

}  // namespace

bool BenchReport::allRight() const {
  const bool samplesRight = std::ranges::all_of(samples, [](const std::vector<SampleOutcome>& outcomes) {
    const SampleOutcome& own = outcomes.front();
    return own.failure.empty() && std::ranges::all_of(own.rows, &SampleRow::verified);
  });
  return samplesRight && (systemFailures.empty() || systemFailures.front().empty());
}

std::string reportText(const BenchReport& report, bool colour) {
  std::string text;
  for (const Contender& contender : report.contenders)
    text += wrapped(fmt::format("{}: {}, driver {}\n", contender.platform, contender.device, contender.version),
                    screenWidth());
  text += "\n";
  if (!report.samples.empty()) text += samplesTable(report, colour) + "\n";
  if (!report.systems.empty() && !report.systems.front().empty()) text += systemTable(report, colour) + "\n";
  return text + wrapped(footer(report), screenWidth()) + wrapped(unsteady(report), screenWidth()) +
         wrapped(failures(report), screenWidth()) + wrapped(verdict(report), screenWidth());
}

Json reportJson(const BenchReport& report) {
  const MachineRates& m = report.machine;
  Json json = {{"machine",
                {{"processor", m.processor},
                 {"threads", m.threads},
                 {"stream_bytes_per_second", m.stream},
                 {"stream_by", m.streamBy},
                 {"fma_flops_per_second", m.fma},
                 {"fma_by", m.fmaBy}}},
               {"all_right", report.allRight()},
               {"platforms", Json::array()}};
  for (size_t i = 0; i < report.contenders.size(); ++i) {
    const Contender& contender = report.contenders[i];
    Json entry = {{"name", contender.platform},
                  {"device", contender.device},
                  {"driver_version", contender.version},
                  {"samples", Json::array()},
                  {"driver", Json::array()}};
    for (const auto& outcomes : report.samples) entry["samples"].push_back(jsonOf(outcomes[i], report));
    if (i < report.systems.size())
      for (const SystemRow& row : report.systems[i]) entry["driver"].push_back(jsonOf(row));
    json["platforms"].push_back(std::move(entry));
  }
  return json;
}

}  // namespace clarity::tools
