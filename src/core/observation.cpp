// SPDX-License-Identifier: Apache-2.0
// This file makes the observer of this process.
#include "core/observation.h"

#include "check/host/host_checker.h"
#include "check/kernel/kernel_checker.h"
#include "core/config.h"
#include "device/access_table.h"
#include "profile/kernel_counter.h"
#include "support/process_end.h"
#include "support/write.h"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string_view>
#include <utility>

namespace clarity::core {

namespace {

/// Checks that report what correct programs do as well.
constexpr unsigned optionalGroups =
    static_cast<unsigned>(check::Group::Overflow) | static_cast<unsigned>(check::Group::NotFinite);

unsigned groupsOf(std::string_view words) {
  static constexpr std::pair<std::string_view, unsigned> known[] = {
      {"all", ~optionalGroups},
      {"bounds", static_cast<unsigned>(check::Group::Bounds)},
      {"memory", static_cast<unsigned>(check::Group::Memory)},
      {"uninitialised", static_cast<unsigned>(check::Group::Uninitialised)},
      {"races", static_cast<unsigned>(check::Group::Races)},
      {"barriers", static_cast<unsigned>(check::Group::Barriers)},
      {"arithmetic", static_cast<unsigned>(check::Group::Arithmetic)},
      {"host", static_cast<unsigned>(check::Group::Host)},
      {"overflow", static_cast<unsigned>(check::Group::Overflow)},
      {"not-finite", static_cast<unsigned>(check::Group::NotFinite)},
  };
  unsigned groups = 0;
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find(','));
    words.remove_prefix(std::min(words.size(), word.size() + 1));
    const auto found = std::ranges::find(known, word, &std::pair<std::string_view, unsigned>::first);
    if (found == std::end(known))
      support::writeToStandardError(
          fmt::format("clarity: CLARITY_CHECK: '{}' is not understood; there are: all, bounds, memory, "
                      "uninitialised, races, barriers, arithmetic, host, overflow, not-finite\n",
                      word));
    else
      groups |= found->second;
  }
  return groups;
}

check::Suppressions suppressions() {
  const std::string& name = config().checkSuppress;
  if (name.empty()) return {};
  std::ifstream file(name);
  if (!file) support::writeToStandardError(fmt::format("clarity: CLARITY_CHECK_SUPPRESS: '{}' cannot be read\n", name));
  return check::Suppressions(std::string(std::istreambuf_iterator<char>(file), {}));
}

/// Bounds alone are to cost next to nothing.
constexpr unsigned hostGroups = ~static_cast<unsigned>(check::Group::Bounds);
constexpr auto ofHost = static_cast<unsigned>(check::Group::Host);

unsigned checkedGroups() {
  static const unsigned groups = config().check.empty() ? 0 : groupsOf(config().check);
  return groups;
}

check::Reporter& reporter() {
  // Never destroyed: launches may run until the process is gone.
  static check::Reporter& instance = *new check::Reporter({.colour = config().colours && ::isatty(STDERR_FILENO) != 0,
                                                           .recordFile = config().checkFile,
                                                           .suppressions = suppressions(),
                                                           .checksKernels = (checkedGroups() & ~ofHost) != 0,
                                                           .checksHost = (checkedGroups() & ofHost) != 0,
                                                           .allowsSameValue = config().checkSameValue});
  return instance;
}

device::Observer* checker() {
  const unsigned ofKernels = checkedGroups() & ~ofHost;
  if (!ofKernels) return nullptr;
  return new check::KernelChecker(reporter(), ofKernels, config().checkSeconds);
}

/// Wants debugged code, which has no events.
class Debugger final : public device::Observer {
public:
  compiler::Instrumentation instrumentation() const override { return compiler::Instrumentation::Debug; }
};

}  // namespace

device::Observer* observer() {
  // Never destroyed: launches may run until the process is gone.
  static device::Observer* const instance = []() -> device::Observer* {
    if (!config().check.empty()) return checker();
    if (config().debug) return new Debugger;
    if (!config().profile.empty() && config().observe.empty()) return new profile::KernelCounter;
    const std::string& wanted = config().observe;
    if (wanted == "accesses")
      return new device::AccessTable([](const std::string& text) { support::writeToStandardError(text); });
    if (!wanted.empty())
      support::writeToStandardError(
          fmt::format("clarity: CLARITY_OBSERVE='{}' is not understood; there is: accesses\n", wanted));
    return nullptr;
  }();
  return instance;
}

bool checksHost() {
  const bool checks = (checkedGroups() & hostGroups) != 0;
  // From the first call on it is known that there is something to check. Where the host program is checked, findings
  // come until all of it has ended.
  [[maybe_unused]] static const bool begun = [checks] {
    if (checkedGroups() == 0) return false;
    (void)reporter();
    if (!checks) support::atProcessEnd([] { reporter().finish(); });
    return true;
  }();
  return checks;
}

check::HostChecker* makeHostChecker(const check::HostServices& services) {
  return checksHost() ? new check::HostChecker(reporter(), checkedGroups(), services) : nullptr;
}

std::uint64_t observedCommand() { return check::HostChecker::currentCommand(); }

void endOfChecks() { reporter().finish(); }

std::string observableOptions(std::string options) {
  const auto add = [&](const char* option) { options = option + (options.empty() ? "" : " " + options); };
  if (observer() && observer()->instrumentation() != compiler::Instrumentation::Count) add("-cl-clarity-instrument");
  if (checkedGroups() & static_cast<unsigned>(check::Group::Overflow)) add("-cl-clarity-check-overflow");
  if (checkedGroups() & static_cast<unsigned>(check::Group::NotFinite)) add("-cl-clarity-check-not-finite");
  return options;
}

}  // namespace clarity::core
