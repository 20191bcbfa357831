// SPDX-License-Identifier: Apache-2.0
// This file reports what the processor refuses: accesses whose object is not known, by addresses made of integers.
#include "check/kernel/checks.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace clarity::check {
namespace {

/// Checked code reads what a store is about to write over: the processor may refuse the read in place of the store.
std::string withoutDirection(std::string text) {
  constexpr std::string_view read = "read from address";
  if (const std::size_t at = text.find(read); at != std::string::npos)
    text.replace(at, read.size(), "accessed address");
  return text;
}

class FaultCheck final : public device::LaunchObserver {
public:
  explicit FaultCheck(const LaunchScene& scene) : scene_(scene) {}

  void fault(const device::ObservedFault& fault) override {
    Finding finding;
    finding.kind = Kind::Fault;
    finding.kernel = scene_.launch.kernel.name;
    finding.summary = fmt::format("kernel '{}' accesses memory that it may not access", finding.kernel);
    finding.party.place.file = fault.place.file;
    finding.party.place.line = fault.place.line;
    finding.party.place.column = fault.place.column;
    finding.party.place.text = fault.place.text;
    finding.party.what = fmt::format("{}; the launch was ended", withoutDirection(std::string(fault.text)));
    scene_.add(finding);
  }

private:
  const LaunchScene& scene_;
};

}  // namespace

Check faultCheck(const LaunchScene& scene) { return std::make_unique<FaultCheck>(scene); }

}  // namespace clarity::check
