// SPDX-License-Identifier: Apache-2.0
// This file is the base of every OpenCL object: two words of the ICD's, a tag that distinguishes a live object of ours
// from anything else, and two counts.
#pragma once

#include "core/object_pool.h"
#include "core/ref.h"
#include "support/reused_atomic.h"

#include <CL/cl.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

struct _cl_icd_dispatch;

namespace clarity::core {

/// The table that the ICD loader calls through; defined in api/icd.cpp.
extern const _cl_icd_dispatch* const dispatchTable;

/// The word that the ICD loader keeps for the platform (clIcdSetPlatformDispatchDataKHR of cl_khr_icd 2); null without
/// one.
extern constinit std::atomic<void*> dispatchData;

/// The memory that a handle points at. The loader reads the first two words, nothing else of it is public.
struct HandleBase {
  const _cl_icd_dispatch* dispatch = dispatchTable;
  void* loaderData = dispatchData.load(std::memory_order_acquire);
  support::ReusedAtomic<std::uint64_t> tag{0};
};

/// The count that keeps an object in memory.
class Object {
public:
  Object() = default;
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;
  void retainInternal() noexcept { internal_.fetch_add(1, std::memory_order_relaxed); }
  /// False if the object is being destroyed: for lists of objects that do not keep them.
  bool tryRetainInternal() noexcept {
    std::uint32_t count = internal_.load(std::memory_order_relaxed);
    while (count != 0 && !internal_.compare_exchange_weak(count, count + 1, std::memory_order_relaxed)) {
    }
    return count != 0;
  }
  void releaseInternal() noexcept {
    if (internal_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

protected:
  virtual ~Object() = default;

private:
  support::ReusedAtomic<std::uint32_t> internal_{1};
};

/// An OpenCL object. `Handle` is the C struct (`_cl_context`), `Derived` the class.
///
/// Two counts: the application's (clRetain*, clRelease*, CL_*_REFERENCE_COUNT) and the internal one that keeps the
/// object alive while other objects or commands use it. The application's count as a whole holds one internal
/// count, so releasing in any order is right: a context outlives its command-queues, a kernel its commands.
///
/// A handle is valid from handOut() on. Objects of the driver's own, which applications never get, have none: memory
/// is used again for objects of the same class, and a handle that the application has released must not lead to them.
template <class Derived, class Handle>
class ApiObject : public Handle, public Object {
public:
  /// The caller has a count.
  void retain() noexcept {
    if (api_.fetch_add(1, std::memory_order_relaxed) != 0) return;
    retainInternal();
    static_cast<Derived*>(this)->onRetainedAgain();
  }
  /// False, and nothing is done, when the application has given up all its references already.
  bool release() noexcept {
    cl_uint count = api_.load(std::memory_order_relaxed);
    do {
      if (count == 0) return false;
    } while (!api_.compare_exchange_weak(count, count - 1, std::memory_order_acq_rel, std::memory_order_relaxed));
    if (count == 1) {
      static_cast<Derived*>(this)->onLastRelease();
      releaseInternal();
    }
    return true;
  }
  cl_uint referenceCount() const noexcept { return api_.load(std::memory_order_relaxed); }

  /// The object at an address where there is or was one of this class that the application has or had; null if there
  /// is none any more.
  static RefPtr<Derived> fromFormer(Derived* former) noexcept {
    if (!isLive(former) || !former->tryRetainInternal()) return nullptr;
    RefPtr<Derived> object = RefPtr<Derived>::adopt(former);
    // Another one of the driver's own may have taken the place meanwhile.
    return isLive(former) ? std::move(object) : nullptr;
  }

  Handle* handle() noexcept { return this; }
  /// Its handle, which is valid from now on, for the application. The object is complete.
  Handle* handOut() noexcept {
    this->tag.store(liveTag(), std::memory_order_release);
    return this;
  }
  /// The object behind a handle, or null if the handle is null, not ours, of another class, of an object that the
  /// application has not got, or destroyed. The handle may be any value.
  static RefPtr<Derived> fromHandle(Handle* handle) noexcept {
    const auto slot = reinterpret_cast<std::uintptr_t>(handle) - handleOffset();
    const ObjectPool* const objects = pool_.load(std::memory_order_acquire);
    if (!objects || !objects->holds(reinterpret_cast<const void*>(slot))) return nullptr;
    return fromFormer(&static_cast<Derived&>(*handle));
  }

  static void* operator new(std::size_t) { return pool().allocate(); }
  static void operator delete(void* memory) noexcept { pool().release(memory); }

protected:
  ApiObject() : ApiObject(1) {}
  /// With so many references of the application: 1, or 0 if it does not get one yet; the internal count is its maker's.
  explicit ApiObject(cl_uint references) : api_(references) {}
  ~ApiObject() override { this->tag.store(0, std::memory_order_release); }
  /// Called when the application gives up its last reference; the object may live on for others.
  void onLastRelease() noexcept {}
  /// Called when the application gets a reference after its last one: a handle that it was told by a query.
  void onRetainedAgain() noexcept {}
  /// The handle is not valid any more.
  void withdraw() noexcept { this->tag.store(0, std::memory_order_release); }

  static bool isLive(const Derived* former) noexcept {
    return former->tag.load(std::memory_order_acquire) == liveTag();
  }

private:
  static ObjectPool& pool() {
    static_assert(sizeof(Derived) <= ObjectPool::slabBytes);
    // Never destroyed: applications release objects from their own static destructors.
    static ObjectPool* const pool = [] {
      auto* const made = new ObjectPool(sizeof(Derived));
      pool_.store(made, std::memory_order_release);
      return made;
    }();
    return *pool;
  }
  /// The offset in an object at which its handle points.
  static std::uintptr_t handleOffset() noexcept {
    constexpr std::uintptr_t somewhere = ObjectPool::slabBytes;
    return reinterpret_cast<std::uintptr_t>(static_cast<Handle*>(reinterpret_cast<Derived*>(somewhere))) - somewhere;
  }
  // The address of a static is a value that no other class has.
  static std::uint64_t liveTag() noexcept {
    static const char unique = 0;
    return reinterpret_cast<std::uintptr_t>(&unique) ^ 0x436c6172'69747921ull;
  }
  support::ReusedAtomic<cl_uint> api_;
  static inline constinit std::atomic<ObjectPool*> pool_{nullptr};  ///< pool(), null before its first object
};

}  // namespace clarity::core

// The C structs behind the handles.
struct _cl_platform_id : clarity::core::HandleBase {};
struct _cl_device_id : clarity::core::HandleBase {};
struct _cl_context : clarity::core::HandleBase {};
struct _cl_command_queue : clarity::core::HandleBase {};
struct _cl_mem : clarity::core::HandleBase {};
struct _cl_program : clarity::core::HandleBase {};
struct _cl_kernel : clarity::core::HandleBase {};
struct _cl_event : clarity::core::HandleBase {};
struct _cl_sampler : clarity::core::HandleBase {};
struct _cl_command_buffer_khr : clarity::core::HandleBase {};
struct _cl_mutable_command_khr : clarity::core::HandleBase {};
struct _cl_semaphore_khr : clarity::core::HandleBase {};
