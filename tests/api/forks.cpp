// SPDX-License-Identifier: Apache-2.0
// This file tests processes that fork between their commands: the child goes on as its parent does, with threads of its
// own for operations, callbacks and builds.
#include "fixture.h"
#include "watched_child.h"

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <string>
#include <vector>

namespace clarity::test {
namespace {

/// Of callbacks: lets the thread go on that waits for the flag.
void set(void* flag) {
  auto& its = *static_cast<std::atomic<bool>*>(flag);
  its = true;
  its.notify_all();
}

constexpr size_t items = 1 << 18;  // so many that a service thread executes them

struct Forks : OpenCL {
  cl_program program = nullptr;
  cl_mem out = nullptr;
  cl_kernel count = nullptr;

  void SetUp() override {
    OpenCL::SetUp();
    program = build("kernel void count(global int* out, int by) { out[get_global_id(0)] += by; }");
    count = kernel(program, "count");
    out = bufferOf(std::vector<cl_int>(items));
    ASSERT_SUCCESS(clSetKernelArg(count, 0, sizeof out, &out));
  }

  /// Adds to each element, with no thread that waits for it but for its callback; true if all has happened.
  bool add(cl_int by) {
    std::atomic<bool> called{false};
    cl_event event = nullptr;
    const size_t global = items;
    if (clSetKernelArg(count, 1, sizeof by, &by) != CL_SUCCESS ||
        clEnqueueNDRangeKernel(queue, count, 1, nullptr, &global, nullptr, 0, nullptr, &event) != CL_SUCCESS ||
        clSetEventCallback(
            event, CL_COMPLETE, [](cl_event, cl_int, void* flag) { set(flag); }, &called) != CL_SUCCESS ||
        clFlush(queue) != CL_SUCCESS)
      return false;
    called.wait(false);
    return clReleaseEvent(event) == CL_SUCCESS;
  }

  /// Builds on a thread of the driver's.
  bool buildInBackground(const std::string& text) {
    std::atomic<bool> built{false};
    cl_program another = source(text.c_str());
    if (clBuildProgram(
            another, 1, &device, "", [](cl_program, void* flag) { *static_cast<std::atomic<bool>*>(flag) = true; },
            &built) != CL_SUCCESS)
      return false;
    built.wait(false);
    cl_build_status status = CL_BUILD_NONE;
    clGetProgramBuildInfo(another, device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, nullptr);
    return status == CL_BUILD_SUCCESS;
  }

  bool all(cl_int expected) { return read<cl_int>(out, items) == std::vector<cl_int>(items, expected); }
};

TEST_F(Forks, bothGoOn) {
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

}  // namespace
}  // namespace clarity::test
