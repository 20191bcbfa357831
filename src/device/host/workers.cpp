// SPDX-License-Identifier: Apache-2.0
// This file runs work on oneTBB's threads and the calling one.
#include "device/host/workers.h"

#include "support/background.h"
#include "support/process_end.h"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

#if defined(__has_feature) && __has_feature(thread_sanitizer)
#include <sanitizer/tsan_interface.h>
#endif

#include <pthread.h>
#include <algorithm>
#include <atomic>
#include <exception>
#include <optional>

namespace clarity::device::host {
namespace {

// oneTBB orders the shares of work after what the caller did before them, and before what it does afterwards.
// ThreadSanitizer does not see that, as the library is not instrumented.
void releaseForTsan([[maybe_unused]] void* work) {
#if defined(__has_feature) && __has_feature(thread_sanitizer)
  __tsan_release(work);
#endif
}
void acquireForTsan([[maybe_unused]] void* work) {
#if defined(__has_feature) && __has_feature(thread_sanitizer)
  __tsan_acquire(work);
#endif
}

/// Threads of the application and of the scheduler that may run work at the same time without waiting for each other.
constexpr int callersAtOnce = 8;

/// oneTBB's threads may have been at work in this process.
std::atomic<bool> begun{false};
/// This process was forked from one of which that was true. It has none of the threads, oneTBB starts no others in
/// their place, and a lock of oneTBB that one of them had stays locked: each thread works alone.
std::atomic<bool> forked{false};

void noticeForks() {
  static const int noticed = ::pthread_atfork(nullptr, nullptr, [] { forked = forked || begun; });
  (void)noticed;
}

/// When the process ends, oneTBB's static objects go. Work that has begun then is waited for (ServiceThreads).
bool mayUseTbb() { return !forked.load(std::memory_order_relaxed) && !support::processEnds(); }

/// Nanoseconds that the first use of oneTBB in a process takes.
constexpr std::int64_t startCost = 1'000'000;
/// The time of work that was not divided, since the process began; startCost when other threads have been used.
std::atomic<std::int64_t> undivided{0};

}  // namespace

struct Workers::Arena {
  // More threads than processors were asked for: oneTBB would not make them by itself.
  std::optional<tbb::global_control> allowance;
  tbb::task_arena arena;

  explicit Arena(std::uint32_t units)
      : arena(static_cast<int>(units) - 1 + callersAtOnce, static_cast<unsigned>(callersAtOnce)) {
    noticeForks();
    const auto wanted = static_cast<std::size_t>(units);
    if (!forked && wanted > tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism))
      allowance.emplace(tbb::global_control::max_allowed_parallelism, wanted);
  }
};

Workers::Workers(std::uint32_t units) : units_(std::max(units, 1u)) {
  const support::ProcessEndDelay hold;
  if (units_ > 1 && !support::processEnds()) arena_ = std::make_unique<Arena>(units_);
}

Workers::~Workers() {
  if (!mayUseTbb()) static_cast<void>(arena_.release());
}

bool Workers::isWorthStart(double nanoseconds) const {
  return static_cast<double>(undivided.load(std::memory_order_relaxed)) + nanoseconds >= startCost;
}

void Workers::wasNotDivided(double nanoseconds) {
  if (undivided.load(std::memory_order_relaxed) < startCost)
    undivided.fetch_add(static_cast<std::int64_t>(nanoseconds), std::memory_order_relaxed);
}

void Workers::call(void (*body)(void*), void* argument) {
  if (!arena_ || !mayUseTbb()) return body(argument);
  if (!begun.load(std::memory_order_relaxed)) begun = true;
  undivided.store(startCost, std::memory_order_relaxed);
  char ordered = 0;  ///< for ThreadSanitizer: what each share comes after, and what comes after all of them
  const auto share = [&](unsigned) {
    acquireForTsan(&ordered);
    body(argument);
    releaseForTsan(&ordered);
  };
  try {
    releaseForTsan(&ordered);
    arena_->arena.execute([&] { tbb::parallel_for(0u, units_, share, tbb::simple_partitioner()); });
    acquireForTsan(&ordered);
  } catch (const std::exception&) {
    // oneTBB has no memory for its tasks or no thread for them: this thread does what the others, which have come back,
    // have left.
    acquireForTsan(&ordered);
    body(argument);
  }
}

}  // namespace clarity::device::host
