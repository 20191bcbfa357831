// SPDX-License-Identifier: Apache-2.0
// This file tests clCommandCopyBufferToImageKHR (cl_khr_command_buffer).
#include "command_buffer.h"

namespace clarity::test {
namespace {

struct CommandCopyBufferToImage : CommandImageTest {
  const Record record = [this](auto buffer, auto on, auto properties, auto n, auto list, auto point, auto handle) {
    return clCommandCopyBufferToImageKHR(buffer, on, properties, bytes, first, 0, origin, region, n, list, point,
                                         handle);
  };
  cl_int copy(cl_mem from, cl_mem to, size_t offset, const size_t* at) {
    return clCommandCopyBufferToImageKHR(commands, nullptr, nullptr, from, to, offset, at, region, 0, nullptr, nullptr,
                                         nullptr);
  }
};

TEST_F(CommandCopyBufferToImage, checksWhatAllCheck) { expectRecordChecked(record); }

TEST_F(CommandCopyBufferToImage, copies) {
  ASSERT_SUCCESS(copy(bytes, first, 0, origin));
  run(commands);
  EXPECT_EQ(texels(first), countingBytes(kBytes, 100));
}

TEST_F(CommandCopyBufferToImage, errorsOfTheEnqueue) {
  EXPECT_CL(CL_INVALID_VALUE, copy(bytes, first, 0, outside));
  EXPECT_CL(CL_INVALID_VALUE, copy(bytes, first, 4, origin));
  EXPECT_CL(CL_INVALID_CONTEXT, copy(bufferOfAnotherContext(*this, 1024), first, 0, origin));
  EXPECT_CL(CL_INVALID_CONTEXT, copy(bytes, foreignImage(), 0, origin));
  EXPECT_CL(CL_INVALID_MEM_OBJECT, copy(first, second, 0, origin)) << "the source is an image";
  EXPECT_CL(CL_INVALID_MEM_OBJECT, copy(bytes, bytes, 0, origin)) << "the target is a buffer";
  for (const auto& bad : badHandles<cl_mem>(*this))
    EXPECT_CL(CL_INVALID_MEM_OBJECT, copy(bytes, bad.handle, 0, origin)) << "the target is " << bad.what;
}

}  // namespace
}  // namespace clarity::test
