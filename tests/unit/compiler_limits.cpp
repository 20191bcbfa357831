// SPDX-License-Identifier: Apache-2.0
// This file tests the limits of a compile: what takes too long, too much memory or too much room ends with an error in
// the build log, and the next compile is as any other.
#include "compiler/guard/limits.h"
#include "compiler_host.h"

#include "compiler/driver/compiler.h"
#include "compiler/guard/context.h"
#include "compiler/guard/worker.h"
#include "compiler/host/emit.h"
#include "compiler/host/machine.h"
#include "compiler/host/target.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <llvm/IR/BasicBlock.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/Path.h>
#include <llvm/Target/TargetMachine.h>

#include <chrono>
#include <fstream>
#include <string>
#include <thread>

namespace clarity::compiler {
namespace {

constexpr std::chrono::milliseconds shortTime{100};

/// A kernel that is ten times as long with each level of its macros: 10 to the power of `levels` statements.
std::string macros(int levels) {
  std::string text = "#define M0 a[0] += a[1];\n";
  for (int i = 1; i <= levels; ++i) {
    text += fmt::format("#define M{}", i);
    for (int times = 0; times < 10; ++times) text += fmt::format(" M{}", i - 1);
    text += '\n';
  }
  return text + fmt::format("kernel void k(global int* a) {{ M{} }}\n", levels);
}

/// Two instantiations for each: 2 to the power of `depth`.
std::string templates(int depth) {
  return fmt::format(
      "template <int D, long N> struct T {{ enum : long {{ value = T<D - 1, 2 * N>::value ^ T<D - 1, 2 * N + 1>::value "
      "}}; }};\n"
      "template <long N> struct T<0, N> {{ enum : long {{ value = N }}; }};\n"
      "kernel void k(global long* a) {{ a[0] = T<{}, 0>::value; }}\n",
      depth);
}

std::uint64_t residentMegabytes() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t all = 0, resident = 0;
  file >> all >> resident;
  return resident * 4096 >> 20;
}

/// In the compiler's code for ever, but for the calls of std::function.
void endlessly() {
  volatile bool goesOn = true;
  while (goesOn) static_cast<void>(llvm::sys::path::is_absolute("/a/b/c/d/e/f/g"));
}

struct CompileLimit : testing::Test {
  void TearDown() override { configureLimits({}); }
  void expectGivenUp(const std::string& source, std::string_view options, const char* part) {
    const Outcome outcome = build(source, options, host());
    EXPECT_EQ(outcome.status, Status::CompileFailure);
    EXPECT_TRUE(outcome.log.contains("error: the compile was given up")) << outcome.log.substr(0, 1000);
    EXPECT_TRUE(outcome.log.contains(part)) << outcome.log.substr(0, 1000);
    configureLimits({});  // on a busy machine any compile may take as long
    const Outcome next = build("kernel void after(global int* a) { a[0] = 1; }", "", host());
    EXPECT_EQ(next.status, Status::Ok) << next.log;
  }
};

TEST_F(CompileLimit, timeOfMacros) {
  configureLimits({.memoryBytes = 0, .time = shortTime});
  expectGivenUp(macros(9), "", "after 0.1 seconds (CLARITY_COMPILE_SECONDS)");
}

TEST_F(CompileLimit, memoryOfMacros) {
  configureLimits({.memoryBytes = 64 << 20, .time = {}});
  expectGivenUp(macros(9), "", "CLARITY_COMPILE_MEMORY_MB is 64");
}

TEST_F(CompileLimit, timeOfTemplates) {
  configureLimits({.memoryBytes = 0, .time = shortTime});
  expectGivenUp(templates(40), "-cl-std=CLC++2021", "CLARITY_COMPILE_SECONDS");
}

// Code that was given up does not stay in memory.
TEST_F(CompileLimit, memoryIsGivenBack) {
#if defined(__has_feature) && __has_feature(address_sanitizer)
  GTEST_SKIP() << "the sanitizer keeps what is freed for a while";
#endif
  configureLimits({.memoryBytes = 64 << 20, .time = {}});
  (void)build(macros(9), "", host());
  const std::uint64_t before = residentMegabytes();
  for (int i = 0; i < 3; ++i) (void)build(macros(9) + fmt::format("// {}\n", i), "", host());
  EXPECT_LT(residentMegabytes(), before + 2 * 64);
}

void waitForTheLimit() { std::this_thread::sleep_for(shortTime + shortTime / 10); }

TEST_F(CompileLimit, passesAreAskedToo) {
  {
    configureLimits({.memoryBytes = 0, .time = std::chrono::hours(1)});
    const LimitedCompile compile;
    EXPECT_NO_THROW(for (int i = 0; i < 100; ++i) checkLimits());
  }
  configureLimits({.memoryBytes = 0, .time = shortTime});
  const LimitedCompile compile;
  waitForTheLimit();
  EXPECT_THROW(for (int i = 0; i < 100; ++i) checkLimits(), LimitExceeded);
}

TEST_F(CompileLimit, passesThatRemarkAreAskedMeanwhile) {
  configureLimits({.memoryBytes = 0, .time = shortTime});
  const CollectingContext context;
  const llvm::DiagnosticHandler& handler = *context.getDiagHandlerPtr();
  EXPECT_FALSE(handler.isAnyRemarkEnabled());
  EXPECT_FALSE(handler.isAnyRemarkEnabled("gvn"));
  const LimitedCompile compile;
  waitForTheLimit();
  EXPECT_THROW(for (int i = 0; i < 100; ++i) handler.isAnyRemarkEnabled(), LimitExceeded);
  waitForTheLimit();  // the time is looked at now and then
  EXPECT_THROW(for (int i = 0; i < 100; ++i) handler.isAnyRemarkEnabled("gvn"), LimitExceeded);
}

TEST_F(CompileLimit, theCodeGeneratorIsAskedBetweenItsPasses) {
  configureLimits({.memoryBytes = 0, .time = shortTime});
  CollectingContext context;
  llvm::Module module("module", context);
  auto* function = llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(context), false),
                                          llvm::GlobalValue::ExternalLinkage, "f", module);
  llvm::ReturnInst::Create(context, llvm::BasicBlock::Create(context, "entry", function));
  const Machine machine = machineFor(host(), true);
  module.setDataLayout(machine->createDataLayout());
  module.setTargetTriple(machine->getTargetTriple());
  const LimitedCompile compile;
  waitForTheLimit();
  std::uint64_t frameBytes = 0;
  std::string error;
  EXPECT_THROW((void)emit(module, *machine, {.kind = EmitKind::Assembly}, frameBytes, error), LimitExceeded);
}

/// Structures of two structures each: 2 to the power of `depth` members, which initialisers and copies visit.
std::string structures(int depth) {
  std::string text = "struct S0 { char a; short b; int c; };\n";
  for (int i = 1; i <= depth; ++i) text += fmt::format("struct S{} {{ struct S{} a, b; }};\n", i, i - 1);
  return text + fmt::format("constant struct S{} all = {{}};\nkernel void k(global struct S{}* a) {{ *a = all; }}\n",
                            depth, depth);
}

// The limit holds in phases of clang where nothing asks: whoever waits for the compile ends it.
TEST_F(CompileLimit, phasesThatAskNothing) {
  configureLimits({.memoryBytes = std::uint64_t{4} << 30, .time = shortTime});
  expectGivenUp(structures(28), "", "(CLARITY_COMPILE_");
}

// A compile that has stopped asking ends all the same, and its thread's place is taken by another.
TEST_F(CompileLimit, workThatNeverAsks) {
  configureLimits({.memoryBytes = 0, .time = shortTime});
  std::string log;
  const Status status = runGuarded(endlessly, log);
  EXPECT_EQ(status, Status::CompileFailure);
  EXPECT_EQ(log, "error: the compile was given up after 0.1 seconds (CLARITY_COMPILE_SECONDS)\n");
  configureLimits({});
  const Outcome next = build("kernel void after(global int* a) { a[0] = 1; }", "", host());
  EXPECT_EQ(next.status, Status::Ok) << next.log;
}

// Behind such a line the numbers of lines wrap.
TEST_F(CompileLimit, lineNumbersThatWrap) {
  configureLimits({.memoryBytes = std::uint64_t{1} << 30, .time = std::chrono::minutes(1)});
  for (const char* line : {"#line 4294967294", "# 4294967295 \"x.cl\"", "#line 4294967290"}) {
    const Outcome outcome = build(std::string(line) + "\nkernel void k() {\n  int x = ;\n\n\n  y\n}\n", "", host());
    EXPECT_EQ(outcome.status, Status::CompileFailure);
    EXPECT_TRUE(outcome.log.contains("expected expression")) << outcome.log.substr(0, 1000);
    EXPECT_LT(outcome.log.size(), 10'000u);
  }
}

// Pragmas that ask clang to fail mean nothing here.
TEST_F(CompileLimit, pragmasForDebuggingClang) {
  for (const char* what : {"overflow_stack", "crash", "llvm_fatal_error", "llvm_unreachable", "parser_crash"})
    EXPECT_EQ(build(fmt::format("#pragma clang __debug {}\nkernel void k() {{}}\n", what), "", host()).status,
              Status::Ok)
        << what;
}

TEST_F(CompileLimit, ordinaryProgramsStayWithinThem) {
  configureLimits({.memoryBytes = std::uint64_t{4} << 30, .time = std::chrono::minutes(5)});
  const Outcome outcome = build("kernel void k(global float* a) { a[get_global_id(0)] = sin(a[0]); }", "", host());
  EXPECT_EQ(outcome.status, Status::Ok) << outcome.log;
}

TEST(ProgramSize, constantsThatNoCodeCanHold) {
  const Outcome one = build(
      "constant char big[2147483648u] = {1};\n"
      "kernel void k(global char* a, uint i) { a[0] = big[i]; }\n",
      "", host());
  EXPECT_EQ(one.status, Status::CompileFailure);
  for (const char* part : {"constant 'big' has 2147483648 bytes", "268435456"})
    EXPECT_TRUE(one.log.contains(part)) << part << " in: " << one.log;
  const Outcome several = build(
      "constant char a[200 << 20] = {1}; constant char b[100 << 20] = {1};\n"
      "kernel void k(global char* o, uint i) { o[0] = a[i] + b[i]; }\n",
      "", host());
  EXPECT_EQ(several.status, Status::CompileFailure);
  EXPECT_TRUE(several.log.contains("may have 268435456 bytes")) << several.log;
  const Outcome object = compile("constant char big[2147483648u] = {1};\n", {}, "", host());
  EXPECT_EQ(object.status, Status::CompileFailure);
}

// Code that the source writes out is compiled: no limit on inlining applies.
TEST(ProgramSize, aHundredThousandStatements) {
  std::string source = "kernel void k(global int* a) {\n";
  for (int i = 0; i < 100'000; ++i) source += "a[0] += 1;\n";
  const Outcome outcome = build(source + "}\n", "", host());
  ASSERT_EQ(outcome.status, Status::Ok) << outcome.log.substr(0, 1000);
  const CodeOutcome code = generate(*outcome.compiled, "k", Shape{}, host());
  EXPECT_EQ(code.status, Status::Ok) << code.log;
}

}  // namespace
}  // namespace clarity::compiler
