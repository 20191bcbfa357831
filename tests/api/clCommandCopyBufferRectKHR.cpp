// SPDX-License-Identifier: Apache-2.0
// This file tests clCommandCopyBufferRectKHR (cl_khr_command_buffer).
#include "command_buffer.h"

namespace clarity::test {
namespace {

struct CommandCopyBufferRect : CommandBufferTest {
  static constexpr size_t kSize = 256;
  static constexpr size_t at[3] = {2, 1, 0}, to[3] = {4, 2, 0}, region[3] = {8, 3, 1};
  cl_mem source = nullptr, target = nullptr;
  const Record record = [this](auto buffer, auto on, auto properties, auto n, auto list, auto point, auto handle) {
    return clCommandCopyBufferRectKHR(buffer, on, properties, source, target, at, to, region, 32, 0, 16, 0, n, list,
                                      point, handle);
  };

  void SetUp() override {
    CommandBufferTest::SetUp();
    if (HasFatalFailure()) return;
    source = bufferOf(countingBytes(kSize));
    target = bufferOf(std::vector<unsigned char>(kSize));
  }
  cl_int copy(cl_mem from, cl_mem into, const size_t* size, size_t pitch) {
    return clCommandCopyBufferRectKHR(commands, nullptr, nullptr, from, into, at, to, size, pitch, 0, 16, 0, 0, nullptr,
                                      nullptr, nullptr);
  }
};

TEST_F(CommandCopyBufferRect, checksWhatAllCheck) { expectRecordChecked(record); }

TEST_F(CommandCopyBufferRect, copiesARectangle) {
  ASSERT_SUCCESS(copy(source, target, region, 32));
  run(commands);
  const auto got = read<unsigned char>(target, kSize);
  std::vector<unsigned char> wanted(kSize);
  for (size_t y = 0; y < 3; ++y)
    for (size_t x = 0; x < 8; ++x) wanted[(y + 2) * 16 + x + 4] = static_cast<unsigned char>((y + 1) * 32 + x + 2);
  EXPECT_EQ(got, wanted);
}

TEST_F(CommandCopyBufferRect, errorsOfTheEnqueue) {
  const size_t none[3] = {0, 1, 1}, large[3] = {8, 100, 1};
  EXPECT_CL(CL_INVALID_VALUE, copy(source, target, none, 32));
  EXPECT_CL(CL_INVALID_VALUE, copy(source, target, nullptr, 32));
  EXPECT_CL(CL_INVALID_VALUE, copy(source, target, large, 32));
  EXPECT_CL(CL_INVALID_VALUE, copy(source, target, region, 7));
  EXPECT_CL(CL_MEM_COPY_OVERLAP, copy(source, source, region, 16));
  EXPECT_CL(CL_INVALID_CONTEXT, copy(source, bufferOfAnotherContext(*this, kSize), region, 32));
  for (const auto& bad : badHandles<cl_mem>(*this))
    EXPECT_CL(CL_INVALID_MEM_OBJECT, copy(bad.handle, target, region, 32)) << "the source is " << bad.what;
}

}  // namespace
}  // namespace clarity::test
