// SPDX-License-Identifier: Apache-2.0
// This file estimates operations and resolves their addresses.
#include "device/cpu/operations.h"

#include "device/cpu/recording.h"

#include <algorithm>
#include <cstring>
#include <variant>

namespace clarity::device::cpu {
namespace {

// Waking a thread takes some ten microseconds of processor time; these operations take longer.
constexpr std::size_t heavyBytes = 256u << 10;
constexpr std::uint64_t heavyItems = 16u << 10;

struct IsHeavy {
  bool operator()(const Launch& launch) const { return isHeavy(launch); }
  bool operator()(const Sequence& sequence) const {
    return std::ranges::any_of(sequence.launches, [](const Launch& launch) { return isHeavy(launch); });
  }
  bool operator()(const Copy& copy) const { return copy.bytes >= heavyBytes; }
  bool operator()(const RectCopy& copy) const { return copy.region[0] * copy.region[1] * copy.region[2] >= heavyBytes; }
  bool operator()(const Fill& fill) const { return fill.bytes * fill.rows * fill.slices >= heavyBytes; }
  bool operator()(const HostFunction&) const { return true; }
  bool operator()(const Move&) const { return false; }
  bool operator()(const Replay& replay) const { return static_cast<const CpuRecording&>(*replay.recording).isHeavy(); }
};

}  // namespace

bool isHeavy(const Launch& launch) {
  std::uint64_t items = 1;
  for (const std::size_t size : launch.range.global) {
    if (size >= heavyItems) return true;
    items *= size;
  }
  return items >= heavyItems;
}

bool isHeavy(const Operation& operation) { return std::visit(IsHeavy{}, operation); }

void resolveAddresses(Launch& launch) {
  for (const BufferArgument& buffer : launch.buffers) {
    const std::byte* const address = buffer.memory.hostAddress();
    std::memcpy(launch.args.data() + launch.info->args[buffer.argument].offset, &address, sizeof address);
  }
}

}  // namespace clarity::device::cpu
