// SPDX-License-Identifier: Apache-2.0
// This file makes the observer of this process.
#include "core/observation.h"

#include "check/kernel_checker.h"
#include "core/config.h"
#include "device/access_table.h"
#include "support/process_end.h"

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

unsigned groupsOf(std::string_view words) {
  static constexpr std::pair<std::string_view, unsigned> known[] = {
      {"all", ~0u},
      {"memory", static_cast<unsigned>(check::Group::Memory)},
      {"uninitialised", static_cast<unsigned>(check::Group::Uninitialised)},
      {"races", static_cast<unsigned>(check::Group::Races)},
      {"barriers", static_cast<unsigned>(check::Group::Barriers)},
      {"arithmetic", static_cast<unsigned>(check::Group::Arithmetic)},
  };
  unsigned groups = 0;
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find(','));
    words.remove_prefix(std::min(words.size(), word.size() + 1));
    const auto found = std::ranges::find(known, word, &std::pair<std::string_view, unsigned>::first);
    if (found == std::end(known))
      fmt::print(stderr,
                 "clarity: CLARITY_CHECK: '{}' is not understood; there are: all, memory, uninitialised, races, "
                 "barriers, arithmetic\n",
                 word);
    else
      groups |= found->second;
  }
  return groups;
}

check::Suppressions suppressions() {
  const std::string& name = config().checkSuppress;
  if (name.empty()) return {};
  std::ifstream file(name);
  if (!file) fmt::print(stderr, "clarity: CLARITY_CHECK_SUPPRESS: '{}' cannot be read\n", name);
  return check::Suppressions(std::string(std::istreambuf_iterator<char>(file), {}));
}

device::Observer* checker() {
  const unsigned groups = groupsOf(config().check);
  if (!groups) return nullptr;
  const bool colour = config().colours && ::isatty(STDERR_FILENO);
  static check::Reporter& reporter = *new check::Reporter({.colour = colour,
                                                           .recordFile = config().checkFile,
                                                           .suppressions = suppressions(),
                                                           .allowsSameValue = config().checkSameValue});
  support::atProcessEnd([] { reporter.finish(); });
  return new check::KernelChecker(reporter, groups, config().checkSeconds);
}

}  // namespace

device::Observer* observer() {
  // Never destroyed: launches may run until the process is gone.
  static device::Observer* const instance = []() -> device::Observer* {
    if (!config().check.empty()) return checker();
    const std::string& wanted = config().observe;
    if (wanted == "accesses")
      return new device::AccessTable([](const std::string& text) { fmt::print(stderr, "{}", text); });
    if (!wanted.empty())
      fmt::print(stderr, "clarity: CLARITY_OBSERVE='{}' is not understood; there is: accesses\n", wanted);
    return nullptr;
  }();
  return instance;
}

std::string observableOptions(std::string options) {
  if (observer()) options += options.empty() ? "-cl-clarity-instrument" : " -cl-clarity-instrument";
  return options;
}

}  // namespace clarity::core
