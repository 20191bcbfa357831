// SPDX-License-Identifier: Apache-2.0
// This file writes reports.
#include "compiler/reports/report.h"

#include <fmt/format.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <set>

namespace clarity::compiler {
namespace {

unsigned firstLine(const RegionReport& region) {
  for (const auto& [line, remarks] : region.lines)
    if (line) return line;
  return ~0u;
}

unsigned lastLine(const RegionReport& region) { return region.lines.empty() ? 0 : region.lines.rbegin()->first; }

std::string rangeOf(const RegionReport& region) {
  const unsigned first = firstLine(region), last = lastLine(region);
  if (last == 0) return "";
  return first == last ? fmt::format(", line {}", first) : fmt::format(", lines {} to {}", first, last);
}

/// A form without what it shares with the one before it: "packets of " and " along x".
std::string withoutBeginning(const std::string& form, const std::string& before) {
  const std::string_view beginning = "packets of ";
  const std::size_t mine = form.find(' ', beginning.size()), others = before.find(' ', beginning.size());
  return form.substr(mine) == before.substr(others) ? form.substr(beginning.size(), mine - beginning.size())
                                                    : form.substr(beginning.size());
}

/// Whether two regions are one line of the report: the same remarks, and the same form or packets both times.
bool joins(const RegionReport& first, const RegionReport& next) {
  const std::string_view beginning = "packets of ";
  return first.lines == next.lines &&
         (first.form == next.form || (first.form.starts_with(beginning) && next.form.starts_with(beginning)));
}

/// Regions that have lines of the source, in their order; others only hand values on.
std::vector<const RegionReport*> regionsByLine(const PacketReport& report) {
  std::vector<const RegionReport*> regions;
  for (const RegionReport& region : report.regions)
    if (!region.lines.empty()) regions.push_back(&region);
  std::ranges::stable_sort(regions, {}, [](const RegionReport* region) { return firstLine(*region); });
  return regions;
}

bool packetsForbidden(const KernelReport& report) { return report.packets.regions.empty() && report.budget.empty(); }
constexpr std::string_view forbidden = "one work-item at a time: build options forbid packets";

class TextWriter {
public:
  std::string write(const KernelReport& report) {
    text_ = fmt::format("kernel '{}'", report.name);
    if (report.place.line) text_ += fmt::format(", line {}", report.place.line);
    text_ += fmt::format(": {}\n{}", report.workGroups, report.budget);
    for (const Remark& remark : report.remarks) add("  ", remark);
    if (packetsForbidden(report)) text_ += fmt::format("  {}\n", forbidden);
    add(report.packets);
    return std::move(text_);
  }

private:
  void add(const PacketReport& report) {
    const std::vector<const RegionReport*> regions = regionsByLine(report);
    for (std::size_t i = 0; i < regions.size();) {
      std::size_t end = i + 1;
      std::string forms = regions[i]->form;
      for (; end < regions.size() && joins(*regions[i], *regions[end]); ++end)
        if (regions[end]->form != regions[end - 1]->form)
          forms += (forms.size() > regions[i]->form.size() ? ", " : "; then of ") +
                   withoutBeginning(regions[end]->form, regions[end - 1]->form);
      const std::string number =
          end - i == 1 ? fmt::format("region {}", i + 1) : fmt::format("regions {} to {}", i + 1, end);
      text_ += regions.size() > 1 ? fmt::format("  {}{}: {}\n", number, rangeOf(*regions[i]), forms)
                                  : fmt::format("  {}\n", forms);
      for (const auto& [line, remarks] : regions[i]->lines)
        for (const Remark& remark : remarks) add("    ", remark);
      i = end;
    }
    if (const std::size_t others = report.regions.size() - regions.size())
      text_ +=
          fmt::format("  {} more region{} between barriers: only pass values on\n", others, others == 1 ? "" : "s");
  }

  /// The same help is given once.
  void add(std::string_view indent, const Remark& remark) {
    text_ += indent;
    if (remark.place.line) text_ += fmt::format("line {}: ", remark.place.line);
    text_ += remark.message + "\n";
    if (!remark.help.empty() && helped_.insert(remark.help).second)
      text_ += fmt::format("{}  help: {}\n", indent, remark.help);
  }

  std::string text_;
  std::set<std::string> helped_;
};

class JsonWriter {
public:
  explicit JsonWriter(const KernelReport& report) : report_(report), out_(text_) {}

  std::string write() {
    add({RemarkKind::Kernel, report_.place, report_.workGroups}, 0);
    for (std::string_view left = report_.budget; !left.empty();) {
      const std::size_t end = std::min(left.find('\n'), left.size());
      add({RemarkKind::Budget, {}, std::string(left.substr(0, end)), {}, true}, 0);
      left.remove_prefix(std::min(end + 1, left.size()));
    }
    for (const Remark& remark : report_.remarks) add(remark, 0);
    if (packetsForbidden(report_)) add({RemarkKind::Region, report_.place, std::string(forbidden), {}, true}, 0);
    unsigned number = 0;
    for (const RegionReport* region : regionsByLine(report_.packets)) {
      const unsigned line = firstLine(*region);
      add({RemarkKind::Region, {line == ~0u ? 0 : line, 0}, region->form, {}, region->missed}, ++number);
      for (const auto& [at, remarks] : region->lines)
        for (const Remark& remark : remarks) add(remark, number);
    }
    return std::move(text_);
  }

private:
  /// @param region 0: the kernel
  void add(const Remark& remark, unsigned region) {
    const auto known = [](unsigned number) { return number ? llvm::json::Value(number) : llvm::json::Value(nullptr); };
    llvm::json::OStream json(out_);
    json.object([&] {
      json.attribute("kernel", report_.name);
      json.attribute("region", known(region));
      json.attribute("line", known(remark.place.line));
      json.attribute("column", known(remark.place.column));
      json.attribute("kind", llvm::StringRef(kindName(remark.kind)));
      json.attribute("type", remark.missed ? "missed" : "applied");
      json.attribute("message",
                     llvm::json::isUTF8(remark.message) ? remark.message : llvm::json::fixUTF8(remark.message));
      if (!remark.help.empty()) json.attribute("help", remark.help);
    });
    out_ << "\n";
  }

  const KernelReport& report_;
  std::string text_;
  llvm::raw_string_ostream out_;
};

}  // namespace

std::string textOf(const KernelReport& report) { return TextWriter().write(report); }

std::string jsonOf(const KernelReport& report) { return JsonWriter(report).write(); }

}  // namespace clarity::compiler
