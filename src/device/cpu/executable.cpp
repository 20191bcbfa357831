// SPDX-License-Identifier: Apache-2.0
// This file chooses the native code of a launch and runs it.
#include "device/cpu/executable.h"

#include "compiler/kernel_abi.h"
#include "device/cpu/image_facts.h"
#include "device/cpu/launch_run.h"
#include "device/cpu/private_reductions.h"
#include "device/cpu/shadow.h"
#include "device/observer.h"
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

}  // namespace

CpuExecutable::CpuExecutable(std::shared_ptr<const compiler::CompiledProgram> compiled, const compiler::Target& target,
                             std::shared_ptr<Workers> workers, std::shared_ptr<Allocator> allocator,
                             std::size_t printfBytes, std::uint64_t cacheBytes, Generate generate)
    : compiled_(std::move(compiled)),
      target_(target),
      workers_(std::move(workers)),
      printfBytes_(printfBytes),
      cacheBytes_(cacheBytes),
      variables_(std::move(allocator), compiled_->scope.variables),
      makeCode_([this, generate = std::move(generate)](std::string_view kernel, const compiler::Shape& shape,
                                                       compiler::IfNotKept ifNotKept) {
        return generate(*compiled_, kernel, shape, target_, variables_.base(), ifNotKept);
      }),
      kernels_(std::make_unique<KernelCode[]>(compiled_->kernels.size())) {
  for (std::size_t i = 0; i < compiled_->kernels.size(); ++i)
    kernels_[i].usesImages = usesImages(compiled_->kernels[i]);
}

CpuExecutable::~CpuExecutable() = default;

KernelCode* CpuExecutable::codeOf(const compiler::KernelInfo& info) {
  const auto& kernels = compiled_->kernels;
  if (std::greater_equal<>()(&info, kernels.data()) && std::less<>()(&info, kernels.data() + kernels.size()))
    return &kernels_[static_cast<std::size_t>(&info - kernels.data())];
  // The caller may hold a copy of the compiled program's metadata.
  for (std::size_t i = 0; i < kernels.size(); ++i)
    if (kernels[i].name == info.name) return &kernels_[i];
  return nullptr;
}

/// Counters of 32 bits serve ids below wideIdsFrom. A launch of many work-items that each write a word, in buffers that
/// the cache does not hold, fills it with what is evicted before it is read again; so does one whose work-items step
/// through larger buffers in lock-step. A kernel that queries how many work-items there are steps by that number, if
/// there is memory enough for many iterations; in the caches any order will do.
compiler::Shape CpuExecutable::kindOf(const Launch& launch, const Reductions& reductions,
                                      const KernelCode& code) const {
  const NDRange& range = launch.range;
  const bool queriesSize = launch.info->queriesSize;
  compiler::Shape kind;
  std::uint64_t items = 1, bufferBytes = 0;
  for (const BufferArgument& buffer : launch.buffers) bufferBytes += buffer.bytes;
  for (std::size_t d = 0; d < 3; ++d) {
    items *= range.global[d];
    kind.wideIds |= range.offset[d] + range.global[d] >= compiler::wideIdsFrom;
  }
  if (launch.observer && !compiled_->portableIR.empty()) {
    kind.interchange = false;
    kind.instrumentation = launch.observer->instrumentationOf(launch);
    return kind;
  }
  const bool exceedsCache = bufferBytes > cacheBytes_;
  const bool writesMuch = items * sizeof(cl_int) > cacheBytes_ / 4 || (queriesSize && bufferBytes > 2 * cacheBytes_);
  kind.nonTemporal = cacheBytes_ > 0 && exceedsCache && writesMuch;
  kind.interchange = !queriesSize || (exceedsCache && bufferBytes / items >= leastBytesOfSteps);
  if (code.usesImages) kind.images = imageFactsOf(launch);
  kind.privateReductions = PrivateReductions::areWorth(launch, reductions, workers_->units());
  return kind;
}

Result CpuExecutable::prepare(const Launch& launch, PreparedLaunch& prepared) {
  KernelCode* const code = prepared.kernel = codeOf(*launch.info);
  if (!code)
    return {CL_INVALID_PROGRAM_EXECUTABLE, fmt::format("the program has no kernel named '{}'", launch.info->name)};
  if (launch.info->reductions) prepared.reductions = reductionsOf(launch);
  const compiler::Shape kind = kindOf(launch, prepared.reductions, *code);
  bool complete = false;
  prepared.code = code->find(*launch.info, launch.range, kind, complete);
  if (!complete) {
    if (Result made = code->make(*launch.info, launch.range, kind, makeCode_); !made) return made;
    prepared.code = code->find(*launch.info, launch.range, kind, complete);
  }
  return compiled_->scope.constructors ? construct() : Result{};
}

Result CpuExecutable::construct() {
  const std::lock_guard lock(constructing_);
  if (!constructed_) construction_ = runConstructors(*compiled_->scope.constructors);
  constructed_ = true;
  return construction_;
}

Result CpuExecutable::runConstructors(const compiler::KernelInfo& info) {
  Launch launch{.executable = this,
                .info = &info,
                .range = {},
                .args = {},
                .buffers = {},
                .locals = {},
                .localBytes = info.localBytes,
                .observer = nullptr,
                .ended = nullptr};
  launch.args.resize(info.argBlockBytes);
  KernelCode code;
  const compiler::Shape kind = kindOf(launch, {}, code);
  if (Result made = code.make(info, launch.range, kind, makeCode_); !made) return made;
  bool complete = false;
  const KernelCode::Choice choice = code.find(info, launch.range, kind, complete);
  return LaunchRun(launch, choice, {}, *workers_, variables_, source(), printfBytes_, code.nsPerItem).run();
}

void CpuExecutable::prepareAhead(const Launch& launch) {
  KernelCode* const code = codeOf(*launch.info);
  if (!code) return;
  bool complete = false;
  const compiler::Shape kind = kindOf(launch, launch.info->reductions ? reductionsOf(launch) : Reductions{}, *code);
  (void)code->find(*launch.info, launch.range, kind, complete);
  if (complete || code->beingMadeAhead.exchange(true, std::memory_order_relaxed)) return;
  // Reading it takes no longer than starting a thread, and locks cost less in a process that has one thread.
  if (code->takeKept(*launch.info, launch.range, kind, makeCode_)) {
    code->beingMadeAhead.store(false, std::memory_order_relaxed);
    return;
  }
  // A program that is released before its kernel is launched needs no code.
  support::runWhenIdle([weak = weak_from_this(), code, index = static_cast<std::size_t>(code - kernels_.get()),
                        range = launch.range, kind] {
    const std::shared_ptr<Executable> held = weak.lock();
    if (!held) return;
    const auto& self = static_cast<const CpuExecutable&>(*held);
    // Errors are reported when the launch runs.
    try {
      (void)code->make(self.compiled_->kernels[index], range, kind, self.makeCode_);
    } catch (const std::exception&) {
    }
    code->beingMadeAhead.store(false, std::memory_order_relaxed);
  });
}

Result CpuExecutable::run(const Launch& launch, const PreparedLaunch& prepared) {
  if (launch.observer && prepared.code.instrumentation == compiler::Instrumentation::None)
    launch.observer->cannotObserve(*launch.info, "its program was built without -cl-clarity-instrument");
  // What such code writes is not followed.
  if (!compiler::followsValues(prepared.code.instrumentation))
    for (const BufferArgument& buffer : launch.buffers) noteWritten(buffer.memory.hostAddress(), buffer.bytes);
  return LaunchRun(launch, prepared.code, prepared.reductions, *workers_, variables_, source(), printfBytes_,
                   prepared.kernel->nsPerItem)
      .run();
}

}  // namespace clarity::device::cpu
