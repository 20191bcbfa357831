// SPDX-License-Identifier: Apache-2.0
// This file multiplies matrices on the host, serially, and compares matrices.
#include "matrix.h"

#include <string.h>

// The middle loop runs over k, so that the innermost one reads and writes neighbours; blocks of b stay in the cache.
#define DEFINE_MULTIPLY(name, type)                                                          \
  void name(const type* restrict a, const type* restrict b, type* restrict c, size_t side) { \
    const size_t block = 64;                                                                 \
    memset(c, 0, side * side * sizeof *c);                                                   \
    for (size_t first = 0; first < side; first += block) {                                   \
      const size_t last = first + block < side ? first + block : side;                       \
      for (size_t i = 0; i < side; ++i)                                                      \
        for (size_t k = first; k < last; ++k) {                                              \
          const type factor = a[i * side + k];                                               \
          for (size_t j = 0; j < side; ++j) c[i * side + j] += factor * b[k * side + j];     \
        }                                                                                    \
    }                                                                                        \
  }
DEFINE_MULTIPLY(multiplyFloats, cl_float)
DEFINE_MULTIPLY(multiplyInts, cl_int)

#define DEFINE_SAME(name, type, format)                                                                              \
  int name(const Sample* sample, const type* got, const type* expected, size_t rows, size_t columns) {               \
    for (size_t i = 0; i < rows * columns; ++i)                                                                      \
      if (got[i] != expected[i]) {                                                                                   \
        say(sample, "  row %zu, column %zu is " format ", should be " format "\n", i / columns, i % columns, got[i], \
            expected[i]);                                                                                            \
        return 0;                                                                                                    \
      }                                                                                                              \
    return 1;                                                                                                        \
  }
DEFINE_SAME(sameFloats, cl_float, "%g")
DEFINE_SAME(sameInts, cl_int, "%d")
