// SPDX-License-Identifier: Apache-2.0
// This file keeps the list of a context's shared allocations.
#include "core/shared_memory.h"

#include "core/context.h"
#include "core/error.h"
#include "core/memory.h"

#include <algorithm>
#include <mutex>
#include <utility>

namespace clarity::core {
namespace {

std::uintptr_t valueOf(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

/// The pool of a device of the allocation whose memory is apart from the host's; null if there is none.
device::MemoryPool* poolFor(const Context& context, const SharedAllocation& what) {
  const auto shares = [](device::MemoryPool* pool) { return pool->sharesByAddress(); };
  if (what.device && what.home() == device::SharedHome::Device) {
    device::MemoryPool& own = what.device->backend().memory();
    return shares(&own) ? &own : nullptr;
  }
  const auto found = std::ranges::find_if(context.places(), shares);
  return found == context.places().end() ? nullptr : *found;
}

Memory* make(Context& context, std::size_t bytes, const SharedAllocation& what) {
  device::MemoryPool* const pool = poolFor(context, what);
  if (!pool) return new Memory(context, CL_MEM_READ_WRITE, bytes, nullptr, {});
  std::unique_ptr<device::Allocation> allocation = pool->allocateShared(bytes, what.home());
  failIf(!allocation, CL_MEM_OBJECT_ALLOCATION_FAILURE, "no memory for {} bytes that are shared by address", bytes);
  return new Memory(context, std::move(allocation));
}

std::byte* addressOf(Memory& memory) { return memory.at(0, Residency::host).allocation->sharedAddress(); }

}  // namespace

device::SharedHome SharedAllocation::home() const {
  const bool isSvm = kind == SharedKind::Svm;
  if (isSvm ? type == SharedType::Host : kind == SharedKind::UsmHost) return device::SharedHome::Host;
  if (isSvm ? type == SharedType::Device : kind == SharedKind::UsmDevice) return device::SharedHome::Device;
  return device::SharedHome::Anywhere;
}

std::byte* SharedPlace::base() const { return addressOf(memory); }

bool SharedPlace::isBesidePlaces() const { return !memory->context().sharesOneMemory() && !memory->residency(); }

bool SharedPlace::isFor(const Device& user) const {
  const device::Location first = memory->at(0);
  // Elsewhere the content goes where it is used.
  return !first.allocation || first.hostAddress() || &allocation.device->backend().memory() == &user.backend().memory();
}

// Every allocation keeps the context, so none is left.
SharedMemory::~SharedMemory() = default;

std::byte* SharedMemory::allocate(Context& context, std::size_t bytes, SharedAllocation what) {
  Memory* const memory = make(context, bytes, what);
  std::byte* const address = addressOf(*memory);
  // Memory that the host writes without a command counts as written.
  if (!what.needsMap() && what.kind != SharedKind::UsmDevice && what.type != SharedType::Device)
    memory->setWritten(0, bytes, true);
  try {
    const std::lock_guard lock(mutex_);
    entries_.emplace(valueOf(address), Entry{memory, std::move(what)});
  } catch (...) {
    memory->release();
    throw;
  }
  return address;
}

std::optional<SharedPlace> SharedMemory::find(const void* address) const {
  const std::shared_lock lock(mutex_);
  auto entry = entries_.upper_bound(valueOf(address));
  if (entry == entries_.begin()) return std::nullopt;
  --entry;
  const std::size_t offset = valueOf(address) - entry->first;
  if (offset >= entry->second.memory->size()) return std::nullopt;
  return SharedPlace{*entry->second.memory, offset, entry->second.allocation};
}

bool SharedMemory::free(const void* address, bool svm) {
  Memory* memory = nullptr;
  {
    const std::lock_guard lock(mutex_);
    const auto entry = entries_.find(valueOf(address));
    if (entry == entries_.end() || (entry->second.allocation.kind == SharedKind::Svm) != svm) return false;
    memory = entry->second.memory;
    entries_.erase(entry);
  }
  memory->release();  // may end the context, this object with it
  return true;
}

}  // namespace clarity::core
