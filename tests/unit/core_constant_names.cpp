// SPDX-License-Identifier: Apache-2.0
// This file tests the names of constants in sentences about errors.
#include "core/constant_names.h"

#include "core/error.h"

#include <CL/cl_ext.h>
#include <gtest/gtest.h>

#include <cstdint>

namespace clarity::test {
namespace {

using core::ConstantName;
using core::FormatNames;
using core::MemoryFlagNames;

TEST(CoreConstantNames, constants) {
  EXPECT_EQ(textOf(ConstantName{CL_RGBA}), "CL_RGBA");
  EXPECT_EQ(textOf(ConstantName{CL_ADDRESS_MIRRORED_REPEAT}), "CL_ADDRESS_MIRRORED_REPEAT");
  EXPECT_EQ(textOf(ConstantName{CL_SAMPLER_LOD_MAX_KHR}), "CL_SAMPLER_LOD_MAX_KHR");
  EXPECT_EQ(textOf(ConstantName{0x4444}), "0x4444");
  EXPECT_EQ(textOf(ConstantName{0}), "0x0");
}

// Every channel order, channel type, kind of image and mode that the standard has.
TEST(CoreConstantNames, noGaps) {
  const auto named = [](std::uint64_t from, std::uint64_t to) {
    for (std::uint64_t value = from; value <= to; ++value)
      EXPECT_TRUE(textOf(ConstantName{value}).starts_with("CL_")) << textOf(ConstantName{value});
  };
  named(CL_R, CL_ABGR);
  named(CL_SNORM_INT8, CL_UNORM_INT_101010_2);
  named(CL_MEM_OBJECT_BUFFER, CL_MEM_OBJECT_PIPE);
  named(CL_ADDRESS_NONE, CL_ADDRESS_MIRRORED_REPEAT);
  named(CL_FILTER_NEAREST, CL_FILTER_LINEAR);
  named(CL_SAMPLER_NORMALIZED_COORDS, CL_SAMPLER_LOD_MAX_KHR);
}

TEST(CoreConstantNames, memoryFlags) {
  EXPECT_EQ(textOf(MemoryFlagNames{0}), "0");
  EXPECT_EQ(textOf(MemoryFlagNames{CL_MEM_COPY_HOST_PTR | CL_MEM_READ_ONLY}),
            "CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR");
  EXPECT_EQ(textOf(MemoryFlagNames{CL_MEM_READ_WRITE | (cl_mem_flags{1} << 60)}),
            "CL_MEM_READ_WRITE | 0x1000000000000000");
}

TEST(CoreConstantNames, inSentences) {
  try {
    core::fail(CL_INVALID_VALUE, "{} with {}", FormatNames{{CL_BGRA, CL_UNORM_INT8}},
               MemoryFlagNames{CL_MEM_HOST_NO_ACCESS});
  } catch (const core::Error& error) {
    EXPECT_EQ(error.text(), "channel order CL_BGRA and type CL_UNORM_INT8 with CL_MEM_HOST_NO_ACCESS");
  }
}

}  // namespace
}  // namespace clarity::test
