// SPDX-License-Identifier: Apache-2.0
// This file shows the source of a kernel with what each line cost, and what the compiler says of it.
#include "kernel_code.h"
#include "kernel_source.h"
#include "numbers.h"
#include "profile_kernel_advice.h"
#include "profile_output.h"
#include "screen.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace clarity::tools {
namespace {

/// Lines that are shown of a kernel, and from which share on they are however long it is.
constexpr unsigned mostLinesShown = 40;
constexpr double leastShareShown = 0.01;

}  // namespace

std::map<unsigned, std::vector<std::string>> remarksByLine(const KernelCode& code) {
  std::map<unsigned, std::vector<std::string>> remarks;
  for (const KernelRemark& remark : code.remarks) {
    const bool isPlain = remark.kind == "kernel" || remark.kind == "region" || remark.says("uniform");
    if (remark.line == 0 || (isPlain && !remark.isMissed)) continue;
    std::vector<std::string>& its = remarks[remark.line];
    if (std::ranges::find(its, remark.message) == its.end()) its.push_back(remark.message);
  }
  return remarks;
}

std::string annotatedSource(const ProfiledProcess& process, std::size_t columns, bool colour) {
  std::map<std::string, std::uint64_t> times;
  for (const ProfiledLine& line : process.lines) times[line.kernel] += line.time;
  const auto hottest = std::ranges::max_element(times, {}, &std::pair<const std::string, std::uint64_t>::second);
  if (hottest == times.end() || hottest->second == 0) return {};
  const auto code = process.codes.find(hottest->first);
  if (code == process.codes.end()) return {};
  const KernelSource source(code->second.source, hottest->first);
  if (!source.isKnown()) return {};

  const std::string file = fileOf(process, source, hottest->first);
  if (file.empty()) return {};
  std::map<unsigned, double> shares;
  for (const ProfiledLine& line : process.lines) {
    if (line.kernel != hottest->first || line.line == 0) continue;
    if (line.file == file) shares[line.line] += static_cast<double>(line.time) / static_cast<double>(hottest->second);
  }
  const auto remarks = remarksByLine(code->second);
  const bool isLong = source.last() - source.first() >= mostLinesShown;
  std::string text = "\n" +
                     wrapped(fmt::format("Source of '{}' ({}), share of its samples, and how it runs", hottest->first,
                                         file.substr(file.find_last_of('/') + 1)),
                             columns) +
                     "\n";
  bool skipped = false;
  for (unsigned line = source.first(); line <= source.last(); ++line) {
    const auto share = shares.find(line);
    const bool isHot = share != shares.end() && share->second >= leastShareShown;
    if (isLong && !isHot) {
      if (!std::exchange(skipped, true)) text += "        ..\n";
      continue;
    }
    skipped = false;
    const std::string own = share == shares.end() ? std::string() : percentText(share->second);
    const std::string shown = fmt::format("{:>5} {:>5} | {}", own, line, source.indented(line));
    text += (shown.size() <= columns ? shown : shown.substr(0, columns - 2) + "..") + "\n";
    const auto found = remarks.find(line);
    if (found == remarks.end() || (isLong && !isHot)) continue;
    for (const std::string& remark : found->second) {
      constexpr std::size_t margin = 16;
      std::string left = wrapped(remark, columns > 2 * margin ? columns - margin : margin);
      while (!left.empty()) {
        const std::size_t end = std::min(left.find('\n'), left.size());
        const std::string below = "            |   " + left.substr(0, end);
        text += (colour ? "\x1b[2m" + below + "\x1b[0m" : below) + "\n";
        left.erase(0, end + 1);
      }
    }
  }
  return text;
}

}  // namespace clarity::tools
