// SPDX-License-Identifier: Apache-2.0
// This file says where a value that was never written comes from, and what it is used for.
#include "check/kernel/checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace clarity::check {
namespace {

using compiler::Site;
using compiler::SiteKind;

constexpr std::uint32_t localAddressSpace = 3;  // Site::addressSpace

const char* useOf(SiteKind kind) {
  switch (kind) {
    case SiteKind::Branch: return "decides a branch by";
    case SiteKind::Address: return "computes an address from";
    case SiteKind::Divisor: return "divides by";
    case SiteKind::AtomicUpdate:
    case SiteKind::AtomicRead:
    case SiteKind::AtomicWrite: return "atomically updates";
    default: return "outputs";
  }
}

/// Empty: that of the kind.
std::string helpFor(const Site* origin) {
  using compiler::SiteObject;
  if (!origin) return {};
  if (origin->kind == SiteKind::EndedScope)
    return "declare the variable in the block that uses it, and return no pointers to a function's variables";
  if (origin->kind == SiteKind::Declaration || origin->object == SiteObject::Private)
    return "give the variable a value where it is declared";
  if (origin->object == SiteObject::Argument && origin->addressSpace != localAddressSpace)
    return "write the buffer before the kernel reads it: clEnqueueWriteBuffer, clEnqueueFillBuffer, another kernel";
  if (origin->object == SiteObject::Local || origin->object == SiteObject::Argument)
    return "let the work-items write local memory, all of what is read, and put a barrier before it is read";
  return {};
}

class ValueCheck final : public device::LaunchObserver {
public:
  explicit ValueCheck(const LaunchScene& scene) : scene_(scene) {}

  void uninitialised(const device::ObservedValue& value) override {
    const Site& site = scene_.site(value.site);
    const Site* const origin = value.origin < scene_.launch.sites.size() ? &scene_.site(value.origin) : nullptr;
    Finding finding;
    finding.kind = Kind::Uninitialised;
    finding.kernel = scene_.launch.kernel.name;
    finding.object = origin ? scene_.objectOf(*origin) : "a value";
    const bool isEnded = origin && origin->kind == SiteKind::EndedScope;
    finding.summary = fmt::format("kernel '{}' {} {}, {}", finding.kernel, useOf(site.kind), finding.object,
                                  isEnded ? "whose scope has ended" : "which was never written");
    finding.party = {site, fmt::format("{} {} {}", scene_.workItem(value.globalId), useOf(site.kind),
                                       origin ? elementText(*origin, value.address) : finding.object)};
    finding.help = helpFor(origin);
    const bool isElsewhere = origin && (origin->line != site.line || origin->file != site.file);
    if (isElsewhere && (origin->kind == SiteKind::Declaration || (isEnded && value.address == 0)))
      finding.others.push_back({*origin, fmt::format("'{}' is declared here", origin->variable)});
    else if (isElsewhere)
      finding.others.push_back({*origin, "the value is read here"});
    if (value.address == 0) return scene_.add(finding);
    finding.memory = value.address;
    const std::lock_guard lock(mutex_);
    later_.try_emplace(finding.object, std::move(finding));
  }

  /// Memory may not have been written because of another mistake, which is reported in its place.
  void end(bool) override {
    for (const auto& [object, finding] : later_)
      if (!scene_.reporter.explains(finding)) scene_.add(finding);
  }

private:
  std::string elementText(const Site& origin, std::uint64_t address) const {
    const std::uint64_t element = std::max(origin.elementBytes, 1u);
    for (const device::ObservedMemory& buffer : scene_.launch.buffers)
      if (address - buffer.address < buffer.bytes)
        return fmt::format("element {} of {} ({} bytes each), which no command has written",
                           (address - buffer.address) / element,
                           LaunchScene::named(scene_.launch.kernel, buffer.argument), element);
    if (origin.kind == SiteKind::EndedScope) return scene_.objectOf(origin) + ", whose scope has ended";
    return fmt::format(
        "{}, which this work-item {}", scene_.objectOf(origin),
        origin.object == compiler::SiteObject::Private ? "has not written" : "finds as no work-item has written it");
  }

  const LaunchScene& scene_;
  std::mutex mutex_;
  std::map<std::string, Finding> later_;  ///< the first one of each object in memory
};

}  // namespace

Check valueCheck(const LaunchScene& scene) { return std::make_unique<ValueCheck>(scene); }

}  // namespace clarity::check
