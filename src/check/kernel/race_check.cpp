// SPDX-License-Identifier: Apache-2.0
// This file finds accesses to one element, one of them at least a write that is not atomic, between which there is
// neither a barrier nor another order. It does not matter in which order work-items happened to run. This check knows
// what atomic operations order, and gets every access, from one thread; cell_race_check.cpp is for other launches.
#include "check/kernel/access_history.h"
#include "check/kernel/checks.h"
#include "check/kernel/group_order.h"
#include "check/kernel/race_report.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace clarity::check {
namespace {

using compiler::Site;

constexpr std::uint32_t mostSites = 0x7fff;  ///< History's
constexpr unsigned globalSpace = 1, localSpace = 3, constantSpace = 2;

class RaceCheck final : public device::LaunchObserver {
public:
  explicit RaceCheck(const LaunchScene& scene)
      : scene_(scene), history_(reuseHistory()), first_(history_->next), order_(scene.launch, first_) {}
  ~RaceCheck() override {
    history_->next = order_.end();
    recycle(std::move(history_));
  }

  void region(const device::ObservedRegion& region) override {
    if (!order_.begin(region)) return;
    history_->clear();
    first_ = 1;
  }

  void access(const device::ObservedAccess& access) override {
    const Site& site = scene_.site(access.site);
    if (site.addressSpace == constantSpace) return;
    const bool isLocal = this->isLocal(site, access.address);
    const bool isAtomic = compiler::isAtomic(site.kind), writes = compiler::writes(site.kind);
    const bool isNarrow = isAtomic && access.order.scope != device::MemoryOrder::device &&
                          access.order.scope != device::MemoryOrder::allDevices;
    const Segment now = order_.segmentOf(access.globalId, isAtomic, site.isCopy);
    if (isAtomic)
      order_.atomic(now, {.address = access.address,
                          .isLocal = isLocal,
                          .reads = compiler::reads(site.kind),
                          .writes = writes,
                          .order = access.order});
    history_->forEach(access.address, access.bytes, [&](History& history, std::uint64_t address) {
      const auto isRace = [&](Segment earlier) {
        return earlier >= first_ && order_.isUnordered(earlier, now, isLocal);
      };
      const auto isAtomicAt = [&](std::uint16_t place) { return compiler::isAtomic(scene_.site(place).kind); };
      // Two atomic operations do not race, unless the scope of one leaves the other out.
      const auto isInScope = [&](Segment earlier, bool earlierIsNarrow) {
        return isLocal || (!isNarrow && !earlierIsNarrow) || !order_.isOfOtherGroup(earlier);
      };
      if (isRace(history.write) &&
          !(isAtomic && isAtomicAt(history.writeSite) && isInScope(history.write, history.writeIsNarrow)))
        report(access, history.write, history.writeSite, address, isLocal, access.writesSameValue);
      else if (writes && !(isAtomic && history.read >= first_ && isAtomicAt(history.readSite) &&
                           isInScope(history.read, history.readIsNarrow)))
        for (const Segment reader : {history.read, history.otherRead})
          if (isRace(reader)) {
            report(access, reader, history.readSite, address, isLocal, /*writesSameValue=*/false);
            break;
          }
      remember(history, access, now, writes, isNarrow);
    });
  }

  void fence(const device::ObservedFence& fence) override { order_.fence(fence); }

  void copyBegins(const device::ObservedCopy& copy) override { order_.copyBegins(copy.events.front(), copy.globalId); }
  void copiesAwaited(const device::ObservedCopy& copies) override {
    order_.copiesAwaited(copies.events, copies.globalId);
  }

  void subGroupMeets(std::uint32_t flags, const device::GlobalId& id) override { order_.meet(flags, id); }

private:
  using HistoryPtr = std::unique_ptr<AccessHistory>;

  /// Histories are used again, as making them costs more than most launches.
  static HistoryPtr reuseHistory() {
    const std::lock_guard lock(mutex());
    if (spareHistories().empty()) return std::make_unique<AccessHistory>();
    HistoryPtr history = std::move(spareHistories().back());
    spareHistories().pop_back();
    return history;
  }
  static void recycle(HistoryPtr history) {
    const std::lock_guard lock(mutex());
    spareHistories().push_back(std::move(history));
  }
  static std::mutex& mutex() {
    static std::mutex& instance = *new std::mutex;
    return instance;
  }
  static std::vector<HistoryPtr>& spareHistories() {
    static auto& instance = *new std::vector<HistoryPtr>;
    return instance;
  }

  void remember(History& history, const device::ObservedAccess& access, Segment now, bool writes, bool isNarrow) const {
    const auto site = static_cast<std::uint16_t>(std::min<std::uint32_t>(access.site, mostSites));
    const bool isAtomic = compiler::isAtomic(scene_.site(access.site).kind);
    // A work-item's atomic access does not cover one of its own that is not, which others may race with.
    if (isAtomic && history.write == now && !compiler::isAtomic(scene_.site(history.writeSite).kind)) return;
    if (writes) {
      History next{.write = now, .writeSite = site, .writeIsNarrow = isNarrow};
      if (isAtomic && history.read == now && !compiler::isAtomic(scene_.site(history.readSite).kind)) {
        next.read = now;
        next.readSite = history.readSite;
        next.readIsNarrow = history.readIsNarrow;
      }
      history = next;
    } else if (history.read != now) {
      history.otherRead = history.read;
      history.read = now;
      history.readSite = site;
      history.readIsNarrow = isNarrow;
    }
  }

  /// Generic pointers are to local memory where they are not to a buffer of the launch.
  bool isLocal(const Site& site, std::uint64_t address) const {
    if (site.addressSpace == localSpace || site.addressSpace == globalSpace) return site.addressSpace == localSpace;
    return std::ranges::none_of(scene_.launch.buffers, [&](const device::ObservedMemory& buffer) {
      return address - buffer.address < buffer.bytes;
    });
  }

  void report(const device::ObservedAccess& access, Segment earlier, std::uint16_t earlierSite, std::uint64_t address,
              bool isLocal, bool writesSameValue) const {
    reportRace(scene_, {.site = scene_.site(access.site),
                        .otherSite = scene_.site(earlierSite),
                        .id = access.globalId,
                        .otherId = order_.idOf(earlier),
                        .address = address,
                        .isLocal = isLocal,
                        .isBehindBarrier = order_.isBehindBarrier(earlier),
                        .isUnderWay = order_.isUnderWay(earlier),
                        .writesSameValue = writesSameValue});
  }

  const LaunchScene& scene_;
  HistoryPtr history_;
  Segment first_;  ///< the first segment of this launch
  GroupOrder order_;
};

}  // namespace

Check raceCheck(const LaunchScene& scene) { return std::make_unique<RaceCheck>(scene); }

}  // namespace clarity::check
