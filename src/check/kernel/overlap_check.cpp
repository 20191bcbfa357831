// SPDX-License-Identifier: Apache-2.0
// This file finds memory that is written, and that a restrict argument and another one both lead to.
#include "check/kernel/checks.h"
#include "device/executable.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace clarity::check {
namespace {

using compiler::Site;
using device::ObservedMemory;

constexpr std::uint64_t restrictQualifier = 2;  // CL_KERNEL_ARG_TYPE_RESTRICT

/// Two arguments that share memory.
struct Shared {
  std::array<std::uint32_t, 2> arguments{};
  std::uint64_t begin = 0, end = 0;
  /// The first access to each byte by each argument, and the first that writes: a site plus 1.
  std::array<std::vector<std::uint32_t>, 2> any, writing;
};

class OverlapCheck final : public device::LaunchObserver {
public:
  OverlapCheck(const LaunchScene& scene, std::vector<Shared> shared) : scene_(scene), shared_(std::move(shared)) {}

  void access(const device::ObservedAccess& access) override {
    const Site& site = scene_.site(access.site);
    if (site.object != compiler::SiteObject::Argument) return;
    for (Shared& pair : shared_)
      for (std::size_t side = 0; side < 2; ++side)
        if (pair.arguments[side] == site.argument) note(pair, side, access, site);
  }

private:
  void note(Shared& pair, std::size_t side, const device::ObservedAccess& access, const Site& site) const {
    const std::uint64_t begin = std::max(pair.begin, access.address);
    const std::uint64_t end = std::min(pair.end, access.address + access.bytes);
    for (std::uint64_t address = begin; address < end; ++address) {
      const std::uint64_t at = address - pair.begin;
      std::uint32_t& any = pair.any[side][at];
      std::uint32_t& writing = pair.writing[side][at];
      const bool writes = compiler::writes(site.kind);
      if (any && (!writes || writing)) continue;
      if (!any) any = access.site + 1;
      if (writes) writing = access.site + 1;
      const std::uint32_t other = writes ? pair.any[1 - side][at] : pair.writing[1 - side][at];
      if (other) return report(pair, side, access, address, other - 1);
    }
  }

  void report(const Shared& pair, std::size_t side, const device::ObservedAccess& access, std::uint64_t address,
              std::uint32_t otherSite) const {
    const Site &site = scene_.site(access.site), &other = scene_.site(otherSite);
    const std::string mine = LaunchScene::named(scene_.launch.kernel, pair.arguments[side]);
    const std::string others = LaunchScene::named(scene_.launch.kernel, pair.arguments[1 - side]);
    Finding finding;
    finding.kind = Kind::OverlappingArguments;
    finding.kernel = scene_.launch.kernel.name;
    finding.object = fmt::format("{} and {}", std::min(mine, others), std::max(mine, others));
    finding.summary = fmt::format("kernel '{}' writes memory that {} share, and one is declared restrict",
                                  finding.kernel, finding.object);
    finding.party = {
        site,
        fmt::format("{} {} {}, {} bytes behind the beginning of what they share", scene_.workItem(access.globalId),
                    compiler::writes(site.kind) ? "writes through" : "reads through", mine, address - pair.begin)};
    finding.others.push_back({other, fmt::format("the same memory is {} through {} here",
                                                 compiler::writes(other.kind) ? "written" : "read", others)});
    scene_.add(finding);
  }

  const LaunchScene& scene_;
  std::vector<Shared> shared_;
};

bool isRestrict(const LaunchScene& scene, const ObservedMemory& memory) {
  return (scene.launch.kernel.args[memory.argument].typeQualifiers & restrictQualifier) != 0;
}

}  // namespace

bool mayOverlap(const device::Launch& launch) {
  const auto& buffers = launch.buffers;
  const auto isRestrict = [&](const device::BufferArgument& buffer) {
    return (launch.info->args[buffer.argument].typeQualifiers & restrictQualifier) != 0;
  };
  const auto begins = [](const device::BufferArgument& buffer) {
    const std::size_t before = buffer.isInside ? buffer.memory.offset : 0;
    return reinterpret_cast<std::uintptr_t>(buffer.memory.hostAddress()) - before;
  };
  const auto ends = [](const device::BufferArgument& buffer) {
    return reinterpret_cast<std::uintptr_t>(buffer.memory.hostAddress()) + buffer.bytes;
  };
  for (std::size_t i = 0; i < buffers.size(); ++i)
    for (std::size_t k = i + 1; k < buffers.size(); ++k)
      if ((isRestrict(buffers[i]) || isRestrict(buffers[k])) && begins(buffers[i]) < ends(buffers[k]) &&
          begins(buffers[k]) < ends(buffers[i]))
        return true;
  return false;
}

Check overlapCheck(const LaunchScene& scene) {
  std::vector<Shared> shared;
  const auto& buffers = scene.launch.buffers;
  for (std::size_t i = 0; i < buffers.size(); ++i)
    for (std::size_t k = i + 1; k < buffers.size(); ++k) {
      const ObservedMemory &first = buffers[i], &second = buffers[k];
      if (!isRestrict(scene, first) && !isRestrict(scene, second)) continue;
      Shared pair{.arguments = {first.argument, second.argument},
                  .begin = std::max(first.address, second.address),
                  .end = std::min(first.address + first.bytes, second.address + second.bytes),
                  .any = {},
                  .writing = {}};
      if (pair.begin >= pair.end) continue;
      for (auto* sites : {&pair.any, &pair.writing})
        for (auto& side : *sites) side.resize(pair.end - pair.begin);
      shared.push_back(std::move(pair));
    }
  return shared.empty() ? nullptr : std::make_unique<OverlapCheck>(scene, std::move(shared));
}

}  // namespace clarity::check
