// SPDX-License-Identifier: Apache-2.0
// This file tests processes that fork between their commands: the child goes on as its parent does, with threads of its
// own for operations, callbacks and builds.
#include "fixture.h"
#include "watched_child.h"

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

namespace clarity::test {
namespace {

/// The calls of a callback. The thread that waits sleeps until then.
class Called {
public:
  void wait() const { called_.wait(false); }
  void set() {
    called_ = true;
    called_.notify_all();
  }
  static void CL_CALLBACK ofEvent(cl_event, cl_int, void* self) { static_cast<Called*>(self)->set(); }
  static void CL_CALLBACK ofProgram(cl_program, void* self) { static_cast<Called*>(self)->set(); }

private:
  std::atomic<bool> called_{false};
};

constexpr size_t items = 1 << 18;  // so many that a service thread executes them

struct Forks : OpenCL {
  cl_mem out = nullptr;
  cl_kernel count = nullptr;

  void SetUp() override {
    OpenCL::SetUp();
    count = kernel("kernel void count(global int* out, int by) { out[get_global_id(0)] += by; }", "count");
    out = bufferOf(std::vector<cl_int>(items));
    ASSERT_SUCCESS(clSetKernelArg(count, 0, sizeof out, &out));
  }

  /// Adds to each element, with no thread that waits for it but for its callback; true if all has happened.
  bool add(cl_int by) {
    Called called;
    cl_event event = nullptr;
    if (clSetKernelArg(count, 1, sizeof by, &by) != CL_SUCCESS ||
        clEnqueueNDRangeKernel(queue, count, 1, nullptr, &items, nullptr, 0, nullptr, &event) != CL_SUCCESS ||
        clSetEventCallback(event, CL_COMPLETE, &Called::ofEvent, &called) != CL_SUCCESS || clFlush(queue) != CL_SUCCESS)
      return false;
    called.wait();
    return clReleaseEvent(event) == CL_SUCCESS;
  }

  /// Builds on a thread of the driver's.
  bool buildInBackground(const std::string& text) {
    Called called;
    cl_program program = source(text.c_str());
    if (clBuildProgram(program, 1, &device, "", &Called::ofProgram, &called) != CL_SUCCESS) return false;
    called.wait();
    cl_build_status status = CL_BUILD_NONE;
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, nullptr);
    return status == CL_BUILD_SUCCESS;
  }

  bool all(cl_int expected) { return read<cl_int>(out, items) == std::vector<cl_int>(items, expected); }
};

TEST_F(Forks, bothGoOn) {
#if defined(__has_feature) && __has_feature(thread_sanitizer)
  GTEST_SKIP() << "in a child of a process with threads the sanitizer lets no thread begin";
#endif
  if (!outlivesFaults()) GTEST_SKIP() << "a forked process cannot use the device's driver";
  constexpr int generations = 20;
  const std::string number = std::to_string(getpid());
  for (int i = 0; i < generations; ++i) {
    SCOPED_TRACE(i);
    ASSERT_TRUE(add(1) && all(i + 1));
    ASSERT_TRUE(buildInBackground("kernel void a" + number + "_" + std::to_string(i) + "(global int* o) { *o = 1; }"));
    const pid_t child = fork();
    ASSERT_NE(child, -1);
    if (child == 0) {
      const bool good = add(1) && add(-2) && all(i) &&
                        buildInBackground("kernel void b" + number + "_" + std::to_string(i) + "(int n) {}") &&
                        !HasFailure();
      exit(good ? 0 : 1);
    }
    const Ending ending = endingOf(child);
    EXPECT_TRUE(ending.exitedWith(0)) << ending.text();
    if (HasFailure()) return;
  }
}

#ifdef CLARITY_LLVM_STATIC
constexpr bool mayExit = true;
#else
/// While the driver is loaded, LLVM's own library registers destructors with the C library, under a lock that a child
/// of fork() may inherit locked: exit() would wait for it. The installed driver registers none.
constexpr bool mayExit = false;
#endif

/// A process that forks while another of its threads makes the driver ready: fork() returns, in both.
TEST(ForksAtTheBeginning, nothingWaitsForEver) {
#if defined(__has_feature) && __has_feature(thread_sanitizer)
  GTEST_SKIP() << "in a child of a process with threads the sanitizer lets no thread begin";
#endif
  for (int i = 0; i < 30; ++i) {
    const pid_t process = fork();
    ASSERT_NE(process, -1);
    if (process == 0) {
      std::atomic<bool> ready{false};
      std::thread first([&] {
        cl_platform_id platform = nullptr;
        cl_device_id device = nullptr;
        clGetPlatformIDs(1, &platform, nullptr);
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr);
        cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
        const char* source = "kernel void none() {}";
        cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, nullptr);
        clBuildProgram(program, 1, &device, nullptr, nullptr, nullptr);
        ready = true;
      });
      while (!ready) {
        const pid_t child = fork();
        if (child == 0) mayExit && i % 2 ? exit(0) : _exit(0);
        int status = -1;
        if (waitpid(child, &status, 0) != child || status != 0) _exit(1);
      }
      first.join();
      exit(0);
    }
    const Ending ending = endingOf(process);
    EXPECT_TRUE(ending.exitedWith(0)) << ending.text();
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace clarity::test
