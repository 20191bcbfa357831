// SPDX-License-Identifier: Apache-2.0
// This file is what a pipe is in the memory of a device: made by the runtime, used by the builtin library
// (builtins/pipe/pipe.cl), which declares the same.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace clarity::compiler {

/// A pipe (OpenCL 3.0, section 5.4; OpenCL C 3.0, section 6.15.17) begins with this. Behind it are a 32-bit word for
/// each slot, 0 at first, and at `data` the packets, one for each slot. Slots form a ring.
struct PipeHeader {
  std::uint32_t packetBytes;  ///< CL_PIPE_PACKET_SIZE
  std::uint32_t mostPackets;  ///< CL_PIPE_MAX_PACKETS
  std::uint32_t slots;        ///< a power of two, at least 2 and at least mostPackets
  std::uint32_t reserved;
  std::uint64_t data;  ///< bytes from the beginning of the header to the first packet
  std::uint64_t reserved2[5];
  /// Packets that were reserved by writers and by readers, and that were removed, from the beginning on; as the others
  /// they wrap at 2^32. Each has a cache line of its own.
  struct alignas(64) Counter {
    std::uint32_t packets;
  } written, taken, removed;
};
static_assert(sizeof(PipeHeader) == 256 && offsetof(PipeHeader, written) == 64);

/// An empty pipe. Behind the header, `bytes` are zeros.
struct PipeLayout {
  /// The most packets that positions of 32 bits can count.
  static constexpr std::uint32_t mostPackets = std::uint32_t{1} << 31;
  /// The alignment of packets, as of the largest type, and of the pipe.
  static constexpr std::uint64_t alignment = 128;

  PipeHeader header{};
  std::uint64_t bytes = 0;

  /// @param packets at most mostPackets
  PipeLayout(std::uint32_t packetBytes, std::uint32_t packets) {
    const std::uint64_t slots = std::bit_ceil(std::max<std::uint64_t>(packets, 2));
    const std::uint64_t end = sizeof(PipeHeader) + slots * sizeof(std::uint32_t);
    header.packetBytes = packetBytes;
    header.mostPackets = packets;
    header.slots = static_cast<std::uint32_t>(slots);
    header.data = (end + alignment - 1) / alignment * alignment;
    bytes = header.data + slots * packetBytes;
  }
};

}  // namespace clarity::compiler
