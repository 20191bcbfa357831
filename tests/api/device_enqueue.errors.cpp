// SPDX-License-Identifier: Apache-2.0
// This file tests what goes wrong when kernels enqueue kernels: results of enqueue_kernel and enqueue_marker (OpenCL C
// 3.0, section 6.15.18), and what becomes of the command of the host.
#include "device_enqueue.h"

namespace clarity::test {
namespace {

// OpenCL C's results.
constexpr cl_int kFailure = -101, kInvalidQueue = -102, kInvalidRange = -160, kInvalidWaitList = -57, kFull = -161,
                 kInvalidArgSize = -51, kOutOfResources = -5;

struct DeviceEnqueueErrors : DeviceEnqueue {
  /// Kernel k with this body returns `code` in out[0] if it is built with -g, and CLK_ENQUEUE_FAILURE otherwise.
  void expectResult(cl_int code, const std::string& body, const std::string& options = "") {
    const std::string source = "kernel void k(global int* out, queue_t queue) {\n" + body + "\n}";
    for (const char* debug : {" -g", ""}) {
      SCOPED_TRACE(body + debug);
      const auto out = run(build(source.c_str(), ("-cl-std=CL3.0 " + options + debug).c_str()), "k", 1);
      EXPECT_EQ(out[0], *debug ? code : kFailure);
      EXPECT_EQ(out[1], 0) << "it has run";
    }
  }

  /// The command of a kernel fails, and the application gets a message.
  void expectFails(cl_int code, const char* source, const std::string& sentence) {
    cl_mem out = bufferOf(std::vector<cl_int>(64, 0));
    cl_event event = enqueue(build(source, "-cl-std=CL3.0"), "k", 1, out);
    EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &event));
    EXPECT_CL(code, infoOf<cl_int>(clGetEventInfo, event, CL_EVENT_COMMAND_EXECUTION_STATUS));
    EXPECT_TRUE(wasNotified(sentence)) << allNotified();
    clFinish(queue);
  }
};

TEST_F(DeviceEnqueueErrors, invalidQueue) {
  expectResult(kInvalidQueue,
               "queue_t none = CLK_NULL_QUEUE; "
               "out[0] = enqueue_kernel(none, 0, ndrange_1D(1), ^{ out[1] = 1; });");
  expectResult(kInvalidQueue,
               "queue_t none = CLK_NULL_QUEUE; clk_event_t a = create_user_event(), b; "
               "out[0] = enqueue_marker(none, 1, &a, &b);");
}

TEST_F(DeviceEnqueueErrors, noDefaultQueue) {
  ASSERT_SUCCESS(clReleaseCommandQueue(onDevice));
  ASSERT_SUCCESS(clRetainContext(context));
  cl_command_queue released = onDevice;
  onDevice = createOnDevice(kOnDevice);
  EXPECT_NE(released, nullptr);
  expectResult(kInvalidQueue, "out[0] = enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), ^{ out[1] = 1; });");
  ASSERT_SUCCESS(clReleaseContext(context));
}

TEST_F(DeviceEnqueueErrors, invalidRange) {
  for (const char* range : {"ndrange_1D(8, 1ul << 20)", "ndrange_1D(~0ul, 8, 4)"})
    expectResult(kInvalidRange, "out[0] = enqueue_kernel(queue, 0, " + std::string(range) + ", ^{ out[1] = 1; });");
  expectResult(kInvalidRange,
               "size_t size[2] = {8, 8}, group[2] = {4, 0}; "
               "out[0] = enqueue_kernel(queue, 0, ndrange_2D(size, group), ^{ out[1] = 1; });");
  expectResult(kInvalidRange,
               "ndrange_t range = ndrange_1D(8); range.workDimension = 4; "
               "out[0] = enqueue_kernel(queue, 0, range, ^{ out[1] = 1; });");
  expectResult(kInvalidRange, "out[0] = enqueue_kernel(queue, 0, ndrange_1D(8, 3), ^{ out[1] = 1; });",
               "-cl-uniform-work-group-size");
}

TEST_F(DeviceEnqueueErrors, invalidWaitList) {
  const std::string block = "^{ out[1] = 1; });";
  expectResult(kInvalidWaitList, "out[0] = enqueue_kernel(queue, 0, ndrange_1D(1), 1, 0, 0, " + block);
  expectResult(kInvalidWaitList,
               "clk_event_t e = create_user_event(); "
               "out[0] = enqueue_kernel(queue, 0, ndrange_1D(1), 0, &e, 0, " +
                   block);
  expectResult(kInvalidWaitList,
               "clk_event_t e = CLK_NULL_EVENT; "
               "out[0] = enqueue_kernel(queue, 0, ndrange_1D(1), 1, &e, 0, " +
                   block);
  expectResult(kInvalidWaitList, "clk_event_t e; out[0] = enqueue_marker(queue, 0, 0, &e);");
  expectResult(kInvalidWaitList, "clk_event_t e = CLK_NULL_EVENT, f; out[0] = enqueue_marker(queue, 1, &e, &f);");
}

TEST_F(DeviceEnqueueErrors, invalidLocalMemory) {
  expectResult(kInvalidArgSize,
               "out[0] = enqueue_kernel(queue, 0, ndrange_1D(1), ^(local void* p) { out[1] = 1; }, 0);");
  expectResult(kOutOfResources,
               "out[0] = enqueue_kernel(queue, 0, ndrange_1D(1), ^(local void* p, local void* q) { out[1] = 1; }, "
               "1u << 31, 1u << 31);");
}

TEST_F(DeviceEnqueueErrors, invalidFlags) {
  const auto out =
      run("kernel void k(global int* out, queue_t queue) { out[0] = enqueue_kernel(queue, 7, ndrange_1D(1), "
          "^{ out[1] = 1; }); }",
          "k", 1);
  EXPECT_EQ(out[0], kFailure);
  EXPECT_EQ(out[1], 0);
}

// A queue takes what fits, and is empty again when all has run.
TEST_F(DeviceEnqueueErrors, fullQueues) {
  onDevice = createOnDevice(kOnDevice, 4096);
  const char* source = R"(
    kernel void k(global int* out, queue_t queue) {
      for (int i = 0; i < 100; ++i) {
        int code = enqueue_kernel(queue, 0, ndrange_1D(1), ^{ atomic_inc(out); });
        if (code) { out[1] = code; atomic_inc(out + 2); }
      }
    })";
  cl_program program = build(source, "-cl-std=CL3.0 -g");
  for (int i = 0; i < 3; ++i) {
    const std::vector<cl_int> out = run(program, "k", 1);
    EXPECT_GT(out[0], 10);
    EXPECT_EQ(out[1], kFull);
    EXPECT_EQ(out[0] + out[2], 100);
  }
}

// A user event with an error ends what waits for it, and the command of the host with it.
TEST_F(DeviceEnqueueErrors, failedUserEvents) {
  expectFails(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, R"(
    kernel void k(global int* out, queue_t queue) {
      clk_event_t gate = create_user_event();
      enqueue_kernel(queue, 0, ndrange_1D(1), 1, &gate, 0, ^{ out[1] = 1; });
      set_user_event_status(gate, -5);
      release_event(gate);
    })",
              "'k.block' did not run: an event that it waits for has a negative status");
}

// Nothing can set the status any more: the command ends, and says why.
TEST_F(DeviceEnqueueErrors, userEventsThatAreNeverSet) {
  expectFails(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, R"(
    kernel void k(global int* out, queue_t queue) {
      clk_event_t gate = create_user_event();
      for (int i = 0; i < 3; ++i) enqueue_kernel(queue, 0, ndrange_1D(1), 1, &gate, 0, ^{ out[1] = 1; });
    })",
              "kernel 'k' enqueued 3 commands that never run: no kernel has set the status of 1 user event");
}

TEST_F(DeviceEnqueueErrors, faultsOfChildren) {
  if (!outlivesFaults()) GTEST_SKIP() << "a fault takes the device from the process";
  expectFails(CL_INVALID_OPERATION, R"(
    kernel void k(global int* out, queue_t queue) {
      enqueue_kernel(queue, 0, ndrange_1D(4), ^{
        *(global int*)(get_global_id(0) + 64) = 1;
      });
    })",
              "program.cl:4:");
  EXPECT_TRUE(wasNotified("kernel 'k' enqueued it")) << allNotified();
  // The device is as good as before.
  EXPECT_EQ(run("kernel void k(global int* out, queue_t queue) { enqueue_kernel(queue, 0, ndrange_1D(1), "
                "^{ out[0] = 5; }); }",
                "k", 1)[0],
            5);
}

// The pointers that enqueue_kernel is given may be no addresses: the kernel's fault, with its line.
TEST_F(DeviceEnqueueErrors, wildPointers) {
  if (!outlivesFaults()) GTEST_SKIP() << "a fault takes the device from the process";
  for (const char* call : {"enqueue_kernel(queue, 0, ndrange_1D(1), 1, (clk_event_t*)64, 0, ^{})",
                           "enqueue_kernel(queue, 0, ndrange_1D(1), 0, 0, (clk_event_t*)64, ^{})",
                           "enqueue_marker(queue, 1, (clk_event_t*)64, (clk_event_t*)out)"}) {
    const std::string source = std::string("kernel void k(global int* out, queue_t queue) {\n") + call + ";\n}";
    expectFails(CL_INVALID_OPERATION, source.c_str(), "'k'");
  }
}

// A context that is terminated ends kernels that enqueue each other for ever.
TEST_F(DeviceEnqueueErrors, endless) {
  const auto terminate = reinterpret_cast<clTerminateContextKHR_fn>(
      clGetExtensionFunctionAddressForPlatform(platform, "clTerminateContextKHR"));
  if (!terminate) GTEST_SKIP() << "contexts cannot be terminated";
  const cl_context_properties list[] = {CL_CONTEXT_TERMINATE_KHR, CL_TRUE, 0};
  const Own own = createOwn(device, list,
                            "void again(global int* out) { enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), "
                            "^{ *out = 1; again(out); }); } kernel void k(global int* out) { again(out); }",
                            4);
  const size_t one = 1;
  cl_event event = nullptr;
  ASSERT_SUCCESS(clEnqueueNDRangeKernel(own.host, own.parent, 1, nullptr, &one, nullptr, 0, nullptr, &event));
  keep(event);
  ASSERT_SUCCESS(clFlush(own.host));
  ASSERT_SUCCESS(terminate(own.context));
  EXPECT_NE(clWaitForEvents(1, &event), CL_SUCCESS);
}

}  // namespace
}  // namespace clarity::test
