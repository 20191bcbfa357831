// SPDX-License-Identifier: Apache-2.0
// This file measures how long work-items are in loops, and notes which loops those are.
#include "device/cpu/loop_watch.h"

#include "support/fault_guard.h"
#include "support/observer_hooks.h"

#include <algorithm>
#include <span>

namespace clarity::device::cpu {
namespace {

/// Iterations between two looks at the clock: some ten microseconds.
constexpr std::int64_t usualIterations = 1 << 14;
/// Iterations that are noted one by one once the time is over: so many, or as many as this part of the time allows.
constexpr unsigned notedIterations = 1 << 16, leastNoted = 64;
constexpr double notedPart = 0.25;

constinit thread_local std::int64_t iterations [[gnu::tls_model("initial-exec")]] = 0;
/// A pointer: memory of threads is scarce where the driver is loaded late (tests/sources/check_thread_memory.py).
constinit thread_local LoopWatch* watch [[gnu::tls_model("initial-exec")]] = nullptr;

}  // namespace

LoopWatch::LoopWatch(LaunchObserver* observer, double mostSeconds)
    : before_(watch), observer_(observer), mostSeconds_(mostSeconds) {
  watch = observer_ && mostSeconds_ > 0 ? this : nullptr;
  iterations = usualIterations;
}

LoopWatch::~LoopWatch() {
  watch = before_;
  restartLoops();
}

std::int64_t LoopWatch::look(std::uint32_t site, std::uint64_t count, const GlobalId& id) {
  const auto now = Clock::now();
  if (!runs_ || globalId_ != id) {
    runs_ = true;
    since_ = now;
    globalId_ = id;
    noted_ = 0;
    loopCount_ = 0;
    return usualIterations;
  }
  const double seconds = std::chrono::duration<double>(now - since_).count();
  if (seconds < mostSeconds_) return usualIterations;
  note(site, count);
  ++noted_;
  const bool isLate = seconds > (1 + notedPart) * mostSeconds_;
  if (noted_ > notedIterations || (isLate && noted_ > leastNoted)) endLaunch();
  return 0;
}

void LoopWatch::note(std::uint32_t site, std::uint64_t count) {
  const auto end = loops_.begin() + static_cast<std::ptrdiff_t>(loopCount_);
  const auto known = std::find_if(loops_.begin(), end, [&](const Loop& loop) { return loop.site == site; });
  if (known != end)
    known->count += count;
  else if (loopCount_ < mostLoops)
    loops_[loopCount_++] = {site, count};
}

/// Ends the launch because of one work-item. Does not return.
void LoopWatch::endLaunch() {
  const std::span loops = std::span(loops_).first(loopCount_);
  std::ranges::sort(loops, [](const Loop& a, const Loop& b) { return a.count > b.count; });
  std::array<std::uint32_t, mostLoops> sites{};
  std::ranges::transform(loops, sites.begin(), &Loop::site);
  observer_->loops({.sites = std::span(sites).first(loops.size()), .globalId = globalId_});
  restart();
  support::FaultGuard::abandon("was ended, because a work-item did not leave its loops");
}

void restartLoops() {
  if (watch) watch->restart();
}

}  // namespace clarity::device::cpu

using namespace clarity::device::cpu;

std::uint64_t __clarity_loop_count() { return reinterpret_cast<std::uint64_t>(&iterations); }

void __clarity_check_loop(std::uint32_t site, std::uint64_t x, std::uint64_t y, std::uint64_t z) {
  const auto counted = static_cast<std::uint64_t>(std::max<std::int64_t>(-iterations, 1));
  iterations = usualIterations;
  if (watch) iterations = watch->look(site, counted, {x, y, z});
}
