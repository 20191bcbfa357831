// SPDX-License-Identifier: Apache-2.0
// This file runs one launch.
#include "device/cpu/launch_run.h"

#include "device/cpu/argument_memory.h"
#include "device/cpu/fault_report.h"
#include "device/cpu/kernel_stack.h"
#include "device/cpu/observation.h"
#include "device/cpu/private_reductions.h"
#include "device/host/worker_threads.h"
#include "device/worker_spans.h"
#include "support/background.h"
#include "support/clock.h"
#include "support/own_thread.h"
#include "support/process_end.h"

#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <new>
#include <thread>
#include <utility>
#include <vector>

namespace clarity::device::cpu {
namespace {

// Nanoseconds. Waking a sleeping thread takes some ten microseconds, to get a share well below one.
constexpr double worthOtherThreads = 40'000;
constexpr double soloStep = 10'000;
constexpr double leastOfShare = 4'000;
/// A share takes no longer than this, so that a launch can be ended.
constexpr double mostOfShare = 20'000'000;
/// From when on the time of a launch that has quick code is foreseen: much of the first is page faults and misses.
constexpr double leastForeseen = 1'000'000;
/// Local memory of work-groups that run together: no more than stays in the nearest cache beside what they read.
constexpr std::uint64_t mostLocalTogether = 65'536;
/// Work-items that a kernel of unknown cost begins with.
constexpr std::uint64_t probeItems = 1024;

std::atomic<bool> allEnded{false};

/// The time, if a profile wants to know it.
std::uint64_t reportedTime() { return spanListener.load(std::memory_order_relaxed) ? support::hostTime() : 0; }

double nanoseconds(std::chrono::steady_clock::duration d) {
  return std::chrono::duration<double, std::nano>(d).count();
}

/// The code that most of a launch executes.
const compiler::NativeKernel& mainOf(const KernelCode::Choice& code) { return code.exact ? *code.exact : *code.any; }

/// The range that work-items see.
NDRange seenRange(const Launch& launch) {
  NDRange range = launch.range;
  if (!launch.whole.isDivided) [[likely]]
    return range;
  range.offset = launch.whole.offset;
  range.global = launch.whole.global;
  return range;
}

IndexSpace spaceOf(const Launch& launch, const KernelCode::Choice& code, std::uint32_t units) {
  const compiler::NativeKernel& main = mainOf(code);
  GroupBox box;
  const GroupBox* const part = launch.whole.isDivided ? &box : nullptr;
  for (std::size_t d = 0; d < 3 && part; ++d) {
    box.first[d] = launch.whole.firstGroup[d];
    box.count[d] = divideUp(launch.range.global[d], launch.range.local[d]);
  }
  if (main.groupAgnostic && main.boxSide)
    return IndexSpace::ofBoxes(seenRange(launch), units, main.tile, main.boxSide, part);
  if (main.groupAgnostic) return IndexSpace::ofItems(seenRange(launch), units, main.tile, main.separateRows, part);
  return IndexSpace::ofGroups(seenRange(launch), code.exact != nullptr, part);
}

}  // namespace

LaunchRun::LaunchRun(const Launch& launch, const KernelCode::Choice& code, const Reductions& reductions,
                     host::Workers& workers, const VariableStorage& variables, const SourceText& source,
                     std::size_t printfBytes, std::atomic<float>& nsPerItem, const CheckedCode* checkedCode,
                     const FullCode* full)
    : launch_(launch),
      reductions_(reductions),
      workers_(workers),
      variables_(variables),
      source_(source),
      nsPerItem_(nsPerItem),
      groupAgnostic_(mainOf(code).groupAgnostic),
      space_(spaceOf(launch, code, workers.units())),
      checkedCode_(checkedCode),
      fullCode_(full),
      fullIsWanted_(full ? Wanted::NotYet : Wanted::No) {
  const NDRange range = seenRange(launch);
  localBytes_ = (launch.localBytes + 63) / 64 * 64;
  setUp(first_, code);
  for (std::size_t d = 0; d < 3; ++d) {
    info_.globalOffset[d] = range.offset[d];
    info_.globalSize[d] = range.global[d];
    info_.enqueuedLocalSize[d] = range.local[d];
    info_.numGroups[d] = divideUp(range.global[d], range.local[d]);
  }
  info_.workDim = range.dims;
  info_.printfSink = nullptr;
  info_.parent = launch.parent;
  alone_ = workers.units() == 1 || code.instrumentation == compiler::Instrumentation::Check ||
           code.instrumentation == compiler::Instrumentation::Debug;
  if (code.instrumentation != compiler::Instrumentation::None) buffers_ = buffersOf(launch);
  if (first_.isObserved)
    observer_ = launch.observer->begin(
        {*launch.info, launch.range, mainOf(code).sites, buffers_, launch.command, code.instrumentation});
  if (launch.info->usesPrintf) info_.printfSink = &sink_.emplace(printfBytes);
}

void LaunchRun::setUp(Execution& execution, const KernelCode::Choice& choice) const {
  KernelCode::Choice& chosen = execution.code;
  chosen = choice;
  execution.isObserved =
      !compiler::isOptimised(choice.instrumentation) || choice.instrumentation == compiler::Instrumentation::Count;
  if (groupAgnostic_) {
    // One code executes everything, cut as it comes.
    if (chosen.exact) chosen.any = chosen.exact;
    chosen.exact = nullptr;
  }
  if (chosen.exact)
    execution.groups = std::clamp<std::uint64_t>(mostLocalTogether / std::max<std::uint64_t>(localBytes_, 1), 1,
                                                 chosen.exact->interleavedGroups);
  for (const compiler::NativeKernel* each : {chosen.any, chosen.exact})
    if (each) require(execution, *each);
}

void LaunchRun::require(Execution& execution, const compiler::NativeKernel& kernel) const {
  std::uint64_t items = execution.groups;
  for (const std::size_t size : launch_.range.local) items *= size;
  items = (items + 63) / 64 * 64;
  execution.spillBytes = std::max(execution.spillBytes, kernel.spillBytesPerItem * std::max(items, kernel.chunkItems));
  execution.frameBytes = std::max(execution.frameBytes, kernel.frameBytes);
}

bool LaunchRun::canTakeOver(const Execution& next) const {
  const KernelCode::Choice &before = first_.code, &after = next.code;
  for (const compiler::NativeKernel* each : {after.any, after.exact})
    if (each && each->groupAgnostic != groupAgnostic_) return false;
  return next.frameBytes <= mostFrameBytes && (after.any || !before.any) && (after.any || after.exact || !before.exact);
}

const LaunchRun::Execution& LaunchRun::execution() {
  const Execution* now = now_.load(std::memory_order_acquire);
  if (now != &first_ || fullIsWanted_.load(std::memory_order_relaxed) != Wanted::Yes) return *now;
  KernelCode::Choice choice;
  if (!fullCode_->find(choice)) return first_;
  const std::lock_guard lock(mutex_);
  if (now_.load(std::memory_order_relaxed) == &first_ && fullIsWanted_ == Wanted::Yes) {
    setUp(full_.emplace(), choice);
    if (canTakeOver(*full_)) now_.store(&*full_, std::memory_order_release);
    fullIsWanted_ = Wanted::No;
  }
  return *now_.load(std::memory_order_relaxed);
}

void LaunchRun::considerFullCode(double elapsed, double nsPerGrain, std::uint64_t grainsLeft) {
  if (fullIsWanted_.load(std::memory_order_relaxed) != Wanted::NotYet || elapsed < leastForeseen) return;
  const double threads = alone_ ? 1 : workers_.units();
  if (nsPerGrain * static_cast<double>(grainsLeft) / threads < fullCode_->leastLeft) return;
  Wanted before = Wanted::NotYet;
  if (fullIsWanted_.compare_exchange_strong(before, Wanted::Yes)) fullCode_->make();
}

void LaunchRun::endAll(bool end) noexcept { allEnded.store(end, std::memory_order_relaxed); }

bool LaunchRun::allEnd() noexcept { return allEnded.load(std::memory_order_relaxed); }

Result LaunchRun::run() {
  if (space_.grains == 0) return {};
  if (first_.frameBytes > mostFrameBytes)
    return {CL_OUT_OF_RESOURCES,
            fmt::format("kernel '{}' needs {} bytes for private variables on the stack of a thread; the limit is {}",
                        launch_.info->name, first_.frameBytes, mostFrameBytes)};
  nsPerGrain_ =
      static_cast<double>(nsPerItem_.load(std::memory_order_relaxed)) * static_cast<double>(space_.itemsPerGrain);
  runAll();
  if (sink_) sink_->flush();
  if (observer_) observer_->end(result_.code == 0);
  return std::move(result_);
}

template <class Work>
bool LaunchRun::withArgs(const Work& work) {
  if (!first_.code.privateReductions) {
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
  failed({faultCode, reportMergeFault(fault, launch_, variables_)});
  return false;
}

void LaunchRun::runAll() {
  if (mainOf(first_.code).groupsWait && !alone_ && space_.grains > 1) return runApart();
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
  const std::uint64_t reported = reportedTime();
  for (std::uint64_t done = 0; done < total;) {
    const std::uint64_t end = std::min(total, done + std::max<std::uint64_t>(step, 1));
    if (endedFromOutside() || !execute(done, end, args)) return true;
    done = end;
    const double elapsed = std::max(nanoseconds(Clock::now() - start), 1.0);
    nsPerGrain_ = elapsed / static_cast<double>(done);
    considerFullCode(elapsed, nsPerGrain_, total - done);
    if (othersCanHelp && isWorthOthers(total - done)) {
      doneAlone_ = done;
      report(reported, 0, done);
      return false;
    }
    step = wholeBundles(
        space_.roundedChunk(static_cast<std::uint64_t>((othersCanHelp ? soloStep : mostOfShare) / nsPerGrain_)));
  }
  report(reported, 0, total);
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
  const Shares::Units units{.row = space_.unitOf(space_.grains / workers_.units()), .bundle = bundle()};
  Shares shares(doneAlone_, space_.grains, units, workers_.units());
  // The first run is this thread's, so that the first work-groups are executed whoever else comes.
  const unsigned mine = host::WorkerThreads::numberOfThread();
  workers_.run([&] {
    const unsigned number = host::WorkerThreads::numberOfThread();
    Shares::Seat seat(shares, number == mine ? 0 : number);
    try {
      withArgs([&](const std::byte* args) { runShares(shares, seat, args); });
    } catch (const std::bad_alloc&) {
      failed({CL_OUT_OF_HOST_MEMORY, {}});
    }
  });
}

void LaunchRun::runApart() {
  const support::ProcessEndDelay hold;
  const auto most = std::min<std::uint64_t>(space_.grains, workers_.units());
  std::atomic<bool> begins{false};  // not before all threads are there: one alone might wait for ever
  const auto work = [&] {
    begins.wait(false, std::memory_order_acquire);
    try {
      withArgs([this](const std::byte* args) { takeGroups(args); });
    } catch (const std::bad_alloc&) {
      failed({CL_OUT_OF_HOST_MEMORY, {}});
    }
  };
  const auto begin = [&] {
    begins.store(true, std::memory_order_release);
    begins.notify_all();
  };
  std::vector<std::thread> others;
  try {
    const support::OwnThreadSignals signals;
    others.reserve(most - 1);
    while (others.size() + 1 < most) others.emplace_back(work);
  } catch (const std::exception&) {
    failed({CL_OUT_OF_RESOURCES,
            fmt::format("kernel '{}' has work-groups that may wait for each other: {} of {} threads could be started",
                        launch_.info->name, others.size() + 1, most)});
  }
  begin();
  work();
  for (std::thread& other : others) other.join();
}

void LaunchRun::takeGroups(const std::byte* args) {
  while (!ended_.load(std::memory_order_relaxed)) {
    const std::uint64_t group = next_.fetch_add(1, std::memory_order_relaxed);
    const std::uint64_t reported = reportedTime();
    if (group >= space_.grains || endedFromOutside() || !execute(group, group + 1, args)) return;
    report(reported, group, group + 1);
  }
}

std::uint64_t LaunchRun::sizeOfShare(std::uint64_t left, std::uint64_t fair) const {
  const std::uint64_t wanted = std::min(std::max({smallestShare_, fair, std::min(bundle(), left)}), largestShare_);
  return std::min(left, wholeBundles(space_.roundedChunk(wanted)));
}

std::uint64_t LaunchRun::wholeBundles(std::uint64_t groups) const {
  const std::uint64_t together = bundle();
  return groups > together ? groups - groups % together : groups;
}

void LaunchRun::runShares(Shares& shares, Shares::Seat& seat, const std::byte* args) {
  const auto start = Clock::now();
  std::uint64_t grains = 0, begin = 0, end = 0;
  while (!ended_.load(std::memory_order_relaxed) &&
         shares.take(seat, [&](std::uint64_t left) { return sizeOfShare(left, shares.fairPart(left)); }, begin, end)) {
    const std::uint64_t reported = reportedTime();
    if (endedFromOutside() || !execute(begin, end, args)) return;
    report(reported, begin, end);
    grains += end - begin;
    if (fullIsWanted_.load(std::memory_order_relaxed) != Wanted::NotYet) continue;
    const double elapsed = nanoseconds(Clock::now() - start);
    // The others are as far as this one.
    const std::uint64_t doneByAll = doneAlone_ + grains * workers_.units();
    considerFullCode(elapsed, elapsed / static_cast<double>(grains),
                     space_.grains - std::min(doneByAll, space_.grains));
  }
  if (grains > 0) learn(nanoseconds(Clock::now() - start) / static_cast<double>(grains));
}

void LaunchRun::report(std::uint64_t since, std::uint64_t begin, std::uint64_t end) const {
  if (since == 0) [[likely]]
    return;
  if (SpanListener* const listener = spanListener.load(std::memory_order_acquire))
    listener({.kernel = launch_.info,
              .begin = since,
              .end = support::hostTime(),
              .first = begin,
              .count = end - begin,
              .all = space_.grains});
}

bool LaunchRun::endedFromOutside() {
  if (endedWithContext()) return true;
  const bool now = allEnded.load(std::memory_order_relaxed);
  if (now) failed({CL_OUT_OF_RESOURCES, fmt::format("kernel '{}' {}", launch_.info->name, support::endedWithProcess)});
  return now;
}

bool LaunchRun::endedWithContext() {
  const bool now = launch_.ended && launch_.ended->load(std::memory_order_relaxed);
  if (now)
    failed({CL_CONTEXT_TERMINATED_KHR, fmt::format("kernel '{}' was ended when its context was", launch_.info->name)});
  return now;
}

void LaunchRun::learn(double nsPerGrain) {
  if (fullCode_) return;  // no other launch has such code
  nsPerItem_.store(static_cast<float>(nsPerGrain / static_cast<double>(space_.itemsPerGrain)),
                   std::memory_order_relaxed);
}

void LaunchRun::failed(Result result) {
  ended_.store(true, std::memory_order_relaxed);
  const std::lock_guard lock(mutex_);
  if (result_.code == 0) result_ = std::move(result);
}

}  // namespace clarity::device::cpu
