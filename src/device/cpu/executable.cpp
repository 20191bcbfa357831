// SPDX-License-Identifier: Apache-2.0
// This file finds or makes the native code of a launch.
#include "device/cpu/executable.h"

#include "device/cpu/launch_run.h"
#include "device/observer.h"
#include "device/cpu/private_reductions.h"
#include "support/background.h"

#include <CL/cl.h>
#include <fmt/format.h>

#include <exception>
#include <functional>
#include <utility>

namespace clarity::device::cpu {
namespace {

/// Of buffers for each work-item: with less of it a work-item reads in few places, which processors foresee one by one.
constexpr std::uint64_t leastBytesOfSteps = 1024;

compiler::Shape shapeOf(const NDRange& range, compiler::Shape shape) {
  for (std::size_t d = 0; d < 3; ++d) shape.local[d] = static_cast<std::uint32_t>(range.local[d]);
  return shape;
}

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

const KernelCode::Variant* KernelCode::findIn(std::span<const Slot> slots, const compiler::Shape& shape) {
  for (const Slot& slot : slots) {
    const Variant* const variant = slot.load(std::memory_order_acquire);
    if (!variant) return nullptr;
    if (variant->shape == shape) return variant;
  }
  return nullptr;
}

KernelCode::Choice KernelCode::find(const compiler::KernelInfo& info, const NDRange& range, const compiler::Shape& kind, bool& complete) const {
  Choice choice{.privateReductions = kind.privateReductions, .instrumentation = kind.instrumentation};
  const Variant* const any = findIn(any_, kind);
  if (any) choice.any = any->kernel.get();
  complete = true;
  bool anyNeeded = info.groupAgnostic || hasSmallerGroups(range);
  if (!info.groupAgnostic && hasFullGroups(range)) {
    const Variant* const exact = findIn(exact_, shapeOf(range, kind));
    const bool full = exact_.back().load(std::memory_order_acquire) != nullptr;
    if (exact) choice.exact = exact->kernel.get();
    if (!exact && !full) complete = false;
    if (!choice.exact) anyNeeded = true;
  }
  if (anyNeeded && !choice.any) complete = false;
  return choice;
}

Result KernelCode::make(const compiler::KernelInfo& info, const NDRange& range, const compiler::Shape& kind, const MakeCode& makeCode) {
  const std::lock_guard lock(making_);
  const auto keep = [&](const compiler::Shape& shape, std::shared_ptr<compiler::NativeKernel> kernel) {
    return owned_.emplace_back(std::make_unique<const Variant>(shape, std::move(kernel))).get();
  };
  bool complete = false;
  Choice choice = find(info, range, kind, complete);  // another thread may have been faster
  if (complete) return {};

  const compiler::Shape shape = shapeOf(range, kind);
  compiler::NativeOutcome outcome;
  if (!info.groupAgnostic && hasFullGroups(range) && !findIn(exact_, shape)) {
    for (auto& slot : exact_) {
      if (slot.load(std::memory_order_relaxed)) continue;
      outcome = makeCode(info.name, shape);
      if (outcome.status != compiler::Status::Ok) outcome.kernel = nullptr;
      slot.store(keep(shape, outcome.kernel), std::memory_order_release);
      break;
    }
    choice = find(info, range, kind, complete);
    if (complete) return {};
  }
  outcome = makeCode(info.name, kind);
  if (outcome.status != compiler::Status::Ok || !outcome.kernel) return failure(info, outcome);
  for (Slot& slot : any_) {
    if (slot.load(std::memory_order_relaxed)) continue;
    slot.store(keep(kind, outcome.kernel), std::memory_order_release);
    break;
  }
  return {};
}

CpuExecutable::CpuExecutable(std::shared_ptr<const compiler::Image> image, const compiler::Target& target, std::shared_ptr<Workers> workers,
                             std::shared_ptr<Allocator> allocator, std::size_t printfBytes, std::uint64_t cacheBytes, Generate generate)
    : image_(std::move(image)),
      target_(target),
      workers_(std::move(workers)),
      printfBytes_(printfBytes),
      cacheBytes_(cacheBytes),
      variables_(std::move(allocator), image_->scope.variables),
      makeCode_([this, generate = std::move(generate)](std::string_view kernel, const compiler::Shape& shape) {
        return generate(*image_, kernel, shape, target_, variables_.base());
      }),
      kernels_(std::make_unique<KernelCode[]>(image_->kernels.size())) {}

CpuExecutable::~CpuExecutable() = default;

KernelCode* CpuExecutable::codeOf(const compiler::KernelInfo& info) {
  const auto& kernels = image_->kernels;
  if (std::greater_equal<>()(&info, kernels.data()) && std::less<>()(&info, kernels.data() + kernels.size())) return &kernels_[static_cast<std::size_t>(&info - kernels.data())];
  // The caller may hold a copy of the image's metadata.
  for (std::size_t i = 0; i < kernels.size(); ++i)
    if (kernels[i].name == info.name) return &kernels_[i];
  return nullptr;
}

/// Counters of 32 bits serve ids below 2^31. A launch of many work-items that each write a word, in buffers that the cache does not
/// hold, fills it with what is gone before anybody reads it; so does one whose work-items step through larger buffers together. A
/// kernel that asks how many work-items there are steps by so many, if there is memory enough for many turns; in the caches any order will do.
compiler::Shape CpuExecutable::kindOf(const Launch& launch) const {
  const NDRange& range = launch.range;
  compiler::Shape kind;
  std::uint64_t items = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    items *= range.global[d];
    kind.wideIds |= range.offset[d] + range.global[d] >= std::uint64_t{1} << 31;
  }
  if (launch.observer && !image_->portableIR.empty()) {
    kind.interchange = false;
    kind.instrumentation = launch.observer->instrumentation();
    return kind;
  }
  const bool writesMuch = items * sizeof(cl_int) > cacheBytes_ / 4 || (launch.info->queriesSize && launch.bufferBytes > 2 * cacheBytes_);
  kind.nonTemporal = cacheBytes_ > 0 && launch.bufferBytes > cacheBytes_ && writesMuch;
  kind.interchange = !launch.info->queriesSize || (launch.bufferBytes > cacheBytes_ && launch.bufferBytes / items >= leastBytesOfSteps);
  kind.privateReductions = PrivateReductions::areWorth(launch, workers_->units());
  return kind;
}

Result CpuExecutable::prepare(const Launch& launch) {
  KernelCode* const code = codeOf(*launch.info);
  if (!code)
    return {CL_INVALID_PROGRAM_EXECUTABLE, fmt::format("the program has no kernel named '{}'", launch.info->name)};
  bool complete = false;
  const compiler::Shape kind = kindOf(launch);
  (void)code->find(*launch.info, launch.range, kind, complete);
  if (!complete)
    if (Result made = code->make(*launch.info, launch.range, kind, makeCode_); !made) return made;
  return image_->scope.constructors ? construct() : Result{};
}

Result CpuExecutable::construct() {
  const std::lock_guard lock(constructing_);
  if (!constructed_) construction_ = runConstructors(*image_->scope.constructors);
  constructed_ = true;
  return construction_;
}

Result CpuExecutable::runConstructors(const compiler::KernelInfo& info) {
  Launch launch{.info = &info, .range = {}, .args = {}, .bufferBytes = 0, .localBytes = info.localBytes, .reductions = {}};
  launch.args.resize(info.argBlockBytes);
  KernelCode code;
  const compiler::Shape kind = kindOf(launch);
  if (Result made = code.make(info, launch.range, kind, makeCode_); !made) return made;
  bool complete = false;
  const KernelCode::Choice choice = code.find(info, launch.range, kind, complete);
  return LaunchRun(launch, choice, *workers_, variables_, printfBytes_, code.nsPerItem).run();
}

void CpuExecutable::prepareAhead(const Launch& launch) {
  KernelCode* const code = codeOf(*launch.info);
  if (!code) return;
  bool complete = false;
  const compiler::Shape kind = kindOf(launch);
  (void)code->find(*launch.info, launch.range, kind, complete);
  if (complete || code->beingMadeAhead.exchange(true, std::memory_order_relaxed)) return;
  // A program that is released before its kernel's turn has come needs no code.
  support::runWhenIdle([weak = weak_from_this(), code, index = static_cast<std::size_t>(code - kernels_.get()), range = launch.range, kind] {
    const std::shared_ptr<Executable> held = weak.lock();
    if (!held) return;
    const auto& self = static_cast<const CpuExecutable&>(*held);
    // What goes wrong is told when the launch's turn has come.
    try {
      (void)code->make(self.image_->kernels[index], range, kind, self.makeCode_);
    } catch (const std::exception&) {
    }
    code->beingMadeAhead.store(false, std::memory_order_relaxed);
  });
}

Result CpuExecutable::run(const Launch& launch) {
  KernelCode* const code = codeOf(*launch.info);
  bool complete = false;
  const KernelCode::Choice choice = code ? code->find(*launch.info, launch.range, kindOf(launch), complete) : KernelCode::Choice{};
  if (!complete) return {CL_INVALID_OPERATION, fmt::format("kernel '{}' was not prepared", launch.info->name)};
  if (launch.observer && choice.instrumentation == compiler::Instrumentation::None)
    launch.observer->cannotObserve(*launch.info, "its program was built without -cl-clarity-instrument");
  return LaunchRun(launch, choice, *workers_, variables_, printfBytes_, code->nsPerItem).run();
}

}  // namespace clarity::device::cpu
