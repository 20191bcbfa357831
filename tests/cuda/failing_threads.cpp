// SPDX-License-Identifier: Apache-2.0
// This file stands for the C library's function that makes threads.
#include "failing_threads.h"

#ifdef CLARITY_THREADS_CAN_FAIL

#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>

namespace {
std::atomic<bool> hasNoThreads{false};
}

extern "C" __attribute__((visibility("default"))) int pthread_create(pthread_t* thread,
                                                                     const pthread_attr_t* attributes,
                                                                     void* (*start)(void*), void* argument) noexcept {
  static const auto real = reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
  return hasNoThreads ? EAGAIN : real(thread, attributes, start, argument);
}

namespace clarity::test {

FailingThreads::FailingThreads() { hasNoThreads = true; }
FailingThreads::~FailingThreads() { hasNoThreads = false; }

}  // namespace clarity::test

#endif
