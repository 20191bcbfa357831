// SPDX-License-Identifier: Apache-2.0
// This file tests that many threads may call at once: all functions but clSetKernelArg on one kernel are thread-safe
// (OpenCL 3.0, appendix A).
#include "enqueue_checks.h"

#include <atomic>
#include <latch>
#include <numeric>
#include <thread>

namespace clarity::test {
namespace {

constexpr int kCommandThreads = 8;

struct Threads : OpenCL {
  std::atomic<int> failures = 0;

  /// Runs work(thread) on all threads, started together; failed checks are counted, not thrown.
  template <class Work>
  void onAll(const Work& work) {
    std::latch start(kCommandThreads);
    std::vector<std::thread> threads;
    for (int t = 0; t < kCommandThreads; ++t)
      threads.emplace_back([&, t] {
        start.arrive_and_wait();
        work(t);
      });
    for (std::thread& each : threads) each.join();
    EXPECT_EQ(failures, 0);
  }
  /// For threads, where gtest's fatal assertions cannot end the test: counts, and reports the first few.
  bool good(cl_int code, const char* what) {
    if (code == CL_SUCCESS) return true;
    if (++failures < 5) ADD_FAILURE() << what << " returned " << errorName(code);
    return false;
  }
  void same(bool is, const char* what) {
    if (!is && ++failures < 5) ADD_FAILURE() << what;
  }
};

// One in-order queue: every thread's commands keep their own order.
TEST_F(Threads, enqueueToOneQueue) {
  for (cl_command_queue on : {queue, anotherQueue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)})
    onAll([&](int t) {
      cl_mem mine = clCreateBuffer(context, CL_MEM_READ_WRITE, 4, nullptr, nullptr);
      cl_event last = nullptr;
      for (cl_uint i = 0; i < 300; ++i) {
        const cl_uint value = i * kCommandThreads + t;
        cl_event next = nullptr;
        good(clEnqueueFillBuffer(on, mine, &value, 4, 0, 4, last != nullptr, last != nullptr ? &last : nullptr, &next),
             "fill");
        if (last != nullptr) clReleaseEvent(last);
        last = next;
        if (i % 50 == 0) {
          cl_uint got = 0;
          good(clEnqueueReadBuffer(on, mine, CL_TRUE, 0, 4, &got, 1, &last, nullptr), "read");
          same(got == value, "a thread read what it did not write");
        }
      }
      clReleaseEvent(last);
      clReleaseMemObject(mine);
    });
}

// Every thread has its own of everything.
TEST_F(Threads, createBuildRunAndReleaseEverything) {
  onAll([&](int t) {
    for (int round = 0; round < 4; ++round) {
      const std::string text = "kernel void work(global int* p) { p[get_global_id(0)] = get_global_id(0) * " +
                               std::to_string(100 * t + round) + "; }";
      const char* source = text.c_str();
      cl_int error = CL_SUCCESS;
      cl_context own = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
      if (!good(error, "clCreateContext")) return;
      cl_command_queue q = clCreateCommandQueueWithProperties(own, device, nullptr, &error);
      good(error, "clCreateCommandQueueWithProperties");
      cl_program program = clCreateProgramWithSource(own, 1, &source, nullptr, &error);
      good(error, "clCreateProgramWithSource");
      good(clBuildProgram(program, 1, &device, "", nullptr, nullptr), "clBuildProgram");
      cl_kernel work = clCreateKernel(program, "work", &error);
      if (!good(error, "clCreateKernel")) return;
      constexpr size_t kItems = 500;
      cl_mem memory = clCreateBuffer(own, CL_MEM_READ_WRITE, kItems * 4, nullptr, &error);
      good(error, "clCreateBuffer");
      good(clSetKernelArg(work, 0, sizeof memory, &memory), "clSetKernelArg");
      good(clEnqueueNDRangeKernel(q, work, 1, nullptr, &kItems, nullptr, 0, nullptr, nullptr),
           "clEnqueueNDRangeKernel");
      std::vector<cl_int> got(kItems);
      good(clEnqueueReadBuffer(q, memory, CL_TRUE, 0, kItems * 4, got.data(), 0, nullptr, nullptr),
           "clEnqueueReadBuffer");
      for (size_t i = 0; i < kItems; ++i)
        if (got[i] != static_cast<cl_int>(i) * (100 * t + round)) {
          same(false, "a kernel of another thread ran");
          break;
        }
      good(clReleaseMemObject(memory), "clReleaseMemObject");
      good(clReleaseKernel(work), "clReleaseKernel");
      good(clReleaseProgram(program), "clReleaseProgram");
      good(clReleaseCommandQueue(q), "clReleaseCommandQueue");
      good(clReleaseContext(own), "clReleaseContext");
    }
  });
}

// Programs of one context, built at once, some of which do not compile.
TEST_F(Threads, buildInOneContext) {
  onAll([&](int t) {
    for (int round = 0; round < 6; ++round) {
      const bool broken = (t + round) % 3 == 0;
      const std::string text =
          "kernel void work(global int* p) { p[0] = N" + std::string(broken ? " + missing" : "") + "; }";
      const std::string options = "-DN=" + std::to_string(t * 10 + round);
      const char* source = text.c_str();
      cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, nullptr);
      const cl_int error = clBuildProgram(program, 1, &device, options.c_str(), nullptr, nullptr);
      same(error == (broken ? CL_BUILD_PROGRAM_FAILURE : CL_SUCCESS), "a build ended as another thread's should");
      size_t size = 0;
      good(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size), "build log");
      std::string log(size, '\0');
      good(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr), "build log");
      same((log.find("missing") != std::string::npos) == broken, "the build log of another thread");
      clReleaseProgram(program);
    }
  });
}

// One kernel object for each thread, of one program, launched on one queue at once.
TEST_F(Threads, kernelsOfOneProgram) {
  cl_program program =
      build("kernel void work(global uint* p, uint v) { p[get_global_id(0)] = v + get_global_id(0); }");
  onAll([&](int t) {
    constexpr size_t kItems = 256;
    cl_kernel work = clCreateKernel(program, "work", nullptr);
    cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, kItems * 4, nullptr, nullptr);
    std::vector<cl_uint> got(kItems);
    std::vector<cl_uint> wanted(kItems);
    for (cl_uint round = 0; round < 50; ++round) {
      const cl_uint base = round * 1000 + static_cast<cl_uint>(t);
      // Different shapes, so that threads ask for code that is not there yet at the same time.
      const size_t local = size_t{1} << (round + t) % 7;
      good(clSetKernelArg(work, 0, sizeof memory, &memory), "clSetKernelArg");
      good(clSetKernelArg(work, 1, sizeof base, &base), "clSetKernelArg");
      good(clEnqueueNDRangeKernel(queue, work, 1, nullptr, &kItems, &local, 0, nullptr, nullptr),
           "clEnqueueNDRangeKernel");
      good(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, kItems * 4, got.data(), 0, nullptr, nullptr),
           "clEnqueueReadBuffer");
      std::iota(wanted.begin(), wanted.end(), base);
      same(got == wanted, "a wrong result");
    }
    clReleaseKernel(work);
    clReleaseMemObject(memory);
  });
}

// One kernel object may be enqueued by all threads, as long as no thread sets its arguments.
TEST_F(Threads, oneKernelObject) {
  cl_kernel count = kernel("kernel void count(global uint* p) { atomic_inc(p); }", "count");
  cl_mem memory = bufferOf(std::vector<cl_uint>{0});
  ASSERT_SUCCESS(clSetKernelArg(count, 0, sizeof memory, &memory));
  onAll([&](int) {
    const size_t items = 10;
    for (int i = 0; i < 100; ++i)
      good(clEnqueueNDRangeKernel(queue, count, 1, nullptr, &items, nullptr, 0, nullptr, nullptr),
           "clEnqueueNDRangeKernel");
    good(clFinish(queue), "clFinish");
  });
  EXPECT_EQ(read<cl_uint>(memory, 1)[0], kCommandThreads * 1000U);
}

// Reference counts of one object go up and down from everywhere and end where they began.
TEST_F(Threads, retainAndReleaseOneObject) {
  cl_mem memory = buffer(64);
  cl_event event = userEvent();
  cl_program program = build("kernel void nothing() {}");
  const cl_uint before = infoOf<cl_uint>(clGetEventInfo, event, CL_EVENT_REFERENCE_COUNT);
  onAll([&](int) {
    for (int i = 0; i < 5000; ++i) {
      good(clRetainMemObject(memory), "clRetainMemObject");
      good(clRetainEvent(event), "clRetainEvent");
      good(clRetainProgram(program), "clRetainProgram");
      good(clReleaseProgram(program), "clReleaseProgram");
      good(clReleaseEvent(event), "clReleaseEvent");
      good(clReleaseMemObject(memory), "clReleaseMemObject");
    }
  });
  EXPECT_EQ(infoOf<cl_uint>(clGetMemObjectInfo, memory, CL_MEM_REFERENCE_COUNT), 1U);
  EXPECT_EQ(infoOf<cl_uint>(clGetEventInfo, event, CL_EVENT_REFERENCE_COUNT), before);
  EXPECT_EQ(infoOf<cl_uint>(clGetProgramInfo, program, CL_PROGRAM_REFERENCE_COUNT), 1U);
}

// One thread waits for what another one opens, in pairs, with callbacks on top.
TEST_F(Threads, waitForEachOther) {
  constexpr int kRounds = 100;
  std::vector<cl_event> gates(kCommandThreads * kRounds);
  for (cl_event& each : gates) each = keep(clCreateUserEvent(context, nullptr));
  std::atomic<int> calls = 0;
  onAll([&](int t) {
    cl_command_queue own = clCreateCommandQueueWithProperties(context, device, nullptr, nullptr);
    const int next = (t + 1) % kCommandThreads;
    for (int i = 0; i < kRounds; ++i) {
      cl_event marker = nullptr;
      good(clEnqueueMarkerWithWaitList(own, 1, &gates[t * kRounds + i], &marker), "marker");
      good(clSetEventCallback(
               marker, CL_COMPLETE, [](cl_event, cl_int, void* n) { ++*static_cast<std::atomic<int>*>(n); }, &calls),
           "clSetEventCallback");
      good(clFlush(own), "clFlush");
      good(clSetUserEventStatus(gates[next * kRounds + i], CL_COMPLETE), "clSetUserEventStatus");
      good(clWaitForEvents(1, &marker), "clWaitForEvents");
      clReleaseEvent(marker);
    }
    clReleaseCommandQueue(own);
  });
  while (calls != kCommandThreads * kRounds) std::this_thread::yield();
}

// Who comes first with a user event's status wins, and only one does.
TEST_F(Threads, setOneUserEvent) {
  for (int round = 0; round < 100; ++round) {
    cl_event event = clCreateUserEvent(context, nullptr);
    std::atomic<int> winners = 0;
    onAll([&](int t) {
      const cl_int error = clSetUserEventStatus(event, t % 2 == 0 ? CL_COMPLETE : -1);
      if (error == CL_SUCCESS)
        ++winners;
      else
        same(error == CL_INVALID_OPERATION, "neither CL_SUCCESS nor CL_INVALID_OPERATION");
    });
    ASSERT_EQ(winners, 1);
    ASSERT_SUCCESS(clReleaseEvent(event));
  }
}

// Map, write, unmap of parts of one buffer that do not overlap.
TEST_F(Threads, mapPartsOfOneBuffer) {
  constexpr size_t kPart = 1024;
  cl_mem memory = buffer(kCommandThreads * kPart);
  onAll([&](int t) {
    for (int round = 0; round < 50; ++round) {
      cl_int error = CL_SUCCESS;
      void* mapped =
          clEnqueueMapBuffer(queue, memory, CL_TRUE, CL_MAP_WRITE, t * kPart, kPart, 0, nullptr, nullptr, &error);
      if (!good(error, "clEnqueueMapBuffer")) return;
      std::fill_n(static_cast<unsigned char*>(mapped), kPart, static_cast<unsigned char>(t + round));
      good(clEnqueueUnmapMemObject(queue, memory, mapped, 0, nullptr, nullptr), "clEnqueueUnmapMemObject");
    }
  });
  const auto got = read<unsigned char>(memory, kCommandThreads * kPart);
  for (size_t i = 0; i < got.size(); ++i) ASSERT_EQ(got[i], i / kPart + 49);
  EXPECT_EQ(infoOf<cl_uint>(clGetMemObjectInfo, memory, CL_MEM_MAP_COUNT), 0U);
}

// Wrong calls from everywhere beside right ones: each thread gets its own answers.
TEST_F(Threads, errorsAndSuccessesSideBySide) {
  cl_mem memory = buffer(64);
  onAll([&](int t) {
    cl_uint value = 0;
    for (int i = 0; i < 200; ++i) {
      if (t % 2 == 0)
        same(clEnqueueReadBuffer(queue, memory, CL_TRUE, 61, 4, &value, 0, nullptr, nullptr) == CL_INVALID_VALUE,
             "a read past the end was not refused");
      else
        good(clEnqueueReadBuffer(queue, memory, CL_TRUE, 60, 4, &value, 0, nullptr, nullptr), "clEnqueueReadBuffer");
    }
  });
}

}  // namespace
}  // namespace clarity::test
