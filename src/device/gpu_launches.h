// SPDX-License-Identifier: Apache-2.0
// This file is how a profile learns what a launch is to a GPU: a device calls the listener, if there is one, for each
// launch whose sizes or code are others than those before.
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
  std::uint64_t blocks = 0, threads = 0;               ///< of the launch; of each block
  std::uint64_t registers = 0;                         ///< of a thread
  std::uint64_t privateBytes = 0;                      ///< of a thread's memory for what is not in registers
  std::uint64_t sharedBytes = 0;                       ///< of a block
  std::uint64_t together = 0;                          ///< blocks that a multiprocessor executes at once
  std::uint64_t multiprocessors = 0, mostThreads = 0;  ///< of the GPU; of a multiprocessor
};

using GpuLaunchListener = void(const GpuLaunch&) noexcept;
/// Null: there is no profile.
inline std::atomic<GpuLaunchListener*> gpuLaunchListener{nullptr};

}  // namespace clarity::device
