// SPDX-License-Identifier: Apache-2.0
// This file tests clCommandSVMMemFillKHR (cl_khr_command_buffer).
#include "command_buffer.h"

namespace clarity::test {
namespace {

struct CommandSVMMemFill : CommandSVMTest {
  const Record record = [this](auto buffer, auto on, auto properties, auto n, auto list, auto point, auto handle) {
    return clCommandSVMMemFillKHR(buffer, on, properties, first, &pattern, sizeof pattern, 64, n, list, point, handle);
  };
  const cl_ushort pattern = 0x0102;
  cl_int fill(void* to, const void* with, size_t patternBytes, size_t size) {
    return clCommandSVMMemFillKHR(commands, nullptr, nullptr, to, with, patternBytes, size, 0, nullptr, nullptr,
                                  nullptr);
  }
};

TEST_F(CommandSVMMemFill, checksWhatAllCheck) { expectRecordChecked(record); }

TEST_F(CommandSVMMemFill, fills) {
  ASSERT_SUCCESS(fill(first + 2, &pattern, sizeof pattern, 4));
  for (size_t i = 0; i < kSize; ++i) first[i] = 0xEE;
  run(commands);
  const std::vector<unsigned char> wanted{0xEE, 0xEE, 2, 1, 2, 1, 0xEE};
  EXPECT_EQ(std::vector<unsigned char>(first, first + 7), wanted);
}

TEST_F(CommandSVMMemFill, errorsOfTheEnqueue) {
  EXPECT_CL(CL_INVALID_VALUE, fill(nullptr, &pattern, 2, 4));
  EXPECT_CL(CL_INVALID_VALUE, fill(first, nullptr, 2, 4));
  EXPECT_CL(CL_INVALID_VALUE, fill(first, &pattern, 3, 6));
  EXPECT_CL(CL_INVALID_VALUE, fill(first, &pattern, 2, 3));
  EXPECT_CL(CL_INVALID_VALUE, fill(first + 1, &pattern, 2, 4));
  EXPECT_CL(CL_INVALID_VALUE, fill(first, &pattern, 2, kSize + 2));
}

}  // namespace
}  // namespace clarity::test
