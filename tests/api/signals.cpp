// SPDX-License-Identifier: Apache-2.0
// This file tests that the application's signals come to its own threads only: a program that waits for SIGTERM by
// sigwait() or signalfd() blocks it in all threads that it knows of, and must not be ended by it in another.
#include "fixture.h"

#include <dirent.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace clarity::test {
namespace {

constexpr size_t items = 1 << 20;  // so many that service and worker threads execute them

struct Signals : OpenCL {
  /// Has the driver start its threads: for operations, shares of work, builds and callbacks.
  void useAllThreads() {
    std::atomic<int> called{0};
    const auto count = [](void* calls) {
      ++*static_cast<std::atomic<int>*>(calls);
      static_cast<std::atomic<int>*>(calls)->notify_all();
    };
    static void (*const add)(void*) = count;
    cl_program program = source("kernel void fill(global int* out) { out[get_global_id(0)] = 1; }");
    ASSERT_SUCCESS(clBuildProgram(program, 1, &device, "", [](cl_program, void* calls) { add(calls); }, &called));
    called.wait(0);
    cl_kernel fill = clCreateKernel(program, "fill", nullptr);
    cl_mem out = bufferOf(std::vector<cl_int>(items));
    cl_event event = nullptr;
    ASSERT_SUCCESS(clSetKernelArg(fill, 0, sizeof out, &out));
    ASSERT_SUCCESS(clEnqueueNDRangeKernel(queue, fill, 1, nullptr, &items, nullptr, 0, nullptr, &event));
    ASSERT_SUCCESS(clSetEventCallback(event, CL_COMPLETE, [](cl_event, cl_int, void* calls) { add(calls); }, &called));
    ASSERT_SUCCESS(clFlush(queue));
    called.wait(1);
    EXPECT_EQ(read<cl_int>(out, items), std::vector<cl_int>(items, 1));
    clReleaseEvent(event);
    clReleaseKernel(fill);
  }
};

/// The signals that a thread blocks, by a bit each; all ones for a thread that has just ended.
std::uint64_t blockedIn(const std::string& thread) {
  std::ifstream status("/proc/self/task/" + thread + "/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("SigBlk:")) return std::strtoull(line.c_str() + 7, nullptr, 16);
  return ~std::uint64_t{0};
}

std::uint64_t bit(int signal) { return std::uint64_t{1} << (signal - 1); }

TEST_F(Signals, comeToTheApplicationsThreadsOnly) {
  useAllThreads();
  unsigned others = 0;
  DIR* const threads = opendir("/proc/self/task");
  ASSERT_NE(threads, nullptr);
  while (const dirent* entry = readdir(threads)) {
    const std::string thread = entry->d_name;
    if (thread[0] == '.' || thread == std::to_string(getpid())) continue;
    SCOPED_TRACE(thread);
    ++others;
    const std::uint64_t blocked = blockedIn(thread);
    for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGALRM, SIGCHLD, SIGRTMIN})
      EXPECT_TRUE(blocked & bit(signal)) << strsignal(signal);
  }
  closedir(threads);
  EXPECT_GE(others, 2u);
}

TEST_F(Signals, oneThatIsWaitedForEndsNothing) {
  useAllThreads();
  sigset_t waited, before;
  sigemptyset(&waited);
  sigaddset(&waited, SIGTERM);
  ASSERT_EQ(pthread_sigmask(SIG_BLOCK, &waited, &before), 0);
  ASSERT_EQ(kill(getpid(), SIGTERM), 0);
  int signal = 0;
  EXPECT_EQ(sigwait(&waited, &signal), 0);
  EXPECT_EQ(signal, SIGTERM);
  ASSERT_EQ(pthread_sigmask(SIG_SETMASK, &before, nullptr), 0);
}

}  // namespace
}  // namespace clarity::test
