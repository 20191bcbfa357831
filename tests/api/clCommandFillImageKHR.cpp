// SPDX-License-Identifier: Apache-2.0
// This file tests clCommandFillImageKHR (cl_khr_command_buffer).
#include "command_buffer.h"

namespace clarity::test {
namespace {

struct CommandFillImage : CommandImageTest {
  const Record record = [this](auto buffer, auto on, auto properties, auto n, auto list, auto point, auto handle) {
    return clCommandFillImageKHR(buffer, on, properties, first, color, origin, region, n, list, point, handle);
  };
  cl_int fill(cl_mem it, const void* with, const size_t* at) {
    return clCommandFillImageKHR(commands, nullptr, nullptr, it, with, at, region, 0, nullptr, nullptr, nullptr);
  }
  const float color[4] = {1, 0, 1, 0};
};

TEST_F(CommandFillImage, checksWhatAllCheck) { expectRecordChecked(record); }

TEST_F(CommandFillImage, fills) {
  ASSERT_SUCCESS(fill(first, color, origin));
  run(commands);
  std::vector<unsigned char> wanted;
  for (size_t i = 0; i < kWidth * kHeight; ++i) wanted.insert(wanted.end(), {255, 0, 255, 0});
  EXPECT_EQ(texels(first), wanted);
}

TEST_F(CommandFillImage, errorsOfTheEnqueue) {
  EXPECT_CL(CL_INVALID_VALUE, fill(first, nullptr, origin));
  EXPECT_CL(CL_INVALID_VALUE, fill(first, color, outside));
  EXPECT_CL(CL_INVALID_CONTEXT, fill(foreignImage(), color, origin));
  EXPECT_CL(CL_INVALID_MEM_OBJECT, fill(bytes, color, origin)) << "a buffer";
  for (const auto& bad : badHandles<cl_mem>(*this))
    EXPECT_CL(CL_INVALID_MEM_OBJECT, fill(bad.handle, color, origin)) << "the image is " << bad.what;
}

}  // namespace
}  // namespace clarity::test
