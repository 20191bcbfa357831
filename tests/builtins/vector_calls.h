// SPDX-License-Identifier: Apache-2.0
// This file calls a function on vectors through its address. Whether a vector travels in a register is decided for a
// whole source file, by the instruction sets that it is compiled for; hence one file for each.
#pragma once

#include <cstring>

/// result = function(x) or, where y is not null, function(x, y), on vectors in memory.
#define VECTOR_CALL(lanes, T) void call##lanes##T(void* function, const T* x, const T* y, T* result)

VECTOR_CALL(4, float);
VECTOR_CALL(8, float);
VECTOR_CALL(16, float);
VECTOR_CALL(2, double);
VECTOR_CALL(4, double);
VECTOR_CALL(8, double);

#define DEFINE_VECTOR_CALL(lanes, T)                             \
  VECTOR_CALL(lanes, T) {                                        \
    typedef T V __attribute__((vector_size(lanes * sizeof(T)))); \
    V a, b, r;                                                   \
    std::memcpy(&a, x, sizeof(V));                               \
    if (y == nullptr) {                                          \
      r = reinterpret_cast<V (*)(V)>(function)(a);               \
    } else {                                                     \
      std::memcpy(&b, y, sizeof(V));                             \
      r = reinterpret_cast<V (*)(V, V)>(function)(a, b);         \
    }                                                            \
    std::memcpy(result, &r, sizeof(V));                          \
  }
