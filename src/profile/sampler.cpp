// SPDX-License-Identifier: Apache-2.0
// This file samples by timers of threads' processor time: perf_event_open is forbidden in most containers. The signal
// is SIGURG, which is ignored by default: one that comes late ends nothing.
#include "profile/sampler.h"

#include "compiler/driver/code_places.h"
#include "support/signal_context.h"

#include <dirent.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>
#include <unordered_map>

namespace clarity::profile {
namespace {

constexpr std::uint64_t interval = 1'000'000;  ///< nanoseconds of a thread's processor time
constexpr std::size_t mostSamples = 2'000'000;
constexpr std::chrono::milliseconds betweenLooks{5};  ///< for threads that are new

const void** theSamples = nullptr;
std::atomic<std::size_t> count{0};
std::atomic<bool> isOn{false};

/// Timers of processor time go off at ticks of the system's clock, some milliseconds apart: then a signal stands for
/// several intervals.
void onSignal(int, siginfo_t* signal, void* context) {
  const int error = errno;
  if (isOn.load(std::memory_order_relaxed) && signal->si_code == SI_TIMER) {
    const auto intervals = static_cast<std::size_t>(std::clamp(signal->si_overrun, 0, 100)) + 1;
    const std::size_t first = count.fetch_add(intervals, std::memory_order_relaxed);
    for (std::size_t at = first; at < std::min(first + intervals, mostSamples); ++at)
      theSamples[at] = support::instructionOf(*static_cast<const ucontext_t*>(context));
  }
  errno = error;
}

/// Gives every thread of the process a timer.
class Timers {
public:
  void run() {
    std::unique_lock lock(mutex_);
    while (!ends_) {
      look();
      wake_.wait_for(lock, betweenLooks);
    }
    for (const auto& [thread, timer] : timers_) ::timer_delete(timer);
  }

  void end() {
    {
      const std::lock_guard lock(mutex_);
      ends_ = true;
    }
    wake_.notify_all();
  }

private:
  void look() {
    DIR* const folder = ::opendir("/proc/self/task");
    if (!folder) return;
    while (const dirent* const entry = ::readdir(folder)) {
      pid_t thread = 0;
      const char* const end = entry->d_name + std::strlen(entry->d_name);
      if (std::from_chars(entry->d_name, end, thread).ec != std::errc{} || timers_.contains(thread)) continue;
      if (timers_.size() < mostThreads) add(thread);
    }
    ::closedir(folder);
  }

  void add(pid_t thread) {
    // The clock of a thread's processor time (Linux: MAKE_THREAD_CPUCLOCK with CPUCLOCK_SCHED).
    const auto clock = static_cast<clockid_t>((~static_cast<unsigned>(thread) << 3) | 6u);
    sigevent event{};
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = SIGURG;
    event._sigev_un._tid = thread;
    timer_t timer{};
    if (::timer_create(clock, &event, &timer) != 0) return;
    itimerspec every{};
    every.it_interval.tv_nsec = every.it_value.tv_nsec = interval;
    ::timer_settime(timer, 0, &every, nullptr);
    timers_[thread] = timer;
  }

  static constexpr std::size_t mostThreads = 4096;
  std::mutex mutex_;  ///< guards what follows
  std::condition_variable wake_;
  bool ends_ = false;
  std::unordered_map<pid_t, timer_t> timers_;
};

Timers& timers() {
  static auto& all = *new Timers;
  return all;
}

}  // namespace

bool beginSampling() {
  struct sigaction before{};
  if (::sigaction(SIGURG, nullptr, &before) != 0 || (before.sa_flags & SA_SIGINFO) || before.sa_handler != SIG_DFL)
    return false;
  void* const memory = ::mmap(nullptr, mostSamples * sizeof(void*), PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return false;
  theSamples = static_cast<const void**>(memory);
  compiler::keepCodePlaces();
  struct sigaction ours{};
  ours.sa_sigaction = onSignal;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  ::sigemptyset(&ours.sa_mask);
  if (::sigaction(SIGURG, &ours, nullptr) != 0) return false;
  isOn = true;
  // The application's handlers are not for this thread.
  sigset_t all, mask;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &mask);
  std::thread([] { timers().run(); }).detach();
  ::pthread_sigmask(SIG_SETMASK, &mask, nullptr);
  return true;
}

void endSampling() {
  isOn = false;
  if (theSamples) timers().end();
}

Samples samples() {
  Samples result;
  result.nanoseconds = interval;
  const std::size_t taken = std::min(count.load(), mostSamples);
  std::unordered_map<const void*, std::uint64_t> byInstruction;
  for (std::size_t i = 0; i < taken; ++i) ++byInstruction[theSamples[i]];
  for (const auto& [instruction, times] : byInstruction) {
    const compiler::CodePlace place = compiler::codePlaceOf(instruction);
    if (place.kernel.empty())
      result.elsewhere += times;
    else
      result.inKernels[{place.kernel, place.file, place.line, place.function}] += times;
  }
  return result;
}

}  // namespace clarity::profile
