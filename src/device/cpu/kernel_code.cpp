// SPDX-License-Identifier: Apache-2.0
// This file finds and compiles the native code of a launch.
#include "device/cpu/kernel_code.h"

#include <CL/cl.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace clarity::device::cpu {
namespace {

Result failure(const compiler::KernelInfo& info, const compiler::NativeOutcome& outcome) {
  const cl_int code = outcome.status == compiler::Status::OutOfMemory ? CL_OUT_OF_HOST_MEMORY : CL_OUT_OF_RESOURCES;
  return {code, fmt::format("kernel '{}' could not be compiled to native code: {}", info.name,
                            outcome.log.empty() ? "no reason was given" : outcome.log)};
}

}  // namespace

namespace {
/// Debugged code is the same for all sizes, so that a line is in one place.
bool hasOneCode(const compiler::KernelInfo& info, const compiler::Shape& kind) {
  return info.groupAgnostic || kind.instrumentation == compiler::Instrumentation::Debug;
}
}  // namespace

bool KernelCode::wantsExact(const compiler::KernelInfo& info, const NDRange& range,
                            const compiler::Shape& exact) const {
  return !hasOneCode(info, exact) && host::hasFullGroups(range) && !table_.find(exact) &&
         table_.exact(exact.quick) < mostExact;
}

KernelCode::Choice KernelCode::find(const compiler::KernelInfo& info, const NDRange& range, const compiler::Shape& kind,
                                    bool& complete) const {
  Choice choice{.instrumentation = kind.instrumentation, .privateReductions = kind.privateReductions};
  complete = true;
  const bool isOne = hasOneCode(info, kind);
  bool anyNeeded = isOne || host::hasSmallerGroups(range);
  if (!isOne && host::hasFullGroups(range)) {
    const Table::Entry* const exact = table_.find(host::exactShape(range, kind));
    if (exact) choice.exact = exact->code.get();
    if (!exact && table_.exact(kind.quick) < mostExact) complete = false;
    if (!choice.exact) anyNeeded = true;
  }
  if (!anyNeeded) return choice;
  if (const Table::Entry* const any = table_.find(kind)) choice.any = any->code.get();
  if (!choice.any) complete = false;
  return choice;
}

Result KernelCode::make(const compiler::KernelInfo& info, const NDRange& range, const compiler::Shape& kind,
                        const MakeCode& makeCode, compiler::IfNotKept ifNotKept) {
  const std::lock_guard lock(table_.making(kind));
  const auto complete = [&] {
    bool all = false;
    (void)find(info, range, kind, all);
    return all;
  };
  if (complete()) return {};  // another thread has compiled it meanwhile

  const compiler::Shape shape = host::exactShape(range, kind);
  if (wantsExact(info, range, shape)) {
    compiler::NativeOutcome outcome = makeCode(info.name, shape, ifNotKept);
    if (outcome.status != compiler::Status::Ok) outcome.kernel = nullptr;
    // Code that was given up ahead of a launch may be compiled when it comes.
    if (!outcome.kernel && ifNotKept == compiler::IfNotKept::GenerateAhead) return failure(info, outcome);
    table_.add(shape, std::move(outcome.kernel));
    if (complete()) return {};
  }
  compiler::NativeOutcome outcome = makeCode(info.name, kind, ifNotKept);
  if (outcome.status != compiler::Status::Ok || !outcome.kernel) return failure(info, outcome);
  table_.add(kind, std::move(outcome.kernel));
  return {};
}

Result KernelCode::makeForAnySize(const compiler::KernelInfo& info, const compiler::Shape& shape,
                                  const MakeCode& makeCode, const compiler::NativeKernel*& code) {
  Result result;
  code = table_.findOrMake(shape, result, [&](Result& why) {
    compiler::NativeOutcome outcome = makeCode(info.name, shape, compiler::IfNotKept::Generate);
    if (outcome.status != compiler::Status::Ok) outcome.kernel = nullptr;
    if (!outcome.kernel) why = failure(info, outcome);
    return std::shared_ptr<const compiler::NativeKernel>(std::move(outcome.kernel));
  });
  return result;
}

bool KernelCode::loadFromCache(const compiler::KernelInfo& info, const NDRange& range, const compiler::Shape& kind,
                               const MakeCode& makeCode) {
  const std::unique_lock lock(table_.making(kind), std::try_to_lock);
  if (!lock) return false;
  const auto take = [&](const compiler::Shape& shape) {
    compiler::NativeOutcome outcome = makeCode(info.name, shape, compiler::IfNotKept::Leave);
    if (outcome.status != compiler::Status::Ok || !outcome.kernel) return false;
    table_.add(shape, std::move(outcome.kernel));
    return true;
  };
  const compiler::Shape shape = host::exactShape(range, kind);
  if (wantsExact(info, range, shape) && !take(shape)) return false;
  bool complete = false;
  (void)find(info, range, kind, complete);
  return complete || take(kind);
}

KernelCode::Launched* KernelCode::launched(const compiler::KernelInfo& info, const NDRange& range,
                                           const compiler::Shape& kind) {
  const compiler::Shape shape = info.groupAgnostic ? kind : host::exactShape(range, kind);
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
