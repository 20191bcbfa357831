// SPDX-License-Identifier: Apache-2.0
// This file describes pipes: what the application asked for, and how much memory that takes.
#pragma once

#include "compiler/ir/pipe_layout.h"

#include <CL/cl.h>

#include <cstdint>

namespace clarity::core {

/// A pipe (OpenCL 3.0, section 5.4.1) as it lies in memory: a header, a word for each slot, packets
/// (compiler/ir/pipe_layout.h).
struct PipeDescription {
  static constexpr cl_uint mostPackets = compiler::PipeLayout::mostPackets;

  cl_uint packetBytes = 0;  ///< CL_PIPE_PACKET_SIZE
  cl_uint packets = 0;      ///< CL_PIPE_MAX_PACKETS; at most mostPackets

  /// The header of an empty pipe. Up to the first packet the rest is zeros.
  compiler::PipeHeader header() const;
  /// The offset of the first packet.
  std::uint64_t dataOffset() const;
  std::uint64_t bytes() const;
};

}  // namespace clarity::core
