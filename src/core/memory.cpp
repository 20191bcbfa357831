// SPDX-License-Identifier: Apache-2.0
// This file gets, shares and gives back the memory of buffers, and keeps the list of what is mapped.
#include "core/memory.h"

#include "core/error.h"

#include <algorithm>
#include <atomic>

namespace clarity::core {
namespace {

std::uint64_t nextSerial() {
  static std::atomic<std::uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

/// All devices of a context see the same memory; the first one manages it.
device::Device& allocatorOf(const Context& context) { return context.devices().front()->backend(); }

}  // namespace

Memory::Memory(Context& context, cl_mem_flags flags, std::size_t size, void* hostPtr,
               std::vector<cl_mem_properties> properties)
    : context_(context), flags_(flags), size_(size), serial_(nextSerial()), properties_(std::move(properties)) {
  if (flags & CL_MEM_USE_HOST_PTR) {
    hostPtr_ = hostPtr;
    data_ = static_cast<std::byte*>(hostPtr);
    return;
  }
  device::Device& allocator = allocatorOf(context);
  data_ = allocator.allocate(size);
  // CL_MEM_OBJECT_ALLOCATION_FAILURE if there is a failure to allocate memory for the buffer object.
  failIf(!data_, CL_MEM_OBJECT_ALLOCATION_FAILURE, "no memory for a buffer of {} bytes", size);
  if (flags & CL_MEM_COPY_HOST_PTR) {
    const device::Result copied = allocator.copy(data_, static_cast<const std::byte*>(hostPtr), size);
    // Only a host_ptr that does not lead to so many bytes makes this fail.
    if (!copied) {
      allocator.free(data_, size);
      throw Error(copied.code, copied.text);
    }
  }
  ownsData_ = true;
}

Memory::Memory(Memory& parent, cl_mem_flags flags, std::size_t origin, std::size_t size)
    : context_(parent.context()),
      parent_(&parent),
      flags_(flags),
      size_(size),
      origin_(origin),
      data_(parent.data() + origin),
      serial_(nextSerial()) {
  if (parent.hostPtr()) hostPtr_ = static_cast<std::byte*>(parent.hostPtr()) + origin;
}

Memory::~Memory() {
  // Section 5.5.1: the callbacks run before the resources are freed, the last registered first.
  destructorCallbacks_.runAll(handle());
  if (ownsData_) allocatorOf(context_).free(data_, size_);
  if (!parent_) return;
  // What was never unmapped must not be taken for a later sub-buffer's.
  const std::lock_guard lock(parent_->mapMutex_);
  std::erase_if(parent_->mappings_, [&](const Mapping& each) { return each.owner == this; });
}

void* Memory::map(std::size_t offset, std::size_t size, cl_map_flags flags) {
  constexpr cl_map_flags writing = CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
  Memory& root = mappingRoot();
  std::byte* const pointer = data_ + offset;
  const std::lock_guard lock(root.mapMutex_);
  // CL_INVALID_OPERATION if the region is being mapped for writing and overlaps one that is mapped for writing.
  for (const Mapping& other : root.mappings_) {
    if (!(flags & writing) || !(other.flags & writing)) continue;
    failIf(pointer < other.pointer + other.size && other.pointer < pointer + size, CL_INVALID_OPERATION,
           "{} bytes at offset {} are to be mapped for writing, and {} bytes at {} of them are already", size, offset,
           other.size, other.pointer - data_);
  }
  root.mappings_.push_back({this, pointer, size, flags});
  return pointer;
}

bool Memory::unmap(const void* pointer) {
  Memory& root = mappingRoot();
  const std::lock_guard lock(root.mapMutex_);
  const auto found = std::ranges::find_if(
      root.mappings_, [&](const Mapping& each) { return each.owner == this && each.pointer == pointer; });
  if (found == root.mappings_.end()) return false;
  root.mappings_.erase(found);
  return true;
}

bool Memory::isMapped(const void* pointer) const {
  const Memory& root = mappingRoot();
  const std::lock_guard lock(root.mapMutex_);
  return std::ranges::any_of(root.mappings_,
                             [&](const Mapping& each) { return each.owner == this && each.pointer == pointer; });
}

cl_uint Memory::mapCount() const {
  const Memory& root = mappingRoot();
  const std::lock_guard lock(root.mapMutex_);
  return static_cast<cl_uint>(std::ranges::count(root.mappings_, this, &Mapping::owner));
}

}  // namespace clarity::core
