// SPDX-License-Identifier: Apache-2.0
// This file keeps what launches are to GPUs.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace clarity::profile {

/// The resources of launches of a kernel with the same sizes (device::GpuLaunch).
struct GpuRecord {
  std::string kernel;
  std::array<std::uint64_t, 3> global{}, local{};
  std::uint64_t blocks = 0, threads = 0, registers = 0, privateBytes = 0, sharedBytes = 0;
  std::uint64_t together = 0, multiprocessors = 0, mostThreads = 0;
  bool operator==(const GpuRecord&) const = default;
};

/// From now on they are kept, and the bytes of large transfers that go through memory of the driver's are counted.
void keepGpuLaunches();
/// Those until now.
std::vector<GpuRecord> gpuLaunches();
/// Transfers of fewer bytes are not counted.
inline constexpr std::uint64_t leastOfTransfer = 64 << 10;
/// Bytes that were copied between GPUs and memory of the host that GPUs cannot access by themselves.
std::uint64_t stagedBytes();

}  // namespace clarity::profile
