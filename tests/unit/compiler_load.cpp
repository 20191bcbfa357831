// SPDX-License-Identifier: Apache-2.0
// This file tests that the code of a program binary is verified and compared with what the binary says of it.
#include "compiler/driver/load.h"
#include "compiler_host.h"

#include "compiler/driver/compiler.h"
#include "compiler/host/target.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace clarity::compiler {
namespace {

CompiledProgram built(const char* source) {
  const Outcome outcome = build(source, "-cl-std=CL3.0", host());
  EXPECT_EQ(outcome.status, Status::Ok) << outcome.log;
  return *outcome.compiled;
}

constexpr const char* loadedSource = R"(
  global int counter[4] = {1, 2, 3, 4};
  kernel void k(global int* a, local int* l, int n, float4 f) {
    l[get_local_id(0)] = n;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] = l[0] + counter[n & 3] + (int)f.x;
    if (n == 12345) printf("%d\n", n);
  })";

std::string whyOf(const CompiledProgram& compiled) {
  const std::string bytes = serialise(compiled, host());
  std::string why;
  const auto loaded = load(std::as_bytes(std::span(bytes)), host(), why);
  EXPECT_EQ(loaded == nullptr, !why.empty());
  return why;
}

TEST(LoadBinary, takesWhatTheCompilerMade) { EXPECT_EQ(whyOf(built(loadedSource)), ""); }

TEST(LoadBinary, takesStructures) {
  constexpr const char* source = R"(
    typedef struct { float a; int b[3]; } S;
    typedef union { float2 v; struct { float a, b; }; } U;
    kernel void k(global float* r, S s, U u, char c) { *r = s.a + s.b[c] + u.a; })";
  EXPECT_EQ(whyOf(built(source)), "");
  CompiledProgram compiled = built(source);
  compiled.bitcode = built(R"(
    typedef struct { float a; int b[2]; } S;
    typedef union { float2 v; struct { float a, b; }; } U;
    kernel void k(global float* r, S s, U u, char c) { *r = s.a + s.b[c] + u.a; })")
                         .bitcode;
  EXPECT_TRUE(whyOf(compiled).contains("argument 1: size is 16, the code takes 12 bytes")) << whyOf(compiled);
  compiled = built(source);
  compiled.kernels[0].args[1].kind = ArgKind::Buffer;
  EXPECT_TRUE(whyOf(compiled).contains("argument 1: ")) << whyOf(compiled);
}

TEST(LoadBinary, refusesWhatTheCodeDoesNotDo) {
  struct Mistake {
    const char* part;
    std::function<void(CompiledProgram&)> make;
  };
  const auto kernel = [](CompiledProgram& compiled) -> KernelInfo& { return compiled.kernels[0]; };
  const Mistake mistakes[] = {
      {"its code cannot be read", [](CompiledProgram& i) { i.bitcode.resize(i.bitcode.size() / 2); }},
      {"its code cannot be read", [](CompiledProgram& i) { i.bitcode.clear(); }},
      {"kernel 'k' is not in the code",
       [](CompiledProgram& i) { i.bitcode = built("kernel void other() {}").bitcode; }},
      {"4 arguments are described, its function has 0",
       [](CompiledProgram& i) { i.bitcode = built("kernel void k() {}").bitcode; }},
      {"argument 2: size is 4, the code takes 8 bytes",
       [](CompiledProgram& i) {
         i.bitcode = built("kernel void k(global int* a, local int* l, long n, float4 f) { *a = n; }").bitcode;
       }},
      {"argument 1: kind is that of local memory",
       [](CompiledProgram& i) {
         i.bitcode = built("kernel void k(global int* a, global int* l, int n, float4 f) { *a = n; }").bitcode;
       }},
      {"hasBarrier is no", [&](CompiledProgram& i) { kernel(i).hasBarrier = false; }},
      {"usesPrintf is no", [&](CompiledProgram& i) { kernel(i).usesPrintf = false; }},
      {"subGroupSize is 64", [&](CompiledProgram& i) { kernel(i).subGroupSize = 64; }},
      {"is not described", [](CompiledProgram& i) { i.scope.variables.variables.clear(); }},
      {"its options", [](CompiledProgram& i) { i.options = "-no-such-option"; }},
  };
  for (const Mistake& mistake : mistakes) {
    CompiledProgram compiled = built(loadedSource);
    mistake.make(compiled);
    const std::string why = whyOf(compiled);
    EXPECT_TRUE(why.starts_with("the binary is damaged: ")) << why;
    EXPECT_TRUE(why.contains(mistake.part)) << mistake.part << " is not said in: " << why;
  }
}

}  // namespace
}  // namespace clarity::compiler
