// SPDX-License-Identifier: Apache-2.0
// This file tests that machines serve one compile after the other, and that no compile leaves a trace on them.
#include "compiler/driver/inspect.h"
#include "compiler/host/machine.h"
#include "compiler/host/target.h"
#include "compiler/host/warm_up.h"
#include "compiler_host.h"
#include "support/process_end.h"
#include "watched_child.h"

#include <gtest/gtest.h>

#include <unistd.h>
#include <cstdint>
#include <string>
#include <vector>

namespace clarity::compiler {
namespace {

std::string assemblyOf(const char* source, const char* options = "", const Target& target = host()) {
  const Outcome outcome = build(source, options, target);
  EXPECT_EQ(outcome.status, Status::Ok) << outcome.log;
  if (!outcome.compiled) return {};
  std::string log;
  std::string text =
      generateText(*outcome.compiled, outcome.compiled->kernels[0].name, Shape{}, target, NativeForm::Assembly, log);
  EXPECT_FALSE(text.empty()) << log;
  return text;
}

constexpr const char* norm =
    "kernel void norm(global float* a, global const float* b) { size_t i = get_global_id(0); a[i] = a[i] * a[i] + b[i] "
    "* b[i]; }";
constexpr const char* walk =
    "kernel void walk(global int* a, int n) { int v = a[get_global_id(0)]; for (int i = 0; i < n; ++i) v = a[v]; "
    "a[get_global_id(0)] = v; }";

/// Which one it is; it is given back at once.
std::uintptr_t placeOf(const Machine& machine) { return reinterpret_cast<std::uintptr_t>(machine.get()); }

TEST(Machines, oneIsLentAgain) {
  const auto first = placeOf(machineFor(host(), true));
  ASSERT_NE(first, 0u);
  EXPECT_EQ(placeOf(machineFor(host(), true)), first);
}

TEST(Machines, nobodySharesOne) {
  std::vector<Machine> machines;
  for (int i = 0; i < 6; ++i) {
    machines.push_back(machineFor(host(), true));
    ASSERT_TRUE(machines.back());
    for (int other = 0; other < i; ++other)
      EXPECT_NE(machines[static_cast<std::size_t>(other)].get(), machines.back().get());
  }
}

TEST(Machines, anotherProcessorHasAnother) {
  const auto first = placeOf(machineFor(host(), true));
  const Machine old = machineFor(hostTarget("x86-64"), true);
  ASSERT_TRUE(old);
  EXPECT_NE(placeOf(old), first);
  EXPECT_EQ(placeOf(machineFor(host(), true)), first);
}

TEST(Machines, compilesLeaveNoTrace) {
  const std::string alone = assemblyOf(norm);
  for (const char* options : {"", "-cl-opt-disable", "-cl-fast-relaxed-math", "-cl-denorms-are-zero",
                              "-cl-clarity-packet-width=1", "-cl-clarity-compile-budget=10", "-cl-std=CL1.2"}) {
    assemblyOf(walk, options);
    assemblyOf(norm, options);
    EXPECT_EQ(assemblyOf(norm), alone) << "after a compile with '" << options << "'";
  }
  assemblyOf(norm, "", hostTarget("x86-64"));
  EXPECT_EQ(assemblyOf(norm), alone);
}

TEST(Machines, aChildOfForkCompilesWhateverItsParentWasAt) {
  if (threadSanitized) GTEST_SKIP() << "the sanitizer allows no threads in a child";
  support::staticObjectsArePermanent = true;  // while it warms up this process does not end
  warmUp(host());
  const pid_t child = ::fork();
  support::staticObjectsArePermanent = false;
  if (child == 0) ::_exit(assemblyOf(walk).empty() ? 1 : 0);
  const test::Ending ending = test::endingOf(child);
  EXPECT_TRUE(ending.exitedWith(0)) << ending.text();
}

}  // namespace
}  // namespace clarity::compiler
