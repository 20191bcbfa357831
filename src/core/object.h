// SPDX-License-Identifier: Apache-2.0
// This file holds what every OpenCL object has: the ICD's dispatch pointer in its first word, a tag that distinguishes
// a live object of ours from anything else, and two counts.
#pragma once

#include <CL/cl.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

struct _cl_icd_dispatch;

namespace clarity::core {

/// The table that the ICD loader calls through; defined in api/icd.cpp.
extern const _cl_icd_dispatch* const dispatchTable;

/// What a handle points at. The loader reads the first word, nothing else of it is public.
struct HandleBase {
  const _cl_icd_dispatch* dispatch = dispatchTable;
  std::atomic<std::uint64_t> tag{0};
};

/// The count that keeps an object in memory.
class Object {
public:
  Object() = default;
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;
  void retainInternal() noexcept { internal_.fetch_add(1, std::memory_order_relaxed); }
  void releaseInternal() noexcept {
    if (internal_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

protected:
  virtual ~Object() = default;

private:
  std::atomic<std::uint32_t> internal_{1};
};

/// Memory for the objects of one class, never given back: a handle that the application has released still points
/// at an object header, whose dispatch pointer leads the loader to us and whose cleared tag makes us return
/// CL_INVALID_<OBJECT> instead of crashing.
class ObjectPool {
public:
  explicit ObjectPool(std::size_t objectSize) : objectSize_((objectSize + 63) & ~std::size_t{63}) {}
  void* allocate();
  void release(void* memory) noexcept;

private:
  std::mutex mutex_;
  std::size_t objectSize_;
  std::size_t slots_ = 0;
  std::vector<void*> free_;
};

/// An OpenCL object. `Handle` is the C struct (`_cl_context`), `Derived` the class.
///
/// Two counts: the application's (clRetain*, clRelease*, CL_*_REFERENCE_COUNT) and the internal one that keeps the
/// object alive while other objects or commands use it. The application's count as a whole holds one internal
/// count, so releasing in any order is right: a context outlives its command-queues, a kernel its commands.
template <class Derived, class Handle>
class ApiObject : public Handle, public Object {
public:
  void retain() noexcept {
    if (api_.fetch_add(1, std::memory_order_relaxed) == 0) retainInternal();
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

  Handle* handle() noexcept { return this; }
  /// The object behind a handle, or nullptr if the handle is null, not ours, of another class or destroyed.
  static Derived* fromHandle(Handle* handle) noexcept {
    if (!handle || handle->tag.load(std::memory_order_relaxed) != liveTag()) return nullptr;
    return static_cast<Derived*>(handle);
  }

  static void* operator new(std::size_t) { return pool().allocate(); }
  static void operator delete(void* memory) noexcept { pool().release(memory); }

protected:
  ApiObject() { this->tag.store(liveTag(), std::memory_order_relaxed); }
  ~ApiObject() override { this->tag.store(0, std::memory_order_release); }
  /// Called when the application gives up its last reference; the object may live on for others.
  void onLastRelease() noexcept {}

private:
  static ObjectPool& pool() {
    // Never destroyed: applications release objects from their own static destructors.
    static ObjectPool* const pool = new ObjectPool(sizeof(Derived));
    return *pool;
  }
  // The address of a static is a value that no other class has and that other libraries' objects do not hold.
  static std::uint64_t liveTag() noexcept {
    static const char unique = 0;
    return reinterpret_cast<std::uintptr_t>(&unique) ^ 0x436c6172'69747921ull;
  }
  std::atomic<cl_uint> api_{1};
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
