// SPDX-License-Identifier: Apache-2.0
// This file chooses the native code of a launch and runs it.
#include "device/cpu/executable.h"

#include "compiler/ir/kernel_abi.h"
#include "device/cpu/child_kernels.h"
#include "device/cpu/full_code.h"
#include "device/cpu/launch_run.h"
#include "device/cpu/private_reductions.h"
#include "device/cpu/shadow.h"
#include "device/distinct_buffers.h"
#include "device/host/code_ahead.h"
#include "device/host/image_facts.h"
#include "device/observer.h"
#include "support/clock.h"

#include <CL/cl.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <thread>
#include <utility>

namespace clarity::device::cpu {
namespace {

/// Bytes of buffers for each work-item: with less of it a work-item reads in few places, which processors foresee one
/// by one.
constexpr std::uint64_t leastBytesOfSteps = 1024;

/// Work-items along x and y, and instructions of each, from which on panels may be worth their copies: some hundred
/// iterations, and as many work-items for each element.
constexpr std::uint64_t leastSideOfPanels = 128;
constexpr double leastOfPanels = 4'000;
/// Rows of so many bytes, or a multiple, begin in the same sets of caches. Derived: 64 sets of 64 bytes, as first-level
/// caches of x86-64 have them; it is also a page, at whose end hardware prefetchers stop.
constexpr std::uint64_t bytesOfEqualSets = 4096;
/// Part of the last level that the largest buffer exceeds where panels are worth their copies whatever the rows.
/// Measured on Zen 4, with 16 MiB expected: products of matrices of up to 8 MB take 0.91 to 1.04 of the time without
/// panels, of 9.5 MB 1.0 to 1.09, of 13 MB and more 1.85 to 2.06.
constexpr std::uint64_t partOfLastLevel = 2;

/// The time of an instruction of quick code for a work-item in nanoseconds, roughly: a packet executes those of eight.
/// Measured on Zen 3: 0.02 in products of matrices, 0.03 in a loop that work-items leave one by one.
constexpr double timeOfInstruction = 0.03;
/// An instruction with its checks takes about so many times as long. Chosen.
constexpr double slownessOfChecks = 30;
/// Work-items of a packet: fewer take as long.
constexpr std::uint64_t leastItems = 8;
/// Nanoseconds that quick code may be foreseen to run. It is there some 20 ms sooner than full code, which is one and a
/// half to six times as fast: up to some 25 ms the launch is over sooner with it. Less, as the estimate is rough.
constexpr double mostQuick = 10'000'000;
/// The same for each instruction of a large kernel. Measured on Zen 4: full code takes 0.1 to 1 ms for each.
constexpr double mostQuickOfInstruction = 40'000;
/// Grains for each thread that a launch must have whose loops may run for any time: the first grains end with quick
/// code, and no more than these should be slow.
constexpr std::uint64_t leastGrainsOfUnknown = 64;
constexpr std::uint64_t itemsOfGrain = 64;
/// By how much longer than quick code full code takes to be compiled, and how long it takes if that is not known. It
/// must save a launch that much on a thread or two.
constexpr double fullForQuick = 4, usualCompile = 40'000'000;

double now() {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Whether the observer wants nothing but counted code, which needs no portable IR.
bool countsOnly(const Observer& observer) { return observer.instrumentation() == compiler::Instrumentation::Count; }

compiler::Shape quickKind(compiler::Shape kind) {
  kind.quick = true;
  return kind;
}

}  // namespace

CpuExecutable::CpuExecutable(std::shared_ptr<const compiler::CompiledProgram> compiled, const compiler::Target& target,
                             std::shared_ptr<host::Workers> workers, std::shared_ptr<Allocator> allocator,
                             std::size_t printfBytes, CacheSizes caches, Generate generate, bool quickFirst)
    : compiled_(std::move(compiled)),
      target_(target),
      workers_(std::move(workers)),
      printfBytes_(printfBytes),
      caches_(caches),
      hasQuickCode_(quickFirst && compiler::hasQuickCode(*compiled_)),
      variables_(std::move(allocator), compiled_->scope.variables),
      makeCode_([this, generate = std::move(generate)](std::string_view kernel, const compiler::Shape& shape,
                                                       compiler::IfNotKept ifNotKept) {
        return generate(*compiled_, kernel, shape, target_, variables_.base(), ifNotKept);
      }),
      kernels_(std::make_unique<KernelCode[]>(compiled_->kernels.size())),
      constructors_(*compiled_) {
  for (std::size_t i = 0; i < compiled_->kernels.size(); ++i) {
    kernels_[i].usesImages = host::usesImages(compiled_->kernels[i]);
    kernels_[i].usesConstants = host::usesConstants(compiled_->kernels[i]);
  }
}

CpuExecutable::~CpuExecutable() = default;

KernelCode* CpuExecutable::codeOf(const compiler::KernelInfo& info) {
  const std::size_t index = host::indexOf(*compiled_, info);
  return index < compiled_->kernels.size() ? &kernels_[index] : nullptr;
}

/// Counters of 32 bits serve ids below wideIdsFrom. A launch of many work-items that each write a word, in buffers that
/// the cache does not hold, fills it with what is evicted before it is read again; so does one whose work-items step
/// through larger buffers in lock-step. A kernel that queries how many work-items there are steps by that number, if
/// there is memory enough for many iterations; in the caches any order will do.
compiler::Shape CpuExecutable::kindOf(const Launch& launch, const Reductions& reductions,
                                      const KernelCode& code) const {
  compiler::Shape kind;
  findKind(launch, reductions, code, kind);
  return kind;
}

void CpuExecutable::findKind(const Launch& launch, const Reductions& reductions, const KernelCode& code,
                             compiler::Shape& kind) const {
  const NDRange& range = launch.range;
  const bool queriesSize = launch.info->queriesSize;
  std::uint64_t items = 1, bufferBytes = 0;
  for (const BufferArgument& buffer : launch.buffers) bufferBytes += buffer.bytes;
  for (std::size_t d = 0; d < 3; ++d) {
    items *= range.global[d];
    kind.wideIds |= range.offset[d] + range.global[d] >= compiler::wideIdsFrom ||
                    launch.whole.offset[d] + launch.whole.global[d] >= compiler::wideIdsFrom;
  }
  if (launch.observer && (!compiled_->portableIR.empty() || countsOnly(*launch.observer))) {
    kind.instrumentation = launch.observer->instrumentationOf(launch);
    // Optimised code takes the pointers among the arguments for the beginnings of their memory.
    const bool isBounds = kind.instrumentation == compiler::Instrumentation::Bounds;
    if (isBounds && std::ranges::any_of(launch.buffers, &BufferArgument::isInside))
      kind.instrumentation = compiler::Instrumentation::CheckAccesses;
    if (!compiler::isOptimised(kind.instrumentation)) {
      kind.interchange = false;
      return;
    }
  }
  const bool exceedsCache = bufferBytes > caches_.lastLevel;
  const bool writesMuch =
      items * sizeof(cl_int) > caches_.lastLevel / 4 || (queriesSize && bufferBytes > 2 * caches_.lastLevel);
  kind.nonTemporal = caches_.lastLevel > 0 && exceedsCache && writesMuch;
  kind.interchange = !queriesSize || (exceedsCache && bufferBytes / items >= leastBytesOfSteps);
  kind.panels = runsLong(launch) && readsFar(launch);
  if (code.usesImages) kind.images = host::imageFactsOf(launch);
  if (code.usesConstants) kind.constants = code.constants.of(launch);
  kind.privateReductions = PrivateReductions::areWorth(launch, reductions, workers_->units());
  const bool hasOne = launch.buffers.size() == 1 && !launch.hasOtherPointers;  // nothing else is accessed through it
  kind.distinctBuffers =
      (kind.instrumentation == compiler::Instrumentation::None ||
       kind.instrumentation == compiler::Instrumentation::Count) &&
      (hasOne || hasDistinctBuffers(launch, [&](const BufferArgument& buffer) { return addressOf(launch, buffer); }));
}

Result CpuExecutable::prepare(const Launch& launch, PreparedLaunch& prepared, Runs runs) {
  KernelCode* const code = prepared.kernel = codeOf(*launch.info);
  if (!code)
    return {CL_INVALID_PROGRAM_EXECUTABLE, fmt::format("the program has no kernel named '{}'", launch.info->name)};
  if (launch.info->reductions) prepared.reductions = reductionsOf(launch);
  findKind(launch, prepared.reductions, *code, prepared.kind);
  bool complete = false;
  prepared.code = code->find(*launch.info, launch.range, prepared.kind, complete);
  if (!complete) {
    if (Result made = choose(launch, prepared, runs); !made) return made;
  }
  return constructors_.runOnce([&](const compiler::KernelInfo& info) { return runConstructors(info); });
}

bool CpuExecutable::runsLong(const Launch& launch) {
  const compiler::KernelInfo& info = *launch.info;
  return info.groupAgnostic && launch.range.global[0] >= leastSideOfPanels &&
         launch.range.global[1] >= leastSideOfPanels && instructionsOfItem(launch) >= leastOfPanels;
}

/// The largest buffer stands for what work-items have in common, and its bytes for each work-item along a dimension for
/// the length of its rows: products of matrices have as many work-items. Measured on Zen 4, for matrices that the
/// second level does not hold: with rows of a multiple of bytesOfEqualSets panels make products 1.2 to 1.5 times as
/// fast; otherwise they take 1.03 to 1.1 times as long, as hardware prefetchers bring the rows in time.
bool CpuExecutable::readsFar(const Launch& launch) const {
  std::uint64_t largest = 0;
  for (const BufferArgument& buffer : launch.buffers) largest = std::max<std::uint64_t>(largest, buffer.bytes);
  if (launch.hasOtherPointers || largest > caches_.lastLevel / partOfLastLevel) return true;
  const auto isOfEqualSets = [&](std::uint64_t items) { return largest % (items * bytesOfEqualSets) == 0; };
  return largest > caches_.secondLevel &&
         (isOfEqualSets(launch.range.global[0]) || isOfEqualSets(launch.range.global[1]));
}

double CpuExecutable::instructionsOfItem(const Launch& launch) {
  compiler::WorkSizes sizes;
  for (std::size_t d = 0; d < 3; ++d) {
    sizes.offset[d] = static_cast<double>(launch.range.offset[d]);
    sizes.global[d] = static_cast<double>(launch.range.global[d]);
    sizes.local[d] = static_cast<double>(launch.range.local[d]);
  }
  const compiler::KernelInfo& info = *launch.info;
  return info.work.steps.empty() ? 0 : compiler::instructionsOf(info.work, info.args, launch.args, sizes);
}

bool CpuExecutable::mayBeQuick(const Launch& launch, const compiler::Shape& kind) const {
  const compiler::KernelInfo& info = *launch.info;
  const bool isInstrumented = kind.instrumentation != compiler::Instrumentation::None;
  if (!hasQuickCode_ || kind.instrumentation == compiler::Instrumentation::Debug) return false;
  if (isInstrumented && compiler::isOptimised(kind.instrumentation)) return false;
  if (info.work.steps.empty()) return false;
  std::uint64_t items = 1, ofGroup = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    items *= launch.range.global[d];
    ofGroup *= launch.range.local[d];
  }
  const std::uint64_t grains = std::max<std::uint64_t>(items / (info.groupAgnostic ? itemsOfGrain : ofGroup), 1);
  if (!info.work.isBounded && grains < leastGrainsOfUnknown * workers_->units()) return false;
  const double instructions = instructionsOfItem(launch) * static_cast<double>(std::max(items, leastItems));
  const double most = std::max(mostQuick, mostQuickOfInstruction * static_cast<double>(info.instructions));
  const double time = instructions * timeOfInstruction * (isInstrumented ? slownessOfChecks : 1);
  return time / static_cast<double>(std::min<std::uint64_t>(workers_->units(), grains)) <= most;
}

Result CpuExecutable::choose(const Launch& launch, PreparedLaunch& prepared, Runs runs) {
  KernelCode& code = *prepared.kernel;
  const compiler::KernelInfo& info = *launch.info;
  bool complete = false;
  if (runs == Runs::Once && mayBeQuick(launch, prepared.kind) && code.beginsFirst(info, launch.range, prepared.kind) &&
      !code.loadFromCache(info, launch.range, prepared.kind, makeCode_)) {
    const compiler::Shape quick = quickKind(prepared.kind);
    const double begin = now();
    bool compiled = false;
    const MakeCode makeCode = [&](std::string_view kernel, const compiler::Shape& shape, compiler::IfNotKept how) {
      compiler::NativeOutcome outcome = makeCode_(kernel, shape, how);
      compiled |= outcome.kernel && !outcome.kernel->fromCache;
      return outcome;
    };
    // Quick code with a mistake means full code with it as well, or else that serves.
    if (code.make(info, launch.range, quick, makeCode)) {
      prepared.code = code.find(info, launch.range, quick, complete);
      prepared.isQuick = true;
      prepared.compileTime = compiled ? now() - begin : 0;
      return {};
    }
  }
  if (Result made = code.make(info, launch.range, prepared.kind, makeCode_); !made) return made;
  prepared.code = code.find(info, launch.range, prepared.kind, complete);
  return {};
}

Result CpuExecutable::runConstructors(const compiler::KernelInfo& info) {
  Launch launch = host::Constructors::launchOf(info);
  launch.executable = this;
  KernelCode code;
  compiler::Shape kind = kindOf(launch, {}, code);
  kind.quick = mayBeQuick(launch, kind);  // there is no second launch
  if (Result made = code.make(info, launch.range, kind, makeCode_); !made) return made;
  bool complete = false;
  const KernelCode::Choice choice = code.find(info, launch.range, kind, complete);
  return LaunchRun(launch, choice, {}, *workers_, variables_, source(), printfBytes_, code.nsPerItem).run();
}

void CpuExecutable::prepareAhead(const Launch& launch, Runs runs) { makeAhead(launch, runs, CacheRead::AtOnce); }

void CpuExecutable::makeAhead(const Launch& launch, Runs runs, CacheRead cacheRead) {
  KernelCode* const code = codeOf(*launch.info);
  if (!code) return;
  bool complete = false;
  const compiler::Shape kind = kindOf(launch, launch.info->reductions ? reductionsOf(launch) : Reductions{}, *code);
  (void)code->find(*launch.info, launch.range, kind, complete);
  if (complete) return;
  const bool isQuick =
      runs == Runs::Once && mayBeQuick(launch, kind) && code->waitsFirst(*launch.info, launch.range, kind);
  std::atomic<bool>& beingMade = code->beingMadeAhead[isQuick];
  if (beingMade.exchange(true, std::memory_order_relaxed)) return;
  // Reading it takes no longer than starting a thread, and locks cost less in a process that has one thread.
  if (cacheRead == CacheRead::AtOnce && loadKept(*code, *launch.info, launch.range, kind, isQuick)) {
    beingMade.store(false, std::memory_order_relaxed);
    return;
  }
  scheduleAhead(*code, launch.range, kind, isQuick, cacheRead);
}

/// Full code that is in the cache is better than quick code.
bool CpuExecutable::loadKept(KernelCode& code, const compiler::KernelInfo& info, const NDRange& range,
                             const compiler::Shape& kind, bool isQuick) const {
  return code.loadFromCache(info, range, kind, makeCode_) ||
         (isQuick && code.loadFromCache(info, range, quickKind(kind), makeCode_));
}

void CpuExecutable::scheduleAhead(KernelCode& code, const NDRange& range, const compiler::Shape& kind, bool isQuick,
                                  CacheRead cacheRead) {
  // The code lives as long as the executable.
  const auto index = static_cast<std::size_t>(&code - kernels_.get());
  host::compileAhead(weak_from_this(), [&code, index, range, kind, isQuick, cacheRead](const Executable& executable) {
    const struct Making {
      std::atomic<bool>& isUnderWay;
      ~Making() { isUnderWay.store(false, std::memory_order_relaxed); }
    } making{code.beingMadeAhead[isQuick]};
    const auto& self = static_cast<const CpuExecutable&>(executable);
    const compiler::KernelInfo& info = self.compiled_->kernels[index];
    if (cacheRead == CacheRead::Later && self.loadKept(code, info, range, kind, isQuick)) return;
    (void)code.make(info, range, isQuick ? quickKind(kind) : kind, self.makeCode_, compiler::IfNotKept::GenerateAhead);
  });
}

Result CpuExecutable::checkedCode(const Launch& launch, KernelCode& code, const compiler::NativeKernel*& kernel) const {
  compiler::Shape shape = kindOf(launch, {}, code);
  shape = {.wideIds = shape.wideIds, .interchange = false, .instrumentation = compiler::Instrumentation::CheckAccesses};
  return code.makeForAnySize(*launch.info, shape, makeCode_, kernel);
}

Result CpuExecutable::run(const Launch& launch, const PreparedLaunch& prepared, std::uint64_t* ended) {
  if (launch.info->enqueues) [[unlikely]]
    return runWithChildren(launch, prepared, ended);
  return runOn(*workers_, launch, prepared);
}

Result CpuExecutable::runWithChildren(const Launch& launch, const PreparedLaunch& prepared, std::uint64_t* ended) {
  const auto runChild = [this](const Launch& child, host::Workers& workers) {
    PreparedLaunch ready;
    Result result = prepare(child, ready);
    return result ? runOn(workers, child, ready) : result;
  };
  // Threads that run kernels have small stacks, which linking code that is kept may need more than.
  const auto prepareChild = [this](const Launch& child) { makeAhead(child, Runs::Once, CacheRead::Later); };
  ChildKernels children(launch, compiled_->kernels, *workers_, runChild, prepareChild);
  Launch root = launch;
  root.parent = children.root();
  Result result = runOn(*workers_, root, prepared);
  if (ended) *ended = support::hostTime();
  return children.finish(std::move(result));
}

Result CpuExecutable::runOn(host::Workers& workers, const Launch& launch, const PreparedLaunch& prepared) {
  if (launch.observer) launch.observer->launches(launch);
  if (launch.observer && prepared.code.instrumentation == compiler::Instrumentation::None &&
      !countsOnly(*launch.observer))
    launch.observer->cannotObserve(*launch.info, "its program was built without -cl-clarity-instrument");
  // Writes of such code are not followed.
  if (Shadow::exists() && !compiler::followsValues(prepared.code.instrumentation))
    for (const BufferArgument& buffer : launch.buffers) noteWritten(buffer.memory.hostAddress(), buffer.bytes);
  KernelCode& code = *prepared.kernel;
  const auto runWith = [&](const CheckedCode* checked, const FullCode* full) {
    return LaunchRun(launch, prepared.code, prepared.reductions, workers, variables_, source(), printfBytes_,
                     code.nsPerItem, checked, full)
        .run();
  };
  if (prepared.code.instrumentation == compiler::Instrumentation::Bounds) {
    const CheckedCode checked = [&](const compiler::NativeKernel*& kernel) {
      return checkedCode(launch, code, kernel);
    };
    return runWith(&checked, nullptr);
  }
  // The observer of an instrumented launch knows the places of one code.
  if (!prepared.isQuick || prepared.kind.instrumentation != compiler::Instrumentation::None) [[likely]]
    return runWith(nullptr, nullptr);
  FullCode full;
  full.leastLeft = fullForQuick * (prepared.compileTime > 0 ? prepared.compileTime : usualCompile / fullForQuick);
  full.make = [&] {
    if (workers_->units() > 1 && std::thread::hardware_concurrency() > 1) {
      if (!code.beingMadeAhead[0].exchange(true, std::memory_order_relaxed))
        scheduleAhead(code, launch.range, prepared.kind, false, CacheRead::AtOnce);
      return;
    }
    // On one processor the launch waits for it here. If there is none, quick code serves to the end.
    (void)code.make(*launch.info, launch.range, prepared.kind, makeCode_);
  };
  full.find = [&](KernelCode::Choice& choice) {
    bool complete = false;
    choice = code.find(*launch.info, launch.range, prepared.kind, complete);
    return complete;
  };
  return runWith(nullptr, &full);
}

}  // namespace clarity::device::cpu
