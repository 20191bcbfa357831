// SPDX-License-Identifier: Apache-2.0
// This file tests clCommandCopyImageKHR (cl_khr_command_buffer).
#include "command_buffer.h"

namespace clarity::test {
namespace {

struct CommandCopyImage : CommandImageTest {
  const Record record = [this](auto buffer, auto on, auto properties, auto n, auto list, auto point, auto handle) {
    return clCommandCopyImageKHR(buffer, on, properties, first, second, origin, origin, region, n, list, point, handle);
  };
  cl_int copy(cl_mem from, cl_mem to, const size_t* at) {
    return clCommandCopyImageKHR(commands, nullptr, nullptr, from, to, at, origin, region, 0, nullptr, nullptr,
                                 nullptr);
  }
};

TEST_F(CommandCopyImage, checksWhatAllCheck) { expectRecordChecked(record); }

TEST_F(CommandCopyImage, copies) {
  ASSERT_SUCCESS(copy(first, second, origin));
  run(commands);
  EXPECT_EQ(texels(second), texels(first));
}

TEST_F(CommandCopyImage, errorsOfTheEnqueue) {
  EXPECT_CL(CL_INVALID_VALUE, copy(first, second, outside));
  EXPECT_CL(CL_MEM_COPY_OVERLAP, copy(first, first, origin));
  cl_mem other = image(context, std::vector<unsigned char>(kBytes), CL_BGRA);
  EXPECT_CL(CL_IMAGE_FORMAT_MISMATCH, copy(first, other, origin));
  EXPECT_CL(CL_INVALID_CONTEXT, copy(first, foreignImage(), origin));
  EXPECT_CL(CL_INVALID_MEM_OBJECT, copy(bytes, second, origin)) << "a buffer";
  for (const auto& bad : badHandles<cl_mem>(*this))
    EXPECT_CL(CL_INVALID_MEM_OBJECT, copy(bad.handle, second, origin)) << "the source is " << bad.what;
}

}  // namespace
}  // namespace clarity::test
