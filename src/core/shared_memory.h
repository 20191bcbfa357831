// SPDX-License-Identifier: Apache-2.0
// This file is memory that the application, kernels and commands name by one address: shared virtual memory (OpenCL
// 3.0, section 5.6) and unified shared memory (cl_intel_unified_shared_memory).
#pragma once

#include "core/device.h"
#include "core/ref.h"
#include "core/shared_types.h"

#include <CL/cl.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <shared_mutex>
#include <vector>

namespace clarity::core {

class Context;
class Memory;

/// The function that allocated. Where all devices use the host's memory, the kinds of unified shared memory differ in
/// what the application may ask of them only; other devices have different memory for them.
enum class SharedKind : std::uint8_t { Svm, UsmHost, UsmDevice, UsmShared };

/// An allocation, as the driver knows it.
struct SharedAllocation {
  SharedKind kind = SharedKind::Svm;
  std::uint64_t flags = 0;  ///< cl_svm_mem_flags, cl_mem_alloc_flags_intel or cl_svm_alloc_access_flags_khr, as given
  RefPtr<Device> device;    ///< that it belongs to; null if it belongs to none
  SharedType type{};        ///< the type of SVM
  std::vector<std::uint64_t> properties{};  ///< properties of clSVMAllocWithPropertiesKHR, with the 0

  /// Whether the host may use it only while it is mapped: coarse-grained SVM.
  bool needsMap() const { return kind == SharedKind::Svm && type == SharedType::CoarseGrain; }
  /// The memory in which it stays, for devices to which it makes a difference.
  device::SharedHome home() const;
};

/// A place in an allocation.
struct SharedPlace {
  Ref<Memory> memory;  ///< the allocation: a buffer without a handle of the application's
  std::size_t offset = 0;
  SharedAllocation allocation;

  /// The first byte of the allocation, as the application knows it.
  std::byte* base() const;
  /// Whether it is the same in all places of a context that has several.
  bool isBesidePlaces() const;
  /// Whether commands of the device can use it.
  bool isFor(const Device&) const;
};

/// The shared allocations of a context. Each is a buffer whose address is known, so that commands use it as they use
/// any buffer, and keeps its memory until the last of them has ended. Thread-safe.
class SharedMemory {
public:
  SharedMemory() = default;
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  /// Allocates, and returns the first byte: in the memory that the host accesses if that is what all devices that share
  /// by address use. Aligned to Properties::minDataAlignBytes. Keeps the context until it is freed, as a buffer does.
  /// CL_MEM_OBJECT_ALLOCATION_FAILURE.
  std::byte* allocate(Context& context, std::size_t bytes, SharedAllocation what);
  /// The allocation that the address is in. The address may be any.
  std::optional<SharedPlace> find(const void* address) const;
  /// Forgets the allocation that begins at the address, of SVM or of unified shared memory; false if there is none.
  bool free(const void* address, bool svm);

private:
  struct Entry {
    Memory* memory;  ///< holds one reference
    SharedAllocation allocation;
  };
  mutable std::shared_mutex mutex_;
  std::map<std::uintptr_t, Entry> entries_;  ///< by first address
};

}  // namespace clarity::core
