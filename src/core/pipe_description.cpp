// SPDX-License-Identifier: Apache-2.0
// This file lays out a pipe in memory.
#include "core/pipe_description.h"

#include <algorithm>
#include <bit>

namespace clarity::core {
namespace {

/// The alignment of packets, as of the largest type.
constexpr std::uint64_t packetAlignment = 128;

}  // namespace

std::uint64_t PipeDescription::slots() const { return std::bit_ceil(std::max<std::uint64_t>(packets, 2)); }

std::uint64_t PipeDescription::dataOffset() const {
  const std::uint64_t end = sizeof(compiler::PipeHeader) + slots() * sizeof(std::uint32_t);
  return (end + packetAlignment - 1) / packetAlignment * packetAlignment;
}

std::uint64_t PipeDescription::bytes() const { return dataOffset() + slots() * packetBytes; }

compiler::PipeHeader PipeDescription::header() const {
  compiler::PipeHeader header{};
  header.packetBytes = packetBytes;
  header.mostPackets = packets;
  header.slots = static_cast<std::uint32_t>(slots());
  header.data = dataOffset();
  return header;
}

}  // namespace clarity::core
