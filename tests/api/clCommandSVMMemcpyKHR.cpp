// SPDX-License-Identifier: Apache-2.0
// This file tests clCommandSVMMemcpyKHR (cl_khr_command_buffer).
#include "command_buffer.h"

namespace clarity::test {
namespace {

struct CommandSVMMemcpy : CommandSVMTest {
  const Record record = [this](auto buffer, auto on, auto properties, auto n, auto list, auto point, auto handle) {
    return clCommandSVMMemcpyKHR(buffer, on, properties, second, first, 64, n, list, point, handle);
  };
  cl_int copy(void* to, const void* from, size_t size) {
    return clCommandSVMMemcpyKHR(commands, nullptr, nullptr, to, from, size, 0, nullptr, nullptr, nullptr);
  }
};

TEST_F(CommandSVMMemcpy, checksWhatAllCheck) { expectRecordChecked(record); }

TEST_F(CommandSVMMemcpy, copies) {
  ASSERT_SUCCESS(copy(second + 1, first, 100));
  for (size_t i = 0; i < kSize; ++i) first[i] = static_cast<unsigned char>(i), second[i] = 0xEE;
  run(commands);
  EXPECT_EQ(second[0], 0xEE);
  EXPECT_EQ(second[1], 0);
  EXPECT_EQ(second[100], 99);
  EXPECT_EQ(second[101], 0xEE);
}

TEST_F(CommandSVMMemcpy, errorsOfTheEnqueue) {
  EXPECT_CL(CL_INVALID_VALUE, copy(nullptr, first, 4));
  EXPECT_CL(CL_INVALID_VALUE, copy(first, nullptr, 4));
  EXPECT_CL(CL_INVALID_VALUE, copy(first, second, kSize + 1));
  EXPECT_CL(CL_MEM_COPY_OVERLAP, copy(first, first + 3, 4));
}

}  // namespace
}  // namespace clarity::test
