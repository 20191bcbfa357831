// SPDX-License-Identifier: Apache-2.0
// This file lists the GPUs that LLVM 22 knows.
#include "compiler/nvptx/capability.h"

#include "compiler/ir/target.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <ranges>

namespace clarity::compiler::nvptx {
namespace {

struct KnownGpu {
  Capability capability;
  unsigned ptx;
};

/// In ascending order. Left out are 3.x, and names with a letter, whose PTX is for no later GPU.
constexpr KnownGpu knownGpus[] = {{50, 80}, {52, 80},  {53, 80},  {60, 80},  {61, 80},  {62, 80},  {70, 80},
                                  {72, 80}, {75, 80},  {80, 80},  {86, 80},  {87, 80},  {88, 90},  {89, 80},
                                  {90, 80}, {100, 86}, {101, 86}, {103, 88}, {110, 90}, {120, 87}, {121, 88}};
static_assert(std::ranges::is_sorted(knownGpus, {}, &KnownGpu::capability));
static_assert(knownGpus[0].capability == leastCapability);

/// The last that is not newer; of what is older than all, the first.
const KnownGpu& knownGpu(Capability capability) {
  const auto after = std::ranges::upper_bound(knownGpus, capability, {}, &KnownGpu::capability);
  return after == std::begin(knownGpus) ? *after : *std::prev(after);
}

}  // namespace

std::optional<Capability> capabilityNamed(std::string_view name) {
  constexpr std::string_view prefix = "sm_";
  if (!name.starts_with(prefix)) return std::nullopt;
  name.remove_prefix(prefix.size());
  Capability capability = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), capability);
  const bool isName =
      error == std::errc() && end == name.data() + name.size() && (name.size() == 2 || name.size() == 3);
  return isName ? std::optional(capability) : std::nullopt;
}

Capability capabilityOf(const Target& target) { return capabilityNamed(target.cpu).value_or(leastCapability); }

std::string objectionTo(Capability capability) {
  if (capability >= leastCapability) return {};
  return fmt::format("compute capability {}.{}; at least {}.{} is needed", capability / 10, capability % 10,
                     leastCapability / 10, leastCapability % 10);
}

Capability knownCapability(Capability capability) { return knownGpu(capability).capability; }

unsigned ptxVersion(Capability known) { return knownGpu(known).ptx; }

}  // namespace clarity::compiler::nvptx
