// SPDX-License-Identifier: Apache-2.0
// This file decides which work is shared with worker threads.
#include "device/host/workers.h"

#include "device/host/worker_threads.h"
#include "support/process_end.h"

#include <algorithm>
#include <atomic>

namespace clarity::device::host {
namespace {

/// Nanoseconds that starting a thread takes.
constexpr std::int64_t startCostOfThread = 20'000;
/// The time of work that was not divided, since the process began.
std::atomic<std::int64_t> undivided{0};
/// Worker threads have been used in this process.
std::atomic<bool> begun{false};

}  // namespace

Workers::Workers(std::uint32_t units) : units_(std::max(units, 1u)) {
  support::noticeProcessEnd();
  WorkerThreads::get().allow(units_ - 1);
}

bool Workers::isWorthStart(double nanoseconds) const {
  if (begun.load(std::memory_order_relaxed)) return true;
  const double cost = static_cast<double>(startCostOfThread * units_);
  return static_cast<double>(undivided.load(std::memory_order_relaxed)) + nanoseconds >= cost;
}

void Workers::wasNotDivided(double nanoseconds) {
  if (!begun.load(std::memory_order_relaxed))
    undivided.fetch_add(static_cast<std::int64_t>(nanoseconds), std::memory_order_relaxed);
}

void Workers::call(void (*body)(void*), void* argument) {
  if (units_ > 1 && !begun.load(std::memory_order_relaxed)) begun.store(true, std::memory_order_relaxed);
  WorkerThreads::get().run(body, argument, units_ - 1);
}

}  // namespace clarity::device::host
