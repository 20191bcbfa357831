// SPDX-License-Identifier: Apache-2.0
// This file tests launches that begin with quick code and whose context is terminated (cl_khr_terminate_context):
// they end wherever they are, in quick code, while full code is compiled, and in full code.
#include "device/cpu/running_launches.h"
#include "device_first_launch.h"

#include <CL/cl.h>
#include <CL/cl_ext.h>

namespace clarity::test {
namespace {

using device::cpu::RunningLaunch;

struct FirstLaunchEnds : FirstLaunch {
  /// Runs a launch whose context is terminated when `begun()`. Then calls `afterwards`.
  void expectEnded(
      CpuExecutable& program, const std::function<bool()>& begun, const std::function<void()>& afterwards = [] {}) {
    std::atomic<bool> ended{false};
    Launch l = launch(counters.size(), 64);
    l.ended = &ended;
    std::thread other([&] {
      while (!begun()) std::this_thread::yield();
      ended = true;
      RunningLaunch::endAll(ended);
      afterwards();
    });
    const Result result = run(program, l);
    other.join();
    EXPECT_EQ(result.code, CL_CONTEXT_TERMINATED_KHR) << result.text;
  }
};

TEST_F(FirstLaunchEnds, inQuickCode) {
  quickStays = true;
  for (const std::uint32_t units : {1u, 2u}) {
    byQuick = 0;
    expectEnded(*executable(units), [] { return byQuick > 0; });
  }
}

TEST_F(FirstLaunchEnds, whileFullCodeIsMade) {
  for (const std::uint32_t units : {1u, 2u}) {
    made.clear();
    byFull = 0;
    quickMicroseconds = 2000;
    fullIsLate = true;
    const auto program = executable(units);
    // With one unit the launch itself waits for the code, and ends when that is there.
    const bool waits = units == 1 || std::thread::hardware_concurrency() < 2;
    expectEnded(
        *program, [&] { return shapes().size() == 2; },
        [&] {
          if (waits) letItEnd();
        });
    letItEnd();
    EXPECT_EQ(byFull, 0u);
    for (Counter& each : counters) each = 0;
    EXPECT_TRUE(run(*program, launch(64, 64)));
    EXPECT_EQ(byFull, 1u);
    expectEach(64, 1);
  }
}

TEST_F(FirstLaunchEnds, inFullCode) {
  fullStays = waitsForFull = true;
  for (const std::uint32_t units : {1u, 2u}) {
    byFull = 0;
    quickSlices = 0;
    fullIsMade = false;
    quickMicroseconds = 2000;
    expectEnded(*executable(units), [] { return byFull > 0; });
  }
}

}  // namespace
}  // namespace clarity::test
