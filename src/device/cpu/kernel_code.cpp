// SPDX-License-Identifier: Apache-2.0
// This file finds and compiles the native code of a launch.
#include "device/cpu/kernel_code.h"

#include <CL/cl.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace clarity::device::cpu {
namespace {

compiler::Shape shapeOf(const NDRange& range, compiler::Shape shape) {
  for (std::size_t d = 0; d < 3; ++d) shape.local[d] = static_cast<std::uint32_t>(range.local[d]);
  return shape;
}

bool isExact(const compiler::Shape& shape) { return shape.local[0] != 0; }

bool hasFullGroups(const NDRange& range) {
  for (std::size_t d = 0; d < 3; ++d)
    if (range.global[d] < range.local[d]) return false;
  return true;
}

bool hasSmallerGroups(const NDRange& range) {
  for (std::size_t d = 0; d < 3; ++d)
    if (range.global[d] % range.local[d] != 0) return true;
  return false;
}

Result failure(const compiler::KernelInfo& info, const compiler::NativeOutcome& outcome) {
  const cl_int code = outcome.status == compiler::Status::OutOfMemory ? CL_OUT_OF_HOST_MEMORY : CL_OUT_OF_RESOURCES;
  return {code, fmt::format("kernel '{}' could not be compiled to native code: {}", info.name,
                            outcome.log.empty() ? "no reason was given" : outcome.log)};
}

}  // namespace

const KernelCode::Table KernelCode::none;

const KernelCode::Entry* KernelCode::Table::find(const compiler::Shape& shape) const {
  for (const Entry& entry : entries)
    if (entry.shape == shape) return &entry;
  return nullptr;
}

void KernelCode::add(Entry entry) {
  const std::lock_guard lock(adding_);
  auto next = std::make_unique<Table>(table());
  next->exact[entry.shape.quick] += isExact(entry.shape);
  next->entries.push_back(std::move(entry));
  tables_.push_back(std::move(next));
  table_.store(tables_.back().get(), std::memory_order_release);
}

bool KernelCode::wantsExact(const compiler::KernelInfo& info, const NDRange& range,
                            const compiler::Shape& exact) const {
  return !info.groupAgnostic && hasFullGroups(range) && !table().find(exact) && table().exact[exact.quick] < mostExact;
}

KernelCode::Choice KernelCode::find(const compiler::KernelInfo& info, const NDRange& range, const compiler::Shape& kind,
                                    bool& complete) const {
  const Table& known = table();
  Choice choice{.instrumentation = kind.instrumentation, .privateReductions = kind.privateReductions};
  complete = true;
  bool anyNeeded = info.groupAgnostic || hasSmallerGroups(range);
  if (!info.groupAgnostic && hasFullGroups(range)) {
    const Entry* const exact = known.find(shapeOf(range, kind));
    if (exact) choice.exact = exact->kernel.get();
    if (!exact && known.exact[kind.quick] < mostExact) complete = false;
    if (!choice.exact) anyNeeded = true;
  }
  if (!anyNeeded) return choice;
  if (const Entry* const any = known.find(kind)) choice.any = any->kernel.get();
  if (!choice.any) complete = false;
  return choice;
}

Result KernelCode::make(const compiler::KernelInfo& info, const NDRange& range, const compiler::Shape& kind,
                        const MakeCode& makeCode, compiler::IfNotKept ifNotKept) {
  const std::lock_guard lock(making_[kind.quick]);
  const auto complete = [&] {
    bool all = false;
    (void)find(info, range, kind, all);
    return all;
  };
  if (complete()) return {};  // another thread has compiled it meanwhile

  const compiler::Shape shape = shapeOf(range, kind);
  if (wantsExact(info, range, shape)) {
    compiler::NativeOutcome outcome = makeCode(info.name, shape, ifNotKept);
    if (outcome.status != compiler::Status::Ok) outcome.kernel = nullptr;
    // What was given up ahead of a launch may be compiled when it comes.
    if (!outcome.kernel && ifNotKept == compiler::IfNotKept::GenerateAhead) return failure(info, outcome);
    add({shape, std::move(outcome.kernel)});
    if (complete()) return {};
  }
  compiler::NativeOutcome outcome = makeCode(info.name, kind, ifNotKept);
  if (outcome.status != compiler::Status::Ok || !outcome.kernel) return failure(info, outcome);
  add({kind, std::move(outcome.kernel)});
  return {};
}

Result KernelCode::makeForAnySize(const compiler::KernelInfo& info, const compiler::Shape& shape,
                                  const MakeCode& makeCode, const compiler::NativeKernel*& code) {
  const std::lock_guard lock(making_[shape.quick]);
  if (!table().find(shape)) {
    compiler::NativeOutcome outcome = makeCode(info.name, shape, compiler::IfNotKept::Generate);
    if (outcome.status != compiler::Status::Ok || !outcome.kernel) return failure(info, outcome);
    add({shape, std::move(outcome.kernel)});
  }
  code = table().find(shape)->kernel.get();
  return {};
}

bool KernelCode::takeKept(const compiler::KernelInfo& info, const NDRange& range, const compiler::Shape& kind,
                          const MakeCode& makeCode) {
  const std::unique_lock lock(making_[kind.quick], std::try_to_lock);
  if (!lock) return false;
  const auto take = [&](const compiler::Shape& shape) {
    compiler::NativeOutcome outcome = makeCode(info.name, shape, compiler::IfNotKept::Leave);
    if (outcome.status != compiler::Status::Ok || !outcome.kernel) return false;
    add({shape, std::move(outcome.kernel)});
    return true;
  };
  const compiler::Shape shape = shapeOf(range, kind);
  if (wantsExact(info, range, shape) && !take(shape)) return false;
  bool complete = false;
  (void)find(info, range, kind, complete);
  return complete || take(kind);
}

KernelCode::Launched* KernelCode::launched(const compiler::KernelInfo& info, const NDRange& range,
                                           const compiler::Shape& kind) {
  const compiler::Shape shape = info.groupAgnostic ? kind : shapeOf(range, kind);
  const auto known = std::ranges::find(launched_, shape, &Launched::shape);
  if (known != launched_.end()) return &*known;
  return launched_.size() < mostLaunched ? &launched_.emplace_back(shape) : nullptr;
}

bool KernelCode::beginsFirst(const compiler::KernelInfo& info, const NDRange& range, const compiler::Shape& kind) {
  const std::lock_guard lock(launching_);
  Launched* const its = launched(info, range, kind);
  return its && !std::exchange(its->begun, true);
}

bool KernelCode::waitsFirst(const compiler::KernelInfo& info, const NDRange& range, const compiler::Shape& kind) {
  const std::lock_guard lock(launching_);
  Launched* const its = launched(info, range, kind);
  return its && !std::exchange(its->waits, true) && !its->begun;
}

}  // namespace clarity::device::cpu
