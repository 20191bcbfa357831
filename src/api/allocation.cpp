// SPDX-License-Identifier: Apache-2.0
// This file is what the linker puts in place of the allocation functions that the driver, LLVM and clang in it call
// (--wrap): the same, but an allocation that fails on a thread with a reserve is tried again with memory of the
// reserve, and one that is larger than the thread may make fails at once.
#include "support/memory_reserve.h"

#include <cstddef>
#include <cstdint>
#include <new>

using clarity::support::MemoryReserve;

namespace {

constexpr std::size_t product(std::size_t count, std::size_t bytes) {
  std::size_t all = 0;
  return __builtin_mul_overflow(count, bytes, &all) ? SIZE_MAX : all;
}

/// `bytes`: of the allocation that is made with `arguments`.
template <class Allocate, class... Arguments>
void* unlessNull(std::size_t bytes, Allocate& allocate, const Arguments&... arguments) {
  if (!MemoryReserve::allows(bytes)) return nullptr;
  void* memory = allocate(arguments...);
  while (!memory && MemoryReserve::spend()) memory = allocate(arguments...);
  return memory;
}

template <class Allocate, class... Arguments>
void* unlessThrown(std::size_t bytes, Allocate& allocate, const Arguments&... arguments) {
  if (!MemoryReserve::allows(bytes)) throw std::bad_alloc();
  for (;;) {
    try {
      return allocate(arguments...);
    } catch (const std::bad_alloc&) {
      if (!MemoryReserve::spend()) throw;
    }
  }
}

}  // namespace

extern "C" {

void* __real_malloc(std::size_t);
void* __real_calloc(std::size_t, std::size_t);
void* __real_realloc(void*, std::size_t);
void* __real_aligned_alloc(std::size_t, std::size_t);
void* __real__Znwm(std::size_t);
void* __real__Znam(std::size_t);
void* __real__ZnwmRKSt9nothrow_t(std::size_t, const std::nothrow_t&);
void* __real__ZnamRKSt9nothrow_t(std::size_t, const std::nothrow_t&);
void* __real__ZnwmSt11align_val_t(std::size_t, std::align_val_t);
void* __real__ZnwmSt11align_val_tRKSt9nothrow_t(std::size_t, std::align_val_t, const std::nothrow_t&);

void* __wrap_malloc(std::size_t bytes) { return unlessNull(bytes, __real_malloc, bytes); }
void* __wrap_calloc(std::size_t count, std::size_t bytes) {
  return unlessNull(product(count, bytes), __real_calloc, count, bytes);
}
void* __wrap_realloc(void* old, std::size_t bytes) {
  return bytes == 0 ? __real_realloc(old, 0) : unlessNull(bytes, __real_realloc, old, bytes);
}
void* __wrap_aligned_alloc(std::size_t alignment, std::size_t bytes) {
  return unlessNull(bytes, __real_aligned_alloc, alignment, bytes);
}

// All forms of operator new and operator new[] that are called.
void* __wrap__Znwm(std::size_t bytes) { return unlessThrown(bytes, __real__Znwm, bytes); }
void* __wrap__Znam(std::size_t bytes) { return unlessThrown(bytes, __real__Znam, bytes); }
void* __wrap__ZnwmRKSt9nothrow_t(std::size_t bytes, const std::nothrow_t& tag) {
  return unlessNull(bytes, __real__ZnwmRKSt9nothrow_t, bytes, tag);
}
void* __wrap__ZnamRKSt9nothrow_t(std::size_t bytes, const std::nothrow_t& tag) {
  return unlessNull(bytes, __real__ZnamRKSt9nothrow_t, bytes, tag);
}
void* __wrap__ZnwmSt11align_val_t(std::size_t bytes, std::align_val_t alignment) {
  return unlessThrown(bytes, __real__ZnwmSt11align_val_t, bytes, alignment);
}
void* __wrap__ZnwmSt11align_val_tRKSt9nothrow_t(std::size_t bytes, std::align_val_t alignment,
                                                const std::nothrow_t& tag) {
  return unlessNull(bytes, __real__ZnwmSt11align_val_tRKSt9nothrow_t, bytes, alignment, tag);
}

}  // extern "C"
