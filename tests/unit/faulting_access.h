// SPDX-License-Identifier: Apache-2.0
// This file is accesses that may fault, for tests of what is accessible.
#pragma once

#include "support/fault_guard.h"

#include <cstddef>

namespace clarity::test {

/// Generated code is not instrumented, and the sanitizer's check of a wild pointer would be the one to fault.
[[gnu::noinline, clang::no_sanitize("thread", "address", "undefined")]] inline void writeTo(volatile char* at,
                                                                                            std::ptrdiff_t offset) {
  at[offset] = 1;
}

/// Whether a byte can be written; if so, it is 1 now.
inline bool isAccessible(std::byte* at) {
  support::Fault fault;
  return support::FaultGuard::run([at] { writeTo(reinterpret_cast<volatile char*>(at), 0); }, fault);
}

}  // namespace clarity::test
