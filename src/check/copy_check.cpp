// SPDX-License-Identifier: Apache-2.0
// This file counts the copies that a work-group has started (async_work_group_copy) and waits for. All of its
// work-items call the same functions, so the first one counts for all.
#include "check/checks.h"
#include "device/executable.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <thread>

namespace clarity::check {
namespace {

class CopyCheck final : public device::LaunchObserver {
public:
  explicit CopyCheck(const LaunchScene& scene) : scene_(scene) {}

  void region(const device::ObservedRegion& region) override {
    // Most kernels copy nothing.
    if (region.site == device::kernelBegins || !copies_.load(std::memory_order_relaxed)) return;
    const std::lock_guard lock(mutex_);
    compare(groupAt(region.firstId));
  }

  void copy(const device::ObservedCopy& copy) override {
    copies_.store(true, std::memory_order_relaxed);
    device::GlobalId first{};
    const device::NDRange& range = scene_.launch.range;
    for (std::size_t d = 0; d < 3; ++d)
      first[d] = copy.globalId[d] - (copy.globalId[d] - range.offset[d]) % range.local[d];
    const std::lock_guard lock(mutex_);
    Group& group = groupAt(first);
    if (copy.awaited == 0) ++group.calls[copy.site];
    if (copy.globalId != group.first) return;
    if (copy.awaited == 0) {
      ++group.started;
      return;
    }
    // Several copies may have the same event: how many are left is a bound.
    if (group.started < copy.awaited) report(copy, group.started);
    group.started -= std::min<std::uint64_t>(group.started, copy.awaited);
  }

private:
  struct Group {
    device::GlobalId first{};
    std::uint64_t started = 0;                       ///< and not waited for
    std::map<std::uint32_t, std::uint64_t> calls{};  ///< by site, of all work-items since the last barrier
  };

  /// The one that this thread executes, by its first work-item.
  Group& groupAt(const device::GlobalId& first) {
    Group& group = groups_[std::this_thread::get_id()];
    if (group.first != first) group = {.first = first};
    return group;
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
      scene_.reporter.add(finding);
    }
    group.calls.clear();
  }

  void report(const device::ObservedCopy& copy, std::uint64_t started) const {
    Finding finding;
    finding.kind = Kind::EventNotStarted;
    finding.kernel = scene_.launch.kernel.name;
    finding.summary = fmt::format("kernel '{}' waits for a copy that was never started", finding.kernel);
    finding.party = {scene_.site(copy.site),
                     fmt::format("work-group {} waits for {} event{}, and {} of its copies {} under way",
                                 scene_.workGroup(copy.globalId), copy.awaited, copy.awaited == 1 ? "" : "s",
                                 started == 0 ? "none" : fmt::format("only {}", started), started == 1 ? "is" : "are")};
    scene_.reporter.add(finding);
  }

  const LaunchScene& scene_;
  std::atomic<bool> copies_{false};
  std::mutex mutex_;
  std::map<std::thread::id, Group> groups_;  ///< that threads execute
};

}  // namespace

Check copyCheck(const LaunchScene& scene) { return std::make_unique<CopyCheck>(scene); }

}  // namespace clarity::check
