// SPDX-License-Identifier: Apache-2.0
// This file chooses the launches that are counted, and sums up what their threads report.
#include "profile/kernel_counter.h"

#include "device/counted_lanes.h"
#include "device/executable.h"
#include "profile/kept_records.h"
#include "support/clock.h"

#include <algorithm>
#include <atomic>

namespace clarity::profile {
namespace {

/// Global sizes of a kernel of which a launch is counted: each costs time.
constexpr std::size_t mostSizes = 4;
/// Sizes of a kernel that are remembered until they come again: programs may have a new one for every launch.
constexpr std::size_t mostLaunchedSizes = 4096;
/// Larger than any buffer: shared memory whose end is not known.
constexpr std::uint64_t mostBufferBytes = std::uint64_t{1} << 48;

class LaunchCounter final : public device::LaunchObserver {
public:
  explicit LaunchCounter(const device::ObservedLaunch& launch) {
    record_.kernel = launch.kernel.name;
    std::ranges::copy(launch.range.global, record_.global.begin());
    std::ranges::copy(launch.range.local, record_.local.begin());
    for (const device::ObservedMemory& buffer : launch.buffers)
      if (buffer.bytes < mostBufferBytes) record_.bufferBytes += buffer.bytes;
    record_.begin = support::hostTime();
  }

  void counts(const device::ObservedCounts& slice) override {
    const std::lock_guard lock(mutex_);
    record_.counts.floats += slice.floats;
    record_.counts.doubles += slice.doubles;
    record_.counts.halves += slice.halves;
    record_.counts.integers += slice.integers;
    record_.counts.bytesRead += slice.bytesRead;
    record_.counts.bytesWritten += slice.bytesWritten;
    record_.counts.localBytes += slice.localBytes;
    record_.activeLanes += device::countedLanes.active;
    record_.lanes += device::countedLanes.all;
  }

  void line(const device::ObservedLine& line) override { record_.lines.push_back(line); }

  void end(bool completed) override {
    if (!completed) return;
    record_.end = support::hostTime();
    keptRecords<CountRecord>().add(record_);
  }

private:
  std::mutex mutex_;  ///< guards what follows
  CountRecord record_;
};

}  // namespace

std::deque<CountRecord> counts() { return keptRecords<CountRecord>().all(); }

std::uint64_t KernelCounter::numberOf(const device::Launch& launch) {
  std::uint64_t number = reinterpret_cast<std::uint64_t>(launch.info);
  for (const auto& sizes : {launch.range.global, launch.range.local})
    for (const std::uint64_t size : sizes) {
      number = (number ^ size) * 0x9e3779b97f4a7c15u;
      number ^= number >> 32;
    }
  return number;
}

compiler::Instrumentation KernelCounter::instrumentationOf(const device::Launch& launch) const {
  const std::uint64_t number = numberOf(launch);
  std::atomic<std::uint64_t>& settled = settled_.placeOf(number);
  if (settled.load(std::memory_order_relaxed) == number) return compiler::Instrumentation::None;
  const std::lock_guard lock(mutex_);
  const auto kernel = kernels_.find(launch.info);
  if (kernel == kernels_.end() || !kernel->second.launched.contains({launch.range.global, launch.range.local}))
    return compiler::Instrumentation::None;
  const bool counts =
      kernel->second.counted.size() < mostSizes && !kernel->second.counted.contains(launch.range.global);
  if (!counts) settled.store(number, std::memory_order_relaxed);
  return counts ? compiler::Instrumentation::Count : compiler::Instrumentation::None;
}

void KernelCounter::launches(const device::Launch& launch) {
  const std::uint64_t number = ~numberOf(launch);
  std::atomic<std::uint64_t>& launched = settled_.placeOf(number);
  if (launched.load(std::memory_order_relaxed) == number) return;
  const std::lock_guard lock(mutex_);
  Kernel& kernel = kernels_[launch.info];
  if (kernel.counted.size() < mostSizes && kernel.launched.size() < mostLaunchedSizes)
    kernel.launched.emplace(launch.range.global, launch.range.local);
  launched.store(number, std::memory_order_relaxed);
}

std::unique_ptr<device::LaunchObserver> KernelCounter::begin(const device::ObservedLaunch& launch) {
  {
    const std::lock_guard lock(mutex_);
    kernels_[&launch.kernel].counted.insert(launch.range.global);
  }
  return std::make_unique<LaunchCounter>(launch);
}

}  // namespace clarity::profile
