// SPDX-License-Identifier: Apache-2.0
// This file has some launches of each kernel run by counted code, which says how many bytes and operations they are.
#pragma once

#include "device/observer.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace clarity::profile {

/// A launch that was counted.
struct CountRecord {
  std::string kernel;
  std::array<std::uint64_t, 3> global{}, local{};
  std::uint64_t begin = 0, end = 0;  ///< support/clock.h
  device::ObservedCounts counts;
  std::uint64_t activeLanes = 0, lanes = 0;  ///< device::CountedLanes
  std::uint64_t bufferBytes = 0;             ///< bytes of the buffers among the arguments
  std::vector<device::ObservedLine> lines;   ///< lines of launches on GPUs
};
/// Those until now.
std::deque<CountRecord> counts();

/// Observes one launch of each kernel and global size, but not the first of its sizes: its time is what the profile
/// says of sizes that are launched once, and its code may be compiled in a hurry.
class KernelCounter final : public device::Observer {
public:
  compiler::Instrumentation instrumentation() const override { return compiler::Instrumentation::Count; }
  compiler::Instrumentation instrumentationOf(const device::Launch& launch) const override;
  void launches(const device::Launch& launch) override;
  std::unique_ptr<device::LaunchObserver> begin(const device::ObservedLaunch& launch) override;

private:
  using Sizes = std::array<std::size_t, 3>;
  struct Kernel {
    std::set<std::pair<Sizes, Sizes>> launched;  ///< global and local sizes
    std::set<Sizes> counted;                     ///< global sizes
  };

  /// Launches of which none is counted any more: kernel and sizes as one number. Its complement: sizes that were
  /// launched. They spare most launches the lock.
  /// Another kernel of the same number, one in 10^19, would not be counted.
  struct Settled {
    static constexpr std::size_t places = 1024;
    std::array<std::atomic<std::uint64_t>, places> numbers{};
    std::atomic<std::uint64_t>& placeOf(std::uint64_t number) { return numbers[number % places]; }
  };
  static std::uint64_t numberOf(const device::Launch& launch);

  mutable Settled settled_;
  mutable std::mutex mutex_;  ///< guards what follows
  std::map<const compiler::KernelInfo*, Kernel> kernels_;
};

}  // namespace clarity::profile
