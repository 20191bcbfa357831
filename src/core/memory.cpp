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
  ownsData_ = true;
  if (flags & CL_MEM_COPY_HOST_PTR) allocator.copy(data_, static_cast<const std::byte*>(hostPtr), size);
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
}

void* Memory::map(std::size_t offset, std::size_t size, cl_map_flags flags) {
  const std::lock_guard lock(mapMutex_);
  mappings_.push_back({data_ + offset, size, flags});
  return data_ + offset;
}

bool Memory::unmap(const void* pointer) {
  const std::lock_guard lock(mapMutex_);
  const auto found = std::ranges::find(mappings_, pointer, &Mapping::pointer);
  if (found == mappings_.end()) return false;
  mappings_.erase(found);
  return true;
}

bool Memory::isMapped(const void* pointer) const {
  const std::lock_guard lock(mapMutex_);
  return std::ranges::find(mappings_, pointer, &Mapping::pointer) != mappings_.end();
}

cl_uint Memory::mapCount() const {
  const std::lock_guard lock(mapMutex_);
  return static_cast<cl_uint>(mappings_.size());
}

}  // namespace clarity::core
