// SPDX-License-Identifier: Apache-2.0
// This file defines copies from global to local memory that a work-item begins and waits for later, in groups, for
// kernels of the library's own (kernels/gemm_staged.cl). NVIDIA GPUs have instructions for them
// (compiler/nvptx/staged_copies.h); these are the plain forms, which copy at once.

#include "prelude.clh"

#define CONVERGENT __attribute__((overloadable, always_inline, convergent))

/// Begins to copy 16 bytes, in place of which those from the first `bytes` on are 0.
CONVERGENT void clarity_copy_begin(local uint4 *to, const global uint4 *from, uint bytes) {
  uint4 value = 0;
  if (bytes >= 16) {
    value = *from;
  } else {
    uint words[4] = {0, 0, 0, 0};
    for (uint i = 0; i < bytes; ++i)
      words[i / 4] |= (uint)((const global uchar *)from)[i] << i % 4 * 8;
    value = (uint4)(words[0], words[1], words[2], words[3]);
  }
  *to = value;
}

/// Makes a group of the copies that the work-item has begun since its last group.
CONVERGENT void clarity_copy_end_group(void) {}

/// Waits for the copies of all groups but the last `groups`, a constant. The work-item has then what it has copied
/// itself, and a barrier gives it to the others.
CONVERGENT void clarity_copy_wait(uint groups) {}
