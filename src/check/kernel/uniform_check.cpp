// SPDX-License-Identifier: Apache-2.0
// This file compares what the work-items of a work-group, or of a sub-group, give to functions that all of them call
// together. Between two barriers work-items run one by one, so the calls of each are counted.
#include "check/kernel/checks.h"
#include "device/executable.h"
#include "support/flag_names.h"
#include "support/observer_hooks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace clarity::check {
namespace {

class UniformCheck final : public device::LaunchObserver {
public:
  explicit UniformCheck(const LaunchScene& scene) : scene_(scene) {}

  void region(const device::ObservedRegion& region) override {
    if (region.site == device::kernelBegins) return;
    const std::lock_guard lock(mutex_);
    const auto found = groups_.find(std::this_thread::get_id());
    if (found != groups_.end()) compare(found->second);
  }

  void uniform(const device::ObservedUniform& given) override {
    const std::lock_guard lock(mutex_);
    add(groupOf(given.globalId), {given.site, given.group}, {given.value, given.globalId});
  }

  /// The calls that began the copies distinguish events.
  void copyBegins(const device::ObservedCopy& copy) override {
    const std::lock_guard lock(mutex_);
    Group& group = groupOf(copy.globalId);
    const std::uint64_t number = group.copies[{copy.site, copy.globalId}]++;
    if (copy.events.front() != unknownEvent) group.events[copy.events.front()] = (number << 32) + copy.site + 1;
  }

  void copiesAwaited(const device::ObservedCopy& wait) override {
    const std::lock_guard lock(mutex_);
    Group& group = groupOf(wait.globalId);
    std::uint64_t all = wait.events.size();
    for (const std::uint64_t event : wait.events) {
      const auto found = group.events.find(event);
      if (found == group.events.end()) return;
      all = all * 0x9FB21C651E98DF25u + found->second;
    }
    add(group, {wait.site, 0}, {all, wait.globalId});
  }

  void end(bool completed) override {
    const std::lock_guard lock(mutex_);
    if (completed)
      for (auto& [thread, group] : groups_) compare(group);
  }

private:
  struct Given {
    std::uint64_t value = 0;
    device::GlobalId id{};
  };
  using Place = std::pair<std::uint32_t, std::uint32_t>;  ///< a site, and ObservedUniform::group
  struct Calls {
    std::vector<Given> first{};  ///< arguments of each call in turn, by the work-item that made it first
    Given other{}, before{};     ///< the first one that differs, and what it differs from
    bool differs = false;
    std::uint64_t all = 0;
  };
  using ByItem = std::map<std::pair<std::uint32_t, device::GlobalId>, std::uint64_t>;
  struct Group {
    device::GlobalId first{};
    std::map<Place, Calls> calls{};                   ///< since the last barrier
    ByItem counts{};                                  ///< each work-item's number of these, by site
    ByItem copies{};                                  ///< that it has begun
    std::map<std::uint64_t, std::uint64_t> events{};  ///< which of these an event is of
  };

  Group& groupOf(const device::GlobalId& id) {
    device::GlobalId first{};
    const device::NDRange& range = scene_.launch.range;
    for (std::size_t d = 0; d < 3; ++d) first[d] = id[d] - (id[d] - range.offset[d]) % range.local[d];
    const auto [found, isNew] = groups_.try_emplace(std::this_thread::get_id());
    Group& group = found->second;
    if (isNew || group.first != first) {
      compare(group);
      group = {.first = first};
    }
    return group;
  }

  static void add(Group& group, const Place& place, const Given& given) {
    Calls& calls = group.calls[place];
    ++calls.all;
    const std::uint64_t index = group.counts[{place.first, given.id}]++;
    if (index >= calls.first.size()) {
      calls.first.push_back(given);
    } else if (const Given& before = calls.first[index]; before.value != given.value && !calls.differs) {
      calls.differs = true;
      calls.before = before;
      calls.other = given;
    }
  }

  /// Where not all work-items have made all calls it is not known which belong together, and something else is wrong.
  void compare(Group& group) const {
    for (const auto& [place, calls] : group.calls) {
      const std::uint64_t items = itemsOf(group);
      const bool areAll = place.second != 0 || calls.all == items * calls.first.size();
      if (calls.differs && areAll) report(place, calls);
    }
    group.calls.clear();
    group.counts.clear();
  }

  std::uint64_t itemsOf(const Group& group) const {
    const device::NDRange& range = scene_.launch.range;
    std::uint64_t items = 1;
    for (std::size_t d = 0; d < 3; ++d)  // groups are smaller at the upper edges
      items *= std::min(range.local[d], range.offset[d] + range.global[d] - group.first[d]);
    return items;
  }

  void report(const Place& place, const Calls& calls) const {
    const compiler::Site& site = scene_.site(place.first);
    Finding finding;
    finding.kind = Kind::DifferentArguments;
    finding.kernel = scene_.launch.kernel.name;
    const std::string what = site.variable.empty() ? "the list of events" : fmt::format("'{}'", site.variable);
    finding.summary = fmt::format("{} of this call differs between work-items of a {} of kernel '{}'", what,
                                  place.second ? "sub-group" : "work-group", finding.kernel);
    finding.party.place = site;
    const std::string first = scene_.workItem(calls.before.id), other = scene_.workItem(calls.other.id);
    if (site.variable.empty()) {
      finding.party.what = fmt::format("{} waits for other copies than {}", other, first);
    } else if (site.elementBytes != 0) {
      const auto apart = static_cast<std::int64_t>(calls.other.value - calls.before.value);
      finding.party.what = fmt::format("{} gives an address {} bytes {} that of {}", other, apart < 0 ? -apart : apart,
                                       apart < 0 ? "ahead of" : "behind", first);
    } else {
      finding.party.what = fmt::format("{} gives {}, {} gives {}", first, valueText(site, calls.before.value), other,
                                       valueText(site, calls.other.value));
    }
    finding.object = site.variable;
    scene_.add(finding);
  }

  static std::string valueText(const compiler::Site& site, std::uint64_t value) {
    return site.variable == "flags" ? support::fenceFlagNames(value) : fmt::format("{}", value);
  }

  const LaunchScene& scene_;
  std::mutex mutex_;
  std::map<std::thread::id, Group> groups_;  ///< that threads execute
};

}  // namespace

Check uniformCheck(const LaunchScene& scene) { return std::make_unique<UniformCheck>(scene); }

}  // namespace clarity::check
