// SPDX-License-Identifier: Apache-2.0
// This file allocates the memory of buffers, images and pipes and keeps the list of what is mapped.
#include "core/memory.h"

#include "core/error.h"
#include "core/image_support.h"
#include "core/observation.h"

#include <algorithm>
#include <atomic>

namespace clarity::core {
namespace {

std::uint64_t nextSerial() {
  static std::atomic<std::uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

/// cl_ext_immutable_memory_objects, which older headers do not have.
constexpr cl_mem_flags immutableFlag = 1 << 6;

}  // namespace

bool Memory::isImmutable() const { return flags_ & immutableFlag; }
bool Memory::isReadOnly() const { return flags_ & (CL_MEM_READ_ONLY | immutableFlag); }

Memory::Memory(Context& context, cl_mem_flags flags, std::size_t size, void* hostPtr,
               std::vector<cl_mem_properties> properties, std::unique_ptr<const ExternalMemory> external)
    : Memory(context, flags, nullptr, size, size, hostPtr, std::move(properties), std::move(external)) {}

Memory::Memory(Context& context, cl_mem_flags flags, const ImageDescription& image, void* hostPtr,
               std::vector<cl_mem_properties> properties, std::unique_ptr<const ExternalMemory> external)
    : Memory(context, flags, std::make_unique<ImageDescription>(image), image.bytes(), image.extent(), hostPtr,
             std::move(properties), std::move(external)) {}

Memory::Memory(Context& context, std::unique_ptr<device::Allocation> shared)
    : Memory(context, CL_MEM_READ_WRITE, nullptr, shared->bytes(), shared->bytes(), nullptr, {}, nullptr,
             {std::move(shared), true}) {}

Memory::Memory(Memory& shared, std::size_t offset, cl_mem_flags flags, std::size_t size, void* hostPtr,
               std::vector<cl_mem_properties> properties)
    : context_(shared.context()),
      root_(this),
      flags_(flags),
      size_(size),
      extent_(size),
      origin_(offset),
      hostPtr_(hostPtr),
      only_(shared.only_),
      serial_(nextSerial()),
      properties_(std::move(properties)),
      shared_(&shared) {}

Memory::Memory(Context& context, cl_mem_flags flags, const PipeDescription& pipe)
    : Memory(context, flags, nullptr, pipe.bytes(), pipe.bytes(), nullptr, {}, nullptr, zeros(context, pipe.bytes())) {
  pipe_ = pipe;
  const compiler::PipeHeader header = pipe.header();
  const device::Result made =
      context.places().front()->initialise(allocationIn(0), reinterpret_cast<const std::byte*>(&header), sizeof header);
  if (!made) throw Error(made.code, made.text);
  setWritten(0, size_, true);  // packets are read once they were written
  if (residency_) residency_->written(0, {0, pipe.dataOffset()});
}

Memory::Given Memory::zeros(const Context& context, std::size_t bytes) {
  Given given{context.places().front()->allocateZeroed(bytes), false};
  failIf(!given.allocation, CL_MEM_OBJECT_ALLOCATION_FAILURE, "no memory for {} bytes", bytes);
  return given;
}

Memory::Memory(Memory& parent, cl_mem_flags flags, std::size_t origin, std::size_t size)
    : Memory(parent, flags, nullptr, origin, size, size, {}) {}

Memory::Memory(Memory& parent, cl_mem_flags flags, const ImageDescription& image,
               std::vector<cl_mem_properties> properties)
    : Memory(parent, flags, std::make_unique<ImageDescription>(image), 0, image.bytes(), image.extent(),
             std::move(properties)) {}

Memory::Memory(Context& context, cl_mem_flags flags, std::unique_ptr<const ImageDescription> image, std::size_t size,
               std::size_t extent, void* hostPtr, std::vector<cl_mem_properties> properties,
               std::unique_ptr<const ExternalMemory> external, Given given)
    : context_(context),
      root_(this),
      image_(std::move(image)),
      flags_(flags),
      size_(size),
      extent_(extent),
      serial_(nextSerial()),
      properties_(std::move(properties)),
      external_(std::move(external)),
      allocations_(context.places().size()) {
  allocations_.front() = std::move(given.allocation);
  if (given.isShared) {
    only_ = allocations_.front().get();
    return;
  }
  if (!context.sharesOneMemory())
    residency_ = std::make_unique<Residency>(static_cast<Residency::Place>(context.places().size()), context.peers());
  device::MemoryPool& host = *context.places().front();
  if (flags & CL_MEM_USE_HOST_PTR || external_) {
    std::byte* const adopted = external_ ? external_->address() : static_cast<std::byte*>(hostPtr);
    hostPtr_ = hostPtr;
    allocations_.front() = host.adopt(adopted, extent);
    // CL_MEM_OBJECT_ALLOCATION_FAILURE if there is a failure to allocate memory for the memory object.
    failIf(!allocations_.front(), CL_MEM_OBJECT_ALLOCATION_FAILURE,
           "no memory object can be made of the {} bytes at {}", extent, static_cast<const void*>(adopted));
  } else {
    // Where it is needed first most likely, so that the application learns at once if there is no memory.
    allocationIn(context.placeOf(context.devices().front()));
    if (!(flags & CL_MEM_COPY_HOST_PTR)) setWritten(0, size, false);
  }
  if (flags & CL_MEM_COPY_HOST_PTR) {
    // Only a host_ptr that is not readable for so many bytes makes this fail.
    const device::Result copied = host.initialise(allocationIn(0), static_cast<const std::byte*>(hostPtr), extent);
    if (!copied) throw Error(copied.code == device::faultCode ? CL_INVALID_HOST_PTR : copied.code, copied.text);
  }
  if (residency_ && (hostPtr || external_)) residency_->written(0, {0, extent});
  if (!residency_) only_ = allocations_.front().get();
}

Memory::Memory(Memory& parent, cl_mem_flags flags, std::unique_ptr<const ImageDescription> image, std::size_t origin,
               std::size_t size, std::size_t extent, std::vector<cl_mem_properties> properties)
    : context_(parent.context()),
      parent_(&parent),
      root_(&parent.root()),
      image_(std::move(image)),
      flags_(flags),
      size_(size),
      extent_(extent),
      origin_(parent.origin() + origin),
      only_(parent.only_),
      serial_(nextSerial()),
      properties_(std::move(properties)) {
  if (parent.hostPtr()) hostPtr_ = static_cast<std::byte*>(parent.hostPtr()) + origin;
}

device::Allocation& Memory::allocationIn(Residency::Place place) {
  if (only_) return *only_;
  const std::lock_guard lock(allocationMutex_);
  std::unique_ptr<device::Allocation>& allocation = allocations_[place];
  if (!allocation && place == Residency::host && flags_ & CL_MEM_ALLOC_HOST_PTR)
    allocation = context_->places().back()->allocateHost(size_);
  if (!allocation) allocation = context_->places()[place]->allocate(size_);
  failIf(!allocation, CL_MEM_OBJECT_ALLOCATION_FAILURE, "no memory for {} of {} bytes", nameOfType(type()), size_);
  return *allocation;
}

void Memory::setWritten(std::size_t offset, std::size_t bytes, bool isWritten) {
  if (!observer() || !compiler::followsValues(observer()->instrumentation()) || !context_->sharesOneMemory()) return;
  context_->places().front()->setWritten(root().allocationIn(0), origin_ + offset, bytes, isWritten);
}

device::Location Memory::at(std::size_t offset, Residency::Place place) {
  return {&root().allocationIn(place), origin_ + offset, nullptr};
}

void Memory::fixAddresses() {
  hasFixedAddresses_ = true;
  if (only_) return;
  for (const Ref<Device>& device : context_->devices())
    if (const std::uintptr_t address = addressFor(device))
      context_->deviceAddresses().add(context_->placeOf(device), address, *this);
}

std::uintptr_t Memory::addressFor(const Device& device) {
  if (!device.supports(deviceAddressExtension)) return 0;
  device::Allocation& allocation = root().allocationIn(context_->placeOf(device));
  return reinterpret_cast<std::uintptr_t>(allocation.sharedAddress()) + origin_;
}

Memory::~Memory() {
  if (hasFixedAddresses_ && !only_) context_->deviceAddresses().remove(*this);
  // Section 5.5.1: the callbacks run before the resources are freed, the last registered first.
  destructorCallbacks_.runAll(handle());
  if (!parent_) return;
  // Regions that were never unmapped must not be taken for a later sub-buffer's.
  const std::lock_guard lock(root_->mapMutex_);
  std::erase_if(root_->mappings_, [&](const Mapping& each) { return each.owner == this; });
}

void* Memory::map(const Rectangle& region, cl_map_flags flags) {
  constexpr cl_map_flags writing = CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
  std::byte* const pointer = at(region.begin, 0).hostAddress();
  const bool forWriting = flags & writing;
  if (forWriting) setWritten(region.begin, region.end() - region.begin, true);
  Rectangle inRoot = region;
  inRoot.begin += origin_;
  const std::lock_guard lock(root_->mapMutex_);
  // CL_INVALID_OPERATION if the region is being mapped for writing and overlaps one that is mapped for writing.
  for (const Mapping& other : root_->mappings_) {
    if (!forWriting || !other.forWriting) continue;
    failIf(overlap(inRoot, other.region), CL_INVALID_OPERATION,
           "{} bytes at offset {} are to be mapped for writing, and {} bytes at {} of them are already",
           region.end() - region.begin, region.begin, other.region.end() - other.region.begin,
           static_cast<std::ptrdiff_t>(region.begin) + (other.pointer - pointer));
  }
  root_->mappings_.push_back({this, pointer, inRoot, forWriting});
  return pointer;
}

std::optional<Memory::Mapped> Memory::unmap(const void* pointer) {
  const std::lock_guard lock(root_->mapMutex_);
  const auto found = std::ranges::find_if(
      root_->mappings_, [&](const Mapping& each) { return each.owner == this && each.pointer == pointer; });
  if (found == root_->mappings_.end()) return std::nullopt;
  Mapped mapped{found->region, found->forWriting};
  mapped.region.begin -= origin_;
  root_->mappings_.erase(found);
  return mapped;
}

bool Memory::isMapped(const void* pointer) const {
  const std::lock_guard lock(root_->mapMutex_);
  return std::ranges::any_of(root_->mappings_,
                             [&](const Mapping& each) { return each.owner == this && each.pointer == pointer; });
}

cl_uint Memory::mapCount() const {
  const std::lock_guard lock(root_->mapMutex_);
  return static_cast<cl_uint>(std::ranges::count(root_->mappings_, this, &Mapping::owner));
}

}  // namespace clarity::core
