// SPDX-License-Identifier: Apache-2.0
// This file hands the events of a launch to the checks that need them.
#include "check/kernel/kernel_checker.h"

#include "check/host/host_checker.h"
#include "check/kernel/access_record.h"
#include "check/kernel/checks.h"
#include "device/executable.h"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace clarity::check {
namespace {

/// The most work-items of a work-group that cells can tell apart, those of copies included.
constexpr std::size_t mostItemsOfCells = support::RaceCell::noOther / 2;

/// Whether what a launch accesses is compared with other commands.
bool isCompared(std::uint64_t command) { return command != 0 && !(command & HostChecker::onlyNamed); }

class LaunchChecker;
/// The use of a value that this thread has seen last.
struct LastValue {
  const LaunchChecker* launch = nullptr;
  std::uint32_t site = 0;
  device::GlobalId globalId{};
};
thread_local LastValue lastValue;

class LaunchChecker final : public device::LaunchObserver {
public:
  LaunchChecker(const device::ObservedLaunch& launch, Reporter& reporter, unsigned groups) : scene_{launch, reporter} {
    const bool looksAtCells = compiler::looksAtCells(launch.instrumentation);
    if (!looksAtCells && isCompared(launch.command) && (groups & static_cast<unsigned>(Group::Races)))
      record_ = accessRecorder(scene_, [command = launch.command](std::vector<MemoryAccess> accesses) {
        HostChecker::accessed(command, std::move(accesses));
      });
    const auto has = [&](Group group) { return (groups & static_cast<unsigned>(group)) != 0; };
    const bool ofAccesses = has(Group::Memory) || has(Group::Bounds);
    if (ofAccesses) memory_ = memoryCheck(scene_);
    if (has(Group::Uninitialised)) values_ = valueCheck(scene_);
    arithmetic_ = arithmeticCheck(scene_, groups);
    if (has(Group::Barriers)) barriers_ = barrierCheck(scene_);
    if (has(Group::Barriers)) loops_ = loopCheck(scene_);
    if (has(Group::Barriers)) copies_ = copyCheck(scene_);
    if (has(Group::Barriers)) uniform_ = uniformCheck(scene_);
    if (ofAccesses) faults_ = faultCheck(scene_);
    if (has(Group::Memory) && !looksAtCells) overlaps_ = overlapCheck(scene_);
    if (has(Group::Races)) races_ = looksAtCells ? cellRaceCheck(scene_) : raceCheck(scene_);
  }
  void access(const device::ObservedAccess& access) override {
    if (overlaps_) overlaps_->access(access);
    if (races_) races_->access(access);
    if (record_) record_->access(access);
  }
  void enter(support::RaceInterval& interval) override { races_->enter(interval); }
  void leave(support::RaceInterval& interval) override { races_->leave(interval); }
  void undecided(const device::UndecidedAccess& access, support::RaceInterval& interval) override {
    races_->undecided(access, interval);
  }
  void refused(const device::RefusedAccess& access) override {
    const device::ObservedAccess& made = access.access;
    hasRefused_ = true;
    if (memory_ && !isConsequence(made.site, made.globalId, compiler::SiteKind::Address)) memory_->refused(access);
  }
  void texel(const device::ObservedTexel& texel) override {
    if (memory_) memory_->texel(texel);
  }
  void channels(const device::ObservedChannels& channels) override {
    if (memory_) memory_->channels(channels);
  }
  void sampler(const device::ObservedSampler& sampler) override {
    if (memory_) memory_->sampler(sampler);
  }
  void uniform(const device::ObservedUniform& uniform) override {
    if (uniform_) uniform_->uniform(uniform);
  }
  void subGroup(const device::ObservedSubGroup& subGroup) override {
    if (barriers_) barriers_->subGroup(subGroup);
  }
  void subGroupMeets(std::uint32_t flags, const device::GlobalId& id) override {
    if (races_) races_->subGroupMeets(flags, id);
  }
  void copyBegins(const device::ObservedCopy& copy) override {
    if (copies_) copies_->copyBegins(copy);
    if (uniform_) uniform_->copyBegins(copy);
    if (races_) races_->copyBegins(copy);
  }
  void copiesAwaited(const device::ObservedCopy& copies) override {
    if (copies_) copies_->copiesAwaited(copies);
    if (uniform_) uniform_->copiesAwaited(copies);
    if (races_) races_->copiesAwaited(copies);
  }
  void uninitialised(const device::ObservedValue& value) override {
    if (!values_) return;
    values_->uninitialised(value);
    lastValue = {this, value.site, value.globalId};
  }
  void arithmetic(const device::ObservedArithmetic& arithmetic) override {
    if (arithmetic_ && !isConsequence(arithmetic.site, arithmetic.globalId, compiler::SiteKind::Divisor))
      arithmetic_->arithmetic(arithmetic);
  }
  void fence(const device::ObservedFence& fence) override {
    if (races_) races_->fence(fence);
  }
  void region(const device::ObservedRegion& region) override {
    if (races_) races_->region(region);
    if (barriers_) barriers_->region(region);
    if (copies_) copies_->region(region);
    if (uniform_) uniform_->region(region);
  }
  void barriers(const device::ObservedBarriers& barriers) override {
    if (barriers_) barriers_->barriers(barriers);
  }
  /// An access that was refused has read 0, which the loop may wait for in vain.
  void loops(const device::ObservedLoops& loops) override {
    if (loops_ && !hasRefused_) loops_->loops(loops);
  }
  void fault(const device::ObservedFault& fault) override {
    if (faults_) faults_->fault(fault);
  }
  void end(bool completed) override {
    for (const Check* check :
         {&memory_, &values_, &arithmetic_, &barriers_, &copies_, &uniform_, &races_, &overlaps_, &record_})
      if (*check) (*check)->end(completed);
  }

private:
  /// An address or divisor that was computed from a value never written, which has been reported, may be any.
  bool isConsequence(std::uint32_t site, const device::GlobalId& id, compiler::SiteKind kind) const {
    if (lastValue.launch != this || lastValue.globalId != id) return false;
    const compiler::Site &use = scene_.site(lastValue.site), &here = scene_.site(site);
    return use.kind == kind && use.line == here.line && use.column == here.column;
  }

  LaunchScene scene_;
  std::atomic<bool> hasRefused_{false};
  Check memory_, values_, arithmetic_, barriers_, loops_, copies_, uniform_, faults_, overlaps_, races_, record_;
};

template <class Numbers>
std::string tuple(const Numbers& numbers, std::uint32_t dimensions) {
  std::string text = fmt::format("({}", numbers[0]);
  for (std::uint32_t d = 1; d < dimensions; ++d) text += fmt::format(", {}", numbers[d]);
  return text + ")";
}

}  // namespace

void LaunchScene::add(Finding finding) const {
  const device::NDRange& range = launch.range;
  const auto sizes = [&](const std::array<std::size_t, 3>& of) {
    return range.dims == 1 ? fmt::format("{}", of[0]) : tuple(of, range.dims);
  };
  finding.call = launch.command & ~HostChecker::onlyNamed;
  finding.launch.what = fmt::format("global size {}, local size {}", sizes(range.global), sizes(range.local));
  if (range.offset != std::array<std::size_t, 3>{}) finding.launch.what += ", offset " + sizes(range.offset);
  reporter.add(finding);
}

std::string LaunchScene::workGroup(const device::GlobalId& id) const {
  device::GlobalId group{};
  for (std::size_t d = 0; d < 3; ++d) group[d] = (id[d] - launch.range.offset[d]) / launch.range.local[d];
  return tuple(group, launch.range.dims);
}

std::string LaunchScene::workItem(const device::GlobalId& id) const {
  return fmt::format("work-item {} of work-group {}", tuple(id, launch.range.dims), workGroup(id));
}

std::string LaunchScene::named(const compiler::KernelInfo& kernel, std::uint32_t argument) {
  const std::string& name = kernel.args[argument].name;
  return fmt::format("argument {}{}", argument, name.empty() ? "" : " '" + name + "'");
}

std::string LaunchScene::objectOf(const compiler::Site& site) const {
  using compiler::SiteObject;
  const std::string name = site.variable.empty() ? "" : fmt::format(" '{}'", site.variable);
  switch (site.object) {
    case SiteObject::Argument: return named(launch.kernel, site.argument);
    case SiteObject::Local: return "local variable" + name;
    case SiteObject::Private: return "private variable" + name;
    case SiteObject::Global: return "program-scope variable" + name;
    case SiteObject::Constant: return "constant" + name;
    case SiteObject::Member: return "the array in a structure";
    case SiteObject::Unknown: break;
  }
  return name.empty() ? "memory" : "what" + name + " points at";
}

compiler::Instrumentation KernelChecker::instrumentation() const {
  using enum compiler::Instrumentation;
  if (has(Group::Races)) return has(Group::Uninitialised) ? CheckAll : CheckRaces;
  if (has(Group::Uninitialised)) return CheckValues;
  const bool checksMore = has(Group::Memory) || has(Group::Barriers) || has(Group::Arithmetic) ||
                          has(Group::Overflow) || has(Group::NotFinite);
  return checksMore ? CheckAllowed : Bounds;
}

/// Some checks need every access, in order: what kernels access is compared with other commands, restrict arguments are
/// compared with each other, and atomic operations or sub-groups order accesses.
compiler::Instrumentation KernelChecker::instrumentationOf(const device::Launch& launch) const {
  const compiler::Instrumentation usual = instrumentation();
  if (!compiler::looksAtCells(usual)) return usual;
  const auto& local = launch.range.local;
  const bool needsAll = local[0] * local[1] * local[2] > mostItemsOfCells || isCompared(launch.command) ||
                        launch.info->ordersByAtomics || launch.info->usesSubGroups ||
                        (has(Group::Memory) && mayOverlap(launch)) || support::RaceMemory::get().mask == 0;
  return needsAll ? compiler::Instrumentation::Check : usual;
}

std::unique_ptr<device::LaunchObserver> KernelChecker::begin(const device::ObservedLaunch& launch) {
  return std::make_unique<LaunchChecker>(launch, reporter_, groups_);
}

void KernelChecker::launches(const device::Launch& launch) { reporter_.launched(launch.info->name); }

void KernelChecker::cannotObserve(const compiler::KernelInfo& kernel, std::string_view why) {
  reporter_.leftOut(kernel.name, why);
}

}  // namespace clarity::check
