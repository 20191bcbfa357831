// SPDX-License-Identifier: Apache-2.0
// This file finds out whether some work-groups take much longer than others: threads take parts of a launch in their
// order, so that a long part at its end leaves the other threads without work.
#include "profile_balance.h"

#include <algorithm>
#include <map>
#include <thread>
#include <utility>
#include <vector>

namespace clarity::tools {
namespace {

struct Part {
  std::uint64_t first = 0, count = 0, time = 0;
  std::uint64_t end() const { return first + count; }
};

/// The parts of a launch that were executed, in the order of its range; nothing if the record has not all of it.
std::vector<Part> partsOf(const ProfiledProcess& process, const ProfiledCommand& launch) {
  std::vector<Part> parts;
  std::uint64_t found = 0, all = 0;
  for (const ProfiledWorker& worker : process.workers) {
    auto span = std::ranges::lower_bound(worker.spans, launch.started, {}, &ProfiledSpan::begin);
    for (; span != worker.spans.end() && span->begin < launch.ended; ++span) {
      if (span->kernel != launch.kernel || span->end > launch.ended) continue;
      parts.push_back({span->first, span->count, span->end - span->begin});
      found += span->count;
      all = span->all;
    }
  }
  if (found != all) return {};
  std::ranges::sort(parts, {}, &Part::first);
  return parts;
}

}  // namespace

std::optional<Balance> balanceOf(const ProfiledProcess& process, const KernelSummary& kernel) {
  constexpr std::uint64_t leastLaunch = 100'000;
  constexpr std::size_t mostLaunches = 200, leastLaunches = 2;
  const unsigned units = std::max(std::thread::hardware_concurrency(), 1u);
  if (units < 2 || kernel.times.least() < leastLaunch) return std::nullopt;
  std::optional<Balance> best;
  std::vector<Part> longestParts;
  Part longestOfBest;
  for (const ProfiledCommand& command : process.commands) {
    if (command.global != kernel.global || command.local != kernel.local || command.kernel != kernel.kernel) continue;
    if (!command.hasRun() || command.time() == 0 || longestParts.size() == mostLaunches) continue;
    const std::vector<Part> parts = partsOf(process, command);
    if (parts.empty()) continue;
    std::uint64_t total = 0, pieces = 0;
    for (const Part& part : parts) {
      total += part.time;
      pieces += part.count;
    }
    const Part& longest = *std::ranges::max_element(parts, {}, &Part::time);
    Balance balance{.launch = command.time(), .workers = units};
    // No division helps where one part does not take longer than the share of a thread.
    const double even = static_cast<double>(total) / units;
    if (static_cast<double>(longest.time) > 1.25 * even && longest.count < pieces)
      balance.waste = std::clamp(1 - even / static_cast<double>(command.time()), 0.0, 1.0);
    balance.partOfLongest = static_cast<double>(longest.time) / static_cast<double>(total);
    balance.place = static_cast<double>(longest.first) / static_cast<double>(pieces);
    balance.pieces = static_cast<double>(longest.count) / static_cast<double>(pieces);
    longestParts.push_back(longest);
    if (best && balance.waste >= best->waste) continue;
    best = balance;
    longestOfBest = longest;
  }
  // Threads may have been interrupted: only waste that every launch has, at the same place, is the kernel's.
  const bool isOnePlace = std::ranges::all_of(longestParts, [&](const Part& each) {
    return each.first < longestOfBest.end() && longestOfBest.first < each.end();
  });
  if (!best || longestParts.size() < leastLaunches || !isOnePlace) return std::nullopt;
  return best;
}

}  // namespace clarity::tools
