// SPDX-License-Identifier: Apache-2.0
// This file replaces `operator new` of the unit tests.
#include "failing_allocations.h"

#include <cstdlib>
#include <new>

#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
extern "C" const char __executable_start[], etext[];  // the linker's
#endif

namespace {

/// Whether the caller is code that is tested. Under a sanitizer, libraries use this file's `operator new` too, such as
/// the stub of tests/cuda, which would wait for ever for what it could not add to a list.
bool isTested([[maybe_unused]] const void* caller) {
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  return caller >= __executable_start && caller < etext;
#else
  return true;
#endif
}

constexpr int never = -1;
constinit thread_local int untilFailure = never;
constinit thread_local bool failed = false;

}  // namespace

// The allocator that replaces the standard library's: all other forms of new and delete call these two.
void* operator new(std::size_t bytes) {
  if (untilFailure != never && isTested(__builtin_return_address(0)) && untilFailure-- == 0) {
    failed = true;
    untilFailure = never;
    throw std::bad_alloc();
  }
  if (void* const memory = std::malloc(bytes ? bytes : 1)) return memory;
  throw std::bad_alloc();
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace clarity::test {

FailingAllocation::FailingAllocation(int before) {
  untilFailure = before;
  failed = false;
}
FailingAllocation::~FailingAllocation() { untilFailure = never; }
bool FailingAllocation::hasFailed() const { return failed; }

}  // namespace clarity::test
