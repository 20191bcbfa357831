// SPDX-License-Identifier: Apache-2.0
// This file tests copies to local memory that work-items wait for in groups.
#include "device_test.h"

#include <cstdint>

namespace {

struct StagedCopies : DeviceTest {};

/// A work-item copies parts of 16 bytes, of which zeros replace the end; three stages are on their way at a time, and
/// other work-items read what came.
TEST_F(StagedCopies, groups) {
  constexpr std::size_t items = 64, steps = 11, words = items * steps * 4;
  build(R"(
    kernel void test(global uint4 *out, global const uint4 *in, uint steps) {
      local uint4 stages[3][64];
      const uint l = get_local_id(0);
      for (uint s = 0; s < 2; ++s) {
        clarity_copy_begin(stages[s] + l, in + s * 64 + l, (l + s) % 17);
        clarity_copy_end_group();
      }
      for (uint s = 0; s < steps; ++s) {
        clarity_copy_wait(1);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (s + 2 < steps) clarity_copy_begin(stages[(s + 2) % 3] + l, in + (s + 2) * 64 + l, (l + s + 2) % 17);
        clarity_copy_end_group();
        out[s * 64 + l] = stages[s % 3][63 - l];
      }
    })",
        "");
  std::vector<cl_uint> from(words), to(words);
  for (std::size_t i = 0; i < words; ++i) from[i] = static_cast<cl_uint>(i * 2654435761U | 0x01010101U);
  cl_mem in = bufferOf(from), out = bufferOf(to);
  launch("test", {items}, {items}, out, in, cl_uint{steps});
  take(out, to);
  clReleaseMemObject(in);
  const auto* const source = reinterpret_cast<const unsigned char*>(from.data());
  const auto* const result = reinterpret_cast<const unsigned char*>(to.data());
  for (std::size_t s = 0; s < steps; ++s)
    for (std::size_t l = 0; l < items; ++l)
      for (std::size_t byte = 0; byte < 16; ++byte) {
        const std::size_t other = items - 1 - l;
        const int expected = byte < (other + s) % 17 ? source[(s * items + other) * 16 + byte] : 0;
        ASSERT_EQ(result[(s * items + l) * 16 + byte], expected) << "step " << s << ", item " << l << ", byte " << byte;
      }
}

}  // namespace
