// SPDX-License-Identifier: Apache-2.0
// This file makes the finding of a data race.
#include "check/kernel/race_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace clarity::check {
namespace {

using compiler::Site;

const char* verb(const Site& site) {
  if (site.kind == compiler::SiteKind::AtomicUpdate) return "atomically updates";
  if (compiler::isAtomic(site.kind)) return compiler::writes(site.kind) ? "atomically writes" : "atomically reads";
  return compiler::writes(site.kind) ? "writes" : "reads";
}

std::string elementText(const LaunchScene& scene, const Site& site, std::uint64_t address) {
  const std::uint64_t element = std::max(site.elementBytes, 1u);
  for (const device::ObservedMemory& buffer : scene.launch.buffers)
    if (address - buffer.address < buffer.bytes)
      return fmt::format("element {} of {}", (address - buffer.address) / element,
                         LaunchScene::named(scene.launch.kernel, buffer.argument));
  return scene.objectOf(site);
}

}  // namespace

void reportRace(const LaunchScene& scene, const Race& race) {
  Finding finding;
  finding.kind = race.isLocal ? Kind::LocalRace : Kind::GlobalRace;
  finding.kernel = scene.launch.kernel.name;
  finding.object = scene.objectOf(race.site);
  finding.summary = fmt::format("data race of kernel '{}' in {} memory: {}", finding.kernel,
                                race.isLocal ? "local" : "global", finding.object);
  finding.writesSameValue = race.writesSameValue;
  const char* const why = race.isUnderWay         ? "and has not waited for the event of the copy"
                          : !race.isBehindBarrier ? "with nothing to order it after the other access"
                          : race.isLocal
                              ? "behind a barrier without the flag CLK_LOCAL_MEM_FENCE, which local memory needs"
                              : "behind a barrier without the flag CLK_GLOBAL_MEM_FENCE, which global memory needs";
  finding.party = {race.site, fmt::format("{} {} {}, {}{}", scene.workItem(race.id), verb(race.site),
                                          elementText(scene, race.site, race.address), why,
                                          race.writesSameValue ? "; both write the same value" : "")};
  finding.others.push_back(
      {race.otherSite, fmt::format("{} {} the same memory", scene.workItem(race.otherId), verb(race.otherSite))});
  if (!race.isLocal) finding.memory = race.address;
  finding.isOfTwoArguments = !race.isLocal && scene.objectOf(race.otherSite) != finding.object;
  scene.add(finding);
}

}  // namespace clarity::check
