// SPDX-License-Identifier: Apache-2.0
// This file holds a program in all parts.
#include "device/joined/executable.h"

#include "device/host/code_table.h"

#include <algorithm>
#include <utility>

namespace clarity::device::joined {
std::vector<double> Parts::weights() const {
  if (rule.kind == ShareRule::Kind::Fixed) return rule.weights;
  std::vector<double> all;
  for (const auto& each : devices) {
    const Properties& p = each->properties();
    // A multiprocessor of a GPU computes as much as several processors do.
    const double perUnit = p.type == CL_DEVICE_TYPE_GPU ? 8 : 1;
    all.push_back(perUnit * std::max(p.computeUnits, 1u) * std::max(p.clockMHz, 1u));
  }
  return all;
}

const compiler::AccessSummary& JoinedKernel::accesses(const compiler::CompiledProgram& compiled,
                                                      const compiler::KernelInfo& info) {
  std::call_once(read_, [&] { accesses_ = compiler::accessesOf(compiled, info.name); });
  return accesses_;
}

std::shared_ptr<const JoinedKernel::Ranges> JoinedKernel::rangesOf(const compiler::CompiledProgram& compiled,
                                                                   const Launch& launch,
                                                                   const std::vector<GroupBox>& boxes) {
  const auto isOfLaunch = [&](const Kept& kept) {
    return kept.ranges && kept.range == launch.range && std::ranges::equal(kept.args, launch.args) &&
           kept.boxes == boxes;
  };
  {
    const std::lock_guard lock(mutex_);
    for (const Kept& kept : kept_)
      if (isOfLaunch(kept)) return kept.ranges;
  }
  const compiler::AccessSummary& summary = accesses(compiled, *launch.info);
  auto ranges = std::make_shared<Ranges>();
  for (const GroupBox& box : boxes) {
    const compiler::AccessedBox sizes{.offset = launch.range.offset,
                                      .global = launch.range.global,
                                      .local = launch.range.local,
                                      .firstGroup = box.first,
                                      .groups = box.count,
                                      .dims = launch.range.dims};
    ranges->push_back(compiler::accessedBy(summary, sizes, {launch.args.data(), launch.args.size()}));
  }
  const std::lock_guard lock(mutex_);
  kept_[oldest_] = {launch.range, {launch.args.begin(), launch.args.end()}, boxes, ranges};
  oldest_ = 1 - oldest_;
  return ranges;
}

JoinedExecutable::JoinedExecutable(std::shared_ptr<const compiler::CompiledProgram> compiled, const Parts& parts)
    : compiled_(std::move(compiled)), parts_(parts) {
  for (const auto& device : parts_.devices) executables_.push_back(device->load(compiled_));
  for (std::size_t i = 0; i < compiled_->kernels.size(); ++i)
    kernels_.push_back(std::make_unique<JoinedKernel>(parts_.weights()));
}

JoinedKernel* JoinedExecutable::kernelOf(const compiler::KernelInfo& info) {
  const std::size_t index = host::indexOf(*compiled_, info);
  return index < kernels_.size() ? kernels_[index].get() : nullptr;
}

Executable& JoinedExecutable::part(PartIndex part) {
  std::call_once(sourceIsSet_, [this] {
    for (const auto& each : executables_) each->setSource(source());
  });
  return *executables_[part];
}

void JoinedExecutable::prepareAhead(const Launch& launch, Runs runs) {
  for (PartIndex part = 0; part < parts_.count(); ++part)
    executables_[part]->prepareAhead(launchOn(part, launch, parts_), runs);
}

void JoinedExecutable::prepareKernel(const compiler::KernelInfo& info) {
  for (const auto& each : executables_) each->prepareKernel(info);
}

std::size_t JoinedExecutable::largestGroup(const compiler::KernelInfo& info) {
  std::size_t largest = 0;
  for (const auto& each : executables_)
    if (const std::size_t own = each->largestGroup(info)) largest = largest ? std::min(largest, own) : own;
  return largest;
}

Launch launchOn(PartIndex part, const Launch& launch, const Parts& parts) {
  Launch own = launch;
  own.executable = &static_cast<JoinedExecutable&>(*launch.executable).part(part);
  if (parts.shareMemory) return own;
  for (BufferArgument& buffer : own.buffers)
    if (buffer.memory.allocation)
      buffer.memory.allocation = &static_cast<JoinedAllocation&>(*buffer.memory.allocation).copy(part);
  return own;
}

void keepGroups(Launch& launch, const GroupBox& groups) {
  NDRange& range = launch.range;
  launch.whole = {.isDivided = true, .offset = range.offset, .global = range.global, .firstGroup = groups.first};
  for (std::size_t d = 0; d < 3; ++d) {
    const std::size_t before = groups.first[d] * range.local[d];
    range.offset[d] += before;
    range.global[d] = std::min(groups.count[d] * range.local[d], range.global[d] - before);
  }
}

}  // namespace clarity::device::joined
