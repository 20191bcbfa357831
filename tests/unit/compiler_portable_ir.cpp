// SPDX-License-Identifier: Apache-2.0
// This file tests programs that are given as portable IR: the same code as from their source, and sentences for what is
// no such IR.
#include "compiler/driver/compiler.h"
#include "compiler/driver/generate_native.h"
#include "compiler/driver/inspect.h"
#include "compiler_host.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace clarity::compiler {
namespace {

using Kind = Source::Kind;

constexpr const char* kSource =
    "constant int table[4] = {1, 2, 3, 4};\n"
    "int twice(int x) { return 2 * x; }\n"
    "kernel void scale(global const int* in, global int* out, int n) {\n"
    "  size_t i = get_global_id(0);\n"
    "  if (i < n) out[i] = twice(in[i]) + table[i & 3];\n"
    "}\n"
    "kernel __attribute__((reqd_work_group_size(8, 1, 1))) void turn(global float4* v, local float4* t) {\n"
    "  size_t l = get_local_id(0);\n"
    "  t[l] = v[get_global_id(0)];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  v[get_global_id(0)] = sqrt(t[7 - l]);\n"
    "}\n";

Outcome good(const Outcome& outcome) {
  EXPECT_EQ(outcome.status, Status::Ok) << outcome.log;
  return outcome;
}

std::string bitcodeOf(std::string_view source, std::string_view options = "") {
  const Outcome outcome = good(compile(source, {}, options, host()));
  return outcome.compiled ? outcome.compiled->bitcode : std::string();
}

std::string textOf(std::string_view source, std::string_view options = "") {
  const Outcome outcome = good(compile(source, {}, options, host()));
  std::string log;
  return outcome.compiled ? kernelIRText(*outcome.compiled, log) : std::string();
}

std::string assemblyOf(const CompiledProgram& compiled, const char* kernel) {
  std::string log;
  Shape shape;
  shape.local = {8, 1, 1};
  std::string text = generateText(compiled, kernel, shape, host(), NativeForm::Assembly, log);
  EXPECT_FALSE(text.empty()) << log;
  return text;
}

TEST(PortableIR, isKnownByItsBytesOrItsName) {
  EXPECT_EQ(kindOfSource(bitcodeOf(kSource)), Kind::PortableIR);
  EXPECT_EQ(kindOfSource(textOf(kSource)), Kind::PortableIR);
  EXPECT_EQ(kindOfSource(kSource), Kind::OpenCLC);
  EXPECT_EQ(kindOfSource(kSource, "a.ll"), Kind::PortableIR);
  EXPECT_EQ(kindOfSource(kSource, "a.bc"), Kind::PortableIR);
  EXPECT_EQ(kindOfSource(kSource, "a.clcpp"), Kind::CxxForOpenCL);
  EXPECT_EQ(kindOfSource(kSource, "a.cl"), Kind::OpenCLC);
  EXPECT_EQ(kindOfSource(""), Kind::OpenCLC);
  EXPECT_EQ(kindOfSource("B"), Kind::OpenCLC);
}

TEST(PortableIR, givesTheCodeOfItsSource) {
  for (const char* options : {"", "-cl-std=CL2.0", "-cl-std=CLC++"}) {
    const Outcome direct = good(build(kSource, options, host()));
    const std::string bitcode = bitcodeOf(kSource, options), text = textOf(kSource, options);
    for (const std::string_view bytes : {std::string_view(bitcode), std::string_view(text)}) {
      const Outcome again = good(build({Kind::PortableIR, bytes}, "", host()));
      ASSERT_TRUE(direct.compiled && again.compiled);
      for (std::size_t i = 0; i < 2; ++i)
        EXPECT_EQ(support::textOf(again.compiled->kernels.at(i)), support::textOf(direct.compiled->kernels.at(i)))
            << options;
      for (const char* kernel : {"scale", "turn"})
        EXPECT_EQ(assemblyOf(*again.compiled, kernel), assemblyOf(*direct.compiled, kernel)) << options;
    }
  }
}

TEST(PortableIR, runs) {
  const Outcome outcome = good(build({Kind::PortableIR, textOf(kSource)}, "", host()));
  ASSERT_TRUE(outcome.compiled);
  const NativeOutcome native = generateNative(*outcome.compiled, "scale", Shape{}, host(), nullptr);
  ASSERT_TRUE(native.kernel) << native.log;
  ASSERT_TRUE(native.kernel->groupAgnostic);
  std::vector<int> in(100), out(100, -1);
  for (int i = 0; i < 100; ++i) in[static_cast<std::size_t>(i)] = i * i;
  struct {
    const int* in;
    int* out;
    int n;
  } args{in.data(), out.data(), 90};
  const LaunchInfo launch{{0, 0, 0}, {100, 1, 1}, {1, 1, 1}, {100, 1, 1}, 1, nullptr, nullptr};
  const Slice slice{{0, 0, 0}, {100, 1, 1}};
  const WorkerMemory memory{};
  native.kernel->entry(reinterpret_cast<const std::byte*>(&args), &launch, &slice, &memory);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(out[static_cast<std::size_t>(i)], i < 90 ? 2 * i * i + i % 4 + 1 : -1) << i;
}

/// Metadata that clang did not make.
TEST(PortableIR, numbersAloneAreConstantsOfCode) {
  constexpr char attribute[] = "__attribute__((annotate(\"clarity_constant\")))";
  std::string ir =
      textOf(std::string("kernel void k(int16 v, ") + attribute + " int n, global int* o) { o[0] = v.s7 + n; }");
  const std::size_t at = ir.find("!{i64 0, i64 1, i64 0}");
  ASSERT_NE(at, std::string::npos) << ir;
  ir.replace(at, sizeof "!{i64 0, i64 1, i64 0}" - 1, "!{i64 1, i64 1, i64 1}");
  const Outcome outcome = good(build({Kind::PortableIR, ir}, "", host()));
  ASSERT_TRUE(outcome.compiled);
  std::vector<bool> areConstant;
  for (const KernelArg& arg : outcome.compiled->kernels.at(0).args) areConstant.push_back(arg.isConstant);
  EXPECT_EQ(areConstant, (std::vector<bool>{false, true, false}));
}

TEST(PortableIR, isLinkedWithPrograms) {
  const std::string ir = textOf("int twice(int x) { return 2 * x; }");
  const Outcome callee = good(compile({Kind::PortableIR, ir}, {}, "", host()));
  const Outcome caller =
      good(compile("int twice(int);\nkernel void k(global int* o) { o[0] = twice(o[1]); }", {}, "", host()));
  const std::vector programs{caller.compiled, callee.compiled};
  const Outcome linked = good(link(programs, "", host()));
  ASSERT_TRUE(linked.compiled);
  EXPECT_EQ(linked.compiled->kernels.size(), 1u);
}

TEST(PortableIR, cxxForOpenCLNeedsNoOption) {
  const char* source =
      "template <class T> T twice(T x) { return x + x; }\nkernel void k(global int* a) { a[0] = twice(a[1]); }";
  EXPECT_EQ(build(source, "", host()).status, Status::CompileFailure);
  EXPECT_EQ(build({Kind::CxxForOpenCL, source}, "", host()).status, Status::Ok);
}

TEST(PortableIR, isKeptInProgramsThatNeedIt) {
  EXPECT_TRUE(good(build(kSource, "", host())).compiled->portableIR.empty());
  EXPECT_FALSE(good(build(kSource, "-cl-clarity-instrument", host())).compiled->portableIR.empty());
  EXPECT_FALSE(good(build({Kind::PortableIR, bitcodeOf(kSource)}, "", host())).compiled->portableIR.empty());
}

void replace(std::string& text, std::string_view what, std::string_view with) {
  const std::size_t at = text.find(what);
  ASSERT_NE(at, std::string::npos) << what;
  text.replace(at, what.size(), with);
}

/// The log of a build that must fail.
std::string refusal(std::string_view bytes) {
  const Outcome outcome = build({Kind::PortableIR, bytes}, "", host());
  EXPECT_EQ(outcome.status, Status::CompileFailure) << outcome.log;
  EXPECT_FALSE(outcome.compiled);
  EXPECT_TRUE(outcome.log.starts_with("error: ") && outcome.log.ends_with("\n")) << outcome.log;
  return outcome.log;
}

void expectRefusal(std::string_view bytes, std::string_view part) {
  const std::string log = refusal(bytes);
  EXPECT_NE(log.find(part), std::string::npos) << log;
}

/// A kernel with a parameter %p, and what is written behind it.
std::string kernel(const std::string& body, const std::string& rest = "") {
  constexpr const char* head =
      "target datalayout = \""
      "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
      "\"\n"
      "target triple = \"spir64-unknown-unknown\"\n";
  return head + ("define spir_kernel void @k(ptr addrspace(1) %p) {\n" + body + "\n  ret void\n}\n" + rest);
}

TEST(PortableIR, ofAnotherTargetIsRefused) {
  std::string text = textOf(kSource);
  replace(text, "target triple = \"spir64-unknown-unknown\"", "target triple = \"x86_64-unknown-linux-gnu\"");
  expectRefusal(text, "its target is 'x86_64-unknown-linux-gnu', not spir64-unknown-unknown");
  text = textOf(kSource);
  replace(text, "target triple = \"spir64-unknown-unknown\"", "");
  expectRefusal(text, "its target is ''");
  text = textOf(kSource);
  replace(text, "target datalayout = \"e-", "target datalayout = \"E-");
  expectRefusal(text, "its data layout is 'E-");
}

TEST(PortableIR, thatIsNoIRIsRefused) {
  expectRefusal("", "its target is ''");
  expectRefusal("kernel void k() {}", "line 1: expected top-level entity");
  expectRefusal("BC\xC0\xDE", "error: this is not valid portable IR: ");
  std::string text = textOf(kSource);
  replace(text, "define dso_local spir_kernel void @scale", "define dso_local spir_kernel i32 @scale");
  expectRefusal(text, "error: this is not valid portable IR: ");
}

TEST(PortableIR, withWhatNoKernelHasIsRefused) {
  EXPECT_EQ(build({Kind::PortableIR, kernel("")}, "", host()).status, Status::Ok);
  const std::pair<std::string, std::string> wrong[] = {
      {kernel("  call void @llvm.x86.sse2.lfence()", "declare void @llvm.x86.sse2.lfence()"),
       "function 'k' uses 'llvm.x86.sse2.lfence', which is specific to a processor"},
      {kernel("  %q = addrspacecast ptr addrspace(1) %p to ptr addrspace(7)"),
       "function 'k' uses an address space or a type that OpenCL does not have"},
      {kernel("", "define spir_kernel void @o(target(\"spirv.Foo\") %f) {\n  ret void\n}\n"),
       "function 'o' uses an address space or a type that OpenCL does not have"},
      {kernel("",
              "define spir_kernel void @o(target(\"spirv.Image\", void, 9, 0, 0, 0, 0, 0, 0) %f) {\n  ret void\n}\n"),
       "function 'o' uses an address space or a type that OpenCL does not have"},
      {kernel("", "define spir_kernel void @o({i32, [2 x fp128]} %f) {\n  ret void\n}\n"),
       "function 'o' uses an address space or a type that OpenCL does not have"},
      {kernel("  call void @f()", "declare void @f(i32)\n"),
       "function 'k' uses calls of functions with other types than theirs"},
      {kernel("  %f = load ptr, ptr addrspace(1) %p\n  call void (i32, ...) %f(i32 1)"),
       "function 'k' uses variable arguments"},
      {kernel("  invoke void @f() to label %next unwind label %pad\npad:\n  %l = landingpad { ptr, i32 } cleanup\n  "
              "resume { ptr, i32 } %l\nnext:",
              "declare void @f()\ndeclare i32 @personality(...)\n"),
       "error: this is not valid portable IR: "},
      {kernel("  call spir_func void @f()",
              "define spir_func void @f() {\n  call spir_func void @f()\n  ret void\n}\n"),
       "recursion is not supported in OpenCL C: function 'f' calls itself"},
      {kernel("  call void asm sideeffect \"nop\", \"\"()"), "function 'k' contains inline assembly"},
      {kernel("  %n = load i64, ptr addrspace(1) %p\n  %a = alloca i8, i64 %n"),
       "function 'k' uses memory on the stack whose size is not constant"},
      {kernel("  %r = call ptr @llvm.returnaddress(i32 0)", "declare ptr @llvm.returnaddress(i32)"),
       "function 'k' uses 'llvm.returnaddress', which OpenCL has no use for"},
      {kernel("  %n = load i128, ptr addrspace(1) %p\n  %q = udiv i128 %n, 3\n  store i128 %q, ptr addrspace(1) %p"),
       "function 'k' uses division or conversion of integers of more than 64 bits"},
      {kernel("") + "module asm \"nop\"\n", "it contains assembly outside of functions"},
      {kernel("") + "@v = addrspace(9) global i32 0\n",
       "variable 'v' is in an address space that OpenCL does not have"},
      {kernel("") + "@v = thread_local addrspace(1) global i32 0\n",
       "variable 'v' is in an address space that OpenCL does not have"},
      {kernel("") + "@a = alias void (ptr addrspace(1)), ptr @k\n", "it contains aliases"},
      {kernel("") + "define spir_kernel i32 @r() {\n  ret i32 0\n}\n",
       "Calling convention requires void return type ptr @r"},
      {kernel("  call void @missing(ptr addrspace(1) %p)", "declare void @missing(ptr addrspace(1))"),
       "undefined function 'missing' called from 'k'"},
  };
  for (const auto& [text, part] : wrong) {
    const Outcome outcome = build({Kind::PortableIR, text}, "", host());
    EXPECT_NE(outcome.status, Status::Ok) << text;
    EXPECT_NE(outcome.log.find(part), std::string::npos) << outcome.log;
  }
}

using Texts = std::vector<std::pair<std::string, std::string>>;

/// Each text fails to build with its part of the log, with the forms of relaxed math, too.
void expectFailures(const Texts& wrong) {
  for (const auto& [text, part] : wrong)
    for (const char* options : {"", "-cl-fast-relaxed-math"}) {
      const Outcome outcome = build({Kind::PortableIR, text}, options, host());
      EXPECT_NE(outcome.status, Status::Ok) << text;
      EXPECT_NE(outcome.log.find(part), std::string::npos) << outcome.log;
    }
}

// Passes know functions by their names, and rely on the types that these have.
TEST(PortableIR, withNamesOfTheImplementationIsRefused) {
  const auto declares = [](const std::string& name) {
    return Texts{{kernel("  call void @" + name + "()", "declare void @" + name + "()\n"), "implementation's"},
                 {kernel("", "define void @" + name + "() {\n  ret void\n}\n"), "implementation's"}};
  };
  for (const char* name : {"__clarity_processor_exponent_f32", "__clarity_barrier", "__clarity_printf", "__clarity_x",
                           "user.__clarity_barrier", "_Z21__clarity_relaxed_sinf", "user._Z21__clarity_relaxed_sinf"})
    expectFailures(declares(name));
  expectFailures({{kernel("", "@__clarity_v = addrspace(1) global i32 7\n"), "implementation's"},
                  {kernel("  call void @f()", "declare void @f() \"clarity-builtin\"=\"__clarity_barrier\"\n"),
                   "implementation's"}});
}

TEST(PortableIR, withBuiltinsOfOtherTypesIsRefused) {
  expectFailures(
      {{kernel("  %r = call i32 @_Z3sinf(i32 7)", "declare i32 @_Z3sinf(i32)\n"),
        "the builtin function 'sin(float)' is 'float (float)', and is declared as 'int (int)'"},
       {kernel("  %r = call float @_Z3sinf(float 7.0, float 1.0)", "declare float @_Z3sinf(float, float)\n"),
        "is declared as 'float (float, float)'"},
       {kernel("  %r = call float (...) @_Z3sinf(float 7.0)", "declare float @_Z3sinf(...)\n"), "'float (...)'"},
       {kernel("  call void @_Z13get_global_idj()", "declare void @_Z13get_global_idj()\n"), "is 'long (int)'"},
       {kernel("  call void @_Z26async_work_group_copy_2D2DPU3AS1vmPU3AS3Kvmmmmmm9ocl_event(ptr null)",
               "declare void @_Z26async_work_group_copy_2D2DPU3AS1vmPU3AS3Kvmmmmmm9ocl_event(ptr)\n"),
        "is declared as 'void (private pointer)'"},
       {kernel("  call void @_Z14work_group_anyi({i32, [2 x half]} zeroinitializer)",
               "declare void @_Z14work_group_anyi({i32, [2 x half]})\n"),
        "'void (struct {int, half[2]})'"},
       {kernel("  call void @__enqueue_kernel_basic(i32 1)", "declare void @__enqueue_kernel_basic(i32)\n"),
        "the builtin function '__enqueue_kernel_basic' is"},
       {kernel("  %r = call i32 @printf(i32 7)", "declare i32 @printf(i32)\n"), "undefined function 'printf'"},
       {kernel("  %r = load i32, ptr addrspace(1) @_Z3sinf\n  store i32 %r, ptr addrspace(1) %p",
               "@_Z3sinf = external addrspace(1) global i32\n"),
        "undefined variable 'sin(float)'"}});
}

// The library's functions call the library's.
TEST(PortableIR, mayDefineFunctionsWithNamesOfBuiltins) {
  const Outcome outcome =
      good(build({Kind::PortableIR, kernel("  %a = call float @_Z3maxff(ptr null)\n"
                                           "  %b = call float @_Z5clampfff(float %a, float 2.0, float 3.0)\n"
                                           "  store float %b, ptr addrspace(1) %p",
                                           "declare float @_Z5clampfff(float, float, float)\n"
                                           "define float @_Z3maxff(ptr %q) {\n  ret float 1.0\n}\n"
                                           "define float @_Z3minff(ptr %q) {\n  ret float 9.0\n}\n")},
                 "", host()));
  ASSERT_TRUE(outcome.compiled);
  EXPECT_NE(assemblyOf(*outcome.compiled, "k").find("1073741824"), std::string::npos) << "2.0 is stored";
  expectFailures({{kernel("", "define spir_kernel void @_Z3maxff(ptr addrspace(1) %p) {\n  ret void\n}\n"),
                   "kernel '_Z3maxff' has the name of a builtin function"}});
}

// Passes that know powers by their names look at what OpenCL's have.
TEST(PortableIR, mayDefineInternalFunctionsWithNamesOfBuiltins) {
  good(build({Kind::PortableIR, kernel("  call void @_Z3powff()\n  %r = call float @_Z4pownfi(ptr null)\n"
                                       "  store float %r, ptr addrspace(1) %p",
                                       "define internal void @_Z3powff() noinline {\n  ret void\n}\n"
                                       "define internal float @_Z4pownfi(ptr %q) noinline {\n  ret float 1.0\n}\n")},
             "", host()));
}

// Marks by which passes tell later passes something are the compiler's.
TEST(PortableIR, marksOfOthersMeanNothing) {
  const std::string plain = kernel("  %v = load float, ptr addrspace(1) %p\n  store float %v, ptr addrspace(1) %p");
  std::string marked = kernel(
      "  %v = load float, ptr addrspace(1) %p, !clarity.local.variable !1, !clarity.race !0\n"
      "  store float %v, ptr addrspace(1) %p, !clarity.site !0",
      "!0 = !{!\"text\"}\n!1 = !{}\n"
      "attributes #0 = { \"clarity-local-size-0\"=\"x\" \"clarity-sub-group-size\"=\"7\" "
      "\"clarity-merged-groups\" \"clarity-interleaved-groups\"=\"100000\" \"clarity-box\"=\"12\" "
      "\"clarity-local-arrays\"=\"a,b,c;;\" \"clarity-lanes-along\"=\"9\" \"clarity-checked\" }\n");
  replace(marked, "%p) {", "\"clarity-image-member\"=\"3:24\" %p) #0 !clarity.remarks !0 {");
  const Outcome one = good(build({Kind::PortableIR, plain}, "", host()));
  const Outcome other = good(build({Kind::PortableIR, marked}, "", host()));
  ASSERT_TRUE(one.compiled && other.compiled);
  EXPECT_EQ(assemblyOf(*one.compiled, "k"), assemblyOf(*other.compiled, "k"));
  expectFailures(
      {{kernel("", "define spir_kernel void @b(ptr addrspace(1) %p) \"clarity-block\" {\n  ret void\n}\n"),
        "kernel 'b' is marked as a block and is none"},
       {kernel("",
               "define spir_kernel void @b(ptr byval(i64) %l, ptr addrspace(1) \"clarity-captured-at\"=\"4\" %p) "
               "\"clarity-block\" {\n  ret void\n}\n"),
        "kernel 'b' is marked as a block and is none"}});
}

TEST(PortableIR, damagedBytesEndInASentence) {
  const std::string whole = bitcodeOf(kSource);
  std::mt19937 random(7);
  for (int i = 0; i < 300; ++i) {
    std::string bytes = whole;
    if (i % 3 == 0)
      bytes.resize(4 + random() % (bytes.size() - 4));
    else
      for (int flips = 0; flips < 1 + i % 8; ++flips)
        bytes[4 + random() % (bytes.size() - 4)] ^= static_cast<char>(1u << random() % 8);
    const Outcome outcome = build({Kind::PortableIR, bytes}, "", host());
    if (outcome.status == Status::Ok) continue;  // the flipped bit was the name of something
    EXPECT_TRUE(outcome.status == Status::CompileFailure || outcome.status == Status::LinkFailure)
        << static_cast<int>(outcome.status) << outcome.log;
    EXPECT_NE(outcome.log.find("error: "), std::string::npos) << outcome.log;
  }
}

}  // namespace
}  // namespace clarity::compiler
