// SPDX-License-Identifier: Apache-2.0
// This file fills in the table of work-items.
#include "device/cpu/group_items.h"

#include <algorithm>

namespace clarity::device::cpu {

void GroupItems::start(const std::array<std::uint64_t, 3>& group, const compiler::LaunchInfo& info,
                       const compiler::WorkerMemory& memory, const char* kernel) {
  std::array<std::uint64_t, 3> size;
  for (std::size_t d = 0; d < 3; ++d)
    size[d] = std::min(info.enqueuedLocalSize[d], info.globalSize[d] - group[d] * info.enqueuedLocalSize[d]);
  const std::uint64_t count = size[0] * size[1] * size[2];
  items_.assign(count, {});
  for (std::uint64_t i = 0; i < count; ++i) {
    WorkItemPlace& place = items_[i].place;
    const std::array<std::uint64_t, 3> local{i % size[0], i / size[0] % size[1], i / (size[0] * size[1])};
    for (std::size_t d = 0; d < 3; ++d) {
      place.localId[d] = local[d];
      place.groupId[d] = group[d];
      place.localSize[d] = size[d];
      place.globalId[d] = info.globalOffset[d] + group[d] * info.enqueuedLocalSize[d] + local[d];
    }
    place.linearId = i;
    place.items = count;
    place.launch = &info;
    place.local = memory.local;
    place.localBytes = memory.localBytes;
  }
  DebugState& state = clarity_debug_state;
  state.workDim = static_cast<std::uint32_t>(info.workDim);
  for (std::size_t d = 0; d < 3; ++d) {
    state.globalOffset[d] = info.globalOffset[d];
    state.globalSize[d] = info.globalSize[d];
    state.localSize[d] = size[d];
    state.numGroups[d] = info.numGroups[d];
    state.groupId[d] = group[d];
  }
  state.itemCount = count;
  state.items = items_.data();
  state.kernel = kernel;
}

ShownMemory::ShownMemory(std::span<const DebuggedMemory> memory) {
  clarity_debug_state.memoryCount = memory.size();
  clarity_debug_state.memory = memory.data();
}

ShownMemory::~ShownMemory() {
  clarity_debug_state.kernel = nullptr;
  clarity_debug_state.itemCount = clarity_debug_state.memoryCount = 0;
}

}  // namespace clarity::device::cpu
