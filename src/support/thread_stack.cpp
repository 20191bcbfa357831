// SPDX-License-Identifier: Apache-2.0
// This file asks the C library where the calling thread's stack is.
#include "support/thread_stack.h"

#include <pthread.h>

#include <cstdint>

namespace clarity::support {
namespace {

struct Bounds {
  std::uintptr_t low = 0, high = 0;
};

// Where nothing is known, every address has room above it: threads worked before this was asked.
Bounds ofThisThread() {
  Bounds bounds{0, UINTPTR_MAX};
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return bounds;
  void* low = nullptr;
  std::size_t size = 0;
  if (pthread_attr_getstack(&attributes, &low, &size) == 0) {
    bounds.low = reinterpret_cast<std::uintptr_t>(low);
    bounds.high = bounds.low + size;
  }
  pthread_attr_destroy(&attributes);
  return bounds;
}

constinit thread_local Bounds known [[gnu::tls_model("initial-exec")]];

}  // namespace

bool stackHasRoom(std::size_t bytes) noexcept {
  if (known.high == 0) known = ofThisThread();
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  return here >= known.low && here < known.high && here - known.low >= bytes;
}

}  // namespace clarity::support
