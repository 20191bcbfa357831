// SPDX-License-Identifier: Apache-2.0
// This file makes the commands on memory that is named by its address.
#include "api/shared_transfer.h"

#include "core/shared_memory.h"
#include "support/checked.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>

namespace clarity::api {

using core::Access;
using core::SharedPlace;
using device::Location;
using sched::Command;
using sched::Where;

namespace {

void requirePointer(const SharedTransfer& names, const char* name, const void* address, std::size_t bytes) {
  failIf(!address && !(names.mayBeNull && bytes == 0), CL_INVALID_VALUE, "{} is null", name);
}

/// One end of a transfer, and its use of a memory object if it is in one.
Location endOf(sched::Queue& queue, const char* name, const void* address, std::size_t bytes, Access access,
               core::MemoryUses& uses) {
  const std::optional<SharedPlace> place = queue.context().sharedMemory().find(address);
  failIf(!support::areAddresses(address, bytes), CL_INVALID_VALUE,
         "{} bytes from {} at {} on reach beyond the last address", bytes, name, address);
  if (!place) return Location::inHost(address);
  failIf(bytes > place->memory->size() - place->offset, CL_INVALID_VALUE,
         "{} bytes from {} at {} on, which is {} bytes into an allocation of {} bytes", bytes, name, address,
         place->offset, place->memory->size());
  if (!place->isFor(queue.device()))
    fail(CL_INVALID_OPERATION, "{}, {}, is memory of device '{}', which device '{}' cannot access", name, address,
         place->allocation.device->properties().name, queue.device().properties().name);
  uses.push_back({place->memory, place->offset, bytes, access});
  return place->memory->at(place->offset);
}

/// A transfer of no bytes is a place in the order and no operation: an end of it may be null.
template <class Transfer>
std::unique_ptr<Command> transferOf(const SharedTransfer& names, const Transfer& transfer, core::MemoryUses&& uses) {
  if (transfer.bytes == 0) return Command::order(names.type, Where::Nowhere, std::move(uses));
  return Command::of(names.type, transfer, std::move(uses));
}

}  // namespace

void requireAllocatable(const core::Device& device, std::size_t size, cl_uint alignment) {
  const device::Properties& properties = device.properties();
  failIf((alignment && !std::has_single_bit(alignment)) || alignment > properties.minDataAlignBytes, CL_INVALID_VALUE,
         "alignment is {}, which is no power of two up to {}, the size of the largest data type", alignment,
         properties.minDataAlignBytes);
  failIf(size == 0, CL_INVALID_BUFFER_SIZE, "the size is 0");
  failIf(size > properties.maxAllocBytes, CL_INVALID_BUFFER_SIZE,
         "{} bytes are more than CL_DEVICE_MAX_MEM_ALLOC_SIZE, {} bytes", size, properties.maxAllocBytes);
}

void requireAllocatable(const core::Context& context, std::size_t size, cl_uint alignment) {
  for (const Ref<core::Device>& device : context.devices())
    if (device->properties().svmCapabilities) requireAllocatable(device, size, alignment);
}

void requireShared(const sched::Queue& queue) {
  const device::Properties& device = queue.device().properties();
  // CL_INVALID_OPERATION if the device associated with command_queue does not support SVM.
  failIf(!device.svmCapabilities, CL_INVALID_OPERATION, "device '{}' does not share memory with the host by address",
         device.name);
}

Location hostEnd(sched::Queue& queue, const char* name, const void* address, std::size_t bytes, Access access,
                 core::MemoryUses& uses) {
  const std::optional<SharedPlace> place = queue.context().sharedMemory().find(address);
  if (!place || place->allocation.kind != core::SharedKind::UsmDevice) return Location::inHost(address);
  return endOf(queue, name, address, bytes, access, uses);
}

std::unique_ptr<Command> sharedCopy(sched::Queue& queue, const SharedTransfer& names, void* to, const void* from,
                                    std::size_t bytes) {
  requireShared(queue);
  core::MemoryUses uses;
  device::Copy copy{.to = {}, .from = {}, .bytes = bytes};
  requirePointer(names, names.to, to, bytes);
  requirePointer(names, names.from, from, bytes);
  copy.to = endOf(queue, names.to, to, bytes, Access::Overwrite, uses);
  copy.from = endOf(queue, names.from, from, bytes, Access::Read, uses);
  const auto a = reinterpret_cast<std::uintptr_t>(to), b = reinterpret_cast<std::uintptr_t>(from);
  // CL_MEM_COPY_OVERLAP if the values specified for dst_ptr, src_ptr and size result in an overlapping copy.
  failIf((a > b ? a - b : b - a) < bytes, CL_MEM_COPY_OVERLAP, "{} bytes at {}, {}, and at {}, {}, overlap", bytes,
         names.to, to, names.from, from);
  return transferOf(names, copy, std::move(uses));
}

std::unique_ptr<Command> sharedFill(sched::Queue& queue, const SharedTransfer& names, void* to, const void* pattern,
                                    std::size_t patternBytes, std::size_t bytes) {
  requireShared(queue);
  requirePattern(pattern, patternBytes);
  requirePointer(names, names.to, to, bytes);
  failIf(bytes % patternBytes != 0, CL_INVALID_VALUE, "size {} is no multiple of pattern_size {}", bytes, patternBytes);
  failIf(reinterpret_cast<std::uintptr_t>(to) % patternBytes != 0, CL_INVALID_VALUE,
         "{}, {}, is not aligned to pattern_size {}", names.to, to, patternBytes);
  core::MemoryUses uses;
  device::Fill fill{.to = endOf(queue, names.to, to, bytes, Access::Overwrite, uses),
                    .bytes = bytes,
                    .patternBytes = patternBytes,
                    .pattern = {}};
  std::memcpy(fill.pattern.data(), pattern, patternBytes);
  return transferOf(names, fill, std::move(uses));
}

std::unique_ptr<Command> sharedOrder(sched::Queue& queue, cl_command_type type,
                                     const std::vector<const void*>& addresses) {
  core::MemoryUses uses;
  for (const void* const address : addresses)
    if (const std::optional<SharedPlace> place = queue.context().sharedMemory().find(address))
      uses.push_back({place->memory, 0, place->memory->size(), Access::Read});
  return Command::order(type, Where::Nowhere, std::move(uses));
}

std::unique_ptr<Command> sharedMove(sched::Queue& queue, cl_command_type type, const std::vector<SharedPart>& parts,
                                    bool toHost) {
  core::MemoryUses uses;
  device::Move move{.parts = {}, .toHost = toHost};
  for (const auto& [address, bytes] : parts) {
    const std::optional<SharedPlace> place = queue.context().sharedMemory().find(address);
    if (!place) continue;
    const std::size_t room = place->memory->size() - place->offset;
    uses.push_back({place->memory, place->offset, bytes ? std::min(bytes, room) : room, Access::Read});
    move.parts.push_back({place->memory->at(place->offset), uses.back().bytes});
  }
  if (uses.empty() || !queue.device().backend().memory().sharesByAddress())
    return Command::order(type, Where::Nowhere, std::move(uses));
  return Command::of(type, std::move(move), std::move(uses));
}

void requireMigrationFlags(cl_mem_migration_flags flags) {
  constexpr cl_mem_migration_flags known = CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
  failIf(flags & ~known, CL_INVALID_VALUE, "flags {:#x} have unknown bits", flags);
}

}  // namespace clarity::api
