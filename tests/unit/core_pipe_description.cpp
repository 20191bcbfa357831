// SPDX-License-Identifier: Apache-2.0
// This file tests how pipes lie in memory: what kernels rely on (compiler/ir/pipe_layout.h).
#include "core/pipe_description.h"

#include "compiler/ir/pipe_layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

namespace clarity::test {
namespace {

using core::PipeDescription;

TEST(CorePipeDescription, hasRoomForEverySlot) {
  for (const cl_uint packetBytes : {1u, 4u, 12u, 128u, 1000u})
    for (const cl_uint packets : {1u, 2u, 3u, 4u, 5u, 31u, 32u, 33u, 1000u, 4096u, PipeDescription::mostPackets}) {
      SCOPED_TRACE(std::to_string(packets) + " packets of " + std::to_string(packetBytes));
      const PipeDescription pipe{packetBytes, packets};
      const std::uint64_t slots = std::bit_ceil(std::max(packets, 2u));
      EXPECT_GE(pipe.dataOffset(), sizeof(compiler::PipeHeader) + slots * sizeof(std::uint32_t));
      EXPECT_LT(pipe.dataOffset(), sizeof(compiler::PipeHeader) + slots * sizeof(std::uint32_t) + 128);
      EXPECT_EQ(pipe.dataOffset() % 128, 0u) << "packets of any type are aligned";
      EXPECT_EQ(pipe.bytes(), pipe.dataOffset() + slots * packetBytes);
    }
}

TEST(CorePipeDescription, beginsWithWhatKernelsRead) {
  for (const cl_uint packets : {1u, 2u, 7u, 64u}) {
    const PipeDescription pipe{12, packets};
    const compiler::PipeHeader header = pipe.header();
    EXPECT_EQ(header.packetBytes, 12u);
    EXPECT_EQ(header.mostPackets, packets);
    EXPECT_EQ(header.slots, std::bit_ceil(std::max(packets, 2u)));
    EXPECT_EQ(header.data, pipe.dataOffset());
    EXPECT_EQ(header.written.packets + header.taken.packets + header.removed.packets, 0u);
  }
}

}  // namespace
}  // namespace clarity::test
