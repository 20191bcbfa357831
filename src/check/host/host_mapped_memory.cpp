// SPDX-License-Identifier: Apache-2.0
// This file opens and shuts pages around commands and calls, and finds the mapping of a pointer.
#include "check/host/host_mapped_memory.h"

#include "check/host/host_byte_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace clarity::check {
namespace {

constexpr std::uint64_t mostWatched = std::uint64_t{16} << 20;
constexpr std::uint64_t pageBytes = 4096;
std::uint64_t upToPage(std::uint64_t address) { return (address + pageBytes - 1) / pageBytes * pageBytes; }

/// Inaccessible memory behind a buffer that the host may run into.
constexpr std::uint64_t guardBytes = std::uint64_t{1} << 20;
/// Memory behind the end of a buffer of the driver that is looked at too.
constexpr std::uint64_t bytesBehind = 64;

}  // namespace

void MappedMemory::add(std::uint64_t handle, std::uint64_t address, std::uint64_t bytes, bool isPrivate) {
  if (bytes > mostHashed) return;
  HostMemory& memory = hostMemory[handle];
  memory = {.address = address, .bytes = bytes, .isPrivate = isPrivate};
  rehash(memory);
}

bool MappedMemory::isDirect(const Mapping& mapping) const {
  const HostObject* const object = scene_.objects.find(mapping.memory);
  if (!object || object->kind != ValueKind::Memory || mapping.bytes == unknownBytes) return false;
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
  for (const std::uint64_t owner : watchedGaps_) PageWatch::end(watcher, owner);
  watchedGaps_.clear();
}

MappedMemory::Gap MappedMemory::wholeOf(std::uint64_t memory) const {
  const HostObject* object = scene_.objects.find(memory);
  if (!object) return {};
  if (object->kind == ValueKind::Memory && object->parent) object = scene_.objects.find(object->parent);
  if (!object) return {};
  const auto own = hostMemory.find(object->handle);
  if (own != hostMemory.end()) return {object->handle, own->second.address, own->second.bytes, own->second.isPrivate};
  if (object->kind != ValueKind::Memory || (object->flags & CL_MEM_USE_HOST_PTR)) return {};
  const auto handle = Value{.bits = object->handle}.as<cl_mem>();
  const std::uint64_t begin = scene_.services.addressOf(handle), bytes = scene_.services.bytesOf(handle);
  const std::uint64_t end = begin + std::min(bytes + bytesBehind, upToPage(begin + bytes) - begin);
  // The host may use shared memory of fine grain.
  const bool isShared = scene_.objects.sharedAt(begin + bytes) || scene_.objects.sharedAt(end - 1);
  return {object->handle, begin, isShared ? bytes : end - begin};
}

std::string MappedMemory::Mapping::words() const {
  return bytes == unknownBytes ? "the region" : fmt::format("a region of {} bytes", bytes);
}

MappedMemory::Mapping* MappedMemory::nearest(std::uint64_t address) {
  const auto distance = [&](const Mapping& mapping) {
    return address < mapping.pointer ? mapping.pointer - address : address - mapping.pointer - mapping.bytes;
  };
  const auto found = std::ranges::min_element(mappings, {}, distance);
  return found == mappings.end() ? nullptr : &*found;
}

std::string MappedMemory::helpBeside(const Mapping& mapping, std::uint64_t address) const {
  const HostObject* const object = scene_.objects.find(mapping.memory);
  const bool isShared = !object || object->kind != ValueKind::Memory;
  const auto handle = Value{.bits = mapping.memory}.as<cl_mem>();
  const std::uint64_t begin = isShared ? mapping.memory : scene_.services.addressOf(handle);
  const std::uint64_t bytes = !isShared ? scene_.services.bytesOf(handle) : object ? object->bytes : 0;
  const bool isBehind = address >= begin && address - begin >= bytes;
  return isBehind ? fmt::format("use no more than the {} bytes that {} has, or make it larger", bytes,
                                scene_.objects.nameOf(ValueKind::Memory, mapping.memory))
         : mapping.bytes == unknownBytes ? "map all that the host uses: rows are image_row_pitch bytes apart"
                                         : "map all that the host uses: offset and size are in bytes";
}

std::vector<MappedMemory::Gap> MappedMemory::gaps() const {
  std::vector<Gap> found;
  std::vector<const Mapping*> ordered;
  for (const Mapping& mapping : mappings) {
    if (mapping.bytes == unknownBytes) return {};
    ordered.push_back(&mapping);
  }
  std::ranges::sort(ordered, {}, &Mapping::pointer);
  std::set<std::uint64_t> seen;
  for (const Mapping& mapping : mappings) {
    const Gap whole = wholeOf(mapping.memory);
    if (whole.address == 0 || !seen.insert(whole.memory).second || mapping.pointer < whole.address ||
        mapping.pointer >= whole.address + whole.bytes)
      continue;
    const auto add = [&](std::uint64_t begin, std::uint64_t end) {
      if (begin < end) found.push_back({whole.memory, begin, end - begin, whole.isPrivate});
    };
    std::uint64_t at = whole.address;
    const std::uint64_t end = whole.address + whole.bytes;
    for (const Mapping* const other : ordered) {
      if (other->pointer >= end || other->pointer + other->bytes <= at) continue;
      add(at, other->pointer);
      at = std::max(at, other->pointer + other->bytes);
    }
    add(at, end);
  }
  return found;
}

void MappedMemory::shut() {
  if (hostMemory.empty() && regions.empty() && mappings.empty()) return;
  const bool isIdle = std::ranges::none_of(
      scene_.order.live(), [](const CommandRef& command) { return command->knownAt == 0 && !command->isUser(); });
  if (!isIdle || isShut_) return;
  isShut_ = true;
  watchGuards();
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
  for (const Gap& gap : gaps())
    if (PageWatch::hasPages(gap.address, gap.bytes) &&
        PageWatch::begin(watcher, gap.address | gapBit, gap.address, std::min(gap.bytes, mostWatched),
                         gap.isPrivate ? PageWatch::Accesses::All : PageWatch::Accesses::Writes))
      watchedGaps_.push_back(gap.address | gapBit);
  ByteWatch::resume();
}

/// Ahead of all other pages, so that no page of a buffer is inaccessible.
void MappedMemory::watchGuards() {
  for (const Mapping& mapping : mappings) {
    const Gap whole = wholeOf(mapping.memory);
    if (whole.address == 0 || hostMemory.contains(whole.memory)) continue;
    const std::uint64_t begin = upToPage(whole.address + whole.bytes), owner = begin | gapBit;
    char byte = 0;
    if (std::ranges::find(watchedGaps_, owner) != watchedGaps_.end() || PageWatch::read(&byte, begin, 1)) continue;
    if (PageWatch::begin(watcher, owner, begin, guardBytes, PageWatch::Accesses::Guard)) watchedGaps_.push_back(owner);
  }
}

std::vector<StepWatch::Range> MappedMemory::rangesToStep() const {
  std::vector<StepWatch::Range> ranges;
  for (const auto& [handle, memory] : hostMemory) {
    if (isMapped(handle)) continue;
    const bool isIdle = memory.users.empty();
    if (isIdle && (memory.hash == 0 || PageWatch::hasPages(memory.address, memory.bytes))) continue;
    ranges.push_back({handle, memory.address, memory.bytes, !memory.isPrivate});
  }
  for (const Gap& gap : gaps()) ranges.push_back({gap.address | gapBit, gap.address, gap.bytes, !gap.isPrivate});
  return ranges;
}

}  // namespace clarity::check
