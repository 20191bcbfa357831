// SPDX-License-Identifier: Apache-2.0
// This file declares the list of measured math functions with SLEEF's functions for comparison.
#pragma once

#include <cstddef>
#include <vector>

namespace bench {

struct MathFunction {
  const char* name;  // in OpenCL C
  const char* peer;  // SLEEF's name with the accuracy that it promises; nothing if there is none
  bool same;         // both compute the same
  bool isDouble, second, secondIsInt;
  double low, high, low2, high2;  // of the arguments
  // Fills `out` from `x` and `y`, whose `count` elements fill vectors; null without peer.
  void (*host)(const void* x, const void* y, void* out, std::size_t count);
};

std::vector<MathFunction> mathFunctions();

// The vectors of SLEEF here: instructions, and lanes of float.
const char* vectorsOfPeers();

}  // namespace bench
