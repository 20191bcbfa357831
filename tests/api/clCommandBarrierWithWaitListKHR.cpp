// SPDX-License-Identifier: Apache-2.0
// This file tests clCommandBarrierWithWaitListKHR (cl_khr_command_buffer).
#include "command_buffer.h"

namespace clarity::test {
namespace {

struct CommandBarrierWithWaitList : CommandBufferTest {
  const Record record = [this](auto buffer, auto on, auto properties, auto n, auto list, auto point, auto handle) {
    return clCommandBarrierWithWaitListKHR(buffer, on, properties, n, list, point, handle);
  };
};

TEST_F(CommandBarrierWithWaitList, checksWhatAllCheck) { expectRecordChecked(record); }

// On command-queues that do not order commands, a barrier without a list orders all before it with all after it: each
// value is made of the one before.
TEST_F(CommandBarrierWithWaitList, ordersAll) {
  cl_kernel step =
      kernel("kernel void step(global uint* v) { v[get_global_id(0)] = v[get_global_id(0)] * 3 + 1; }", "step");
  cl_mem cells = bufferOf(std::vector<cl_uint>(256));
  ASSERT_SUCCESS(clSetKernelArg(step, 0, sizeof cells, &cells));
  const cl_bitfield any = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
  for (const size_t queues : {1u, 2u}) {
    std::vector<cl_command_queue> list{anotherQueue(any)};
    if (queues == 2) list.push_back(anotherQueue(any));
    cl_command_buffer_khr buffer = commandBuffer(0, list);
    cl_uint wanted = 7;
    recordFill(buffer, cells, 7, 256, 0, {}, list[0]);
    for (unsigned i = 0; i < 8; ++i) {
      ASSERT_SUCCESS(clCommandBarrierWithWaitListKHR(buffer, list[i % queues], nullptr, 0, nullptr, nullptr, nullptr));
      recordLaunch(buffer, step, 256, {}, list[(i + 1) % queues]);
      wanted = wanted * 3 + 1;
    }
    ASSERT_SUCCESS(clFinalizeCommandBufferKHR(buffer));
    cl_event done = nullptr;
    ASSERT_SUCCESS(enqueue(buffer, {}, &done));
    keep(done);
    ASSERT_SUCCESS(clWaitForEvents(1, &done));
    EXPECT_EQ(read<cl_uint>(cells, 256), std::vector<cl_uint>(256, wanted));
  }
}

// A barrier with a list of one sync-point comes after that command, and what follows after the barrier.
TEST_F(CommandBarrierWithWaitList, waitsForItsList) {
  cl_mem cell = bufferOf(std::vector<cl_uint>(4));
  cl_command_queue any = anotherQueue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_command_buffer_khr buffer = commandBuffer(0, {any});
  const cl_sync_point_khr first = recordFill(buffer, cell, 1);
  cl_sync_point_khr barrier = 0;
  ASSERT_SUCCESS(clCommandBarrierWithWaitListKHR(buffer, nullptr, nullptr, 1, &first, &barrier, nullptr));
  recordFill(buffer, cell, 2, 1, 0, {barrier});
  ASSERT_SUCCESS(clFinalizeCommandBufferKHR(buffer));
  ASSERT_SUCCESS(enqueue(buffer));
  ASSERT_SUCCESS(clFinish(any));
  EXPECT_EQ(read<cl_uint>(cell, 1)[0], 2u);
}

}  // namespace
}  // namespace clarity::test
