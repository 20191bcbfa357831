// SPDX-License-Identifier: Apache-2.0
// This file tests that no program makes a compile explode: what is given up for the budget and how that is said, and
// programs of kinds that once took minutes. They are small enough to be quick now, and were not when something was
// quadratic.
#include "compiler/driver/compiler.h"
#include "compiler/driver/generate_native.h"
#include "compiler/driver/inspect.h"
#include "compiler_host.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace clarity::compiler {
namespace {

std::string repeat(int times, const std::function<std::string(int)>& line) {
  std::string text;
  for (int i = 0; i < times; ++i) text += line(i);
  return text;
}

/// Loads, a loop and a branch, `lines` times.
std::string busyKernel(int lines) {
  return "kernel void busy(global float* a, global const float* b, int n) {\n size_t i = get_global_id(0); float v = "
         "a[i];\n" +
         repeat(lines,
                [](int line) { return fmt::format(" if (v > {0}) v += b[i * 3 + {0}]; v = v * v + {0};\n", line); }) +
         " a[i] = v;\n}\n";
}

struct CompileBudget : testing::Test {
  Outcome built(const std::string& source, std::string_view options = "") {
    Outcome outcome = build(source, options, host());
    EXPECT_EQ(outcome.status, Status::Ok) << outcome.log.substr(0, 2000);
    return outcome;
  }
  /// The code of the program's first kernel.
  std::string codeOf(const Outcome& outcome, NativeForm form = NativeForm::IR, const Shape& shape = {}) {
    std::string log;
    const KernelInfo& kernel = outcome.compiled->kernels[0];
    std::string text = generateText(*outcome.compiled, kernel.name, shape, host(), form, log);
    EXPECT_FALSE(text.empty()) << log;
    return text;
  }
  /// Builds a program, and native code of its first kernel. Code that explodes again runs into the limit of time of the
  /// test.
  void expectQuick(const std::string& source, const Shape& shape = {}) {
    const Outcome outcome = built(source);
    ASSERT_TRUE(outcome.compiled);
    codeOf(outcome, NativeForm::Object, shape);
  }
};

TEST_F(CompileBudget, nothingIsSaidOfWhatFits) {
  const Outcome outcome = built(busyKernel(5));
  EXPECT_EQ(outcome.log, "");
  EXPECT_NE(codeOf(outcome).find(" x float>"), std::string::npos);
}

TEST_F(CompileBudget, smallerTilesFirst) {
  const std::string source =
      "kernel void sums(global float* a, global const float* b, int n) {\n size_t i = get_global_id(0); float v = 0;\n"
      " for (int k = 0; k < n; ++k) {\n" +
      repeat(20, [](int line) { return fmt::format("  v += b[i + k * {}] * b[k + {}];\n", line + 1, line); }) +
      " }\n a[i] = v;\n}\n";
  const Outcome outcome =
      built(source, "-cl-clarity-packet-width=4 -cl-clarity-tile=1x8 -cl-clarity-compile-budget=100000");
  EXPECT_EQ(outcome.log, "") << "what the options fix is left as it is, and fits";
  // One less than the tile that would be chosen takes. A budget far below that only says roughly what it is.
  const std::string sentence = "kernel 'sums' is large: in packets it would be ";
  std::string log = built(source, "-cl-clarity-compile-budget=200").log;
  EXPECT_TRUE(log.starts_with(sentence + "about ")) << log;
  for (int tried = 400; tried < 20000 && log.starts_with(sentence + "about "); tried += tried / 10)
    log = built(source, fmt::format("-cl-clarity-compile-budget={}", tried)).log;
  ASSERT_TRUE(log.starts_with(sentence)) << log;
  const std::string budget = std::to_string(std::stoul(log.substr(sentence.size())) - 1);
  const Outcome tight = built(source, "-cl-clarity-compile-budget=" + budget);
  EXPECT_TRUE(tight.log.starts_with(sentence)) << tight.log;
  EXPECT_NE(tight.log.find(" instructions, of which " + budget + " are allowed; it is "), std::string::npos)
      << tight.log;
  EXPECT_NE(codeOf(tight).find(" x float>"), std::string::npos);
}

/// Twice the budget for one packet, where otherwise one work-item at a time would be left.
TEST_F(CompileBudget, packetsBeforeOneWorkItemAtATime) {
  const std::string source =
      "kernel void rows(global float4* a, global const float4* b, int n, int m) {\n int i = get_global_id(0), j = i / "
      "m, "
      "k = i - j * m; float4 v = b[j];\n" +
      repeat(60,
             [](int line) {
               return fmt::format(
                   " {{ float4 w = b[(j + {0}) * n + k]; int4 less = w < v; v += less ? w : v * 0.5f;\n"
                   "  if (k > {0}) {{ a[i * {1}].x = v.y; a[i * {1}].y = v.x; }} }}\n",
                   line, line + 1);
             }) +
      " a[i] = v;\n}\n";
  const Outcome outcome = built(source);
  EXPECT_TRUE(outcome.log.starts_with("kernel 'rows' is large: in packets it would be ")) << outcome.log;
  EXPECT_NE(outcome.log.find(" in packets"), std::string::npos) << outcome.log;
  EXPECT_EQ(outcome.log.find("so it runs one work-item at a time"), std::string::npos) << outcome.log;
  EXPECT_NE(codeOf(outcome).find(" x float>"), std::string::npos);
}

TEST_F(CompileBudget, oneWorkItemAtATimeLast) {
  const Outcome outcome = built(busyKernel(20), "-cl-clarity-compile-budget=200");
  EXPECT_NE(outcome.log.find("kernel 'busy' is large: "), std::string::npos) << outcome.log;
  EXPECT_NE(outcome.log.find("so it runs one work-item at a time\n"), std::string::npos) << outcome.log;
  EXPECT_EQ(codeOf(outcome).find(" x float>"), std::string::npos);
  const NativeOutcome native = generateNative(*outcome.compiled, "busy", Shape{}, host(), nullptr);
  ASSERT_EQ(native.status, Status::Ok);
  EXPECT_NE(outcome.log.find(native.kernel->remarks), std::string::npos) << native.kernel->remarks;
}

TEST_F(CompileBudget, theReportSaysIt) {
  const std::string log = built(busyKernel(20), "-cl-clarity-compile-budget=200 -cl-clarity-report").log;
  const std::size_t first = log.find("so it runs one work-item at a time\n");
  ASSERT_NE(first, std::string::npos) << log;
  EXPECT_NE(log.find("so it runs one work-item at a time\n", first + 1), std::string::npos)
      << "in the build log, and in the report\n"
      << log;
}

/// The instructions of LLVM IR: lines that begin with two blanks, a result or an operation.
std::size_t instructionsOf(const std::string& text) {
  std::size_t count = 0;
  for (std::size_t at = text.find("\n  "); at != std::string::npos; at = text.find("\n  ", at + 1)) ++count;
  return count;
}

// However small the budget: code, of the scalar form when nothing else fits, and a sentence that says so. However
// large: packets, and no sentence. The code of the small budget is the smaller one.
TEST_F(CompileBudget, anyBudgetGivesCode) {
  const std::string large = codeOf(built(busyKernel(30), "-cl-clarity-compile-budget=1000000"));
  EXPECT_NE(large.find(" x float>"), std::string::npos);
  for (const int budget : {1, 10, 100}) {
    SCOPED_TRACE(budget);
    const Outcome outcome = built(busyKernel(30), fmt::format("-cl-clarity-compile-budget={}", budget));
    EXPECT_NE(outcome.log.find(fmt::format("of which {} are allowed", budget)), std::string::npos) << outcome.log;
    EXPECT_NE(outcome.log.find("so it runs one work-item at a time\n"), std::string::npos) << outcome.log;
    const std::string code = codeOf(outcome);
    EXPECT_EQ(code.find(" x float>"), std::string::npos);
    EXPECT_LT(instructionsOf(code), instructionsOf(large));
    EXPECT_TRUE(codeOf(outcome, NativeForm::Object).starts_with("\177ELF"));
  }
}

/// A private structure of more than a kilobyte, whose fields of different sizes are accessed lane by lane under masks,
/// and that is kept across a barrier.
std::string structureKernel(int lines) {
  return "struct S { uint a[200]; uchar b[100]; ulong c[60]; };\n"
         "kernel void fields(global uint* out, int n) {\n struct S s; struct S* p = &s; uint i = get_global_id(0);\n"
         " for (int k = 0; k < 200; ++k) p->a[k] = i * k;\n for (int k = 0; k < 100; ++k) p->b[k] = i + k;\n"
         " for (int k = 0; k < 60; ++k) p->c[k] = i - k;\n barrier(CLK_LOCAL_MEM_FENCE);\n" +
         repeat(lines,
                [](int line) {
                  return fmt::format(
                      " if (p->c[{0} % 60] > {0}) p->a[(i + {0}) % 200] ^= p->b[p->a[{0} % 200] % 100] + {0};\n", line);
                }) +
         " out[i] = p->a[i % 200] + p->b[n] + (uint)p->c[n];\n}\n";
}

// The limit follows the size of a work-item's code, as LLVM's time for the scalar form does. It is on machine
// instructions; of IR, in which a vector of several registers is one value, there are fewer.
TEST_F(CompileBudget, packetsGrowWithTheWorkItem) {
  for (const int lines : {60, 150}) {
    SCOPED_TRACE(lines);
    const std::size_t scalar = instructionsOf(codeOf(built(structureKernel(lines), "-cl-clarity-packet-width=1")));
    const std::size_t packets = instructionsOf(codeOf(built(structureKernel(lines))));
    EXPECT_LE(packets, 5 * scalar);
  }
}

// Code that is too large is given up while it grows: its size was never known exactly.
TEST_F(CompileBudget, growthStopsAsItHappens) {
  const std::string log = built(structureKernel(200), "-cl-clarity-compile-budget=8000").log;
  EXPECT_NE(log.find("in packets it would be about "), std::string::npos) << log;
  EXPECT_NE(log.find("so it runs one work-item at a time\n"), std::string::npos) << log;
}

TEST_F(CompileBudget, branchesOneAfterTheOther) {
  expectQuick("kernel void k(global int* a) { int i = get_global_id(0), v = a[i];\n" +
              repeat(1500, [](int n) { return fmt::format("if (v > {0}) {{ v += a[{0} + i]; a[i] = v; }}\n", n); }) +
              "a[i] = v; }");
}

TEST_F(CompileBudget, branchesInsideEachOther) {
  expectQuick("kernel void k(global int* a) { int i = get_global_id(0), v = a[i];\n" +
              repeat(400, [](int n) { return fmt::format("if (v > {0}) {{ v += a[{0}]; a[i] = v;\n", n); }) +
              repeat(400, [](int) { return "} else { v ^= 3; }\n"; }) + "a[i] = v; }");
}

TEST_F(CompileBudget, longChainsOfElse) {
  expectQuick("kernel void k(global int* a, int n) { int i = get_global_id(0), v = a[i];\n" +
              repeat(1000, [](int n) { return fmt::format("if (v * {0} > n + {0}) v += a[{0} + i]; else\n", n + 3); }) +
              "v = 0; a[i] = v; }");
}

TEST_F(CompileBudget, manyReturns) {
  expectQuick("kernel void k(global int* a, int n) { int i = get_global_id(0), v = a[i];\n" +
              repeat(500,
                     [](int n) {
                       return fmt::format(
                           "if (v == {0} + n) {{ a[i] = {0}; return; }} v = v * 3 + {0}; a[i + {0}] = v;\n", n);
                     }) +
              "}");
}

TEST_F(CompileBudget, interpreters) {
  expectQuick(
      "kernel void k(global int* a, global const int* code, int n) { int i = get_global_id(0), r = a[i], pc = 0;\n"
      " while (pc < n) switch (code[pc + i]) {\n" +
      repeat(300,
             [](int n) {
               return fmt::format("  case {0}: r = r * {1} + a[(r + {0}) & 1023]; pc += {2}; break;\n", n, n + 1,
                                  n % 3 + 1);
             }) +
      "  default: pc = n; }\n a[i] = r; }");
}

TEST_F(CompileBudget, straightLines) {
  expectQuick(
      "kernel void k(global float* a, global const float* b) { int i = get_global_id(0); float v = a[i], w = b[i];\n" +
      repeat(3000,
             [](int n) {
               return n % 5 ? fmt::format("v = v * w + {}; w = v - w;\n", n) : fmt::format("w += b[i * 3 + {}];\n", n);
             }) +
      "a[i] = v; }");
}

/// Uniform branches with two barriers each.
std::string barrierKernel(int branches) {
  return "kernel void k(global int* a, int n) { local int t[256]; int l = get_local_id(0), i = get_global_id(0), v = "
         "a[i];\n" +
         repeat(branches,
                [](int n) {
                  return fmt::format(
                      "if (n > {0}) {{ t[l] = v; barrier(1); v += t[(l + {0}) & 255]; barrier(1); }} else v += {0};\n",
                      n);
                }) +
         "a[i] = v; }";
}

// Each region between two barriers is a nest of loops over work-items. Those of a launch have a known size; those of
// any size have a loop for each dimension, and rest packets.
TEST_F(CompileBudget, manyBarriers) {
  expectQuick(barrierKernel(150), Shape{.local = {256, 1, 1}});
  expectQuick(barrierKernel(25));
}

/// f0 is called 2^depth times.
std::string treeOfCalls(const std::string& leaf, int depth, const std::string& marked = "") {
  return leaf +
         repeat(depth,
                [&](int n) {
                  return fmt::format(
                      "{2} float f{1}(float x, local float* t) {{ float y = f{0}(x + {1}, t); return f{0}(y, t) * y + "
                      "{0}; "
                      "}}\n",
                      n, n + 1, marked);
                }) +
         fmt::format(
             "kernel void k(global float* a) {{ local float t[256]; int i = get_global_id(0); a[i] = f{}(a[i], t); "
             "}}\n",
             depth);
}

TEST_F(CompileBudget, treesOfCallsThatAskForIds) {
  expectQuick(
      treeOfCalls("float f0(float x, local float* t) { return x + get_global_id(0) + t[get_local_id(0)]; }\n", 16));
}

TEST_F(CompileBudget, treesOfCallsThatAreAlwaysInline) {
  const std::string marked = "static inline __attribute__((always_inline))";
  for (const char* value : {"x", "x + get_global_id(0)", "x + t[get_local_id(0)]"}) {
    const std::string leaf = marked + fmt::format(" float f0(float x, local float* t) {{ return {}; }}\n", value);
    expectQuick(treeOfCalls(leaf, 24, marked));
  }
  // The mark may be a call's alone.
  expectQuick("float f0(float x) { return x + 1; }\n" +
              repeat(24,
                     [](int n) {
                       return fmt::format(
                           "float f{1}(float x) {{ float y; [[clang::always_inline]] y = f{0}(x) + f{0}(x + {1}); "
                           "return y; }}\n",
                           n, n + 1);
                     }) +
              "kernel void k(global float* a) { a[0] = f24(a[0]); }");
}

TEST_F(CompileBudget, treesOfCallsThatWaitAreRefused) {
  const std::string leaf =
      "float f0(float x, local float* t) { t[get_local_id(0)] = x; barrier(1); x = t[get_local_id(0) ^ 1]; barrier(1); "
      "return x; }\n";
  expectQuick(treeOfCalls(leaf, 4));
  const Outcome outcome = build(treeOfCalls(leaf, 20), "", host());
  EXPECT_EQ(outcome.status, Status::LinkFailure);
  EXPECT_NE(outcome.log.find("error: kernel 'k' is too large: "), std::string::npos) << outcome.log;
}

// However deep: an error that says so, or code; never the end of the process.
TEST_F(CompileBudget, deepNesting) {
  if (threadSanitized) GTEST_SKIP() << "the sanitizer ends the process by itself";
  const std::string begin = "kernel void k(global int* a) { int v = a[0];\n", end = "a[0] = v; }";
  const Outcome braces = build(
      begin + repeat(100'000, [](int) { return "if (v > 1) {\n"; }) + std::string(100'000, '}') + end, "", host());
  EXPECT_EQ(braces.status, Status::CompileFailure);
  EXPECT_NE(braces.log.find("bracket nesting level exceeded maximum"), std::string::npos) << braces.log.substr(0, 500);
  // clang looks names up through every scope around and walks to the end of every statement (Stmt::getEndLoc): nests
  // without braces take it time that grows with their square.
  for (const char* line : {"if (v > 1)\n", "if (v > 1) v = 1; else\n", "while (v > 1)\n"}) {
    const Outcome outcome = build(begin + repeat(1000, [&](int) { return line; }) + "v = 2; " + end, "", host());
    EXPECT_TRUE(outcome.status == Status::Ok || outcome.status == Status::CompileFailure) << line;
  }
}

}  // namespace
}  // namespace clarity::compiler
