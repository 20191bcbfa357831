// SPDX-License-Identifier: Apache-2.0
// This file is the check of races in launches whose code compares cells (support/race_cells.h) and reports what these
// do not decide, from all cores at once.
#include "check/kernel/checks.h"
#include "check/kernel/race_cells.h"
#include "check/kernel/race_report.h"
#include "check/kernel/race_thread.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace clarity::check {
namespace {

using compiler::Site;
using support::RaceCell;
using support::RaceInterval;

class CellRaceCheck final : public device::LaunchObserver {
public:
  explicit CellRaceCheck(const LaunchScene& scene)
      : scene_(scene), launch_(RaceSegments::get().newLaunch()), cells_(launch_) {}

  void enter(RaceInterval& interval) override {
    RaceSegments& all = RaceSegments::get();
    all.enter();
    const std::lock_guard lock(mutex_);
    if (threads_.empty()) {
      begin_ = all.end();
      beginGeneration_ = all.generation();
    }
    if (free_.empty()) {
      threads_.push_back(std::make_unique<RaceThread>(scene_.launch.range, launch_));
      free_.push_back(threads_.back().get());
    }
    interval = {.kept = support::RaceMemory::get().kept, .owner = free_.back()};
    free_.pop_back();
  }
  void leave(RaceInterval& interval) override {
    {
      const std::lock_guard lock(mutex_);
      free_.push_back(static_cast<RaceThread*>(interval.owner));
    }
    RaceSegments::get().leave();
  }

  void region(const device::ObservedRegion& region) override {
    if (!region.interval || !region.interval->owner) return;
    RaceThread& thread = *static_cast<RaceThread*>(region.interval->owner);
    const RaceSegments& all = RaceSegments::get();
    for (;;) {
      thread.begin(region);
      const std::uint32_t generation = all.generation();
      region.interval->allGroups = std::uint64_t{allGroups()} << 1;
      // Cells that have begun anew are empty, or of launches that run now.
      const RaceSegment begin = generation == beginGeneration_ ? begin_ : 1;
      region.interval->launchBegin = std::uint64_t{begin} << RaceCell::segmentShift;
      if (generation == all.generation()) return;
    }
  }

  void undecided(const device::UndecidedAccess& access, RaceInterval& interval) override {
    const RaceThread& thread = *static_cast<const RaceThread*>(interval.owner);
    const Site& site = scene_.site(access.site);
    const std::uint32_t agent = access.item + (site.isCopy ? thread.items() : 0);
    const bool writes = compiler::writes(site.kind);
    const auto conflict = cells_.visit(
        thread, {.party = {.segment = thread.first() + agent,
                           .site = static_cast<std::uint16_t>(std::min<std::uint32_t>(access.site, RaceCell::mostSite)),
                           .isAtomic = compiler::isAtomic(site.kind),
                           .writes = writes},
                 .agent = agent,
                 .address = access.address,
                 .bytes = access.bytes,
                 .isLocal = access.isLocal,
                 .allGroups = static_cast<RaceSegment>(interval.allGroups >> 1)});
    if (conflict) report(thread, access, *conflict);
  }

private:
  /// The first segment of a block, which the launch takes for nothing else.
  RaceSegment allGroups() {
    RaceSegments& all = RaceSegments::get();
    std::uint64_t known = allGroups_.load(std::memory_order_acquire);
    while (known == 0 || known >> 32 != all.generation()) {
      // No lock: it may be that this thread has to wait for the others.
      const RaceSegment taken = all.takeBlock(launch_);
      const std::uint64_t next = std::uint64_t{all.generation()} << 32 | taken;
      if (allGroups_.compare_exchange_strong(known, next, std::memory_order_acq_rel)) return taken;
    }
    return static_cast<RaceSegment>(known);
  }

  void report(const RaceThread& thread, const device::UndecidedAccess& access, const RaceCells::Conflict& conflict) {
    const RaceParty& other = conflict.other;
    const std::optional<device::GlobalId> otherId = idOf(other.segment);
    if (!otherId) return;
    const Site& site = scene_.site(access.site);
    reportRace(scene_, {.site = site,
                        .otherSite = siteOf(other.site),
                        .id = thread.idOf(access.item),
                        .otherId = *otherId,
                        .address = conflict.address,
                        .isLocal = access.isLocal,
                        .isBehindBarrier = thread.isOwn(other.segment) && other.segment < thread.first(),
                        .writesSameValue = access.writesSameValue && other.writes});
  }

  /// Programs with more sites than cells can tell apart are rare.
  const Site& siteOf(std::uint16_t index) const {
    static const Site unknown;
    return index == RaceCell::mostSite ? unknown : scene_.site(index);
  }

  std::optional<device::GlobalId> idOf(RaceSegment segment) {
    const std::lock_guard lock(mutex_);
    for (const std::unique_ptr<RaceThread>& thread : threads_)
      if (const std::optional<device::GlobalId> id = thread->ownerOf(segment)) return id;
    return std::nullopt;
  }

  const LaunchScene& scene_;
  const std::uint32_t launch_;
  RaceCells cells_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<RaceThread>> threads_;  ///< under the mutex
  std::vector<RaceThread*> free_;                     ///< those that no thread executes work-groups with
  RaceSegment begin_ = 0;                             ///< the launch's first segment, as the first thread has entered
  std::uint32_t beginGeneration_ = 0;
  std::atomic<std::uint64_t> allGroups_{0};  ///< with the generation of segments in front of it
};

}  // namespace

Check cellRaceCheck(const LaunchScene& scene) { return std::make_unique<CellRaceCheck>(scene); }

}  // namespace clarity::check
