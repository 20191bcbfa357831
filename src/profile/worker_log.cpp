// SPDX-License-Identifier: Apache-2.0
// This file listens to the threads of a device.
#include "profile/worker_log.h"

#include "compiler/driver/compiler.h"
#include "device/worker_spans.h"
#include "profile/record_format.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <deque>
#include <exception>

namespace clarity::profile {
namespace {

constexpr std::size_t mostBytes = std::size_t{1} << 26;  ///< bytes of a thread

struct AllLogs {
  std::mutex mutex;  ///< guards what follows
  std::deque<WorkerLog> logs;
  KernelNames* kernels = nullptr;
};
/// Never destroyed: threads use it until the process is gone.
AllLogs& allLogs() {
  static auto& all = *new AllLogs;
  return all;
}

WorkerLog& ownLog() {
  thread_local WorkerLog* own = nullptr;
  if (!own) {
    const std::lock_guard lock(allLogs().mutex);
    own = &allLogs().logs.emplace_back();
    own->thread = static_cast<std::uint64_t>(::syscall(SYS_gettid));
  }
  return *own;
}

void keep(const device::WorkerSpan& span) noexcept try {
  WorkerLog& log = ownLog();
  const std::uint32_t kernel = allLogs().kernels->numberOf(span.kernel->name);
  const std::lock_guard lock(log.mutex);
  if (log.isOver || log.spans.bytes() >= mostBytes) return;
  std::byte* to = log.spans.room(6 * mostNumberBytes);
  to = putDifference(to, span.begin, log.lastEnd);
  log.lastEnd = span.end;
  for (const std::uint64_t number : {span.end - span.begin, span.first, span.count, span.all, std::uint64_t{kernel}})
    to = putNumber(to, number);
  log.spans.add(to);
} catch (const std::exception&) {
  // Without memory there is no record of it.
}

}  // namespace

void keepSpans(KernelNames& kernels) {
  allLogs().kernels = &kernels;
  device::spanListener.store(keep, std::memory_order_release);
}

std::vector<const WorkerLog*> endSpans() {
  device::spanListener.store(nullptr, std::memory_order_relaxed);
  std::vector<const WorkerLog*> result;
  const std::lock_guard lock(allLogs().mutex);
  for (WorkerLog& log : allLogs().logs) {
    const std::lock_guard its(log.mutex);
    log.isOver = true;
    result.push_back(&log);
  }
  return result;
}

}  // namespace clarity::profile
