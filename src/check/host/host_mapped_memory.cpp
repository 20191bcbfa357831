// SPDX-License-Identifier: Apache-2.0
// This file opens and shuts pages around commands and calls, and finds the mapping of a pointer.
#include "check/host/host_mapped_memory.h"

#include "check/host/host_byte_watch.h"

#include <algorithm>

namespace clarity::check {
namespace {

constexpr std::uint64_t mostWatched = std::uint64_t{16} << 20;

}  // namespace

void MappedMemory::add(std::uint64_t handle, std::uint64_t address, std::uint64_t bytes, bool isPrivate) {
  if (bytes > mostHashed) return;
  HostMemory& memory = hostMemory[handle];
  memory = {.address = address, .bytes = bytes, .isPrivate = isPrivate};
  rehash(memory);
}

bool MappedMemory::isDirect(const Mapping& mapping) const {
  const HostObject* const object = scene_.objects.find(mapping.memory);
  if (!object || object->kind != ValueKind::Memory || mapping.bytes == ~std::uint64_t{0}) return false;
  const auto handle = Value{.bits = mapping.memory}.as<cl_mem>();
  const std::uint64_t begin = scene_.services.addressOf(handle);
  return begin != 0 && mapping.pointer >= begin &&
         mapping.pointer + mapping.bytes <= begin + scene_.services.bytesOf(handle);
}

bool MappedMemory::isCoarse(const HostObject& object) {
  return object.created.info && object.created.info->name == "clSVMAlloc" &&
         !(object.flags & CL_MEM_SVM_FINE_GRAIN_BUFFER);
}

bool MappedMemory::isMapped(std::uint64_t handle) const {
  return std::ranges::any_of(mappings, [&](const Mapping& mapping) {
    const HostObject* const object = scene_.objects.find(mapping.memory);
    return mapping.memory == handle || (object && object->parent == handle);
  });
}

bool MappedMemory::isShared(std::uint64_t handle, const HostMemory& memory) const {
  return std::ranges::any_of(hostMemory, [&](const auto& each) {
    const HostMemory& other = each.second;
    return each.first != handle && other.address < memory.address + memory.bytes &&
           memory.address < other.address + other.bytes;
  });
}

void MappedMemory::open() {
  if (!isShut_) return;
  isShut_ = false;
  for (const auto& [handle, memory] : hostMemory) {
    PageWatch::end(watcher, handle);
    ByteWatch::end(watcher, handle);
  }
  for (const Region& region : regions) PageWatch::end(watcher, region.address);
}

void MappedMemory::shut() {
  if (hostMemory.empty() && regions.empty()) return;
  const bool isIdle = std::ranges::none_of(
      scene_.order.live(), [](const CommandRef& command) { return command->knownAt == 0 && !command->isUser(); });
  if (!isIdle || isShut_) return;
  isShut_ = true;
  for (const auto& [handle, memory] : hostMemory)
    if (memory.hash != 0 && !isMapped(handle)) {
      using enum PageWatch::Accesses;
      const PageWatch::Accesses accesses = memory.isPrivate ? All : Writes;
      if (PageWatch::hasPages(memory.address, memory.bytes))
        PageWatch::begin(watcher, handle, memory.address, std::min(memory.bytes, mostWatched), accesses);
      else
        ByteWatch::begin(watcher, handle, memory.address, memory.bytes, accesses);
    }
  for (const Region& region : regions) {
    const bool isOpen = std::ranges::any_of(mappings, [&](const Mapping& mapping) {
      return mapping.pointer < region.address + region.bytes && region.address < mapping.pointer + mapping.bytes;
    });
    if (!isOpen && !hostMemory.contains(region.memory))
      PageWatch::begin(watcher, region.address, region.address, std::min(region.bytes, mostWatched));
  }
  ByteWatch::resume();
}

std::vector<StepWatch::Range> MappedMemory::rangesToStep() const {
  std::vector<StepWatch::Range> ranges;
  for (const auto& [handle, memory] : hostMemory) {
    if (isMapped(handle)) continue;
    const bool isIdle = memory.users.empty();
    if (isIdle && (memory.hash == 0 || PageWatch::hasPages(memory.address, memory.bytes))) continue;
    ranges.push_back({handle, memory.address, memory.bytes, !memory.isPrivate});
  }
  return ranges;
}

}  // namespace clarity::check
