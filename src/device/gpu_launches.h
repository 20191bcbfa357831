// SPDX-License-Identifier: Apache-2.0
// This file is how a profile learns what a launch is to a GPU, and which transfers go through memory of the driver's: a
// device calls the listeners, if there are some.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace clarity::compiler {
struct KernelInfo;
}

namespace clarity::device {

struct GpuLaunch {
  const compiler::KernelInfo* kernel = nullptr;
  std::array<std::size_t, 3> global{}, local{};
  std::uint64_t blocks = 0, threads = 0;               ///< blocks of the launch, threads of each block
  std::uint64_t registers = 0;                         ///< registers of a thread
  std::uint64_t privateBytes = 0;                      ///< a thread's memory for what is not in registers
  std::uint64_t sharedBytes = 0;                       ///< shared memory of a block
  std::uint64_t together = 0;                          ///< blocks that a multiprocessor executes at once
  std::uint64_t multiprocessors = 0, mostThreads = 0;  ///< multiprocessors of the GPU, threads of each
};

/// For each launch whose sizes or code are others than those before.
using GpuLaunchListener = void(const GpuLaunch&) noexcept;
/// Null: there is no profile.
inline std::atomic<GpuLaunchListener*> gpuLaunchListener{nullptr};

/// For each transfer whose memory of the host the GPU cannot access by itself.
using StagedTransferListener = void(std::uint64_t bytes) noexcept;
inline std::atomic<StagedTransferListener*> stagedTransferListener{nullptr};

}  // namespace clarity::device
