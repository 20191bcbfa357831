// SPDX-License-Identifier: Apache-2.0
// This file tests quick code against full code, and the estimate of a launch's work by which it gets one or the other.
#include "compiler/driver/compiler.h"
#include "compiler/driver/generate_native.h"
#include "compiler/driver/inspect.h"
#include "compiler/guard/limits.h"
#include "compiler_host.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

namespace clarity::compiler {
namespace {

Outcome builtHere(const std::string& source, const char* options = "") {
  Outcome outcome = build(Source(source), options, host());
  EXPECT_EQ(outcome.status, Status::Ok) << outcome.log;
  return outcome;
}

struct Work {
  double instructions = 0;
  bool isBounded = false;
};

/// The work of a kernel `k(global int* data, int n, uint m)` with that body, in a launch of 1000 x 10 work-items, 10 in
/// a work-group.
Work workOf(const std::string& body, std::int32_t n, std::uint32_t m = 1) {
  const Outcome outcome = builtHere("kernel void k(global int* data, int n, uint m) {" + body + "}");
  if (!outcome.compiled) return {};
  const KernelInfo& info = outcome.compiled->kernels[0];
  EXPECT_EQ(wrongWith(info.work, info.args), "");
  std::vector<std::byte> block(info.argBlockBytes);
  std::memcpy(block.data() + info.args[1].offset, &n, sizeof n);
  std::memcpy(block.data() + info.args[2].offset, &m, sizeof m);
  WorkSizes sizes;
  sizes.global = {1000, 10, 1};
  sizes.local = {10, 1, 1};
  return {instructionsOf(info.work, info.args, block, sizes), info.work.isBounded};
}

/// That the work is about that of so many iterations, each of `least` to `most` instructions.
void expectIterations(const Work& work, double iterations, double least = 2, double most = 15) {
  EXPECT_GE(work.instructions, least * iterations);
  EXPECT_LE(work.instructions, most * (iterations + 2));
}

TEST(WorkEstimateTest, followsTheArguments) {
  const std::string loop = "int s = 0; for (int i = 0; i < n; i++) s += data[i]; data[get_global_id(0)] = s;";
  for (const int n : {10, 1000, 100000}) {
    const Work work = workOf(loop, n);
    EXPECT_TRUE(work.isBounded);
    expectIterations(work, n);
  }
  EXPECT_LT(workOf(loop, 0).instructions, 20);
  EXPECT_LT(workOf(loop, -5).instructions, 20);
  expectIterations(workOf("int s = 0; for (uint i = 0; i < m; i++) s += data[i]; *data = s;", 0, 3'000'000'000u), 3e9);
}

TEST(WorkEstimateTest, loopsInLoopsMultiply) {
  expectIterations(workOf("int s = 0; for (int i = 0; i < n; i++) for (uint j = 0; j < m; j++) s += data[i * m + j];"
                          "*data = s;",
                          300, 50),
                   15000);
  // The inner one as often as the outer one has come far, on average.
  expectIterations(
      workOf("int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) s += data[j]; *data = s;", 1000),
      500'000);
}

// Bounds that are computed from arguments, before the loop or in it.
TEST(WorkEstimateTest, followsWhatIsComputedFromArguments) {
  const auto loopTo = [](const std::string& bound) {
    return "int s = 0; for (int i = 0; i < " + bound +
           "; i++) { s += data[i]; barrier(CLK_LOCAL_MEM_FENCE); } *data = s;";
  };
  for (const auto& [bound, iterations] : {std::pair("n / 16", 500),
                                          {"n >> 3", 1000},
                                          {"(n + 15) / 16 * 2", 1000},
                                          {"(n > 7000 ? n / 4 : 5)", 2000},
                                          {"min(n, 300)", 300},
                                          {"(n & 63)", 63}}) {
    const Work work = workOf(loopTo(bound), 8000);
    EXPECT_TRUE(work.isBounded) << bound;
    SCOPED_TRACE(bound);
    expectIterations(work, iterations, 2, 30);
  }
  const Work down = workOf("int s = 0; for (int i = n; i > n / 2; i -= 4) s += data[i]; *data = s;", 8000);
  EXPECT_TRUE(down.isBounded);
  expectIterations(down, 1000, 2, 30);
}

TEST(WorkEstimateTest, followsTheSizes) {
  expectIterations(workOf("int s = 0; for (int i = get_global_id(0); i < n; i += 10) s += data[i]; *data = s;", 100500),
                   10000);
  expectIterations(workOf("int s = 0; for (int i = 0; i < (int)get_global_id(0); i++) s += data[i]; *data = s;", 0),
                   500);
  expectIterations(workOf("int s = 0; for (size_t i = 0; i < get_global_size(0); i++) s += data[i]; *data = s;", 0),
                   1000);
}

// The condition gives the most iterations: a loop may end sooner.
TEST(WorkEstimateTest, anEarlyEndDoesNotCount) {
  const Work work = workOf("int i = 0; while (i < n && data[i] != 7) i++; *data = i;", 5000);
  EXPECT_TRUE(work.isBounded);
  expectIterations(work, 5000);
  const Work folded = workOf("int i = 0; float z = *data; while (i < n && z < 4) { z = z * z; i++; } *data = i;", 5000);
  EXPECT_TRUE(folded.isBounded);
  expectIterations(folded, 5000);
  // Both conditions must hold for an end: neither is a bound.
  EXPECT_FALSE(
      workOf("int i = 0; float z = *data; while (i < n || z < 4) { z = z * z; i++; } *data = i;", 5).isBounded);
}

TEST(WorkEstimateTest, someLoopsMayRunForAnyTime) {
  for (const char* body : {"while (data[n] != 7) data[n] = data[data[n]];",
                           "int s = 0; for (int i = data[0]; i < data[1]; i++) s += data[i]; *data = s;"}) {
    const Work work = workOf(body, 1);
    EXPECT_FALSE(work.isBounded) << body;
    EXPECT_GT(work.instructions, 0);
  }
  EXPECT_TRUE(workOf("uint x = data[0]; int s = 0; while (x) { s += x & 1; x >>= 1; } *data = s;", 1).isBounded);
}

// Programs as others may have written them: each is refused.
TEST(WorkEstimateTest, whatCannotBeComputedIsWrong) {
  using Kind = WorkStep::Kind;
  std::vector<KernelArg> args(2);
  args[0].kind = ArgKind::Buffer;
  args[1] = {.kind = ArgKind::Value, .size = 4};
  const auto wrong = [&](std::vector<WorkStep> steps) { return !wrongWith({.steps = std::move(steps)}, args).empty(); };
  EXPECT_FALSE(wrong({}));
  EXPECT_FALSE(
      wrong({{.kind = Kind::Argument, .which = 1}, {.kind = Kind::LocalSize, .which = 2}, {.kind = Kind::Add}}));
  EXPECT_TRUE(wrong({{.kind = Kind::Argument, .which = 0}})) << "a buffer";
  EXPECT_TRUE(wrong({{.kind = Kind::Argument, .which = 2}}));
  EXPECT_TRUE(wrong({{.kind = Kind::GlobalId, .which = 3}}));
  EXPECT_TRUE(wrong({{.kind = Kind::Add}}));
  EXPECT_TRUE(wrong({{}, {}}));
  EXPECT_TRUE(wrong({{}, {.kind = Kind::Add}}));
  EXPECT_TRUE(wrong({{.kind = Kind(200)}}));
  EXPECT_TRUE(wrong(std::vector<WorkStep>(WorkEstimate::mostSteps + 1)));
  std::vector<WorkStep> deep(WorkEstimate::deepest + 1);
  deep.insert(deep.end(), WorkEstimate::deepest, {.kind = Kind::Add});
  EXPECT_TRUE(wrong(deep));
  args[1].size = 16;
  EXPECT_TRUE(wrong({{.kind = Kind::Argument, .which = 1}})) << "a vector";
}

constexpr const char* matrixProduct =
    "kernel void k(global float* c, global const float* a, global const float* b, int n) {\n"
    "  int row = get_global_id(1), column = get_global_id(0);\n"
    "  float sum = 0;\n"
    "  for (int i = 0; i < n; i++) sum += a[row * n + i] * b[i * n + column];\n"
    "  c[row * n + column] = sum;\n"
    "}\n";
constexpr const char* reduction =
    "kernel void k(global float* in, global float* out, local float* t) {\n"
    "  int l = get_local_id(0);\n"
    "  t[l] = in[get_global_id(0)];\n"
    "  for (int s = get_local_size(0) / 2; s > 0; s /= 2) {\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (l < s) t[l] += t[l + s];\n"
    "  }\n"
    "  if (l == 0) out[get_group_id(0)] = t[0];\n"
    "}\n";

// One packet instead of a tile, and slices that full code can take over: tiles of its size.
TEST(QuickCode, isShorterAndOfTheSameKind) {
  for (const char* source : {matrixProduct, reduction}) {
    const Outcome outcome = builtHere(source);
    ASSERT_TRUE(outcome.compiled);
    Shape full, quick;
    if (!outcome.compiled->kernels[0].groupAgnostic) full.local = quick.local = {64, 1, 1};
    quick.quick = true;
    EXPECT_TRUE(hasQuickCode(*outcome.compiled));
    const NativeOutcome fullCode = generateNative(*outcome.compiled, "k", full, host(), nullptr);
    const NativeOutcome quickCode = generateNative(*outcome.compiled, "k", quick, host(), nullptr);
    ASSERT_TRUE(fullCode.kernel && quickCode.kernel) << fullCode.log << quickCode.log;
    EXPECT_EQ(quickCode.kernel->groupAgnostic, fullCode.kernel->groupAgnostic);
    EXPECT_EQ(quickCode.kernel->tile, fullCode.kernel->tile);
    EXPECT_EQ(quickCode.kernel->interleavedGroups, 1u);
    if (source == matrixProduct) EXPECT_LT(2 * quickCode.kernel->code.size(), fullCode.kernel->code.size());
  }
  EXPECT_FALSE(hasQuickCode(*builtHere(matrixProduct, "-cl-opt-disable").compiled));
  EXPECT_FALSE(hasQuickCode(*builtHere(matrixProduct, "-cl-clarity-packet-width=8").compiled));
}

// Code that no launch waits for ends when it is given up, without a word in the cache.
TEST(QuickCode, whatIsAheadOfItsTimeCanBeGivenUp) {
  const Outcome outcome = builtHere(std::string(matrixProduct) + "// given up");
  ASSERT_TRUE(outcome.compiled);
  cancelAhead(true);
  const CodeOutcome ahead = generate(*outcome.compiled, "k", Shape{}, host(), IfNotKept::GenerateAhead);
  const CodeOutcome wanted = generate(*outcome.compiled, "k", Shape{}, host(), IfNotKept::Generate);
  cancelAhead(false);
  EXPECT_FALSE(ahead.code);
  EXPECT_NE(ahead.status, Status::Ok);
  EXPECT_TRUE(wanted.code);
}

}  // namespace
}  // namespace clarity::compiler
