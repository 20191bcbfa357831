// SPDX-License-Identifier: Apache-2.0
// This file tests kernels in applications that have signal handlers of their own, block signals, and end threads or the
// process while kernels run.
#include "fault_checks.h"
#include "watched_child.h"

#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace clarity::test {
namespace {

const char* const kSignalSource = R"(
kernel void wild(ulong address) { *(global int*)(address + 4 * get_global_id(0)) = 1; }
kernel void busy(global int* out, int n) {
  int a[512];
  uint id = get_global_id(0), s = id;
  for (int k = 0; k < 512; ++k) a[k] = k;
  for (int k = 0; k < n; ++k) s = s * 1664525u + a[s & 511];
  out[id] = s | 1;
}
)";

/// Uses the stack as a handler that is not written for small ones.
void useStack() {
  volatile char room[64 << 10];
  for (std::size_t i = 0; i < sizeof room; i += 512) room[i] = 1;
}

struct NDRangeKernelSignals : FaultingKernels {
  cl_program program = nullptr;
  cl_mem out = nullptr;

  void SetUp() override {
    FaultingKernels::SetUp();
    if (HasFatalFailure() || IsSkipped()) return;
    program = build(kSignalSource);
    out = bufferOf(std::vector<cl_int>(4096, 0));
  }

  cl_kernel wild() {
    constexpr cl_ulong nowhere = 64;
    cl_kernel made = kernel(program, "wild");
    EXPECT_SUCCESS(clSetKernelArg(made, 0, sizeof nowhere, &nowhere));
    return made;
  }
  cl_kernel busy(cl_int turns) {
    cl_kernel made = kernel(program, "busy");
    EXPECT_SUCCESS(clSetKernelArg(made, 0, sizeof out, &out));
    EXPECT_SUCCESS(clSetKernelArg(made, 1, sizeof turns, &turns));
    return made;
  }
};

#if !__has_feature(thread_sanitizer)  // which has handlers of its own, and calls the application's later

// As Python's faulthandler.enable() does after the first launch.
TEST_F(NDRangeKernelSignals, handlersThatTheApplicationInstallsLater) {
  cl_kernel which = wild();
  EXPECT_LT(statusAfter(which, 64), 0);
  struct sigaction theirs = {}, before = {};
  theirs.sa_handler = [](int) { _exit(3); };
  sigaction(SIGSEGV, &theirs, &before);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_LT(statusAfter(which, 64), 0);
  sigaction(SIGSEGV, &before, nullptr);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_LT(statusAfter(which, 64), 0);
  expectStillWorking();
}

TEST_F(NDRangeKernelSignals, threadsThatBlockThem) {
  cl_kernel which = wild();
  cl_int status = 0;
  std::thread([&] {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, nullptr);
    status = statusAfter(which, 1 << 16);
  }).join();
  EXPECT_LT(status, 0);
  expectStillWorking();
}

#endif

// A profiler's timer whose handler runs on whatever stack the thread is on.
TEST_F(NDRangeKernelSignals, handlersThatRunOnTheKernelsStack) {
  static std::atomic<int> signals{0};
  struct sigaction theirs = {}, before = {};
  theirs.sa_handler = [](int) {
    useStack();
    signals.fetch_add(1);
  };
  theirs.sa_flags = SA_RESTART;
  sigaction(SIGPROF, &theirs, &before);
  const itimerval often{{0, 500}, {0, 500}}, never{};
  setitimer(ITIMER_PROF, &often, nullptr);
  cl_kernel which = busy(20000);
  while (signals < 20) ASSERT_EQ(statusAfter(which, 256), CL_COMPLETE);
  setitimer(ITIMER_PROF, &never, nullptr);
  sigaction(SIGPROF, &before, nullptr);
  expectStillWorking();
}

TEST_F(NDRangeKernelSignals, threadsThatEndAfterALaunch) {
  for (int round = 0; round < 30; ++round) {
    cl_kernel which = round % 2 ? wild() : busy(100);
    cl_command_queue here = anotherQueue();
    std::pair<cl_kernel, cl_command_queue> work{which, here};
    pthread_t thread;
    const auto run = [](void* it) -> void* {
      auto [which, here] = *static_cast<std::pair<cl_kernel, cl_command_queue>*>(it);
      const size_t global = 64;
      clEnqueueNDRangeKernel(here, which, 1, nullptr, &global, nullptr, 0, nullptr, nullptr);
      clFinish(here);
      pthread_exit(nullptr);
    };
    ASSERT_EQ(pthread_create(&thread, nullptr, run, &work), 0);
    pthread_join(thread, nullptr);
  }
  expectStillWorking();
}

// A child that is forked while kernels run ends as if there were none.
TEST_F(NDRangeKernelSignals, childrenOfAProcessWithRunningKernels) {
  cl_kernel which = busy(200000);
  std::atomic<bool> ended{false};
  std::thread runner([&] {
    cl_command_queue here = queue;
    const size_t global = 4096;
    while (!ended) {
      clEnqueueNDRangeKernel(here, which, 1, nullptr, &global, nullptr, 0, nullptr, nullptr);
      clFinish(here);
    }
  });
  for (int round = 0; round < 10; ++round) {
    const pid_t child = fork();
    ASSERT_NE(child, -1);
    if (child == 0) _exit(0);
    const Ending ending = endingOf(child);
    EXPECT_TRUE(ending.exitedWith(0)) << ending.text();
  }
  ended = true;
  runner.join();
  expectStillWorking();
}

// An alternate signal stack that is too small for any signal, such as one of MINSIGSTKSZ bytes, does not take a fault
// away from the driver.
TEST_F(NDRangeKernelSignals, aSmallAlternateStack) {
  cl_kernel bad = wild();
  for (const std::size_t bytes : {std::size_t{2048}, std::size_t{4096}}) {
    std::thread([&] {
      std::vector<char> small(bytes);
      stack_t its = {}, before = {};
      its.ss_sp = small.data();
      its.ss_size = small.size();
      if (sigaltstack(&its, &before) != 0) return;  // Linux refuses what is too small for the processor
      expectFault(bad, 1, 0, "kernel 'wild'");
      sigaltstack(&before, nullptr);
    }).join();
  }
}

}  // namespace
}  // namespace clarity::test
