// SPDX-License-Identifier: Apache-2.0
// This file is the library.
#include "smooth.clh"

static float squared(float x) { return x * x; }

float smoothStep(float edge0, float edge1, float x) {
  float t = clamp((x - edge0) / (edge1 - edge0), 0.0f, 1.0f);
  return squared(t) * (3.0f - 2.0f * t);
}
