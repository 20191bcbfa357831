// SPDX-License-Identifier: Apache-2.0
// This file listens to GPUs.
#include "profile/gpu_log.h"

#include "compiler/driver/compiler.h"
#include "device/gpu_launches.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <utility>

namespace clarity::profile {
namespace {

constexpr std::size_t mostRecords = 1000;

struct AllGpuRecords {
  std::mutex mutex;  ///< guards what follows
  std::vector<GpuRecord> records;
};
/// Never destroyed: threads use it until the process is gone.
AllGpuRecords& allGpuRecords() {
  static auto& all = *new AllGpuRecords;
  return all;
}

void keepLaunch(const device::GpuLaunch& launch) noexcept try {
  GpuRecord record{.kernel = launch.kernel->name,
                   .global = {},
                   .local = {},
                   .blocks = launch.blocks,
                   .threads = launch.threads,
                   .registers = launch.registers,
                   .privateBytes = launch.privateBytes,
                   .sharedBytes = launch.sharedBytes,
                   .together = launch.together,
                   .multiprocessors = launch.multiprocessors,
                   .mostThreads = launch.mostThreads};
  std::ranges::copy(launch.global, record.global.begin());
  std::ranges::copy(launch.local, record.local.begin());
  AllGpuRecords& all = allGpuRecords();
  const std::lock_guard lock(all.mutex);
  if (all.records.size() < mostRecords && std::ranges::find(all.records, record) == all.records.end())
    all.records.push_back(std::move(record));
} catch (const std::exception&) {
  // Without memory there is no record of it.
}

std::atomic<std::uint64_t> bytesStaged{0};

void keepStaged(std::uint64_t bytes) noexcept {
  if (bytes >= leastOfTransfer) bytesStaged.fetch_add(bytes, std::memory_order_relaxed);
}

}  // namespace

void keepGpuLaunches() {
  device::gpuLaunchListener.store(keepLaunch, std::memory_order_release);
  device::stagedTransferListener.store(keepStaged, std::memory_order_release);
}

std::uint64_t stagedBytes() { return bytesStaged.load(std::memory_order_relaxed); }

std::vector<GpuRecord> gpuLaunches() {
  const std::lock_guard lock(allGpuRecords().mutex);
  return allGpuRecords().records;
}

}  // namespace clarity::profile
