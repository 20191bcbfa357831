// SPDX-License-Identifier: Apache-2.0
// This file tests clUpdateMutableCommandsKHR (cl_khr_command_buffer_mutable_dispatch).
#include "command_buffer.h"

namespace clarity::test {
namespace {

using support::MutableDispatchArg;
using support::MutableDispatchConfig;
using support::MutableDispatchExecInfo;

struct UpdateMutableCommands : CommandBufferTest {
  static constexpr cl_uint kType = support::mutableDispatchConfig;
  cl_command_buffer_khr buffer = nullptr;  ///< that can be changed
  cl_kernel put = nullptr;                 ///< v[id] = n + get_local_size(0)
  cl_mem cells = nullptr;
  size_t global = 32, local = 8;

  void SetUp() override {
    CommandBufferTest::SetUp();
    if (HasFatalFailure()) return;
    buffer = commandBuffer(CL_COMMAND_BUFFER_MUTABLE_KHR);
    put =
        kernel("kernel void put(global uint* v, uint n) { v[get_global_id(0)] = n + (uint)get_local_size(0); }", "put");
    cells = bufferOf(std::vector<cl_uint>(64));
    const cl_uint n = 100;
    ASSERT_SUCCESS(clSetKernelArg(put, 0, sizeof cells, &cells));
    ASSERT_SUCCESS(clSetKernelArg(put, 1, sizeof n, &n));
  }
  cl_mutable_command_khr record(cl_bitfield fields = 31, cl_command_buffer_khr into = nullptr) {
    const cl_command_properties_khr properties[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, fields, 0};
    cl_mutable_command_khr handle = nullptr;
    EXPECT_SUCCESS(clCommandNDRangeKernelKHR(into ? into : buffer, nullptr, properties, put, 1, nullptr, &global,
                                             &local, 0, nullptr, nullptr, &handle));
    EXPECT_NE(handle, nullptr);
    return handle;
  }
  cl_int update(const MutableDispatchConfig& config, cl_uint type = kType) {
    const void* configs[] = {&config};
    return clUpdateMutableCommandsKHR(buffer, 1, &type, configs);
  }
  static MutableDispatchConfig change(cl_mutable_command_khr command) {
    MutableDispatchConfig config{};
    config.command = command;
    return config;
  }
  std::vector<cl_uint> result() {
    const cl_uint zero = 0;
    EXPECT_SUCCESS(clEnqueueFillBuffer(queue, cells, &zero, sizeof zero, 0, 256, 0, nullptr, nullptr));
    EXPECT_SUCCESS(enqueue(buffer));
    return read<cl_uint>(cells, 64);
  }
  static std::vector<cl_uint> from(size_t begin, size_t end, cl_uint value) {
    std::vector<cl_uint> wanted(64);
    for (size_t i = begin; i < end; ++i) wanted[i] = value;
    return wanted;
  }
};

TEST_F(UpdateMutableCommands, changesArguments) {
  cl_mutable_command_khr command = record();
  ASSERT_SUCCESS(clFinalizeCommandBufferKHR(buffer));
  EXPECT_EQ(result(), from(0, 32, 108));
  const cl_uint n = 200;
  const MutableDispatchArg arg{1, sizeof n, &n};
  MutableDispatchConfig config = change(command);
  config.num_args = 1;
  config.arg_list = &arg;
  ASSERT_SUCCESS(update(config));
  EXPECT_EQ(result(), from(0, 32, 208));
  cl_mem other = bufferOf(std::vector<cl_uint>(64));
  const MutableDispatchArg memory{0, sizeof other, &other};
  config.arg_list = &memory;
  ASSERT_SUCCESS(update(config));
  EXPECT_EQ(result(), from(0, 0, 0));
  EXPECT_EQ(read<cl_uint>(other, 64), from(0, 32, 208));
}

TEST_F(UpdateMutableCommands, changesOffsetsAndSizes) {
  cl_mutable_command_khr command = record();
  ASSERT_SUCCESS(clFinalizeCommandBufferKHR(buffer));
  const size_t offset = 16, more = 48, groups = 16;
  MutableDispatchConfig config = change(command);
  config.global_work_offset = &offset;
  ASSERT_SUCCESS(update(config));
  EXPECT_EQ(result(), from(16, 48, 108));
  config = change(command);
  config.work_dim = 1;
  config.global_work_size = &more;
  ASSERT_SUCCESS(update(config));
  EXPECT_EQ(result(), from(16, 64, 108));
  config = change(command);
  config.local_work_size = &groups;
  ASSERT_SUCCESS(update(config));
  EXPECT_EQ(result(), from(16, 64, 116));
}

TEST_F(UpdateMutableCommands, changesPointersAndExecInfo) {
  if (infoOf<cl_device_svm_capabilities>(clGetDeviceInfo, device, CL_DEVICE_SVM_CAPABILITIES) == 0)
    GTEST_SKIP() << "the device has no shared virtual memory";
  auto* const shared = static_cast<cl_uint*>(clSVMAlloc(context, CL_MEM_READ_WRITE, 256, 0));
  ASSERT_NE(shared, nullptr);
  atEnd([this, shared] { clSVMFree(context, shared); });
  cl_mutable_command_khr command = record();
  ASSERT_SUCCESS(clFinalizeCommandBufferKHR(buffer));
  const MutableDispatchArg pointer{0, 0, shared};
  const MutableDispatchExecInfo info{CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof shared, &shared};
  MutableDispatchConfig config = change(command);
  config.num_svm_args = 1;
  config.arg_svm_list = &pointer;
  config.num_exec_infos = 1;
  config.exec_info_list = &info;
  ASSERT_SUCCESS(update(config));
  EXPECT_EQ(result(), from(0, 0, 0));
  ASSERT_SUCCESS(clFinish(queue));
  for (size_t i = 0; i < 32; ++i) EXPECT_EQ(shared[i], 108u);
  const MutableDispatchExecInfo wrong{0x7777, sizeof shared, &shared};
  config.exec_info_list = &wrong;
  EXPECT_CL(CL_INVALID_VALUE, update(config));
}

// An execution that is pending is not changed, also when the command-buffer is not for simultaneous use.
TEST_F(UpdateMutableCommands, whileItIsPending) {
  cl_mutable_command_khr command = record();
  ASSERT_SUCCESS(clFinalizeCommandBufferKHR(buffer));
  cl_event gate = userEvent();
  ASSERT_SUCCESS(enqueue(buffer, {gate}));
  const cl_uint n = 200;
  const size_t offset = 32;
  const MutableDispatchArg arg{1, sizeof n, &n};
  MutableDispatchConfig config = change(command);
  config.num_args = 1;
  config.arg_list = &arg;
  config.global_work_offset = &offset;
  ASSERT_SUCCESS(update(config));
  ASSERT_SUCCESS(enqueue(buffer));
  ASSERT_SUCCESS(clSetUserEventStatus(gate, CL_COMPLETE));
  auto wanted = from(0, 32, 108);
  for (size_t i = 32; i < 64; ++i) wanted[i] = 208;
  EXPECT_EQ(read<cl_uint>(cells, 64), wanted);
}

// Arguments that are set after finalizing only.
TEST_F(UpdateMutableCommands, setsArgumentsLater) {
  const auto state = [&] { return infoOf<cl_uint>(clGetCommandBufferInfoKHR, buffer, CL_COMMAND_BUFFER_STATE_KHR); };
  cl_kernel unset = kernel("kernel void set(global uint* v, uint n) { v[get_global_id(0)] = n; }", "set");
  cl_mutable_command_khr command = nullptr;
  ASSERT_SUCCESS(clCommandNDRangeKernelKHR(buffer, nullptr, nullptr, unset, 1, nullptr, &global, nullptr, 0, nullptr,
                                           nullptr, &command));
  ASSERT_SUCCESS(clFinalizeCommandBufferKHR(buffer));
  EXPECT_EQ(state(), cl_uint{CL_COMMAND_BUFFER_STATE_FINALIZED_KHR});
  EXPECT_CL(CL_INVALID_OPERATION, enqueue(buffer));
  const cl_uint n = 7;
  MutableDispatchArg args[] = {{0, sizeof cells, &cells}, {1, sizeof n, &n}};
  MutableDispatchConfig config = change(command);
  config.num_args = 1;
  config.arg_list = args;
  ASSERT_SUCCESS(update(config));
  EXPECT_EQ(state(), cl_uint{CL_COMMAND_BUFFER_STATE_FINALIZED_KHR});
  config.arg_list = args + 1;
  ASSERT_SUCCESS(update(config));
  EXPECT_EQ(state(), cl_uint{CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR});
  EXPECT_EQ(result(), from(0, 32, 7));
}

// All changes or none, in a call that has several for one command too.
TEST_F(UpdateMutableCommands, allOrNone) {
  cl_mutable_command_khr command = record();
  ASSERT_SUCCESS(clFinalizeCommandBufferKHR(buffer));
  const size_t offset = 8, more = 40;
  const cl_uint n = 1;
  MutableDispatchArg arg{1, sizeof n, &n};
  MutableDispatchConfig first = change(command), second = change(command), bad = change(command);
  first.global_work_offset = &offset;
  second.global_work_size = &more;
  bad.num_args = 1;
  bad.arg_list = &arg;
  arg.arg_index = 5;
  const void* configs[] = {&first, &second, &bad};
  const cl_uint types[] = {kType, kType, kType};
  EXPECT_CL(CL_INVALID_ARG_INDEX, clUpdateMutableCommandsKHR(buffer, 3, types, configs));
  EXPECT_EQ(result(), from(0, 32, 108));
  ASSERT_SUCCESS(clUpdateMutableCommandsKHR(buffer, 2, types, configs));
  EXPECT_EQ(result(), from(8, 48, 108));
}

// The application's kernel is unchanged by updates, and changes of it do not reach the command.
TEST_F(UpdateMutableCommands, leavesTheKernel) {
  cl_mutable_command_khr command = record();
  const cl_uint n = 50, other = 60;
  ASSERT_SUCCESS(clSetKernelArg(put, 1, sizeof n, &n));
  ASSERT_SUCCESS(clFinalizeCommandBufferKHR(buffer));
  EXPECT_EQ(result(), from(0, 32, 108));
  const MutableDispatchArg arg{1, sizeof other, &other};
  MutableDispatchConfig config = change(command);
  config.num_args = 1;
  config.arg_list = &arg;
  ASSERT_SUCCESS(update(config));
  ASSERT_SUCCESS(clEnqueueNDRangeKernel(queue, put, 1, nullptr, &global, &local, 0, nullptr, nullptr));
  EXPECT_EQ(read<cl_uint>(cells, 64), from(0, 32, 58));
}

// Fields that are not to change, a dimension that changes, work-groups that become non-uniform, before finalizing, of a
// command-buffer that cannot be changed.
TEST_F(UpdateMutableCommands, invalidOperation) {
  cl_mutable_command_khr fixed = record(0), command = record();
  const size_t value = 16, odd = 33;
  const cl_uint n = 1;
  const MutableDispatchArg arg{1, sizeof n, &n};
  const MutableDispatchExecInfo info{CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, nullptr};
  EXPECT_CL(CL_INVALID_OPERATION, update(change(command))) << "not finalized";
  ASSERT_SUCCESS(clFinalizeCommandBufferKHR(buffer));
  EXPECT_SUCCESS(update(change(command)));
  MutableDispatchConfig config = change(fixed);
  config.global_work_offset = &value;
  EXPECT_CL(CL_INVALID_OPERATION, update(config));
  config = change(fixed);
  config.global_work_size = &value;
  EXPECT_CL(CL_INVALID_OPERATION, update(config));
  config = change(fixed);
  config.local_work_size = &value;
  EXPECT_CL(CL_INVALID_OPERATION, update(config));
  config = change(fixed);
  config.num_args = 1;
  config.arg_list = &arg;
  EXPECT_CL(CL_INVALID_OPERATION, update(config));
  config = change(fixed);
  config.num_svm_args = 1;
  config.arg_svm_list = &arg;
  EXPECT_CL(CL_INVALID_OPERATION, update(config));
  config = change(fixed);
  config.num_exec_infos = 1;
  config.exec_info_list = &info;
  EXPECT_CL(CL_INVALID_OPERATION, update(config));
  config = change(command);
  config.work_dim = 2;
  EXPECT_CL(CL_INVALID_OPERATION, update(config));
  config = change(command);
  config.global_work_size = &odd;
  EXPECT_CL(CL_INVALID_OPERATION, update(config));
  cl_command_buffer_khr immutable = commandBuffer();
  ASSERT_SUCCESS(clFinalizeCommandBufferKHR(immutable));
  const void* configs[] = {&config};
  EXPECT_CL(CL_INVALID_OPERATION, clUpdateMutableCommandsKHR(immutable, 1, &kType, configs));
}

TEST_F(UpdateMutableCommands, invalidValue) {
  cl_mutable_command_khr command = record();
  ASSERT_SUCCESS(clFinalizeCommandBufferKHR(buffer));
  MutableDispatchConfig config = change(command);
  const void* configs[] = {&config};
  const void* none[] = {nullptr};
  EXPECT_CL(CL_INVALID_VALUE, clUpdateMutableCommandsKHR(buffer, 1, nullptr, configs));
  EXPECT_CL(CL_INVALID_VALUE, clUpdateMutableCommandsKHR(buffer, 1, &kType, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, clUpdateMutableCommandsKHR(buffer, 0, &kType, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, clUpdateMutableCommandsKHR(buffer, 0, nullptr, configs));
  EXPECT_CL(CL_INVALID_VALUE, clUpdateMutableCommandsKHR(buffer, 1, &kType, none));
  EXPECT_CL(CL_INVALID_VALUE, update(config, 99));
  const cl_uint n = 1;
  const MutableDispatchArg arg{1, sizeof n, &n};
  const MutableDispatchExecInfo info{CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, nullptr};
  const auto expectBad = [&](auto set) {
    config = change(command);
    set();
    EXPECT_CL(CL_INVALID_VALUE, update(config));
  };
  expectBad([&] { config.num_args = 1; });
  expectBad([&] { config.arg_list = &arg; });
  expectBad([&] { config.num_svm_args = 1; });
  expectBad([&] { config.arg_svm_list = &arg; });
  expectBad([&] { config.num_exec_infos = 1; });
  expectBad([&] { config.exec_info_list = &info; });
}

// Errors of clSetKernelArg and of clEnqueueNDRangeKernel.
TEST_F(UpdateMutableCommands, errorsOfWhatItSets) {
  cl_mutable_command_khr command = record();
  ASSERT_SUCCESS(clFinalizeCommandBufferKHR(buffer));
  const cl_uint n = 1;
  const size_t zero = 0;
  const MutableDispatchArg wrongSize{1, 3, &n};
  MutableDispatchConfig config = change(command);
  config.num_args = 1;
  config.arg_list = &wrongSize;
  EXPECT_CL(CL_INVALID_ARG_SIZE, update(config));
  config = change(command);
  config.local_work_size = &zero;
  EXPECT_CL(CL_INVALID_WORK_GROUP_SIZE, update(config));
  EXPECT_EQ(result(), from(0, 32, 108));
}

TEST_F(UpdateMutableCommands, invalidMutableCommand) {
  cl_command_buffer_khr other = commandBuffer(CL_COMMAND_BUFFER_MUTABLE_KHR);
  cl_mutable_command_khr ofOther = record(31, other);
  ASSERT_SUCCESS(clFinalizeCommandBufferKHR(buffer));
  EXPECT_CL(CL_INVALID_MUTABLE_COMMAND_KHR, update(change(ofOther)));
  EXPECT_CL(CL_INVALID_MUTABLE_COMMAND_KHR, update(change(nullptr)));
  EXPECT_CL(CL_INVALID_MUTABLE_COMMAND_KHR, update(change(notAnObject<cl_mutable_command_khr>())));
}

TEST_F(UpdateMutableCommands, invalidCommandBuffer) {
  const MutableDispatchConfig config = change(record());
  const void* configs[] = {&config};
  for (const auto& bad : badBuffers())
    EXPECT_CL(CL_INVALID_COMMAND_BUFFER_KHR, clUpdateMutableCommandsKHR(bad.handle, 1, &kType, configs))
        << "it is " << bad.what;
}

}  // namespace
}  // namespace clarity::test
