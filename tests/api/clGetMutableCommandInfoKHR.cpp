// SPDX-License-Identifier: Apache-2.0
// This file tests clGetMutableCommandInfoKHR (cl_khr_command_buffer_mutable_dispatch).
#include "command_buffer.h"

namespace clarity::test {
namespace {

struct GetMutableCommandInfo : CommandBufferTest {
  cl_kernel nothing = nullptr;
  cl_mutable_command_khr command = nullptr;
  const size_t offset[2] = {1, 2}, global[2] = {16, 8}, local[2] = {4, 2};

  void SetUp() override {
    CommandBufferTest::SetUp();
    if (HasFatalFailure()) return;
    nothing = kernel("kernel void nothing() {}", "nothing");
    command = record({CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR, 0}, offset, local);
  }
  cl_mutable_command_khr record(std::vector<cl_command_properties_khr> properties, const size_t* from,
                                const size_t* groups) {
    cl_mutable_command_khr made = nullptr;
    EXPECT_SUCCESS(clCommandNDRangeKernelKHR(commands, nullptr, properties.empty() ? nullptr : properties.data(),
                                             nothing, 2, from, global, groups, 0, nullptr, nullptr, &made));
    return made;
  }
};

TEST_F(GetMutableCommandInfo, answers) {
  const auto get = clGetMutableCommandInfoKHR;
  EXPECT_EQ(infoOf<cl_command_queue>(get, command, CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR), queue);
  EXPECT_EQ(infoOf<cl_command_buffer_khr>(get, command, CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR), commands);
  EXPECT_EQ(infoOf<cl_command_type>(get, command, CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR),
            cl_command_type{CL_COMMAND_NDRANGE_KERNEL});
  const std::vector<cl_ulong> properties{CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR,
                                         0};
  EXPECT_EQ(infoVectorOf<cl_ulong>(get, command, CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR), properties);
  EXPECT_EQ(infoOf<cl_kernel>(get, command, CL_MUTABLE_DISPATCH_KERNEL_KHR), nothing);
  EXPECT_EQ(infoOf<cl_uint>(get, command, CL_MUTABLE_DISPATCH_DIMENSIONS_KHR), 2u);
  EXPECT_EQ(infoVectorOf<size_t>(get, command, CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR),
            (std::vector<size_t>{1, 2}));
  EXPECT_EQ(infoVectorOf<size_t>(get, command, CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR), (std::vector<size_t>{16, 8}));
  EXPECT_EQ(infoVectorOf<size_t>(get, command, CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR), (std::vector<size_t>{4, 2}));
  cl_mutable_command_khr plain = record({}, nullptr, nullptr);
  EXPECT_TRUE(infoVectorOf<cl_ulong>(get, plain, CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR).empty());
  EXPECT_EQ(infoVectorOf<size_t>(get, plain, CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR), (std::vector<size_t>{0, 0}));
}

// An update changes the values.
TEST_F(GetMutableCommandInfo, followsUpdates) {
  cl_command_buffer_khr buffer = commandBuffer(CL_COMMAND_BUFFER_MUTABLE_KHR);
  ASSERT_SUCCESS(clCommandNDRangeKernelKHR(buffer, nullptr, nullptr, nothing, 2, offset, global, local, 0, nullptr,
                                           nullptr, &command));
  ASSERT_SUCCESS(clFinalizeCommandBufferKHR(buffer));
  const size_t other[2] = {32, 4};
  support::MutableDispatchConfig config{};
  config.command = command;
  config.global_work_size = other;
  const void* configs[] = {&config};
  const cl_uint type = support::mutableDispatchConfig;
  ASSERT_SUCCESS(clUpdateMutableCommandsKHR(buffer, 1, &type, configs));
  EXPECT_EQ(infoVectorOf<size_t>(clGetMutableCommandInfoKHR, command, CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR),
            (std::vector<size_t>{32, 4}));
}

TEST_F(GetMutableCommandInfo, checksSizes) {
  const auto get = clGetMutableCommandInfoKHR;
  expectSizesChecked(get, command, cl_uint{CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR}, sizeof(void*));
  expectSizesChecked(get, command, cl_uint{CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR}, sizeof(void*));
  expectSizesChecked(get, command, cl_uint{CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR}, sizeof(cl_uint));
  expectSizesChecked(get, command, cl_uint{CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR}, 3 * sizeof(cl_ulong));
  expectSizesChecked(get, command, cl_uint{CL_MUTABLE_DISPATCH_KERNEL_KHR}, sizeof(void*));
  expectSizesChecked(get, command, cl_uint{CL_MUTABLE_DISPATCH_DIMENSIONS_KHR}, sizeof(cl_uint));
  expectSizesChecked(get, command, cl_uint{CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR}, 2 * sizeof(size_t));
  expectSizesChecked(get, command, cl_uint{CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR}, 2 * sizeof(size_t));
  expectSizesChecked(get, command, cl_uint{CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR}, 2 * sizeof(size_t));
}

TEST_F(GetMutableCommandInfo, invalidValue) {
  EXPECT_CL(CL_INVALID_VALUE, clGetMutableCommandInfoKHR(command, 0x7777, 0, nullptr, nullptr));
}

TEST_F(GetMutableCommandInfo, invalidMutableCommand) {
  const auto get = [&](cl_mutable_command_khr it) {
    return clGetMutableCommandInfoKHR(it, CL_MUTABLE_DISPATCH_DIMENSIONS_KHR, 0, nullptr, nullptr);
  };
  EXPECT_CL(CL_INVALID_MUTABLE_COMMAND_KHR, get(nullptr));
  EXPECT_CL(CL_INVALID_MUTABLE_COMMAND_KHR, get(notAnObject<cl_mutable_command_khr>()));
  EXPECT_CL(CL_INVALID_MUTABLE_COMMAND_KHR, get(reinterpret_cast<cl_mutable_command_khr>(commands)));
}

}  // namespace
}  // namespace clarity::test
