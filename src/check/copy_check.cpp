// SPDX-License-Identifier: Apache-2.0
// This file counts the copies that a work-group has started (async_work_group_copy) and waits for. All of its work-items
// call the same functions, so the first one counts for all.
#include "check/checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <thread>

namespace clarity::check {
namespace {

class CopyCheck final : public device::LaunchObserver {
public:
  explicit CopyCheck(const LaunchScene& scene) : scene_(scene) {}

  void region(const device::ObservedRegion& region) override {
    if (region.site != device::kernelBegins) return;
    const std::lock_guard lock(mutex_);
    groups_[std::this_thread::get_id()] = {.first = region.firstId};
  }

  void copy(const device::ObservedCopy& copy) override {
    const std::lock_guard lock(mutex_);
    Group& group = groups_[std::this_thread::get_id()];
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
    std::uint64_t started = 0;  ///< and not waited for
  };

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
  std::mutex mutex_;
  std::map<std::thread::id, Group> groups_;  ///< that threads execute
};

}  // namespace

Check copyCheck(const LaunchScene& scene) { return std::make_unique<CopyCheck>(scene); }

}  // namespace clarity::check
