// SPDX-License-Identifier: Apache-2.0
// This file tests the front end through compile() and build(): which programs are taken, how those that are not are
// explained, where headers come from, and what is known of kernels.
#include "compiler/driver/compiler.h"

#include "compiler_host.h"
#include "temporary_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace clarity::compiler {
namespace {

Outcome compiled(std::string_view source, std::string_view options = "", std::span<const Header> headers = {}) {
  return compile(source, headers, options, host());
}

void expectOk(std::string_view source, std::string_view options = "") {
  const Outcome outcome = build(source, options, host());
  EXPECT_EQ(outcome.status, Status::Ok) << options << "\n" << outcome.log;
  EXPECT_TRUE(outcome.compiled);
}

/// The log of a source that must not compile.
std::string logOf(std::string_view source, std::string_view options = "") {
  const Outcome outcome = build(source, options, host());
  EXPECT_EQ(outcome.status, Status::CompileFailure) << outcome.log;
  EXPECT_FALSE(outcome.compiled);
  return outcome.log;
}

#define EXPECT_CONTAINS(text, part) EXPECT_NE(std::string(text).find(part), std::string::npos) << (text)
#define EXPECT_LACKS(text, part) EXPECT_EQ(std::string(text).find(part), std::string::npos) << (text)

// --- diagnostics ----------------------------------------------------------------------------------------------------

TEST(FrontEnd, anErrorHasFileLineColumnSourceAndCaret) {
  EXPECT_EQ(logOf("__kernel void k(__global int* o) {\n  o[0] = missing;\n}\n"),
            "program.cl:2:10: error: use of undeclared identifier 'missing'\n"
            "    2 |   o[0] = missing;\n"
            "      |          ^~~~~~~\n"
            "1 error generated.\n");
}

TEST(FrontEnd, warningsAreInTheLogOfASuccess) {
  const Outcome outcome = compiled("__kernel void k(__global int* o) {\n  o[0];\n}\n");
  EXPECT_EQ(outcome.status, Status::Ok);
  EXPECT_CONTAINS(outcome.log, "program.cl:2:6: warning: expression result unused");
  EXPECT_CONTAINS(outcome.log, "1 warning generated.\n");
  EXPECT_EQ(compiled("__kernel void k(__global int* o) { o[0]; }", "-w").log, "");
  EXPECT_EQ(compiled("__kernel void k(__global int* o) { o[0]; }", "-Wno-unused-value").log, "");
  EXPECT_EQ(compiled("__kernel void k(__global int* o) { o[0]; }", "-Werror").status, Status::CompileFailure);
}

TEST(FrontEnd, errorsAndWarningsAreCounted) {
  EXPECT_CONTAINS(logOf("__kernel void k(__global int* o) { o[0]; a; b; }"), "1 warning and 2 errors generated.\n");
}

TEST(FrontEnd, manyErrorsEnd) {
  std::string source;
  for (int i = 0; i < 1000; ++i) source += fmt::format("int f{}() {{ return x{}; }}\n", i, i);
  const std::string log = logOf(source);
  EXPECT_CONTAINS(log, "too many errors emitted");
  EXPECT_LT(log.size(), 10000u);
}

TEST(FrontEnd, cleanProgramsHaveAnEmptyLog) {
  EXPECT_EQ(compiled("__kernel void k(__global float* o) { o[get_global_id(0)] = sin(o[0]); }").log, "");
}

TEST(FrontEnd, badOptionsAreNamed) {
  const Outcome outcome = compiled("", "-cl-foo");
  EXPECT_EQ(outcome.status, Status::InvalidOptions);
  EXPECT_EQ(outcome.log, "error: unknown build option '-cl-foo'\n");
  EXPECT_CONTAINS(compiled("", "-cl-nv-verbose").log, "note: build option '-cl-nv-verbose' has no effect");
}

// --- what is refused ------------------------------------------------------------------------------------------------

TEST(FrontEnd, undeclaredFunctions) {
  EXPECT_CONTAINS(logOf("__kernel void k(__global int* o) { o[0] = frobnicate(1); }"), "'frobnicate'");
  const Outcome outcome = build("int far(int);\n__kernel void k(__global int* o) { o[0] = far(1); }", "", host());
  EXPECT_EQ(outcome.status, Status::LinkFailure);
  EXPECT_EQ(outcome.log, "program.cl:2:43: error: undefined function 'far' called from 'k'\n");
}

TEST(FrontEnd, recursionIsAnErrorWithALine) {
  EXPECT_EQ(
      logOf("int f(int n) {\n  return n ? f(n - 1) : 0;\n}\n__kernel void k(__global int* o) { o[0] = f(o[1]); }"),
      "program.cl:2:14: error: recursion is not supported in OpenCL C: 'f' calls itself\n"
      "    2 |   return n ? f(n - 1) : 0;\n"
      "      |              ^\n"
      "1 error generated.\n");
  EXPECT_CONTAINS(logOf("int g(int);\nint f(int n) { return g(n); }\nint g(int n) { return f(n); }\n"),
                  "program.cl:3:23: error: recursion is not supported in OpenCL C: 'f' calls 'g' which calls 'f'\n");
  EXPECT_CONTAINS(logOf("__kernel void k(__global int* o) {\n  if (o[0]) k(o + 1);\n}\n"),
                  "program.cl:2:13: error: recursion");
}

TEST(FrontEnd, callsOfOneFunctionFromTwoPlacesAreNoRecursion) {
  expectOk(
      "int h(int n) { return n + 1; }\nint f(int n) { return h(n); }\nint g(int n) { return f(h(n)); }\n"
      "__kernel void k(__global int* o) { o[0] = f(g(h(o[1]))); }\n__kernel void l(__global int* o) { k(o); }");
}

TEST(FrontEnd, inlineAssemblyIsAnErrorWithALine) {
  EXPECT_EQ(logOf("__kernel void k(__global int* o) {\n  int x;\n  __asm__ volatile(\"mov %0, 1\" : \"=r\"(x));\n  "
                  "o[0] = x;\n}\n"),
            "program.cl:3:3: error: inline assembly is not supported in OpenCL C\n"
            "    3 |   __asm__ volatile(\"mov %0, 1\" : \"=r\"(x));\n"
            "      |   ^\n"
            "1 error generated.\n");
  EXPECT_CONTAINS(logOf("__kernel void k() {}\n__asm__(\".globl x\");\n"), "program.cl:2:1: error: inline assembly");
  logOf("__kernel void k() { asm(\"nop\"); }");
  logOf("__kernel void k() { __asm__(\"%q9\" : : \"zz\"(1)); }");
}

TEST(FrontEnd, flagsOfFences) {
  const Outcome outcome = compiled(
      "__kernel void k(__global int* o) {\n  barrier(65);\n  o[0] = 1;\n  mem_fence(CLK_GLOBAL_MEM_FENCE);\n}\n", "");
  EXPECT_EQ(outcome.status, Status::Ok);
  EXPECT_EQ(outcome.log,
            "program.cl:2:11: warning: 0x41 is not a combination of CLK_LOCAL_MEM_FENCE, CLK_GLOBAL_MEM_FENCE and "
            "CLK_IMAGE_MEM_FENCE\n"
            "    2 |   barrier(65);\n"
            "      |           ^\n"
            "1 warning generated.\n");
  EXPECT_CONTAINS(
      compiled("void f() { work_group_barrier(8, memory_scope_device); }\n__kernel void k() { f(); }", "-cl-std=CL3.0")
          .log,
      "program.cl:1:31: warning: 0x8 is no");
  EXPECT_CONTAINS(
      compiled("__kernel void k() { atomic_work_item_fence(-1, memory_order_seq_cst, memory_scope_device); }",
               "-cl-std=CL3.0 -Werror")
          .log,
      "program.cl:1:44: error: 0xffffffff is no");
  EXPECT_EQ(compiled("__kernel void k() { barrier(8); }", "-w").log, "");
  expectOk(
      "__kernel void k(__global int* o, uint flags) { barrier(0); barrier(flags); barrier(CLK_LOCAL_MEM_FENCE | "
      "CLK_GLOBAL_MEM_FENCE | 4); }");
}

TEST(FrontEnd, deepNestingIsADiagnostic) {
  const auto nested = [](std::size_t depth) {
    return "__kernel void k(__global int* o) { o[0] = " + std::string(depth, '(') + "o[1]" + std::string(depth, ')') +
           "; }";
  };
  expectOk(nested(1000));
  EXPECT_CONTAINS(logOf(nested(100000)), "bracket nesting level exceeded maximum");
  logOf("__kernel void k() " + std::string(100000, '{'));
  logOf("int x[" + std::string(100000, '[') + "];");
}

TEST(FrontEnd, includeOfItselfEnds) {
  const TemporaryFolder folder;
  folder.write("self.h", "#include \"self.h\"\n");
  EXPECT_CONTAINS(logOf("#include \"self.h\"\n", "-I" + folder.path().string()), "nested too deeply");
}

TEST(FrontEnd, filesThatAreNoFilesAreNotRead) {
  logOf("#include \"/dev/zero\"\n");
  logOf("#include \"/\"\n");
}

// --- what is taken --------------------------------------------------------------------------------------------------

TEST(FrontEnd, emptySourceIsAProgramWithoutKernels) {
  for (const char* source : {"", "\n", "// nothing\n", "/* no end of line */"}) {
    const Outcome outcome = build(source, "", host());
    EXPECT_EQ(outcome.status, Status::Ok) << outcome.log;
    ASSERT_TRUE(outcome.compiled);
    EXPECT_TRUE(outcome.compiled->kernels.empty());
  }
}

TEST(FrontEnd, pointersThatDoNotFitAreWarnings) {
  const char* source = "__kernel void k(__global int* o) {\n  __global float* f = o;\n  f[o[0] & 1] = 1;\n}\n";
  const Outcome outcome = compiled(source);
  EXPECT_EQ(outcome.status, Status::Ok);
  EXPECT_CONTAINS(outcome.log, "program.cl:2:19: warning: incompatible pointer types");
  EXPECT_CONTAINS(logOf(source, "-Werror"), "program.cl:2:19: error: incompatible pointer types");
}

// Clang alone does not come back from these.
TEST(FrontEnd, partsOfVectorsBehindConstants) {
  for (const char* literal : {"(float4)((float2)(1.0f), (v + v).zw)", "(float4)((float2)(1.0f, 2.0f), (v * 2.0f).lo)",
                              "(float4)((float2)(1.0f), ((float4)((float2)(2.0f), (v + v).hi)).xw)"})
    for (const char* options : {"", "-cl-std=CL3.0", "-cl-opt-disable", "-cl-std=CLC++2021"}) {
      const Outcome outcome = build(
          std::string("kernel void k(global float4* out, float4 v) { *out = ") + literal + "; }", options, host());
      EXPECT_EQ(outcome.status, Status::Ok) << literal << options << outcome.log;
    }
}

TEST(FrontEnd, tenMegabytesOfSource) {
  std::string source;
  while (source.size() < 10u << 20) source += "// a line of a comment that says nothing of any use to anybody at all\n";
  expectOk(source + "__kernel void k(__global int* o) { o[0] = 1; }");
  EXPECT_CONTAINS(logOf(source + "__kernel void k(__global int* o) { o[0] = x; }"),
                  "error: use of undeclared identifier 'x'");
}

TEST(FrontEnd, oddBytesInTheSource) {
  compiled(std::string_view("__kernel void k() {}\0\0", 22));
  EXPECT_EQ(compiled("\xEF\xBB\xBF__kernel void k() {}").status, Status::Ok);
  EXPECT_EQ(compiled("__kernel void k() {}\r\n// caf\xE9\r\n").status, Status::Ok);
  EXPECT_EQ(compiled("\xFF\xFE_\0_\0").status, Status::CompileFailure);
}

TEST(FrontEnd, doublesInEveryVersionWithAndWithoutPragma) {
  const char* bare =
      "__kernel void k(__global double* o) { o[0] = 1.0 / 3.0; double2 d = (double2)(o[0]); o[1] = d.x; }";
  const std::string with = fmt::format("#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n{}", bare);
  for (const char* version : {"", "-cl-std=CL1.0", "-cl-std=CL1.1", "-cl-std=CL1.2", "-cl-std=CL2.0", "-cl-std=CL3.0",
                              "-cl-std=CLC++", "-cl-std=CLC++2021"}) {
    EXPECT_EQ(build(bare, version, host()).log, "") << version;
    EXPECT_EQ(build(with, version, host()).log, "") << version;
  }
}

/// Compiles only if every condition holds.
std::string demand(std::initializer_list<const char*> conditions) {
  std::string source;
  for (const char* condition : conditions) source += fmt::format("#if !({0})\n#error {0}\n#endif\n", condition);
  return source;
}

TEST(FrontEnd, predefinedMacros) {
  expectOk(demand({"__OPENCL_VERSION__ == 300", "__OPENCL_C_VERSION__ == 120", "__ENDIAN_LITTLE__ == 1",
                   "CL_VERSION_1_2 == 120", "__IMAGE_SUPPORT__ == 1", "!defined(__FAST_RELAXED_MATH__)",
                   "!defined(__EMBEDDED_PROFILE__)", "cl_khr_fp64", "cl_khr_fp16", "!defined(cl_khr_il_program)",
                   "defined(__kernel_exec)"}));
  expectOk(demand({"__OPENCL_C_VERSION__ == 100"}), "-cl-std=CL1.0");
  expectOk(demand({"__OPENCL_C_VERSION__ == 200"}), "-cl-std=CL2.0");
  expectOk(demand({"__OPENCL_C_VERSION__ == 300", "__opencl_c_fp64", "__opencl_c_int64", "__opencl_c_subgroups",
                   "cl_khr_subgroups", "cl_khr_subgroup_ballot", "__opencl_c_work_group_collective_functions",
                   "__opencl_c_images", "__opencl_c_read_write_images", "cl_khr_depth_images", "__opencl_c_pipes",
                   "__opencl_c_device_enqueue"}),
           "-cl-std=CL3.0");
  expectOk(demand({"__OPENCL_CPP_VERSION__ == 202100"}), "-cl-std=CLC++2021");
  expectOk(demand({"__FAST_RELAXED_MATH__ == 1"}), "-cl-fast-relaxed-math");
}

TEST(FrontEnd, featuresFollowTheTarget) {
  Target more = host();
  more.extensions += " cl_khr_integer_dot_product __opencl_c_generic_address_space";
  const Outcome outcome =
      build(demand({"cl_khr_integer_dot_product", "__opencl_c_generic_address_space"}), "-cl-std=CL3.0", more);
  EXPECT_EQ(outcome.status, Status::Ok) << outcome.log;
}

TEST(FrontEnd, macrosOfTheCall) {
  const char* source =
      "__kernel void k(__global int* o) { __constant char* t = TEXT; o[0] = NUMBER + ONE + SUM(1, 2) + t[0]; }";
  const char* options = R"~(-DTEXT="\"a b\"" -D NUMBER=7 -DONE -D"SUM(a,b)=(a) + (b)")~";
  EXPECT_EQ(build(source, options, host()).log, "");
  expectOk(demand({"X == 2"}), "-DX=1 -DX=2");
  expectOk(demand({"!defined(X)"}), "-DX=1 -UX");
  // They win over the header's own, silently, and do not reach into it.
  const Outcome outcome =
      build(demand({"M_PI == 3", "INT_MAX == 5"}), "-DM_PI=3 -DINT_MAX=5 -Dtypedef=nothing -Dfloat4=int", host());
  EXPECT_EQ(outcome.log, "");
  EXPECT_CONTAINS(logOf("int x = BAD;", "-DBAD=nonsense"), "<command line>");
}

TEST(FrontEnd, cxxForOpenCl) {
  expectOk(
      "template <class T> T twice(T x) { return x + x; }\nstruct V { int a; V(int x) : a(x) {} };\n"
      "kernel void k(global int* o) { V v(3); o[0] = twice(v.a); }",
      "-cl-std=CLC++");
}

// --- headers --------------------------------------------------------------------------------------------------------

TEST(FrontEnd, embeddedHeadersInSubfolders) {
  const std::vector<Header> headers = {
      {"one.h", "#define ONE 1\n"},         {"sub/two.h", "#include \"three.h\"\n#define TWO (THREE - ONE)\n"},
      {"sub/three.h", "#define THREE 3\n"}, {"one.h", "#error of two headers of one name the first counts\n"},
      {"/abs/four.h", "#define FOUR 4\n"},  {"../up.h", "#define UP 5\n"}};
  const std::string uses = demand({"ONE == 1", "TWO == 2", "FOUR == 4", "UP == 5"});
  const Outcome outcome = compiled(
      "#include \"one.h\"\n#include <sub/two.h>\n#include \"/abs/four.h\"\n#include \"../up.h\"\n" + uses, "", headers);
  EXPECT_EQ(outcome.status, Status::Ok) << outcome.log;
}

TEST(FrontEnd, errorsInHeadersNameThemAsTheApplicationDoes) {
  const Outcome outcome =
      compiled("#include \"sub/bad.h\"\n", "", std::vector<Header>{{"sub/bad.h", "__constant int x = y;\n"}});
  EXPECT_EQ(outcome.status, Status::CompileFailure);
  EXPECT_CONTAINS(outcome.log, "In file included from program.cl:1:\nsub/bad.h:1:20: error:");
  EXPECT_LACKS(outcome.log, "<clarity>");
}

TEST(FrontEnd, headersOnDisk) {
  const TemporaryFolder folder;
  folder.write("a b/one.h", "#define ONE 1\n");
  folder.write("sub/two.h", "#include \"inner.h\"\n");
  folder.write("sub/inner.h", "#define TWO 2\n");
  const std::string source = "#include \"one.h\"\n#include <sub/two.h>\n" + demand({"ONE == 1", "TWO == 2"});
  expectOk(source, fmt::format("-I\"{}\" -I {}", folder / "a b", folder.path().string()));
  expectOk("#include \"" + (folder / "a b/one.h") + "\"\n" + demand({"ONE == 1"}));
  EXPECT_CONTAINS(logOf(source), "program.cl:1:10: fatal error: 'one.h' file not found");
  EXPECT_CONTAINS(logOf(source, "-I/dev/null/folder"), "'one.h' file not found");
}

TEST(FrontEnd, embeddedHeadersComeBeforeThoseOnDisk) {
  const TemporaryFolder folder;
  folder.write("one.h", "#define ONE 2\n");
  const Outcome outcome = compiled("#include \"one.h\"\n" + demand({"ONE == 1"}), "-I" + folder.path().string(),
                                   std::vector<Header>{{"one.h", "#define ONE 1\n"}});
  EXPECT_EQ(outcome.status, Status::Ok) << outcome.log;
}

// --- kernels --------------------------------------------------------------------------------------------------------

TEST(FrontEnd, kernelsAndTheirArguments) {
  const Outcome outcome = build(R"(
typedef struct { float x; double y; char c; } S;
__attribute__((reqd_work_group_size(8, 4, 1))) __attribute__((vec_type_hint(float4)))
__kernel void first(__global const float4* restrict a, __constant int* b, __local double* l, float3 v, S s, uchar c,
                    volatile __global S* p) { l[0] = s.y; p[0] = s; }
__kernel __attribute__((work_group_size_hint(64, 1, 1))) void second() {}
void helper() {}
)",
                                "-cl-std=CL3.0", host());
  ASSERT_EQ(outcome.status, Status::Ok) << outcome.log;
  ASSERT_EQ(outcome.compiled->kernels.size(), 2u);
  const KernelInfo& first = outcome.compiled->kernels[0];
  EXPECT_EQ(first.name, "first");
  EXPECT_EQ(first.attributes, "reqd_work_group_size(8,4,1) vec_type_hint(float4)");
  EXPECT_EQ(first.requiredLocalSize, (std::array<std::uint32_t, 3>{8, 4, 1}));
  EXPECT_FALSE(first.uniformWorkGroups);
  struct Expected {
    ArgKind kind;
    const char *name, *type;
    AddressQualifier address;
    std::uint64_t qualifiers;
    std::uint32_t size, offset;
  };
  const Expected expected[] = {
      {ArgKind::Buffer, "a", "float4*", AddressQualifier::Global, 3, 8, 0},
      {ArgKind::Buffer, "b", "int*", AddressQualifier::Constant, 1, 8, 8},
      {ArgKind::Local, "l", "double*", AddressQualifier::Local, 0, 8, 16},
      {ArgKind::Value, "v", "float3", AddressQualifier::Private, 0, 16, 32},
      {ArgKind::Value, "s", "S", AddressQualifier::Private, 0, 24, 48},
      {ArgKind::Value, "c", "uchar", AddressQualifier::Private, 0, 1, 72},
      {ArgKind::Buffer, "p", "S*", AddressQualifier::Global, 4, 8, 80},
  };
  ASSERT_EQ(first.args.size(), std::size(expected));
  for (std::size_t i = 0; i < std::size(expected); ++i) {
    const KernelArg& arg = first.args[i];
    EXPECT_EQ(arg.kind, expected[i].kind) << i;
    EXPECT_EQ(arg.name, expected[i].name) << i;
    EXPECT_EQ(arg.typeName, expected[i].type) << i;
    EXPECT_EQ(arg.address, expected[i].address) << i;
    EXPECT_EQ(arg.access, 0x11A3u) << i;
    EXPECT_EQ(arg.typeQualifiers, expected[i].qualifiers) << i;
    EXPECT_EQ(arg.size, expected[i].size) << i;
    EXPECT_EQ(arg.offset, expected[i].offset) << i;
  }
  const KernelInfo& second = outcome.compiled->kernels[1];
  EXPECT_EQ(second.name, "second");
  EXPECT_EQ(second.attributes, "work_group_size_hint(64,1,1)");
  EXPECT_EQ(second.localSizeHint, (std::array<std::uint32_t, 3>{64, 1, 1}));
  EXPECT_TRUE(second.args.empty());
}

TEST(FrontEnd, workGroupsAreUniformInOpenClC1) {
  const char* source = "__kernel void k() {}";
  EXPECT_TRUE(build(source, "", host()).compiled->kernels[0].uniformWorkGroups);
  EXPECT_FALSE(build(source, "-cl-std=CL2.0", host()).compiled->kernels[0].uniformWorkGroups);
  EXPECT_TRUE(
      build(source, "-cl-std=CL2.0 -cl-uniform-work-group-size", host()).compiled->kernels[0].uniformWorkGroups);
}

TEST(FrontEnd, manyThreadsAtOnce) {
  std::vector<std::jthread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([t] {
      for (int i = 0; i < 5; ++i) {
        const std::string good = fmt::format("__kernel void k{}(__global float* o) {{ o[0] = exp(o[{}]); }}", t, i);
        const Outcome outcome = build(good, "", host());
        EXPECT_EQ(outcome.status, Status::Ok) << outcome.log;
        EXPECT_CONTAINS(build(fmt::format("int x = bad{}_{};", t, i), "", host()).log, fmt::format("'bad{}_{}'", t, i));
      }
    });
}

}  // namespace
}  // namespace clarity::compiler
