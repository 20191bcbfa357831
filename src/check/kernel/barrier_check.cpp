// SPDX-License-Identifier: Apache-2.0
// This file compares where the work-items of a work-group wait.
#include "check/kernel/checks.h"
#include "device/executable.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace clarity::check {
namespace {

/// The work-items that wait at one barrier, or have returned.
struct Waiting {
  std::uint64_t count = 0, first = 0;  ///< `first`: linear local id
};

/// The function of the work-group that is called there, as the source has it; "barrier" of all others.
std::string functionAt(const compiler::Site& site) {
  const std::size_t begin = site.column - site.indent - 1;
  if (site.column <= site.indent || begin >= site.text.size()) return "barrier";
  const std::string_view rest = std::string_view(site.text).substr(begin);
  const std::string_view name =
      rest.substr(0, rest.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_ABCDEFGHIJKLMNOPQRSTUVWXYZ"));
  const bool isNamed = name.starts_with("work_group_") || name.starts_with("async_work_group_");
  return isNamed && name != "work_group_barrier" ? std::string(name) : "barrier";
}

class BarrierCheck;
/// The check that has reported the work-group that this thread executes.
thread_local const BarrierCheck* reported = nullptr;

class BarrierCheck final : public device::LaunchObserver {
public:
  explicit BarrierCheck(const LaunchScene& scene) : scene_(scene) {}

  void region(const device::ObservedRegion& region) override {
    if (region.site == device::kernelBegins) reported = nullptr;
  }

  /// Events in a work-group whose work-items have diverged are consequences, and are left out.
  void barriers(const device::ObservedBarriers& barriers) override {
    if (reported == this) return;
    std::map<std::uint32_t, Waiting> places;  // by site
    for (std::uint64_t item = 0; item < barriers.next.size(); ++item) {
      const std::uint32_t next = barriers.next[item];
      Waiting& waiting = places[next == device::hasReturned ? device::hasReturned : barriers.sites[next]];
      if (waiting.count++ == 0) waiting.first = item;
    }
    if (places.size() < 2) return;
    reported = this;
    report(places, barriers.firstId);
  }

  void subGroup(const device::ObservedSubGroup& subGroup) override {
    Finding finding;
    finding.kind = Kind::BarrierDivergence;
    finding.kernel = scene_.launch.kernel.name;
    finding.summary =
        fmt::format("not all work-items of a sub-group of kernel '{}' call this function", finding.kernel);
    finding.party = {scene_.site(subGroup.site),
                     fmt::format("{} is one of {} that call it, of the {} of its sub-group",
                                 scene_.workItem(subGroup.globalId), subGroup.here, subGroup.all)};
    scene_.add(finding);
  }

private:
  void report(const std::map<std::uint32_t, Waiting>& places, const device::GlobalId& firstId) const {
    Finding finding;
    finding.kind = Kind::BarrierDivergence;
    finding.kernel = scene_.launch.kernel.name;
    for (const auto& [site, waiting] : places) {
      Party party;
      const std::string group = scene_.workGroup(firstId), id = localId(waiting.first, firstId);
      const std::string who = waiting.count == 1
                                  ? fmt::format("the work-item of work-group {} with local id {}", group, id)
                                  : fmt::format("{} work-items of work-group {}, the first of them with local id {},",
                                                waiting.count, group, id);
      if (site == device::hasReturned) {
        party.what = who + (waiting.count == 1 ? " has returned" : " have returned");
      } else {
        party.place = scene_.site(site);
        party.what = who + (waiting.count == 1 ? " waits here" : " wait here");
      }
      if (finding.party.place.line == 0 && site != device::hasReturned)
        finding.party = std::move(party);
      else
        finding.others.push_back(std::move(party));
    }
    finding.summary = fmt::format("not all work-items of a work-group of kernel '{}' reach this {}", finding.kernel,
                                  functionAt(finding.party.place));
    scene_.add(finding);
  }

  std::string localId(std::uint64_t linear, const device::GlobalId& firstId) const {
    const device::NDRange& range = scene_.launch.range;
    std::array<std::size_t, 3> local{};  // smaller at the upper edges
    for (std::size_t d = 0; d < 3; ++d)
      local[d] = std::min(range.local[d], range.offset[d] + range.global[d] - firstId[d]);
    std::string text = fmt::format("({}", linear % local[0]);
    if (scene_.launch.range.dims > 1) text += fmt::format(", {}", linear / local[0] % local[1]);
    if (scene_.launch.range.dims > 2) text += fmt::format(", {}", linear / local[0] / local[1]);
    return text + ")";
  }

  const LaunchScene& scene_;
};

}  // namespace

Check barrierCheck(const LaunchScene& scene) { return std::make_unique<BarrierCheck>(scene); }

}  // namespace clarity::check
