// SPDX-License-Identifier: Apache-2.0
// This file says which loops a work-item does not leave.
#include "check/kernel/checks.h"

#include <fmt/format.h>

namespace clarity::check {
namespace {

class LoopCheck final : public device::LaunchObserver {
public:
  explicit LoopCheck(const LaunchScene& scene) : scene_(scene) {}

  void loops(const device::ObservedLoops& loops) override {
    if (loops.sites.empty()) return;
    Finding finding;
    finding.kind = Kind::EndlessKernel;
    finding.kernel = scene_.launch.kernel.name;
    finding.summary = fmt::format("kernel '{}' does not end", finding.kernel);
    finding.party = {scene_.site(loops.sites.front()),
                     fmt::format("{} does not leave this loop; the launch was ended", scene_.workItem(loops.globalId))};
    for (const std::uint32_t site : loops.sites.subspan(1))
      finding.others.push_back({scene_.site(site), "nor this one"});
    scene_.add(finding);
  }

private:
  const LaunchScene& scene_;
};

}  // namespace

Check loopCheck(const LaunchScene& scene) { return std::make_unique<LoopCheck>(scene); }

}  // namespace clarity::check
