// SPDX-License-Identifier: Apache-2.0
// This file tests clCommandCopyBufferKHR (cl_khr_command_buffer).
#include "command_buffer.h"

namespace clarity::test {
namespace {

struct CommandCopyBuffer : CommandBufferTest {
  static constexpr size_t kSize = 256;
  cl_mem source = nullptr, target = nullptr;
  const Record record = [this](auto buffer, auto on, auto properties, auto n, auto list, auto point, auto handle) {
    return clCommandCopyBufferKHR(buffer, on, properties, source, target, 0, 0, 64, n, list, point, handle);
  };

  void SetUp() override {
    CommandBufferTest::SetUp();
    if (HasFatalFailure()) return;
    source = bufferOf(countingBytes(kSize));
    target = bufferOf(std::vector<unsigned char>(kSize));
  }
  cl_int copy(cl_mem from, cl_mem to, size_t fromOffset, size_t toOffset, size_t size) {
    return clCommandCopyBufferKHR(commands, nullptr, nullptr, from, to, fromOffset, toOffset, size, 0, nullptr, nullptr,
                                  nullptr);
  }
};

TEST_F(CommandCopyBuffer, checksWhatAllCheck) { expectRecordChecked(record); }

// The content that is copied is the one at the time of each execution.
TEST_F(CommandCopyBuffer, copiesEachTime) {
  ASSERT_SUCCESS(copy(source, target, 10, 20, 100));
  run(commands);
  auto got = read<unsigned char>(target, kSize);
  EXPECT_EQ(got[19], 0);
  EXPECT_EQ(got[20], 10);
  EXPECT_EQ(got[119], 109);
  EXPECT_EQ(got[120], 0);
  const std::vector<unsigned char> other = countingBytes(kSize, 50);
  ASSERT_SUCCESS(clEnqueueWriteBuffer(queue, source, CL_TRUE, 0, kSize, other.data(), 0, nullptr, nullptr));
  ASSERT_SUCCESS(enqueue(commands));
  got = read<unsigned char>(target, kSize);
  EXPECT_EQ(got[20], 60);
}

TEST_F(CommandCopyBuffer, errorsOfTheEnqueue) {
  EXPECT_CL(CL_INVALID_VALUE, copy(source, target, 1, 0, kSize));
  EXPECT_CL(CL_INVALID_VALUE, copy(source, target, 0, 1, kSize));
  EXPECT_CL(CL_MEM_COPY_OVERLAP, copy(source, source, 0, 15, 16));
  EXPECT_CL(CL_INVALID_CONTEXT, copy(bufferOfAnotherContext(*this, kSize), target, 0, 0, 4));
  EXPECT_CL(CL_INVALID_CONTEXT, copy(source, bufferOfAnotherContext(*this, kSize), 0, 0, 4));
  for (const auto& bad : badHandles<cl_mem>(*this)) {
    EXPECT_CL(CL_INVALID_MEM_OBJECT, copy(bad.handle, target, 0, 0, 4)) << "the source is " << bad.what;
    EXPECT_CL(CL_INVALID_MEM_OBJECT, copy(source, bad.handle, 0, 0, 4)) << "the target is " << bad.what;
  }
}

}  // namespace
}  // namespace clarity::test
