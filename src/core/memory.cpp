// SPDX-License-Identifier: Apache-2.0
// This file allocates the memory of buffers and keeps the list of what is mapped.
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

}  // namespace

Memory::Memory(Context& context, cl_mem_flags flags, std::size_t size, void* hostPtr,
               std::vector<cl_mem_properties> properties)
    : context_(context),
      flags_(flags),
      size_(size),
      serial_(nextSerial()),
      properties_(std::move(properties)),
      allocations_(context.places().size()) {
  if (!context.sharesOneMemory())
    residency_ = std::make_unique<Residency>(static_cast<Residency::Place>(context.places().size()));
  device::MemoryPool& host = *context.places().front();
  if (flags & CL_MEM_USE_HOST_PTR) {
    hostPtr_ = hostPtr;
    allocations_.front() = host.adopt(static_cast<std::byte*>(hostPtr), size);
    // CL_MEM_OBJECT_ALLOCATION_FAILURE if there is a failure to allocate memory for the buffer object.
    failIf(!allocations_.front(), CL_MEM_OBJECT_ALLOCATION_FAILURE, "no buffer can be made of the {} bytes at {}", size,
           hostPtr);
  } else {
    // Where it is needed first most likely, so that the application learns at once if there is no memory.
    allocationIn(context.placeOf(context.devices().front()));
  }
  if (flags & CL_MEM_COPY_HOST_PTR) {
    // Only a host_ptr that is not readable for so many bytes makes this fail.
    const device::Result copied = host.initialise(allocationIn(0), static_cast<const std::byte*>(hostPtr), size);
    if (!copied) throw Error(copied.code, copied.text);
  }
  if (residency_ && hostPtr) residency_->written(0, {0, size});
  if (!residency_) only_ = allocations_.front().get();
}

Memory::Memory(Memory& parent, cl_mem_flags flags, std::size_t origin, std::size_t size)
    : context_(parent.context()),
      parent_(&parent),
      flags_(flags),
      size_(size),
      origin_(origin),
      only_(parent.only_),
      serial_(nextSerial()) {
  if (parent.hostPtr()) hostPtr_ = static_cast<std::byte*>(parent.hostPtr()) + origin;
}

device::Allocation& Memory::allocationIn(Residency::Place place) {
  const std::lock_guard lock(allocationMutex_);
  std::unique_ptr<device::Allocation>& allocation = allocations_[place];
  if (!allocation) allocation = context_->places()[place]->allocate(size_);
  failIf(!allocation, CL_MEM_OBJECT_ALLOCATION_FAILURE, "no memory for a buffer of {} bytes", size_);
  return *allocation;
}

device::Location Memory::at(std::size_t offset, Residency::Place place) {
  return {&root().allocationIn(place), origin_ + offset, nullptr};
}

Memory::~Memory() {
  // Section 5.5.1: the callbacks run before the resources are freed, the last registered first.
  destructorCallbacks_.runAll(handle());
  if (!parent_) return;
  // What was never unmapped must not be taken for a later sub-buffer's.
  const std::lock_guard lock(parent_->mapMutex_);
  std::erase_if(parent_->mappings_, [&](const Mapping& each) { return each.owner == this; });
}

void* Memory::map(std::size_t offset, std::size_t size, cl_map_flags flags) {
  constexpr cl_map_flags writing = CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
  std::byte* const pointer = at(offset, 0).hostAddress();
  const bool forWriting = flags & writing;
  Memory& root = this->root();
  const std::lock_guard lock(root.mapMutex_);
  // CL_INVALID_OPERATION if the region is being mapped for writing and overlaps one that is mapped for writing.
  for (const Mapping& other : root.mappings_) {
    if (!forWriting || !other.forWriting) continue;
    failIf(pointer < other.pointer + other.size && other.pointer < pointer + size, CL_INVALID_OPERATION,
           "{} bytes at offset {} are to be mapped for writing, and {} bytes at {} of them are already", size, offset,
           other.size, static_cast<std::ptrdiff_t>(offset) + (other.pointer - pointer));
  }
  root.mappings_.push_back({this, pointer, offset, size, forWriting});
  return pointer;
}

std::optional<Memory::Mapped> Memory::unmap(const void* pointer) {
  Memory& root = this->root();
  const std::lock_guard lock(root.mapMutex_);
  const auto found = std::ranges::find_if(
      root.mappings_, [&](const Mapping& each) { return each.owner == this && each.pointer == pointer; });
  if (found == root.mappings_.end()) return std::nullopt;
  const Mapped mapped{found->offset, found->size, found->forWriting};
  root.mappings_.erase(found);
  return mapped;
}

bool Memory::isMapped(const void* pointer) const {
  const Memory& root = this->root();
  const std::lock_guard lock(root.mapMutex_);
  return std::ranges::any_of(root.mappings_,
                             [&](const Mapping& each) { return each.owner == this && each.pointer == pointer; });
}

cl_uint Memory::mapCount() const {
  const Memory& root = this->root();
  const std::lock_guard lock(root.mapMutex_);
  return static_cast<cl_uint>(std::ranges::count(root.mappings_, this, &Mapping::owner));
}

}  // namespace clarity::core
