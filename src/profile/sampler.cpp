// SPDX-License-Identifier: Apache-2.0
// This file samples by a clock of each thread's processor time: one of perf_event_open, which is exact, or where that
// is forbidden, as in most containers, a timer. The signal is SIGURG, which is ignored by default: one that comes late
// ends nothing.
#include "profile/sampler.h"

#include "compiler/driver/code_places.h"
#include "support/own_thread.h"
#include "support/signal_context.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
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
#include <unordered_map>

namespace clarity::profile {
namespace {

constexpr std::uint64_t interval = 1'000'000;  ///< nanoseconds of a thread's processor time
/// From so many samples on, each stands for several intervals: in virtual machines, one may take 25 to 45 us.
constexpr std::size_t oftenUntil = 100;
constexpr unsigned laterIntervals = 4;
constexpr std::size_t mostSamples = 2'000'000;
/// For threads that are new: often at first, when most begin.
constexpr std::chrono::milliseconds firstLook{2}, mostBetweenLooks{25};
/// The threads are counted at each look, and their list is read at every so many, or if there are more or fewer.
constexpr unsigned looksPerList = 8;

/// An instruction's address, and this bit.
constexpr std::uint64_t denormalBit = std::uint64_t{1} << 63;
std::uint64_t* theSamples = nullptr;
std::atomic<std::size_t> count{0};
std::atomic<bool> isOn{false};
std::atomic<unsigned> intervalsOfSample{1};

std::uint64_t periodNow() { return interval * intervalsOfSample.load(std::memory_order_relaxed); }

/// Handlers may still be at work when the samples are read: one that is not there yet is zero.
std::atomic_ref<std::uint64_t> sampleAt(std::size_t at) { return std::atomic_ref(theSamples[at]); }

/// Timers of processor time go off at ticks of the system's clock, some milliseconds apart: then a signal stands for
/// several periods. One of perf_event_open (POLL_IN) stands for one.
void onSignal(int, siginfo_t* signal, void* context) {
  const int error = errno;
  auto* const its = static_cast<ucontext_t*>(context);
  const bool isTimer = signal->si_code == SI_TIMER;
  if (isOn.load(std::memory_order_relaxed) && (isTimer || signal->si_code == POLL_IN)) {
    const std::size_t periods = isTimer ? static_cast<std::size_t>(std::clamp(signal->si_overrun, 0, 100)) + 1 : 1;
    const std::size_t intervals = periods * intervalsOfSample.load(std::memory_order_relaxed);
    const std::uint64_t sample = reinterpret_cast<std::uint64_t>(support::instructionOf(*its)) |
                                 (support::takeDenormalFlag(*its) ? denormalBit : 0);
    const std::size_t first = count.fetch_add(intervals, std::memory_order_relaxed);
    for (std::size_t at = first; at < std::min(first + intervals, mostSamples); ++at)
      sampleAt(at).store(sample, std::memory_order_relaxed);
  }
  errno = error;
}

/// Gives every thread of the process a clock.
class Clocks {
public:
  void run() {
    std::unique_lock lock(mutex_);
    for (std::chrono::milliseconds pause = firstLook; !ends_;
         pause = std::min(pause * 5 / 4 + firstLook, mostBetweenLooks)) {
      look();
      if (intervalsOfSample == 1 && count >= oftenUntil) sampleSeldom();
      wake_.wait_for(lock, pause);
    }
    for (const auto& [thread, clock] : clocks_) {
      if (clock.event >= 0)
        ::close(clock.event);
      else
        ::timer_delete(clock.timer);
    }
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
    struct stat folderNow{};
    const bool isKnown = ::stat("/proc/self/task", &folderNow) == 0 && folderNow.st_nlink == links_;
    links_ = folderNow.st_nlink;
    if (isKnown && ++looks_ % looksPerList != 0) return;
    DIR* const folder = ::opendir("/proc/self/task");
    if (!folder) return;
    while (const dirent* const entry = ::readdir(folder)) {
      pid_t thread = 0;
      const char* const end = entry->d_name + std::strlen(entry->d_name);
      if (std::from_chars(entry->d_name, end, thread).ec != std::errc{} || clocks_.contains(thread)) continue;
      if (clocks_.size() < mostThreads) add(thread);
    }
    ::closedir(folder);
  }

  void sampleSeldom() {
    intervalsOfSample = laterIntervals;
    for (const auto& [thread, clock] : clocks_) {
      std::uint64_t period = periodNow();
      if (clock.event >= 0)
        ::ioctl(clock.event, PERF_EVENT_IOC_PERIOD, &period);
      else
        setTimer(clock.timer);
    }
  }

  static void setTimer(timer_t timer) {
    itimerspec every{};
    every.it_interval.tv_nsec = every.it_value.tv_nsec = static_cast<long>(periodNow());
    ::timer_settime(timer, 0, &every, nullptr);
  }

  /// False: it is forbidden, or the system does not have it.
  bool addEvent(pid_t thread) {
    perf_event_attr what{};
    what.size = sizeof what;
    what.type = PERF_TYPE_SOFTWARE;
    what.config = PERF_COUNT_SW_CPU_CLOCK;
    what.sample_period = periodNow();
    what.exclude_kernel = what.exclude_hv = 1;
    what.wakeup_events = 1;
    const auto event = static_cast<int>(::syscall(SYS_perf_event_open, &what, thread, -1, -1, PERF_FLAG_FD_CLOEXEC));
    if (event < 0) return false;
    const f_owner_ex owner{.type = F_OWNER_TID, .pid = thread};
    if (::fcntl(event, F_SETFL, O_ASYNC) != 0 || ::fcntl(event, F_SETSIG, SIGURG) != 0 ||
        ::fcntl(event, F_SETOWN_EX, &owner) != 0) {
      ::close(event);
      return false;
    }
    clocks_[thread] = {.event = event};
    return true;
  }

  void add(pid_t thread) {
    if (addEvent(thread)) return;
    // The clock of a thread's processor time (Linux: MAKE_THREAD_CPUCLOCK with CPUCLOCK_SCHED).
    const auto clock = static_cast<clockid_t>((~static_cast<unsigned>(thread) << 3) | 6u);
    sigevent event{};
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = SIGURG;
    event._sigev_un._tid = thread;
    timer_t timer{};
    if (::timer_create(clock, &event, &timer) != 0) return;
    setTimer(timer);
    clocks_[thread] = {.timer = timer};
  }

  static constexpr std::size_t mostThreads = 4096;
  std::mutex mutex_;  ///< guards what follows
  std::condition_variable wake_;
  bool ends_ = false;
  nlink_t links_ = 0;  ///< links of the folder of the process's threads: two more than there are threads
  unsigned looks_ = 0;
  struct Clock {
    int event = -1;  ///< a file of perf_event_open; -1: a timer
    timer_t timer{};
  };
  std::unordered_map<pid_t, Clock> clocks_;
};

Clocks& clocks() {
  static auto& all = *new Clocks;
  return all;
}

}  // namespace

bool beginSampling() {
  struct sigaction before{};
  if (::sigaction(SIGURG, nullptr, &before) != 0 || (before.sa_flags & SA_SIGINFO) || before.sa_handler != SIG_DFL)
    return false;
  void* const memory = ::mmap(nullptr, mostSamples * sizeof(std::uint64_t), PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return false;
  theSamples = static_cast<std::uint64_t*>(memory);
  compiler::keepCodePlaces();
  struct sigaction ours{};
  ours.sa_sigaction = onSignal;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  ::sigemptyset(&ours.sa_mask);
  if (::sigaction(SIGURG, &ours, nullptr) != 0) return false;
  isOn = true;
  support::runOnOwnThread([] { clocks().run(); });
  return true;
}

void endSampling() {
  isOn = false;
  if (theSamples) clocks().end();
}

Samples samples() {
  Samples result;
  result.nanoseconds = interval;
  const std::size_t taken = std::min(count.load(), mostSamples);
  std::unordered_map<std::uint64_t, Samples::Counts> byInstruction;
  for (std::size_t i = 0; i < taken; ++i) {
    const std::uint64_t sample = sampleAt(i).load(std::memory_order_relaxed);
    Samples::Counts& its = byInstruction[sample & ~denormalBit];
    ++its.all;
    its.denormal += (sample & denormalBit) != 0;
  }
  for (const auto& [instruction, times] : byInstruction) {
    const compiler::CodePlace place = compiler::codePlaceOf(reinterpret_cast<const void*>(instruction));
    if (place.kernel.empty()) {
      result.elsewhere += times.all;
      continue;
    }
    Samples::Counts& its = result.inKernels[{place.kernel, place.file, place.line, place.function, place.callers}];
    its.all += times.all;
    its.denormal += times.denormal;
  }
  return result;
}

}  // namespace clarity::profile
