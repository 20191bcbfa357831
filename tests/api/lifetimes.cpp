// SPDX-License-Identifier: Apache-2.0
// This file tests that objects may be released in every order: what a command or another object needs stays alive until
// it is needed no more (OpenCL 3.0, the reference count rules of chapter 5).
#include "enqueue_checks.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <list>
#include <numeric>
#include <thread>

namespace clarity::test {
namespace {

const char* const kLifetimeSource = "kernel void triple(global uint* p) { p[get_global_id(0)] *= 3; }";

/// One of each object, all with one reference of the application, which the test gives up as it likes.
struct Lifetimes : OpenCL {
  static constexpr size_t kCount = 1000;
  cl_context ctx = nullptr;
  cl_command_queue q = nullptr;
  cl_program program = nullptr;
  cl_kernel triple = nullptr;
  cl_mem memory = nullptr;
  std::vector<cl_uint> host = std::vector<cl_uint>(kCount);
  std::vector<cl_uint> wanted = std::vector<cl_uint>(kCount);
  /// Counts of one test. They outlive it: objects of a test may be destroyed after its end.
  struct Gone {
    std::atomic<int> contexts = 0, buffers = 0;
  };
  static inline std::list<Gone> allGone;
  Gone& gone = allGone.emplace_back();
  std::atomic<int>&contextsGone = gone.contexts, &buffersGone = gone.buffers;

  void SetUp() override {
    OpenCL::SetUp();
    if (HasFatalFailure()) return;
    make();
  }
  void make() {
    cl_int error = CL_SUCCESS;
    ctx = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
    ASSERT_SUCCESS(error);
    ASSERT_SUCCESS(
        clSetContextDestructorCallback(ctx, [](cl_context, void* its) { ++static_cast<Gone*>(its)->contexts; }, &gone));
    q = clCreateCommandQueueWithProperties(ctx, device, nullptr, &error);
    ASSERT_SUCCESS(error);
    program = clCreateProgramWithSource(ctx, 1, const_cast<const char**>(&kLifetimeSource), nullptr, &error);
    ASSERT_SUCCESS(error);
    ASSERT_SUCCESS(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr));
    triple = clCreateKernel(program, "triple", &error);
    ASSERT_SUCCESS(error);
    std::iota(host.begin(), host.end(), 0);
    for (size_t i = 0; i < kCount; ++i) wanted[i] = 3 * host[i];
    memory = clCreateBuffer(ctx, CL_MEM_COPY_HOST_PTR, kCount * 4, host.data(), &error);
    ASSERT_SUCCESS(error);
    ASSERT_SUCCESS(
        clSetMemObjectDestructorCallback(memory, [](cl_mem, void* its) { ++static_cast<Gone*>(its)->buffers; }, &gone));
    ASSERT_SUCCESS(clSetKernelArg(triple, 0, sizeof memory, &memory));
    std::fill(host.begin(), host.end(), 0);
  }
  /// Enqueues the kernel and a read to `host`; the event of the read.
  cl_event enqueueWork() {
    cl_event done = nullptr;
    EXPECT_SUCCESS(clEnqueueNDRangeKernel(q, triple, 1, nullptr, &kCount, nullptr, 0, nullptr, nullptr));
    EXPECT_SUCCESS(clEnqueueReadBuffer(q, memory, CL_FALSE, 0, kCount * 4, host.data(), 0, nullptr, &done));
    return done;
  }
  void release(char which) {
    switch (which) {
      case 'c': ASSERT_SUCCESS(clReleaseContext(ctx)); break;
      case 'q': ASSERT_SUCCESS(clReleaseCommandQueue(q)); break;
      case 'p': ASSERT_SUCCESS(clReleaseProgram(program)); break;
      case 'k': ASSERT_SUCCESS(clReleaseKernel(triple)); break;
      case 'm': ASSERT_SUCCESS(clReleaseMemObject(memory)); break;
      default: FAIL() << which;
    }
  }
  void releaseAll(const std::string& order) {
    for (char each : order) release(each);
  }
  /// The last references may be dropped by a thread of the driver a moment after the last command was seen complete.
  static void expectComes(const std::atomic<int>& count, int n, const char* what) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (count != n && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    EXPECT_EQ(count, n) << what;
  }
};

// All 120 orders, with nothing enqueued.
TEST_F(Lifetimes, everyOrderOfUnusedObjects) {
  releaseAll("kpmqc");
  std::string order = "ckmpq";
  int rounds = 1;
  do {
    make();
    if (HasFatalFailure()) return;
    releaseAll(order);
    expectComes(contextsGone, ++rounds, order.c_str());
  } while (std::next_permutation(order.begin(), order.end()));
  EXPECT_EQ(buffersGone, rounds);
}

// All 120 orders, right after commands were enqueued that use them all; only the event of the last one is kept.
TEST_F(Lifetimes, everyOrderWithCommandsPending) {
  std::string order = "ckmpq";
  int rounds = 0;
  do {
    if (rounds > 0) make();
    if (HasFatalFailure()) return;
    cl_event done = enqueueWork();
    releaseAll(order);
    ASSERT_SUCCESS(clWaitForEvents(1, &done));
    ASSERT_EQ(host, wanted) << "released in the order " << order;
    ASSERT_SUCCESS(clReleaseEvent(done));
    expectComes(contextsGone, ++rounds, order.c_str());
  } while (std::next_permutation(order.begin(), order.end()));
  expectComes(buffersGone, rounds, "buffers");
}

// The context goes first; everything made of it works on.
TEST_F(Lifetimes, theContextFirst) {
  release('c');
  EXPECT_EQ(contextsGone, 0);
  EXPECT_EQ(infoOf<cl_context>(clGetCommandQueueInfo, q, CL_QUEUE_CONTEXT), ctx);
  cl_event done = enqueueWork();
  ASSERT_SUCCESS(clWaitForEvents(1, &done));
  EXPECT_EQ(host, wanted);
  EXPECT_EQ(infoOf<cl_context>(clGetEventInfo, done, CL_EVENT_CONTEXT), ctx);
  ASSERT_SUCCESS(clReleaseEvent(done));
  releaseAll("kpmq");
  expectComes(contextsGone, 1, "the context");
}

// The queue is released with commands that are still held back; they run when they may.
TEST_F(Lifetimes, theQueueWithCommandsHeldBack) {
  cl_event gate = clCreateUserEvent(ctx, nullptr);
  cl_event done = nullptr;
  ASSERT_SUCCESS(clEnqueueNDRangeKernel(q, triple, 1, nullptr, &kCount, nullptr, 1, &gate, nullptr));
  ASSERT_SUCCESS(clEnqueueReadBuffer(q, memory, CL_FALSE, 0, kCount * 4, host.data(), 0, nullptr, &done));
  // Section 5.11 leaves it open what a release does before the user event is set; here it must do no harm.
  if (promisesBadHandles(*this)) releaseAll("qkpmc");
  ASSERT_SUCCESS(clSetUserEventStatus(gate, CL_COMPLETE));
  ASSERT_SUCCESS(clWaitForEvents(1, &done));
  EXPECT_EQ(host, wanted);
  ASSERT_SUCCESS(clReleaseEvent(gate));
  if (!promisesBadHandles(*this)) releaseAll("qkpmc");
  EXPECT_EQ(infoOf<cl_int>(clGetEventInfo, done, CL_EVENT_COMMAND_EXECUTION_STATUS), CL_COMPLETE);
  ASSERT_SUCCESS(clReleaseEvent(done));
  expectComes(contextsGone, 1, "the context");
}

// Releasing the queue flushes it: commands run with no thread waiting and no handle left but the buffer's.
TEST_F(Lifetimes, releasingTheQueueFlushesIt) {
  ASSERT_SUCCESS(clEnqueueNDRangeKernel(q, triple, 1, nullptr, &kCount, nullptr, 0, nullptr, nullptr));
  releaseAll("qkpc");
  release('m');
  expectComes(buffersGone, 1, "the buffer");
  expectComes(contextsGone, 1, "the context");
}

// The kernel keeps the code of its program.
TEST_F(Lifetimes, theProgramBeforeTheKernel) {
  release('p');
  cl_event done = enqueueWork();
  ASSERT_SUCCESS(clWaitForEvents(1, &done));
  EXPECT_EQ(host, wanted);
  EXPECT_EQ(infoOf<cl_program>(clGetKernelInfo, triple, CL_KERNEL_PROGRAM), program);
  ASSERT_SUCCESS(clReleaseEvent(done));
  releaseAll("kmqc");
}

// An event that outlives its queue and context still answers.
TEST_F(Lifetimes, theEventLast) {
  cl_event done = enqueueWork();
  ASSERT_SUCCESS(clFinish(q));
  releaseAll("kpmqc");
  EXPECT_EQ(infoOf<cl_int>(clGetEventInfo, done, CL_EVENT_COMMAND_EXECUTION_STATUS), CL_COMPLETE);
  EXPECT_EQ(infoOf<cl_command_type>(clGetEventInfo, done, CL_EVENT_COMMAND_TYPE),
            cl_command_type{CL_COMMAND_READ_BUFFER});
  EXPECT_SUCCESS(clWaitForEvents(1, &done));
  EXPECT_EQ(contextsGone, 0) << "the event is an object of the context";
  ASSERT_SUCCESS(clReleaseEvent(done));
  expectComes(contextsGone, 1, "the context");
}

// The counts that the application sees are its own, whatever the driver holds.
TEST_F(Lifetimes, referenceCountsAreThoseOfTheApplication) {
  cl_event gate = clCreateUserEvent(ctx, nullptr);
  cl_event held = nullptr;
  ASSERT_SUCCESS(clEnqueueNDRangeKernel(q, triple, 1, nullptr, &kCount, nullptr, 1, &gate, &held));
  EXPECT_EQ(infoOf<cl_uint>(clGetContextInfo, ctx, CL_CONTEXT_REFERENCE_COUNT), 1U);
  EXPECT_EQ(infoOf<cl_uint>(clGetCommandQueueInfo, q, CL_QUEUE_REFERENCE_COUNT), 1U);
  EXPECT_EQ(infoOf<cl_uint>(clGetProgramInfo, program, CL_PROGRAM_REFERENCE_COUNT), 1U);
  EXPECT_EQ(infoOf<cl_uint>(clGetKernelInfo, triple, CL_KERNEL_REFERENCE_COUNT), 1U);
  EXPECT_EQ(infoOf<cl_uint>(clGetMemObjectInfo, memory, CL_MEM_REFERENCE_COUNT), 1U);
  EXPECT_EQ(infoOf<cl_uint>(clGetEventInfo, gate, CL_EVENT_REFERENCE_COUNT), 1U);
  EXPECT_EQ(infoOf<cl_uint>(clGetEventInfo, held, CL_EVENT_REFERENCE_COUNT), 1U);
  ASSERT_SUCCESS(clSetUserEventStatus(gate, CL_COMPLETE));
  ASSERT_SUCCESS(clWaitForEvents(1, &held));
  ASSERT_SUCCESS(clReleaseEvent(held));
  ASSERT_SUCCESS(clReleaseEvent(gate));
  releaseAll("kpmqc");
  expectComes(contextsGone, 1, "the context");
}

// Retains and releases in a tangle end at the same place.
TEST_F(Lifetimes, retainedTwiceReleasedThreeTimes) {
  for (int i = 0; i < 2; ++i) {
    ASSERT_SUCCESS(clRetainContext(ctx));
    ASSERT_SUCCESS(clRetainCommandQueue(q));
    ASSERT_SUCCESS(clRetainProgram(program));
    ASSERT_SUCCESS(clRetainKernel(triple));
    ASSERT_SUCCESS(clRetainMemObject(memory));
  }
  cl_event done = enqueueWork();
  releaseAll("ckmpq");
  releaseAll("qpmkc");
  EXPECT_EQ(buffersGone, 0);
  ASSERT_SUCCESS(clWaitForEvents(1, &done));
  EXPECT_EQ(host, wanted);
  ASSERT_SUCCESS(clReleaseEvent(done));
  releaseAll("mkqcp");
  expectComes(buffersGone, 1, "the buffer");
  expectComes(contextsGone, 1, "the context");
}

// Giving up more references than one has is an error and takes nothing from those who still need the object.
TEST_F(Lifetimes, releasedOnceTooOften) {
  if (!promisesBadHandles(*this)) GTEST_SKIP() << "only this project's driver promises it";
  const cl_buffer_region region{0, 64};
  cl_mem part = clCreateSubBuffer(memory, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr);
  releaseAll("cpm");
  for (int i = 0; i < 3; ++i) {
    EXPECT_CL(CL_INVALID_CONTEXT, driver->clReleaseContext(ctx));
    EXPECT_CL(CL_INVALID_PROGRAM, driver->clReleaseProgram(program));
    EXPECT_CL(CL_INVALID_MEM_OBJECT, driver->clReleaseMemObject(memory));
  }
  EXPECT_EQ(contextsGone, 0);
  EXPECT_EQ(buffersGone, 0);
  ASSERT_SUCCESS(clReleaseMemObject(part));
  releaseAll("kq");
  expectComes(contextsGone, 1, "the context");
  expectComes(buffersGone, 1, "the buffer");
}

// An object that a query returns can be retained, as C++ wrappers do, though the application had given it up.
TEST_F(Lifetimes, anObjectCanBeTakenUpAgainThroughAQuery) {
  release('c');
  release('p');
  const auto again = infoOf<cl_context>(clGetCommandQueueInfo, q, CL_QUEUE_CONTEXT);
  const auto itsProgram = infoOf<cl_program>(clGetKernelInfo, triple, CL_KERNEL_PROGRAM);
  ASSERT_EQ(again, ctx);
  ASSERT_EQ(itsProgram, program);
  ASSERT_SUCCESS(clRetainContext(again));
  ASSERT_SUCCESS(clRetainProgram(itsProgram));
  releaseAll("kmq");
  EXPECT_EQ(contextsGone, 0);
  EXPECT_EQ(infoOf<cl_uint>(clGetProgramInfo, itsProgram, CL_PROGRAM_NUM_DEVICES), 1U);
  releaseAll("pc");
  expectComes(contextsGone, 1, "the context");
}

// A buffer that is an argument of a kernel may be released when the kernel has been enqueued, and set anew.
TEST_F(Lifetimes, aBufferReplacedBetweenLaunches) {
  std::vector<std::vector<cl_uint>> results(20, std::vector<cl_uint>(kCount));
  for (cl_uint i = 0; i < results.size(); ++i) {
    std::vector<cl_uint> input(kCount, i);
    cl_mem each = clCreateBuffer(ctx, CL_MEM_COPY_HOST_PTR, kCount * 4, input.data(), nullptr);
    ASSERT_SUCCESS(clSetKernelArg(triple, 0, sizeof each, &each));
    ASSERT_SUCCESS(clEnqueueNDRangeKernel(q, triple, 1, nullptr, &kCount, nullptr, 0, nullptr, nullptr));
    ASSERT_SUCCESS(clEnqueueReadBuffer(q, each, CL_FALSE, 0, kCount * 4, results[i].data(), 0, nullptr, nullptr));
    ASSERT_SUCCESS(clReleaseMemObject(each));
  }
  ASSERT_SUCCESS(clFinish(q));
  for (cl_uint i = 0; i < results.size(); ++i) ASSERT_EQ(results[i], std::vector<cl_uint>(kCount, 3 * i));
  releaseAll("kpmqc");
}

// Contexts by the hundred leave nothing behind: each one is destroyed.
TEST_F(Lifetimes, manyContextsOneAfterTheOther) {
  releaseAll("kpmqc");
  for (int i = 0; i < 200; ++i) {
    make();
    if (HasFatalFailure()) return;
    ASSERT_SUCCESS(clEnqueueNDRangeKernel(q, triple, 1, nullptr, &kCount, nullptr, 0, nullptr, nullptr));
    ASSERT_SUCCESS(clFinish(q));
    releaseAll("mkpqc");
  }
  expectComes(contextsGone, 201, "contexts");
  expectComes(buffersGone, 201, "buffers");
}

}  // namespace
}  // namespace clarity::test
