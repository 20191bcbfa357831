// SPDX-License-Identifier: Apache-2.0
// This file measures how long work-items are in loops, and notes which loops those are.
#include "device/cpu/loop_watch.h"

#include "device/observer.h"
#include "support/fault_guard.h"
#include "support/observer_hooks.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <span>

namespace clarity::device::cpu {
namespace {

using Clock = std::chrono::steady_clock;

/// Iterations between two looks at the clock: some ten microseconds.
constexpr std::int64_t usualIterations = 1 << 14;
/// Iterations that are noted one by one once the time is over: so many, or as many as this part of the time allows, and
/// most loops that are named.
constexpr unsigned notedIterations = 1 << 16, leastNoted = 64;
constexpr double notedPart = 0.25;
constexpr std::size_t mostLoops = 16;

struct Loop {
  std::uint32_t site = 0;
  std::uint64_t count = 0;
};

struct Watch {
  LaunchObserver* observer = nullptr;
  double mostSeconds = 0;
  bool runs = false;  ///< `since` is that of `globalId`
  Clock::time_point since{};
  GlobalId globalId{};
  unsigned noted = 0;
  std::size_t loopCount = 0;
  std::array<Loop, mostLoops> loops{};
};

constinit thread_local std::int64_t iterations [[gnu::tls_model("initial-exec")]] = 0;
constinit thread_local Watch watch [[gnu::tls_model("initial-exec")]];

void note(std::uint32_t site, std::uint64_t count) {
  const auto end = watch.loops.begin() + static_cast<std::ptrdiff_t>(watch.loopCount);
  const auto known = std::find_if(watch.loops.begin(), end, [&](const Loop& loop) { return loop.site == site; });
  if (known != end)
    known->count += count;
  else if (watch.loopCount < mostLoops)
    watch.loops[watch.loopCount++] = {site, count};
}

/// Ends the launch because of one work-item. Does not return.
void endLaunch() {
  const std::span loops = std::span(watch.loops).first(watch.loopCount);
  std::ranges::sort(loops, [](const Loop& a, const Loop& b) { return a.count > b.count; });
  std::array<std::uint32_t, mostLoops> sites{};
  std::ranges::transform(loops, sites.begin(), &Loop::site);
  watch.observer->loops({.sites = std::span(sites).first(loops.size()), .globalId = watch.globalId});
  watch.runs = false;
  support::FaultGuard::abandon("was ended, because a work-item did not leave its loops");
}

}  // namespace

void watchLoops(LaunchObserver* observer, double mostSeconds) {
  watch = {};
  watch.observer = observer;
  watch.mostSeconds = mostSeconds;
  iterations = usualIterations;
}

void restartLoops() { watch.runs = false; }

}  // namespace clarity::device::cpu

using namespace clarity::device::cpu;

std::uint64_t __clarity_loop_count() { return reinterpret_cast<std::uint64_t>(&iterations); }

void __clarity_check_loop(std::uint32_t site, std::uint64_t x, std::uint64_t y, std::uint64_t z) {
  const auto counted = static_cast<std::uint64_t>(std::max<std::int64_t>(-iterations, 1));
  iterations = usualIterations;
  if (!watch.observer || watch.mostSeconds <= 0) return;
  const clarity::device::GlobalId id{x, y, z};
  const auto now = Clock::now();
  if (!watch.runs || watch.globalId != id) {
    watch.runs = true;
    watch.since = now;
    watch.globalId = id;
    watch.noted = 0;
    watch.loopCount = 0;
    return;
  }
  const double seconds = std::chrono::duration<double>(now - watch.since).count();
  if (seconds < watch.mostSeconds) return;
  note(site, counted);
  ++watch.noted;
  const bool isLate = seconds > (1 + notedPart) * watch.mostSeconds;
  if (watch.noted > notedIterations || (isLate && watch.noted > leastNoted)) endLaunch();
  iterations = 0;
}
