// SPDX-License-Identifier: Apache-2.0
// This file compares the copies that a work-group has started (async_work_group_copy) with those that it waits for. All
// of its work-items call the same functions, so the first one counts for all.
#include "check/kernel/checks.h"
#include "device/executable.h"
#include "support/observer_hooks.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

namespace clarity::check {
namespace {

bool contains(std::span<const std::uint64_t> events, std::uint64_t event) {
  return std::ranges::find(events, event) != events.end();
}

class CopyCheck final : public device::LaunchObserver {
public:
  explicit CopyCheck(const LaunchScene& scene) : scene_(scene) {}

  void region(const device::ObservedRegion& region) override {
    // Most kernels copy nothing.
    if (region.site == device::kernelBegins || !copies_.load(std::memory_order_relaxed)) return;
    const std::lock_guard lock(mutex_);
    compare(groupAt(region.firstId));
  }

  void copyBegins(const device::ObservedCopy& copy) override {
    copies_.store(true, std::memory_order_relaxed);
    const std::lock_guard lock(mutex_);
    Group& group = groupOf(copy);
    ++group.calls[copy.site];
    if (copy.globalId == group.first) group.copies.push_back({.event = copy.events.front(), .site = copy.site});
  }

  void copiesAwaited(const device::ObservedCopy& wait) override {
    copies_.store(true, std::memory_order_relaxed);
    const std::lock_guard lock(mutex_);
    Group& group = groupOf(wait);
    if (wait.globalId != group.first) return;
    group.isCounted |= contains(wait.events, unknownEvent) || group.has(unknownEvent);
    const auto isUnderWay = [&](std::uint64_t event) { return group.has(event); };
    const auto known = static_cast<std::size_t>(std::ranges::count_if(wait.events, isUnderWay));
    const std::size_t found = group.isCounted ? std::min(wait.events.size(), group.copies.size()) : known;
    if (found < wait.events.size()) report(wait, found);
    if (group.isCounted)  // several copies may have the same event: how many are left is a bound
      group.copies.erase(group.copies.begin(), group.copies.begin() + static_cast<std::ptrdiff_t>(found));
    else
      std::erase_if(group.copies, [&](const Copy& copy) { return contains(wait.events, copy.event); });
  }

  void end(bool completed) override {
    if (!completed) return;
    const std::lock_guard lock(mutex_);
    for (const auto& [thread, group] : groups_) reportUnawaited(group);
  }

private:
  struct Copy {
    std::uint64_t event = 0;
    std::uint32_t site = 0;
  };
  struct Group {
    device::GlobalId first{};
    std::vector<Copy> copies{};                      ///< that the first work-item has begun and not waited for
    bool isCounted = false;                          ///< it is not known which of them it has waited for
    std::map<std::uint32_t, std::uint64_t> calls{};  ///< by site, of all work-items since the last barrier

    bool has(std::uint64_t event) const { return std::ranges::find(copies, event, &Copy::event) != copies.end(); }
  };

  /// The one that this thread executes, by its first work-item.
  Group& groupAt(const device::GlobalId& first) {
    const auto [found, isNew] = groups_.try_emplace(std::this_thread::get_id());
    Group& group = found->second;
    if (isNew || group.first != first) {
      reportUnawaited(group);
      group = {.first = first};
    }
    return group;
  }
  Group& groupOf(const device::ObservedCopy& event) {
    device::GlobalId first{};
    const device::NDRange& range = scene_.launch.range;
    for (std::size_t d = 0; d < 3; ++d)
      first[d] = event.globalId[d] - (event.globalId[d] - range.offset[d]) % range.local[d];
    return groupAt(first);
  }

  /// A group has ended.
  void reportUnawaited(const Group& group) const {
    if (group.isCounted) return;
    for (const Copy& copy : group.copies) {
      if (copy.event == unknownEvent) continue;
      Finding finding;
      finding.kind = Kind::CopyNotAwaited;
      finding.kernel = scene_.launch.kernel.name;
      finding.summary = fmt::format("kernel '{}' ends before a copy that it has started", finding.kernel);
      finding.party = {scene_.site(copy.site), fmt::format("work-group {} does not wait for the event of this copy",
                                                           scene_.workGroup(group.first))};
      // A use of what it has not brought yet is the same mistake.
      if (!scene_.reporter.hasRaceAt(finding.kernel, finding.party.place)) scene_.add(finding);
    }
  }

  /// All work-items have to start the same copies.
  void compare(Group& group) const {
    const device::NDRange& range = scene_.launch.range;
    std::uint64_t items = 1;
    for (std::size_t d = 0; d < 3; ++d)  // groups are smaller at the upper edges
      items *= std::min(range.local[d], range.offset[d] + range.global[d] - group.first[d]);
    for (const auto& [site, calls] : group.calls) {
      if (calls % items == 0) continue;
      Finding finding;
      finding.kind = Kind::BarrierDivergence;
      finding.kernel = scene_.launch.kernel.name;
      finding.summary =
          fmt::format("not all work-items of a work-group of kernel '{}' start this copy", finding.kernel);
      finding.party = {scene_.site(site), fmt::format("{} of the {} work-items of work-group {} do", calls % items,
                                                      items, scene_.workGroup(group.first))};
      scene_.add(finding);
    }
    group.calls.clear();
  }

  void report(const device::ObservedCopy& wait, std::size_t found) const {
    Finding finding;
    finding.kind = Kind::EventNotStarted;
    finding.kernel = scene_.launch.kernel.name;
    finding.summary = fmt::format("kernel '{}' waits for a copy that was never started", finding.kernel);
    const std::size_t count = wait.events.size();
    finding.party = {scene_.site(wait.site),
                     fmt::format("work-group {} waits for {} event{}, and {} of its copies {} under way",
                                 scene_.workGroup(wait.globalId), count, count == 1 ? "" : "s",
                                 found == 0 ? "none" : fmt::format("only {}", found), found == 1 ? "is" : "are")};
    scene_.add(finding);
  }

  const LaunchScene& scene_;
  std::atomic<bool> copies_{false};
  std::mutex mutex_;
  std::map<std::thread::id, Group> groups_;  ///< that threads execute
};

}  // namespace

Check copyCheck(const LaunchScene& scene) { return std::make_unique<CopyCheck>(scene); }

}  // namespace clarity::check
