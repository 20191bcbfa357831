// SPDX-License-Identifier: Apache-2.0
// This file tests clCommandCopyImageToBufferKHR (cl_khr_command_buffer).
#include "command_buffer.h"

namespace clarity::test {
namespace {

struct CommandCopyImageToBuffer : CommandImageTest {
  const Record record = [this](auto buffer, auto on, auto properties, auto n, auto list, auto point, auto handle) {
    return clCommandCopyImageToBufferKHR(buffer, on, properties, first, bytes, origin, region, 0, n, list, point,
                                         handle);
  };
  cl_int copy(cl_mem from, cl_mem to, const size_t* at, size_t offset) {
    return clCommandCopyImageToBufferKHR(commands, nullptr, nullptr, from, to, at, region, offset, 0, nullptr, nullptr,
                                         nullptr);
  }
};

TEST_F(CommandCopyImageToBuffer, checksWhatAllCheck) { expectRecordChecked(record); }

TEST_F(CommandCopyImageToBuffer, copies) {
  ASSERT_SUCCESS(copy(first, bytes, origin, 0));
  run(commands);
  EXPECT_EQ(read<unsigned char>(bytes, kBytes), texels(first));
}

TEST_F(CommandCopyImageToBuffer, errorsOfTheEnqueue) {
  EXPECT_CL(CL_INVALID_VALUE, copy(first, bytes, outside, 0));
  EXPECT_CL(CL_INVALID_VALUE, copy(first, bytes, origin, 4));
  EXPECT_CL(CL_INVALID_CONTEXT, copy(first, bufferOfAnotherContext(*this, 1024), origin, 0));
  EXPECT_CL(CL_INVALID_CONTEXT, copy(foreignImage(), bytes, origin, 0));
  EXPECT_CL(CL_INVALID_MEM_OBJECT, copy(bytes, bytes, origin, 0)) << "the source is a buffer";
  EXPECT_CL(CL_INVALID_MEM_OBJECT, copy(first, second, origin, 0)) << "the target is an image";
  for (const auto& bad : badHandles<cl_mem>(*this))
    EXPECT_CL(CL_INVALID_MEM_OBJECT, copy(bad.handle, bytes, origin, 0)) << "the source is " << bad.what;
}

}  // namespace
}  // namespace clarity::test
