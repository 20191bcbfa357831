// SPDX-License-Identifier: Apache-2.0
// This file finds the memory of a launch's arguments in the launch and in the argument block of a thread.
#include "device/cpu/argument_memory.h"

#include "device/executable.h"

#include <cstring>

namespace clarity::device::cpu {

std::vector<ObservedMemory> buffersOf(const Launch& launch) {
  std::vector<ObservedMemory> buffers;
  for (const BufferArgument& buffer : launch.buffers) {
    const compiler::KernelArg& argument = launch.info->args[buffer.argument];
    // The whole allocation counts for a pointer into shared memory.
    const std::size_t before = buffer.isInside ? buffer.memory.offset : 0;
    buffers.push_back({.argument = buffer.argument,
                       .address = reinterpret_cast<std::uint64_t>(buffer.memory.hostAddress()) - before,
                       .bytes = buffer.bytes + before,
                       .readable = !buffer.writeOnly,
                       .writable = !buffer.readOnly || argument.kind == compiler::ArgKind::Image});
  }
  return buffers;
}

std::vector<ObservedMemory> memoryByArgument(const Launch& launch, const std::byte* args,
                                             const std::vector<ObservedMemory>& buffers, const std::byte* localMemory) {
  std::vector<ObservedMemory> memory(launch.info->args.size());
  for (std::uint32_t i = 0; i < memory.size(); ++i) {
    memory[i].argument = i;
    // Descriptions of images and samplers are the library's; addresses of the application's memory have no known end.
    const compiler::ArgKind kind = launch.info->args[i].kind;
    std::uint64_t address = 0;
    if (kind == compiler::ArgKind::Buffer)
      std::memcpy(&address, launch.args.data() + launch.info->args[i].offset, sizeof address);
    if (kind != compiler::ArgKind::Buffer || address != 0) memory[i].bytes = everything;
  }
  for (const ObservedMemory& buffer : buffers)
    if (launch.info->args[buffer.argument].kind == compiler::ArgKind::Buffer) {
      // A thread may have a copy of its own.
      std::uint64_t address = 0, meant = 0;
      std::memcpy(&address, args + launch.info->args[buffer.argument].offset, sizeof address);
      std::memcpy(&meant, launch.args.data() + launch.info->args[buffer.argument].offset, sizeof meant);
      memory[buffer.argument] = buffer;
      memory[buffer.argument].address += address - meant;
    }
  for (const LocalArgument& local : launch.locals) {
    std::uint64_t offset = 0;
    std::memcpy(&offset, launch.args.data() + launch.info->args[local.argument].offset, sizeof offset);
    memory[local.argument].address = reinterpret_cast<std::uint64_t>(localMemory) + offset;
    memory[local.argument].bytes = local.bytes;
  }
  return memory;
}

}  // namespace clarity::device::cpu
