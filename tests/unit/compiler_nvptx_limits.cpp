// SPDX-License-Identifier: Apache-2.0
// This file tests that compiles for NVIDIA GPUs end where they are, and what becomes of kernels that no GPU executes.
#include "compiler/driver/compiler.h"
#include "compiler/guard/limits.h"
#include "compiler/nvptx/launch_abi.h"
#include "compiler/ptx/nvptx_code.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>

namespace clarity::compiler {
namespace {

Target gpu() { return nvptxTarget(9, 0); }

/// A kernel that takes the compiler seconds.
std::string largeKernel() {
  std::string text = "kernel void k(global int* a, local int* t) {\n  int l = get_local_id(0), x = a[l];\n";
  for (int i = 0; i < 1500; ++i) {
    const std::string number = std::to_string(i);
    text += "  if (a[x + " + number + "] > l) { t[l] = x; x += t[(l * 7 + " + number + ") % 64]; }\n";
    if (i % 50 == 0) text += "  barrier(CLK_LOCAL_MEM_FENCE);\n";
  }
  return text + "  a[get_global_id(0)] = x; }";
}

// Its limits are looked at in the middle of a compile, too: in passes, between them and in the code generator.
TEST(NvptxLimits, aCompileEndsInItsMiddle) {
  const Outcome outcome = build(Source(largeKernel()), "", gpu());
  ASSERT_TRUE(outcome.compiled) << outcome.log;
  Shape shape;
  shape.local = {64, 1, 1};
  shape.itemsPerThread = 4;
  std::thread later([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    cancelAhead(true);
  });
  const CodeOutcome ahead = generate(*outcome.compiled, "k", shape, gpu(), IfNotKept::GenerateAhead);
  later.join();
  cancelAhead(false);
  EXPECT_FALSE(ahead.code);
  EXPECT_NE(ahead.log.find("was given up"), std::string::npos) << ahead.log;
}

TEST(NvptxLimits, argumentsAndPrivateVariables) {
  const auto logOf = [](const std::string& source, const Target& target) {
    const Outcome outcome = build(Source(source), "", target);
    EXPECT_EQ(outcome.compiled == nullptr, outcome.status != Status::Ok);
    return outcome.log;
  };
  const auto byValue = [](int bytes) {
    return "struct s { char c[" + std::to_string(bytes) +
           "]; };\nkernel void k(struct s v, global char* o) { *o = v.c[*o]; }";
  };
  // With the pointer and what every launch has.
  constexpr int launchBytes = sizeof(nvptx::LaunchInfo);
  for (const auto& [target, most] : {std::pair{nvptxTarget(6, 2), 4096}, {gpu(), 32764}}) {
    const int room = (most - launchBytes - 8) / 8 * 8;
    EXPECT_EQ(logOf(byValue(room), target), "");
    EXPECT_NE(logOf(byValue(room + 8), target).find(":2: error: kernel 'k' has "), std::string::npos);
  }
  const auto withPrivate = [](int bytes) {
    return "kernel void k(global char* o) { char c[" + std::to_string(bytes) +
           "]; for (int i = 0; i < o[5]; ++i) c[o[i]] = i; *o = c[o[1]]; }";
  };
  EXPECT_EQ(logOf(withPrivate(512 << 10), gpu()), "");
  EXPECT_NE(logOf(withPrivate((512 << 10) + 1), gpu()).find("524289 bytes of private variables"), std::string::npos);
}

}  // namespace
}  // namespace clarity::compiler
