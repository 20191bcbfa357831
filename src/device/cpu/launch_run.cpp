// SPDX-License-Identifier: Apache-2.0
// This file runs one launch.
#include "device/cpu/launch_run.h"

#include "device/cpu/fault_place.h"
#include "device/cpu/fault_report.h"
#include "device/cpu/kernel_stack.h"
#include "device/cpu/observation.h"
#include "device/cpu/private_reductions.h"
#include "device/cpu/running_launches.h"
#include "device/cpu/sub_groups.h"
#include "device/cpu/worker_memory.h"

#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <fmt/format.h>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include <algorithm>
#include <new>
#include <utility>

namespace clarity::device::cpu {
namespace {

// Nanoseconds. Waking a sleeping thread takes some ten microseconds, to get a share well below one.
constexpr double worthOtherThreads = 40'000;
constexpr double soloStep = 10'000;
constexpr double leastOfShare = 4'000;
/// A share takes no longer than this, so that a launch can be ended.
constexpr double mostOfShare = 20'000'000;
/// Local memory of work-groups that run together: no more than stays in the nearest cache beside what they read.
constexpr std::uint64_t mostLocalTogether = 65'536;
/// Work-items that a kernel of unknown cost begins with.
constexpr std::uint64_t probeItems = 1024;

std::atomic<bool> allEnded{false};

double nanoseconds(std::chrono::steady_clock::duration d) {
  return std::chrono::duration<double, std::nano>(d).count();
}

/// Kernels compute with round-to-nearest, denormals and no traps (OpenCL C 3.0, section 7), whatever the
/// application's thread has set.
class FloatingPointMode {
public:
#if defined(__x86_64__)
  FloatingPointMode() : before_(_mm_getcsr()) {
    if (before_ != standard) _mm_setcsr(standard);
  }
  ~FloatingPointMode() {
    if (before_ != standard) _mm_setcsr(before_);
  }

private:
  static constexpr unsigned standard = 0x1f80;
  unsigned before_;
#else
  FloatingPointMode() {}
#endif
};

}  // namespace

LaunchRun::LaunchRun(const Launch& launch, const KernelCode::Choice& code, const Reductions& reductions,
                     Workers& workers, const VariableStorage& variables, const SourceText& source,
                     std::size_t printfBytes, std::atomic<float>& nsPerItem)
    : launch_(launch),
      code_(code),
      reductions_(reductions),
      workers_(workers),
      variables_(variables),
      source_(source),
      nsPerItem_(nsPerItem) {
  const NDRange& range = launch.range;
  const compiler::NativeKernel& main = code_.exact ? *code_.exact : *code_.any;
  groupAgnostic_ = main.groupAgnostic;
  if (groupAgnostic_) {
    space_ = IndexSpace::ofItems(range, workers.units(), main.tile, main.separateRows);
    // One code executes everything, cut as it comes.
    code_.any = &main;
    code_.exact = nullptr;
  } else {
    space_ = IndexSpace::ofGroups(range, code_.exact != nullptr);
  }

  std::uint64_t items = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    items *= range.local[d];
    info_.globalOffset[d] = range.offset[d];
    info_.globalSize[d] = range.global[d];
    info_.enqueuedLocalSize[d] = range.local[d];
    info_.numGroups[d] = (range.global[d] + range.local[d] - 1) / range.local[d];
  }
  info_.workDim = range.dims;
  alone_ = workers.units() == 1 || code_.instrumentation == compiler::Instrumentation::Check;
  if (code_.instrumentation != compiler::Instrumentation::None) {
    buffers_ = buffersOf(launch);
    observer_ = launch.observer->begin(
        {*launch.info, range, main.sites, buffers_, launch.command, code_.instrumentation});
  }
  if (launch.info->usesPrintf) info_.printfSink = &sink_.emplace(printfBytes);

  localBytes_ = (launch.localBytes + 63) / 64 * 64;
  if (code_.exact)
    interleavedGroups_ = std::clamp<std::uint64_t>(mostLocalTogether / std::max<std::uint64_t>(localBytes_, 1), 1,
                                                   code_.exact->interleavedGroups);
  items = (items * interleavedGroups_ + 63) / 64 * 64;
  for (const compiler::NativeKernel* code : {code_.any, code_.exact})
    if (code) {
      spillBytes_ = std::max(spillBytes_, code->spillBytesPerItem * std::max(items, code->chunkItems));
      frameBytes_ = std::max(frameBytes_, code->frameBytes);
    }
}

void LaunchRun::endAll(bool end) noexcept { allEnded.store(end, std::memory_order_relaxed); }

bool LaunchRun::allEnd() noexcept { return allEnded.load(std::memory_order_relaxed); }

Result LaunchRun::run() {
  if (space_.grains == 0) return {};
  if (frameBytes_ > mostFrameBytes)
    return {CL_OUT_OF_RESOURCES,
            fmt::format("kernel '{}' needs {} bytes for private variables on the stack of a thread; the limit is {}",
                        launch_.info->name, frameBytes_, mostFrameBytes)};
  nsPerGrain_ =
      static_cast<double>(nsPerItem_.load(std::memory_order_relaxed)) * static_cast<double>(space_.itemsPerGrain);
  runAll();
  if (sink_) sink_->flush();
  if (observer_) observer_->end(result_.code == 0);
  return std::move(result_);
}

template <class Work>
bool LaunchRun::withArgs(const Work& work) {
  if (!code_.privateReductions) {
    work(launch_.args.data());
    return true;
  }
  PrivateReductions own(launch_, reductions_);
  if (!own.begin()) {
    failed({CL_OUT_OF_RESOURCES,
            fmt::format("kernel '{}': no memory for a thread's copies of what it counts", launch_.info->name)});
    return false;
  }
  work(own.args());
  support::Fault fault;
  if (own.merge(fault)) return true;
  failed({CL_OUT_OF_RESOURCES, reportMergeFault(fault, launch_, variables_)});
  return false;
}

void LaunchRun::runAll() {
  const bool othersCanHelp = !alone_;
  bool together = othersCanHelp && space_.grains > 1 && isWorthOthers(space_.grains);
  if (!together && !withArgs([&](const std::byte* args) { together = !runAlone(args); })) return;
  if (together) runTogether();
}

bool LaunchRun::runAlone(const std::byte* args) {
  const std::uint64_t total = space_.grains;
  if (total == 1) {
    execute(0, total, args);
    return true;
  }
  const bool othersCanHelp = !alone_;

  // A quarter of what should be little work, or a little of what nothing is known about.
  std::uint64_t step = wholeBundles(nsPerGrain_ > 0 ? total / 4 : probeItems / space_.itemsPerGrain);
  const auto start = Clock::now();
  for (std::uint64_t done = 0; done < total;) {
    const std::uint64_t end = std::min(total, done + std::max<std::uint64_t>(step, 1));
    if (endedFromOutside() || !execute(done, end, args)) return true;
    done = end;
    nsPerGrain_ = std::max(nanoseconds(Clock::now() - start), 1.0) / static_cast<double>(done);
    if (othersCanHelp && isWorthOthers(total - done)) {
      next_.store(done, std::memory_order_relaxed);
      return false;
    }
    step = wholeBundles(
        space_.roundedChunk(static_cast<std::uint64_t>((othersCanHelp ? soloStep : mostOfShare) / nsPerGrain_)));
  }
  learn(nsPerGrain_);
  const double all = nsPerGrain_ * static_cast<double>(total);
  if (othersCanHelp && all > worthOtherThreads) workers_.wasNotDivided(all);
  return true;
}

bool LaunchRun::isWorthOthers(std::uint64_t grains) const {
  const double time = nsPerGrain_ * static_cast<double>(grains);
  return time > worthOtherThreads && workers_.isWorthStart(time);
}

void LaunchRun::runTogether() {
  smallestShare_ = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(leastOfShare / nsPerGrain_));
  largestShare_ = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(mostOfShare / nsPerGrain_));
  workers_.run([this] {
    try {
      withArgs([this](const std::byte* args) { takeShares(args); });
    } catch (const std::bad_alloc&) {
      failed({CL_OUT_OF_HOST_MEMORY, {}});  // oneTBB would need memory to pass the exception on
    }
  });
}

bool LaunchRun::take(std::uint64_t& begin, std::uint64_t& end) {
  // Shares get smaller towards the end, so that all workers end together.
  begin = next_.load(std::memory_order_relaxed);
  do {
    if (begin >= space_.grains) return false;
    const std::uint64_t left = space_.grains - begin;
    const std::uint64_t fair = left / (4 * std::uint64_t{workers_.units()});
    const std::uint64_t wanted = std::min(
        std::max({smallestShare_, fair, std::min(interleavedGroups_, left / workers_.units())}), largestShare_);
    end = begin + std::min(left, wholeBundles(space_.roundedChunk(wanted)));
  } while (!next_.compare_exchange_weak(begin, end, std::memory_order_relaxed));
  return true;
}

std::uint64_t LaunchRun::wholeBundles(std::uint64_t groups) const {
  return groups > interleavedGroups_ ? groups - groups % interleavedGroups_ : groups;
}

void LaunchRun::takeShares(const std::byte* args) {
  const auto start = Clock::now();
  std::uint64_t grains = 0, begin = 0, end = 0;
  while (!ended_.load(std::memory_order_relaxed) && take(begin, end)) {
    if (endedFromOutside() || !execute(begin, end, args)) return;
    grains += end - begin;
  }
  if (grains > 0) learn(nanoseconds(Clock::now() - start) / static_cast<double>(grains));
}

bool LaunchRun::endedFromOutside() {
  if (endedWithContext()) return true;
  const bool now = allEnded.load(std::memory_order_relaxed);
  if (now) failed({CL_OUT_OF_RESOURCES, fmt::format("kernel '{}' was ended with the process", launch_.info->name)});
  return now;
}

bool LaunchRun::endedWithContext() {
  const bool now = launch_.ended && launch_.ended->load(std::memory_order_relaxed);
  if (now)
    failed({CL_CONTEXT_TERMINATED_KHR, fmt::format("kernel '{}' was ended when its context was", launch_.info->name)});
  return now;
}

void LaunchRun::learn(double nsPerGrain) {
  nsPerItem_.store(static_cast<float>(nsPerGrain / static_cast<double>(space_.itemsPerGrain)),
                   std::memory_order_relaxed);
}

bool LaunchRun::execute(std::uint64_t begin, std::uint64_t end, const std::byte* args) {
  const compiler::WorkerMemory memory = workerMemory(localBytes_, interleavedGroups_, spillBytes_);
  if (!memory.local) {
    failed(
        {CL_OUT_OF_RESOURCES,
         fmt::format("kernel '{}': no memory for the work-items of a work-group ({} bytes of local and {} of private "
                     "memory)",
                     launch_.info->name, localBytes_, spillBytes_)});
    return false;
  }
  KernelStack& stack = KernelStack::mine();
  if (!stack.reserve(frameBytes_)) {
    failed({CL_OUT_OF_RESOURCES, fmt::format("kernel '{}': no memory for a stack with {} bytes of private variables",
                                             launch_.info->name, frameBytes_)});
    return false;
  }
  const FloatingPointMode mode;
  // Observers hold locks: their launches end between work-groups only.
  const RunningLaunch running(observer_ ? nullptr : launch_.ended);
  if (endedWithContext()) return false;
  const std::vector<ObservedMemory> arguments =
      observer_ ? memoryByArgument(launch_, buffers_, memory.local) : std::vector<ObservedMemory>();
  const Observing observing(observer_.get(), observer_ ? &arguments : nullptr, {memory.local, launch_.localBytes},
                            observer_ ? launch_.observer->mostSeconds() : 0,
                            compiler::looksAtCells(code_.instrumentation));
  compiler::Slice current{};  // where a fault was
  const compiler::NativeKernel* code = code_.exact ? code_.exact : code_.any;
  support::Fault fault;
  const support::FaultGuard::Endable endable(observer_ ? nullptr : launch_.ended);
  const bool returned = support::FaultGuard::run(
      [&] {
        space_.forEachBox(begin, end, [&](const Part& part, const compiler::Slice& slice) {
          current = slice;
          code = part.exact && code_.exact ? code_.exact : code_.any;
          stack.call(code->entry, args, &info_, &current, &memory);
        });
      },
      fault);
  if (!returned) {
    SubGroups::mine().abandon();
    if (fault.signal == 0 && fault.text.empty() && endedWithContext()) return false;
    std::string text = reportFault(fault, {.launch = launch_,
                                           .args = args,
                                           .variables = variables_,
                                           .localArrays = code->localArrays,
                                           .memory = memory,
                                           .spillBytes = spillBytes_,
                                           .slice = current,
                                           .ofItems = groupAgnostic_});
    if (observer_ && fault.signal != 0) reportTo(*observer_, text, code_, fault, source_);
    failed({CL_OUT_OF_RESOURCES, text + describePlace(code_, fault, source_)});
  }
  return returned;
}

void LaunchRun::failed(Result result) {
  ended_.store(true, std::memory_order_relaxed);
  const std::lock_guard lock(mutex_);
  if (result_.code == 0) result_ = std::move(result);
}

}  // namespace clarity::device::cpu
