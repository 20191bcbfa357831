// SPDX-License-Identifier: Apache-2.0
// This file makes findings of what the checks of host programs report.
#include "check/host/host_checks.h"
#include "check/host/host_place.h"

#include <utility>

namespace clarity::check {

void HostScene::report(Kind kind, const CallSite& at, std::string summary, std::string what,
                       const std::vector<Other>& others, std::string object, std::string help) const {
  if (!(groups & static_cast<unsigned>(textOf(kind).group))) return;
  const auto partyOf = [](const CallSite& site, std::string text) {
    Party party{placeOf(site.frames), std::move(text)};
    // Without lines, the function of the application.
    if (party.place.line == 0 && !party.place.variable.empty()) party.what += ", in " + party.place.variable;
    return party;
  };
  lastReported = at.number;
  Finding finding;
  finding.kind = kind;
  finding.summary = std::move(summary);
  finding.help = std::move(help);
  finding.party = partyOf(at, std::move(what));
  for (const Other& other : others) {
    finding.others.push_back(partyOf(other.site, other.what));
    finding.others.back().place.calls.clear();
  }
  // Places without a line differ by their function.
  finding.object = finding.party.place.line == 0 ? finding.party.place.variable + object : std::move(object);
  reporter.add(finding);
}

}  // namespace clarity::check
