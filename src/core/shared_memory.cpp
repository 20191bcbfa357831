// SPDX-License-Identifier: Apache-2.0
// This file keeps the list of a context's shared allocations.
#include "core/shared_memory.h"

#include "core/context.h"
#include "core/memory.h"

#include <mutex>
#include <utility>

namespace clarity::core {
namespace {

std::uintptr_t valueOf(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

}  // namespace

// Every allocation keeps the context, so none is left.
SharedMemory::~SharedMemory() = default;

std::byte* SharedMemory::allocate(Context& context, std::size_t bytes, SharedAllocation what) {
  auto* const memory = new Memory(context, CL_MEM_READ_WRITE, bytes, nullptr, {});
  std::byte* const address = memory->at(0, Residency::host).hostAddress();
  // What the host writes without a command counts as written.
  const bool isMapped = what.kind == SharedKind::Svm && what.type == SharedType::CoarseGrain;
  if (!isMapped && what.kind != SharedKind::UsmDevice && what.type != SharedType::Device)
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
