// SPDX-License-Identifier: Apache-2.0
// This file tests link(): objects and libraries to executables, and what is said when they do not fit.
#include "compiler/driver/compiler.h"
#include "compiler/pipeline/trace_request.h"

#include <gtest/gtest.h>

#include "compiler_host.h"

namespace clarity::compiler {
namespace {

using Programs = std::vector<std::shared_ptr<const CompiledProgram>>;

std::shared_ptr<const CompiledProgram> object(std::string_view source, std::string_view options = "") {
  const Outcome outcome = compile(source, {}, options, host());
  EXPECT_EQ(outcome.status, Status::Ok) << outcome.log;
  return outcome.compiled;
}

std::string failure(const Programs& programs) {
  const Outcome outcome = link(programs, "", host());
  EXPECT_EQ(outcome.status, Status::LinkFailure);
  EXPECT_FALSE(outcome.compiled);
  return outcome.log;
}

constexpr const char* kCaller = "int twice(int);\n__kernel void k(__global int* o) { o[0] = twice(o[1]); }";
constexpr const char* kCallee = "int twice(int x) { return 2 * x; }";

TEST(Link, objectsBecomeAnExecutable) {
  const Outcome outcome =
      link(Programs{object(kCaller, "-cl-std=CL3.0"), object(kCallee), object("__kernel void l() {}")}, "", host());
  ASSERT_EQ(outcome.status, Status::Ok) << outcome.log;
  EXPECT_EQ(outcome.compiled->kind, BinaryType::Executable);
  ASSERT_EQ(outcome.compiled->kernels.size(), 2u);
  EXPECT_EQ(outcome.compiled->kernels[0].name, "k");
  EXPECT_FALSE(outcome.compiled->kernels[0].uniformWorkGroups) << "each object was compiled with options of its own";
  EXPECT_TRUE(outcome.compiled->kernels[1].uniformWorkGroups);
  EXPECT_EQ(outcome.compiled->kernels[0].args.size(), 1u);
}

TEST(Link, anObjectThatWasNotToBeOptimisedIsNot) {
  const Outcome outcome =
      link(Programs{object(kCaller, "-cl-opt-disable"), object(kCallee)}, "-cl-denorms-are-zero", host());
  ASSERT_EQ(outcome.status, Status::Ok) << outcome.log;
  EXPECT_EQ(outcome.compiled->options, "-cl-denorms-are-zero -cl-opt-disable");
}

TEST(Link, whatWasCompiledForAReportIsReported) {
  const std::string source =
      "kernel void k(global int* a, global int* b) {\n  int i = get_global_id(0);\n  a[i] = b[i * 9];\n}";
  const Outcome outcome = link(Programs{object(source, "-cl-clarity-report"), object(kCallee)}, "", host());
  ASSERT_EQ(outcome.status, Status::Ok) << outcome.log;
  EXPECT_NE(outcome.log.find("line 3: load int b[i * 9]: gather"), std::string::npos) << outcome.log;
  const Outcome late = link(Programs{object(source), object(kCallee)}, "-cl-clarity-report", host());
  ASSERT_EQ(late.status, Status::Ok) << late.log;
  EXPECT_NE(late.log.find("load int from 'b': gather"), std::string::npos)
      << "without lines, which the object does not have\n"
      << late.log;
  EXPECT_EQ(link(Programs{object(source), object(kCallee)}, "", host()).log, "");
  const auto variable =
      object("global int row[640];\nkernel void k(global int* a) { int i = get_global_id(0); a[i] = row[i * 9]; }",
             "-cl-std=CL3.0");
  const std::string report = link(Programs{variable}, "-cl-clarity-report", host()).log;
  EXPECT_NE(report.find("load int from 'row': gather"), std::string::npos) << report;
}

TEST(Link, throughALibrary) {
  const Outcome library = link(Programs{object(kCallee)}, "-create-library -enable-link-options", host());
  ASSERT_EQ(library.status, Status::Ok) << library.log;
  EXPECT_EQ(library.compiled->kind, BinaryType::Library);
  const Outcome outcome = link(Programs{object(kCaller), library.compiled}, "-cl-fast-relaxed-math", host());
  EXPECT_EQ(outcome.status, Status::Ok) << outcome.log;
}

TEST(Link, aLibraryMayLackWhatItsUsersBring) {
  EXPECT_EQ(link(Programs{object(kCaller)}, "-create-library", host()).status, Status::Ok);
}

TEST(Link, compiledProgramsSurviveSerialising) {
  const auto again = [](const std::shared_ptr<const CompiledProgram>& compiled) {
    const std::string bytes = serialise(*compiled, host());
    std::string why;
    auto copy = deserialise(std::as_bytes(std::span(bytes)), host(), why);
    EXPECT_TRUE(copy) << why;
    return copy;
  };
  const Outcome outcome = link(Programs{again(object(kCaller)), again(object(kCallee))}, "", host());
  EXPECT_EQ(outcome.status, Status::Ok) << outcome.log;
}

TEST(Link, undefinedFunctionsAreNamed) {
  EXPECT_EQ(failure({object(kCaller)}), "program.cl:2:43: error: undefined function 'twice' called from 'k'\n");
}

/// Functions that a device without images and pipes never has begin like this, but these another program defines.
TEST(Link, functionsMayBeNamedLikeThoseOfImages) {
  const char* caller =
      "int read_image_row(int);\nint reserve_row(int);\n__kernel void k(__global int* o) { o[0] = read_image_row(1) + "
      "reserve_row(2); }";
  const char* callee = "int read_image_row(int x) { return x; }\nint reserve_row(int x) { return x; }";
  const Outcome outcome = link(Programs{object(caller), object(callee)}, "", host());
  EXPECT_EQ(outcome.status, Status::Ok) << outcome.log;
}

TEST(Link, duplicatesAreNamed) {
  EXPECT_EQ(failure({object(kCallee), object(kCaller), object(kCallee)}),
            "error: 'twice' is defined in program 1 and in program 3 of 3\n");
  EXPECT_EQ(failure({object("__kernel void k() {}"), object("__kernel void k() {}")}),
            "error: 'k' is defined in program 1 and in program 2 of 2\n");
}

TEST(Link, staticFunctionsOfOneNameAreNone) {
  const char* source = "static int f(int x) { return x + N; }\n__kernel void NAME(__global int* o) { o[0] = f(o[1]); }";
  const Outcome outcome =
      link(Programs{object(source, "-DN=1 -DNAME=a"), object(source, "-DN=2 -DNAME=b")}, "", host());
  EXPECT_EQ(outcome.status, Status::Ok) << outcome.log;
}

// C99, section 6.7.4: an inline definition is that of its translation unit.
TEST(Link, inlineDefinitionsOfOneNameAreNone) {
  for (const char* word : {"inline", "inline __attribute__((noinline))", "extern inline __attribute__((gnu_inline))"})
    for (const char* external :
         {"int twice(int x) { return 2 * x; }", "extern inline int twice(int x) { return 2 * x; }",
          "inline int twice(int x) { return 2 * x; }\nextern int twice(int x);"}) {
      const std::string source = std::string(word) + " int twice(int x) { return x + x; }\n" +
                                 "__kernel void NAME(__global int* o) { o[0] = twice(o[1]); }";
      const auto a = object(source, "-DNAME=a"), b = object(source, "-DNAME=b");
      for (const Programs& programs :
           {Programs{a, b}, Programs{a, object(external)}, Programs{object(external), b, a}}) {
        const Outcome outcome = link(programs, "", host());
        EXPECT_EQ(outcome.status, Status::Ok) << word << "\n" << external << "\n" << outcome.log;
        const Outcome library = link(programs, "-create-library", host());
        EXPECT_EQ(library.status, Status::Ok) << library.log;
        EXPECT_EQ(link(Programs{library.compiled, object(kCallee, "-Dtwice=other")}, "", host()).status, Status::Ok);
      }
    }
}

TEST(Link, recursionThroughInlineFunctionsAcrossPrograms) {
  const std::string log =
      failure({object("int g(int);\ninline int f(int x) { return g(x); }\nint h(int x) { return f(x); }"),
               object("int h(int);\nint g(int x) { return h(x); }")});
  EXPECT_NE(log.find("recursion is not supported"), std::string::npos) << log;
}

TEST(Link, recursionAcrossPrograms) {
  const std::string log = failure(
      {object("int g(int);\nint f(int x) { return g(x); }"), object("int f(int);\nint g(int x) { return f(x); }")});
  EXPECT_NE(log.find("recursion is not supported"), std::string::npos) << log;
  EXPECT_NE(log.find("'f'"), std::string::npos) << log;
  EXPECT_NE(log.find("'g'"), std::string::npos) << log;
}

TEST(Link, executablesAndNothingCannotBeLinked) {
  const Outcome executable = build("__kernel void k() {}", "", host());
  EXPECT_EQ(failure({object(kCallee), executable.compiled}),
            "error: program 2 of 2 is an executable; only compiled objects and libraries can be linked\n");
  failure({});
}

TEST(Link, optionsOfOtherCallsAreRefused) {
  const Outcome outcome = link(Programs{object(kCallee)}, "-DX=1", host());
  EXPECT_EQ(outcome.status, Status::InvalidOptions);
  EXPECT_EQ(outcome.log, "error: option '-DX=1' is not valid for linking\n");
}

TEST(Link, bitcodeThatIsNone) {
  CompiledProgram broken = *object(kCallee);
  broken.bitcode = broken.bitcode.substr(0, broken.bitcode.size() / 2);
  EXPECT_NE(failure({std::make_shared<const CompiledProgram>(broken)}).find("program 1 of 1 cannot be read"),
            std::string::npos);
  broken.bitcode = "nonsense";
  failure({std::make_shared<const CompiledProgram>(broken)});
}

/// Fails with a sentence that has both parts, in either order of the programs.
void expectConflict(const char* one, const char* other, const char* first, const char* second,
                    const char* options = "") {
  for (const Programs& programs : {Programs{object(one, options), object(other, options)},
                                   Programs{object(other, options), object(one, options)}}) {
    const std::string log = failure(programs);
    EXPECT_NE(log.find(first), std::string::npos) << log;
    EXPECT_NE(log.find(second), std::string::npos) << log;
  }
}

TEST(Link, functionsHaveTheTypesThatTheyAreCalledWith) {
  const auto called = [](const std::string& declaration, const std::string& call) {
    return "struct S { int a[9]; }; struct T { float a[9]; };" + declaration +
           "kernel void k(global int* o, read_only image2d_t i, write_only image2d_t w) { struct S s = {{0}}; struct T "
           "t;"
           " local int l; t.a[0] = 0; " +
           call + "; o[1] = s.a[0] + t.a[0]; }";
  };
  const auto expectWrong = [&](const char* declaration, const char* call, const char* definition, const char* declared,
                               const char* defined) {
    const std::string caller = called(declaration, call);
    const std::string callee = std::string("struct S { int a[9]; }; struct T { float a[9]; };") + definition;
    expectConflict(caller.c_str(), callee.c_str(), declared, defined);
  };
  expectWrong("int f(float);", "o[0] = f(1)", "int f(int x) { return x; }", "'int (float)'", "'int (int)'");
  expectWrong("float f(int);", "o[0] = f(1)", "int f(int x) { return x; }", "'float (int)'", "'int (int)'");
  expectWrong("int f(int, int);", "o[0] = f(1, 2)", "int f(int x) { return x; }", "'int (int, int)'", "'int (int)'");
  expectWrong("int f(float4);", "o[0] = f(1)", "int f(float3 x) { return x.x; }", "'int (float4)'", "'int (float3)'");
  expectWrong("int f(global int*);", "o[0] = f(o)", "int f(local int* x) { return *x; }", "'int (global pointer)'",
              "'int (local pointer)'");
  expectWrong("int f(struct S);", "o[0] = f(s)", "int f(struct T x) { return x.a[0]; }", "'int (struct S {int[9]})'",
              "'int (struct T {float[9]})'");
  expectWrong("struct T f(int);", "t = f(1)", "struct S f(int x) { struct S s = {{x}}; return s; }",
              "'void (struct T {float[9]}, int)'", "'void (struct S {int[9]}, int)'");
  expectWrong("int f(read_only image2d_t);", "o[0] = f(i)", "int f(write_only image2d_t x) { return 1; }",
              "'int (read_only image2d_t)'", "'int (write_only image2d_t)'");
  expectWrong("int __attribute__((overloadable)) f(long);", "o[0] = f(1L)",
              "long __attribute__((overloadable)) f(long x) { return x; }", "'f(long)' is the function 'long (long)'",
              "the function 'int (long)'");
}

// Structures with the same members are the same, whatever their names; so are int and uint, and pointers.
TEST(Link, functionsOfAlikeTypesAreJoined) {
  const Outcome outcome =
      link(Programs{object("struct A { int x; float4 y; }; uint f(struct A, global uint*); extern constant int table[];"
                           "kernel void k(global uint* o) { struct A a = {1, 2.0f}; o[1] = f(a, o) + table[1]; }"),
                    object("struct B { int z; float4 w; }; int f(struct B b, global int* o) { return b.z + *o; }"
                           "constant int table[2] = {1, 2};")},
           "", host());
  EXPECT_EQ(outcome.status, Status::Ok) << outcome.log;
}

// Clang gives variables with an initial value another type of IR than their declarations have.
TEST(Link, initialisedVariablesAreThoseThatAreDeclared) {
  const Outcome outcome = link(
      Programs{object("struct S { int a; char b; }; union U { int i; float4 f; };"
                      "extern constant int t[100]; extern constant uchar v[256]; extern constant int grid[][30];"
                      "extern constant struct S s[3]; extern constant union U u; extern global int counts[64];"
                      "kernel void k(global int* o) {"
                      "  o[0] = t[99] + v[3] + grid[1][2] + s[1].a + u.i + counts[1]; }",
                      "-cl-std=CL3.0"),
               object("struct S { int a; char b; }; union U { int i; float4 f; };"
                      "constant int t[100] = {1, 2}; constant uchar v[256] = {1};"
                      "constant int grid[2][30] = {{1}, {2}};"
                      "constant struct S s[3] = {{1, 2}}; constant union U u = {.i = 5}; global int counts[64] = {4};",
                      "-cl-std=CL3.0")},
      "", host());
  EXPECT_EQ(outcome.status, Status::Ok) << outcome.log;
}

TEST(Link, variablesAndKernelsAreWhatTheyAreUsedAs) {
  expectConflict("extern constant int v; kernel void k(global int* o) { *o = v; }", "constant float v = 1;",
                 "'constant int'", "'constant float'");
  expectConflict("extern constant int v; kernel void k(global int* o) { *o = v; }", "global int v = 1;",
                 "'constant int'", "'global int'", "-cl-std=CL3.0");
  expectConflict("extern constant int v[4]; kernel void k(global int* o) { *o = v[3]; }", "constant int v[2] = {1, 2};",
                 "'constant int[4]'", "'constant int[2]'");
  const char* const rows = "extern constant int v[][30]; kernel void k(global int* o) { *o = v[3][2]; }";
  expectConflict(rows, "constant int v[4][31] = {{1}, {2}, {3}, {4}};", "'constant int[][30]'", "'constant ");
  expectConflict(rows, "global int v[4][30];", "'constant int[][30]'", "'global int[4][30]'", "-cl-std=CL3.0");
  expectConflict("extern constant int v; kernel void k(global int* o) { *o = v; }", "int v(int x) { return x; }",
                 "the function 'int (int)'", "the variable 'constant int'");
  expectConflict("void k(global float4*, int); kernel void l(global float4* o) { k(o, 1); }",
                 "kernel void k(global int* o) { *o = 1; }", "the kernel 'void (global pointer)'",
                 "the function 'void (global pointer, int)'");
  expectConflict("kernel void k(global int*, int); kernel void l(global int* o) { k(o, 1); }",
                 "kernel void k(global int* o) { *o = 1; }", "'void (global pointer, int)'", "'void (global pointer)'");
  const std::string twice = failure(
      {object("int twice(int); kernel void k(global int* o) { *o = twice(1); }"), object(kCallee), object(kCallee)});
  EXPECT_NE(twice.find("'twice' is defined in program 2 and in program 3 of 3"), std::string::npos) << twice;
}

// Old programs declare kernels without `kernel`, and functions with a result that they have not, or without theirs.
TEST(Link, declarationsMayDifferInTheResultAndInKernel) {
  verifyPasses();  // LLVM allows no calls of functions with a kernel's convention
  const auto joined = [](const char* caller, const char* callee) {
    for (const bool isCallerFirst : {true, false}) {
      const Programs programs =
          isCallerFirst ? Programs{object(caller), object(callee)} : Programs{object(callee), object(caller)};
      const Outcome outcome = link(programs, "", host());
      EXPECT_EQ(outcome.status, Status::Ok) << outcome.log;
    }
  };
  joined("void k(global int*); kernel void l(global int* o) { k(o); }", "kernel void k(global int* o) { *o = 1; }");
  joined(
      "struct S { int a[9]; }; void k(global int*, struct S);"
      "kernel void l(global int* o) { struct S s = {{1}}; k(o, s); }",
      "struct S { int a[9]; }; kernel void k(global int* o, struct S s) { *o = s.a[0]; }");
  joined("int f(global int*); kernel void k(global int* o) { f(o); o[1] = f(o); }",
         "void f(global int* o) { *o = 1; }");
  joined("void f(global int*); kernel void k(global int* o) { f(o); }", "int f(global int* o) { return *o = 1; }");
  joined("struct S { int a[9]; }; int f(struct S, int); kernel void k(global int* o) { struct S s = {{1}}; f(s, *o); }",
         "struct S { int a[9]; }; void f(struct S s, int x) {}");
  expectConflict("struct S { int a[9]; }; struct S f(int); kernel void k(global int* o) { *o = f(1).a[0]; }",
                 "void f(int x) {}", "'void (int)'", "'void (struct S {int[9]}, int)'");
}

// A declaration says which result a builtin function has: clang mangles its parameters only.
TEST(Link, builtinsHaveTheirResults) {
  const Outcome outcome =
      build("float4 __attribute__((overloadable)) sin(float);\nkernel void k(global float4* o) { *o = sin(1.0f); }", "",
            host());
  EXPECT_NE(outcome.status, Status::Ok);
  EXPECT_NE(outcome.log.find("'sin(float)' is 'float (float)', and is declared as 'float4 (float)'"), std::string::npos)
      << outcome.log;
}

}  // namespace
}  // namespace clarity::compiler
