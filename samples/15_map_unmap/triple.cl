// SPDX-License-Identifier: Apache-2.0
// This file multiplies each element by three, in place.
__kernel void triple(__global uint *data) {
  size_t i = get_global_id(0);
  data[i] = 3 * data[i];
}
