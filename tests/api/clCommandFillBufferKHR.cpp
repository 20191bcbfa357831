// SPDX-License-Identifier: Apache-2.0
// This file tests clCommandFillBufferKHR (cl_khr_command_buffer).
#include "command_buffer.h"

namespace clarity::test {
namespace {

struct CommandFillBuffer : CommandBufferTest {
  cl_mem cells = nullptr;
  const Record record = [this](auto buffer, auto on, auto properties, auto n, auto list, auto point, auto handle) {
    return clCommandFillBufferKHR(buffer, on, properties, cells, &pattern, sizeof pattern, 0, 16, n, list, point,
                                  handle);
  };
  const cl_uint pattern = 0x01020304;

  void SetUp() override {
    CommandBufferTest::SetUp();
    if (!HasFatalFailure()) cells = bufferOf(std::vector<cl_uint>(16));
  }
  cl_int fill(cl_mem memory, const void* with, size_t patternBytes, size_t offset, size_t size) {
    return clCommandFillBufferKHR(commands, nullptr, nullptr, memory, with, patternBytes, offset, size, 0, nullptr,
                                  nullptr, nullptr);
  }
};

TEST_F(CommandFillBuffer, checksWhatAllCheck) { expectRecordChecked(record); }

// The pattern is copied when it is recorded, the buffer kept.
TEST_F(CommandFillBuffer, fillsItsPart) {
  cl_uint changing = 5;
  ASSERT_SUCCESS(fill(cells, &changing, sizeof changing, 8, 16));
  changing = 6;
  run(commands);
  const std::vector<cl_uint> wanted{0, 0, 5, 5, 5, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  EXPECT_EQ(read<cl_uint>(cells, 16), wanted);
}

TEST_F(CommandFillBuffer, errorsOfTheEnqueue) {
  EXPECT_CL(CL_INVALID_VALUE, fill(cells, nullptr, 4, 0, 4));
  EXPECT_CL(CL_INVALID_VALUE, fill(cells, &pattern, 3, 0, 6));
  EXPECT_CL(CL_INVALID_VALUE, fill(cells, &pattern, 4, 2, 4));
  EXPECT_CL(CL_INVALID_VALUE, fill(cells, &pattern, 4, 0, 17 * 4));
  EXPECT_CL(CL_INVALID_CONTEXT, fill(bufferOfAnotherContext(*this, 64), &pattern, 4, 0, 4));
  for (const auto& bad : badHandles<cl_mem>(*this))
    EXPECT_CL(CL_INVALID_MEM_OBJECT, fill(bad.handle, &pattern, 4, 0, 4)) << "the buffer is " << bad.what;
}

}  // namespace
}  // namespace clarity::test
