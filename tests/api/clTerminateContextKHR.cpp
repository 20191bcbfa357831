// SPDX-License-Identifier: Apache-2.0
// This file tests clTerminateContextKHR (cl_khr_terminate_context): what becomes of commands that wait and of kernels
// that run, however long they would, what may still be called, and every error.
#include "driver_functions.h"

#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#ifndef CL_DEVICE_TERMINATE_CAPABILITY_CONTEXT_KHR
#define CL_DEVICE_TERMINATE_CAPABILITY_CONTEXT_KHR (1 << 0)
#endif

namespace clarity::test {
namespace {

constexpr const char* kTerminateSource = R"(
kernel void forever(global volatile int* flags) {
  flags[get_global_id(0) + 1] = 1;
  while (flags[0] == 0) { }
}
kernel void foreverTogether(global volatile int* flags) {
  local volatile int done;
  if (get_local_id(0) == 0) done = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  while (!done) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) done = flags[0];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
kernel void long_(global volatile int* flags) {
  for (int i = 0; i < 1 << 16; ++i) flags[1] += i;
}
kernel void quick(global int* out) { out[get_global_id(0)] = 1; }
kernel void chatter(global volatile int* flags) {
  while (flags[0] == 0) printf("%s", "");
}
)";

struct TerminateNotes {
  std::mutex lock;
  std::string all;
  static void CL_CALLBACK add(const char* text, const void* /*data*/, size_t /*bytes*/, void* notes) {
    auto* self = static_cast<TerminateNotes*>(notes);
    const std::lock_guard hold(self->lock);
    self->all += std::string(text) + "\n";
  }
};

struct TerminateContext : OpenCL {
  TerminateNotes notes;
  clTerminateContextKHR_fn terminate = nullptr;
  cl_context own = nullptr;
  cl_command_queue commands = nullptr;
  cl_mem memory = nullptr;
  cl_program program = nullptr;

  void SetUp() override {
    OpenCL::SetUp();
    if (HasFatalFailure()) return;
    terminate = driverFunction<clTerminateContextKHR_fn>(*this, "clTerminateContextKHR");
    ASSERT_NE(terminate, nullptr);
    const auto capability = infoOf<cl_bitfield>(clGetDeviceInfo, device, CL_DEVICE_TERMINATE_CAPABILITY_KHR);
    EXPECT_EQ(infoOf<cl_bitfield>(clGetDeviceInfo, device, 0x200F), capability) << "the number that older headers have";
    if (!(capability & CL_DEVICE_TERMINATE_CAPABILITY_CONTEXT_KHR)) GTEST_SKIP() << "the device cannot end commands";
    makeContext();
  }

  /// A context that can be terminated, and what commands need.
  void makeContext() {
    const cl_context_properties properties[] = {CL_CONTEXT_TERMINATE_KHR, CL_TRUE, 0};
    own = created([&](cl_int* e) { return clCreateContext(properties, 1, &device, TerminateNotes::add, &notes, e); });
    commands = queueWith(CL_QUEUE_PROFILING_ENABLE);
    memory = created([&](cl_int* e) { return clCreateBuffer(own, CL_MEM_READ_WRITE, 1 << 16, nullptr, e); });
    const cl_int zero = 0;
    ASSERT_SUCCESS(clEnqueueFillBuffer(commands, memory, &zero, sizeof zero, 0, 1 << 16, 0, nullptr, nullptr));
    ASSERT_SUCCESS(clFinish(commands));
    const char* text = kTerminateSource;
    program = created([&](cl_int* e) { return clCreateProgramWithSource(own, 1, &text, nullptr, e); });
    ASSERT_SUCCESS(clBuildProgram(program, 1, &device, "", nullptr, nullptr));
  }

  cl_command_queue queueWith(cl_command_queue_properties its) {
    const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, its, 0};
    return created([&](cl_int* e) { return clCreateCommandQueueWithProperties(own, device, properties, e); });
  }

  cl_event run(const char* name, size_t global, cl_command_queue on = nullptr, cl_event after = nullptr) {
    cl_kernel its = kernel(program, name);
    EXPECT_SUCCESS(clSetKernelArg(its, 0, sizeof memory, &memory));
    cl_event event = nullptr;
    EXPECT_SUCCESS(clEnqueueNDRangeKernel(on ? on : commands, its, 1, nullptr, &global, nullptr, after ? 1 : 0,
                                          after ? &after : nullptr, &event));
    return keep(event);
  }

  cl_int statusOf(cl_event event) { return infoOf<cl_int>(clGetEventInfo, event, CL_EVENT_COMMAND_EXECUTION_STATUS); }

  /// Until the event's command runs.
  void awaitRunning(cl_event event, int milliseconds = 20) {
    EXPECT_SUCCESS(clFlush(commands));
    while (statusOf(event) > CL_RUNNING) std::this_thread::yield();
    // Into the kernel's code, most likely; nothing depends on it.
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
  }

  void expectTerminated(cl_event event) {
    EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &event));
    EXPECT_CL(CL_CONTEXT_TERMINATED_KHR, statusOf(event));
    cl_ulong time = 0;
    EXPECT_CL(CL_PROFILING_INFO_NOT_AVAILABLE,
              clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof time, &time, nullptr));
  }
};

TEST_F(TerminateContext, isReported) {
  EXPECT_NE(infoStringOf(clGetDeviceInfo, device, CL_DEVICE_EXTENSIONS).find("cl_khr_terminate_context"),
            std::string::npos);
  EXPECT_EQ(infoOf<cl_bitfield>(clGetDeviceInfo, device, CL_DEVICE_TERMINATE_CAPABILITY_KHR),
            cl_bitfield{CL_DEVICE_TERMINATE_CAPABILITY_CONTEXT_KHR});
}

TEST_F(TerminateContext, endsAKernelThatDoesNot) {
  for (const char* name : {"forever"}) {
    cl_event event = run(name, 1);
    awaitRunning(event);
    EXPECT_SUCCESS(terminate(own));
    expectTerminated(event);
  }
}

TEST_F(TerminateContext, endsAllWorkersOfAKernel) {
  cl_event event = run("forever", 4096);
  awaitRunning(event);
  EXPECT_SUCCESS(terminate(own));
  expectTerminated(event);
}

TEST_F(TerminateContext, endsAKernelWithBarriers) {
  cl_event event = run("foreverTogether", 64);
  awaitRunning(event);
  EXPECT_SUCCESS(terminate(own));
  expectTerminated(event);
}

// A kernel that is in the driver most of the time.
TEST_F(TerminateContext, endsAKernelThatPrints) {
  cl_event event = run("chatter", 1);
  awaitRunning(event);
  EXPECT_SUCCESS(terminate(own));
  expectTerminated(event);
}

TEST_F(TerminateContext, endsALongLaunch) {
  cl_event event = run("long_", 1 << 20);
  awaitRunning(event);
  EXPECT_SUCCESS(terminate(own));
  expectTerminated(event);
}

// A first launch that begins with quick code and goes on with full code once that is compiled (src/device/cpu/
// full_code.h), ended before that, while it is compiled and after it; in the background and on a thread that waits. No
// launch of an earlier run has left code in the cache.
TEST_F(TerminateContext, endsALongFirstLaunch) {
  const auto unique = std::chrono::system_clock::now().time_since_epoch().count();
  unsigned count = 0;
  for (const bool waits : {false, true})
    for (const int milliseconds : {0, 3, 8, 15, 30, 60, 120}) {
      SCOPED_TRACE(testing::Message() << milliseconds << " ms, " << (waits ? "waited for" : "in the background"));
      if (count > 0) makeContext();
      if (HasFatalFailure()) return;
      // How long its loop runs is read from memory: nothing tells ahead that the launch takes minutes.
      const std::string source =
          "kernel void k(global uint* data) {\n"
          "  uint x = get_global_id(0);\n"
          "  for (uint i = 0; i < data[0]; i++) x = x * 1664525 + " +
          std::to_string(static_cast<cl_uint>(unique + count++) | 1) +
          ";\n"
          "  if (x == 1) data[1] = get_global_id(0);\n"
          "}\n";
      const char* text = source.c_str();
      program = created([&](cl_int* e) { return clCreateProgramWithSource(own, 1, &text, nullptr, e); });
      ASSERT_SUCCESS(clBuildProgram(program, 1, &device, "", nullptr, nullptr));
      const cl_uint iterations = 2000;
      ASSERT_SUCCESS(
          clEnqueueWriteBuffer(commands, memory, CL_TRUE, 0, sizeof iterations, &iterations, 0, nullptr, nullptr));
      cl_event event = run("k", size_t{1} << 30);
      std::thread waiter([&] {
        if (waits) clWaitForEvents(1, &event);
      });
      awaitRunning(event, milliseconds);
      EXPECT_SUCCESS(terminate(own));
      waiter.join();
      expectTerminated(event);
    }
}

// While another thread waits for it.
TEST_F(TerminateContext, wakesThoseThatWait) {
  cl_event event = run("forever", 1);
  std::atomic<cl_int> code{CL_SUCCESS};
  std::thread waiter([&] { code = clWaitForEvents(1, &event); });
  while (statusOf(event) > CL_RUNNING) std::this_thread::yield();
  EXPECT_SUCCESS(terminate(own));
  waiter.join();
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, code.load());
  EXPECT_CL(CL_CONTEXT_TERMINATED_KHR, statusOf(event));
}

// Commands that wait for an event that no call sets, in order and out of order, and what comes after them.
TEST_F(TerminateContext, endsWhatWaits) {
  cl_event user = created([&](cl_int* e) { return clCreateUserEvent(own, e); });
  std::vector<cl_event> events;
  cl_int value = 0;
  cl_event free = nullptr;  // waits for nothing
  for (cl_command_queue on :
       {commands, queueWith(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE)}) {
    events.push_back(run("quick", 64, on, user));
    events.push_back(run("quick", 64, on, events.back()));
    cl_event marker = nullptr;
    EXPECT_SUCCESS(clEnqueueMarkerWithWaitList(on, 0, nullptr, &marker));
    events.push_back(keep(marker));
    cl_event read = nullptr;
    EXPECT_SUCCESS(clEnqueueReadBuffer(on, memory, CL_FALSE, 0, sizeof value, &value, 0, nullptr, &read));
    if (on == commands)
      events.push_back(keep(read));
    else
      free = keep(read);
  }
  EXPECT_SUCCESS(terminate(own));
  for (cl_event event : events) expectTerminated(event);
  // The status of user events can be set; nothing runs because of it.
  EXPECT_EQ(statusOf(user), CL_SUBMITTED);
  EXPECT_SUCCESS(clSetUserEventStatus(user, CL_COMPLETE));
  for (cl_event event : events) EXPECT_CL(CL_CONTEXT_TERMINATED_KHR, statusOf(event));
  clWaitForEvents(1, &free);
  EXPECT_TRUE(statusOf(free) == CL_COMPLETE || statusOf(free) == CL_CONTEXT_TERMINATED_KHR) << statusOf(free);
}

TEST_F(TerminateContext, callsEventCallbacks) {
  struct Called {
    std::atomic<cl_int> status{1};
    static void CL_CALLBACK set(cl_event /*event*/, cl_int status, void* self) {
      static_cast<Called*>(self)->status = status;
      static_cast<Called*>(self)->status.notify_all();
    }
  } before, after;
  cl_event user = created([&](cl_int* e) { return clCreateUserEvent(own, e); });
  cl_event event = run("quick", 64, nullptr, user);
  EXPECT_SUCCESS(clSetEventCallback(event, CL_COMPLETE, Called::set, &before));
  EXPECT_SUCCESS(terminate(own));
  before.status.wait(1);
  EXPECT_CL(CL_CONTEXT_TERMINATED_KHR, before.status.load());
  EXPECT_SUCCESS(clSetEventCallback(event, CL_COMPLETE, Called::set, &after));
  after.status.wait(1);
  EXPECT_CL(CL_CONTEXT_TERMINATED_KHR, after.status.load());
}

TEST_F(TerminateContext, notifiesTheContext) {
  EXPECT_SUCCESS(terminate(own));
  const std::lock_guard hold(notes.lock);
  EXPECT_NE(notes.all.find("terminated"), std::string::npos) << notes.all;
}

// Commands that have ended keep their status.
TEST_F(TerminateContext, leavesWhatHasEnded) {
  cl_event event = run("quick", 64);
  ASSERT_SUCCESS(clWaitForEvents(1, &event));
  EXPECT_SUCCESS(terminate(own));
  EXPECT_EQ(statusOf(event), CL_COMPLETE);
  EXPECT_SUCCESS(clWaitForEvents(1, &event));
}

// Creating and enqueueing is refused; queries, retaining and releasing are not.
TEST_F(TerminateContext, contextTerminated) {
  cl_kernel its = kernel(program, "quick");
  cl_event done = run("quick", 64);
  ASSERT_SUCCESS(clFinish(commands));
  ASSERT_SUCCESS(terminate(own));
  EXPECT_CL(CL_CONTEXT_TERMINATED_KHR, terminate(own));
  const size_t one = 1;
  cl_int value = 0;
  const char* text = kTerminateSource;
  constexpr cl_int code = CL_CONTEXT_TERMINATED_KHR;
  EXPECT_CL(code, clSetKernelArg(its, 0, sizeof memory, &memory));
  EXPECT_CL(code, clEnqueueNDRangeKernel(commands, its, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
  EXPECT_CL(code, clEnqueueReadBuffer(commands, memory, CL_TRUE, 0, 4, &value, 0, nullptr, nullptr));
  EXPECT_CL(code, clEnqueueMarkerWithWaitList(commands, 0, nullptr, nullptr));
  EXPECT_CL(code, clFinish(commands));
  EXPECT_CL(code, clFlush(commands));
  EXPECT_CL(code, clBuildProgram(program, 1, &device, "", nullptr, nullptr));
  expectFails(code, [&](cl_int* e) { return clCreateBuffer(own, 0, 64, nullptr, e); });
  expectFails(code, [&](cl_int* e) { return clCreateUserEvent(own, e); });
  expectFails(code, [&](cl_int* e) { return clCreateCommandQueueWithProperties(own, device, nullptr, e); });
  expectFails(code, [&](cl_int* e) { return clCreateProgramWithSource(own, 1, &text, nullptr, e); });
  expectFails(code, [&](cl_int* e) { return clCreateKernel(program, "quick", e); });
  expectFails(code, [&](cl_int* e) {
    const cl_buffer_region region{0, 128};
    return clCreateSubBuffer(memory, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, e);
  });
  EXPECT_EQ(clSVMAlloc(own, CL_MEM_READ_WRITE, 64, 0), nullptr);

  EXPECT_EQ(infoOf<cl_uint>(clGetContextInfo, own, CL_CONTEXT_REFERENCE_COUNT), 1U);
  EXPECT_EQ(infoOf<size_t>(clGetMemObjectInfo, memory, CL_MEM_SIZE), size_t{1} << 16);
  EXPECT_EQ(infoOf<cl_context>(clGetCommandQueueInfo, commands, CL_QUEUE_CONTEXT), own);
  EXPECT_EQ(statusOf(done), CL_COMPLETE);
  EXPECT_SUCCESS(clRetainContext(own));
  EXPECT_SUCCESS(clReleaseContext(own));
  EXPECT_SUCCESS(clRetainMemObject(memory));
  EXPECT_SUCCESS(clReleaseMemObject(memory));
  EXPECT_SUCCESS(clSetMemObjectDestructorCallback(memory, [](cl_mem, void*) {}, nullptr));
  EXPECT_SUCCESS(clSetContextDestructorCallback(own, [](cl_context, void*) {}, nullptr));
}

// Other contexts go on.
TEST_F(TerminateContext, othersGoOn) {
  cl_event event = run("forever", 1);
  awaitRunning(event);
  ASSERT_SUCCESS(terminate(own));
  expectTerminated(event);
  cl_mem out = buffer(64 * sizeof(cl_int));
  cl_kernel its = kernel(build(kTerminateSource), "quick");
  ASSERT_SUCCESS(clSetKernelArg(its, 0, sizeof out, &out));
  launch(its, 64);
  EXPECT_EQ(read<cl_int>(out, 64), std::vector<cl_int>(64, 1));
}

// Threads enqueue while another one terminates: each call succeeds or says why not, and each event ends.
TEST_F(TerminateContext, fromAnotherThread) {
  std::atomic<bool> begun{false};
  std::thread enqueuer([&] {
    cl_kernel its = kernel(program, "quick");
    clSetKernelArg(its, 0, sizeof memory, &memory);
    const size_t items = 64;
    for (;;) {
      cl_event event = nullptr;
      const cl_int code = clEnqueueNDRangeKernel(commands, its, 1, nullptr, &items, nullptr, 0, nullptr, &event);
      begun = true;
      if (code != CL_SUCCESS) {
        EXPECT_CL(CL_CONTEXT_TERMINATED_KHR, code);
        return;
      }
      clWaitForEvents(1, &event);
      const cl_int status = statusOf(event);
      EXPECT_TRUE(status == CL_COMPLETE || status == CL_CONTEXT_TERMINATED_KHR) << errorName(status);
      clReleaseEvent(event);
    }
  });
  while (!begun) std::this_thread::yield();
  EXPECT_SUCCESS(terminate(own));
  enqueuer.join();
}

// context is not a valid context.
TEST_F(TerminateContext, invalidContext) {
  EXPECT_CL(CL_INVALID_CONTEXT, terminate(nullptr));
  EXPECT_CL(CL_INVALID_CONTEXT, terminate(notAnObject<cl_context>()));
  EXPECT_CL(CL_INVALID_CONTEXT, terminate(reinterpret_cast<cl_context>(device)));
}

// The context was not created with CL_CONTEXT_TERMINATE_KHR set to CL_TRUE.
TEST_F(TerminateContext, invalidOperation) {
  EXPECT_CL(CL_INVALID_OPERATION, terminate(context));
  const cl_context_properties no[] = {CL_CONTEXT_TERMINATE_KHR, CL_FALSE, 0};
  EXPECT_CL(CL_INVALID_OPERATION,
            terminate(created([&](cl_int* e) { return clCreateContext(no, 1, &device, nullptr, nullptr, e); })));
}

// CL_CONTEXT_TERMINATE_KHR is neither true nor false, or given twice.
TEST_F(TerminateContext, invalidProperty) {
  for (const std::vector<cl_context_properties>& wrong :
       {std::vector<cl_context_properties>{CL_CONTEXT_TERMINATE_KHR, 2, 0},
        {CL_CONTEXT_TERMINATE_KHR, 1, CL_CONTEXT_TERMINATE_KHR, 1, 0}})
    expectFails(CL_INVALID_PROPERTY,
                [&](cl_int* e) { return clCreateContext(wrong.data(), 1, &device, nullptr, nullptr, e); });
}

}  // namespace
}  // namespace clarity::test
