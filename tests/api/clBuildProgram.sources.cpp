// SPDX-License-Identifier: Apache-2.0
// This file tests what clBuildProgram makes of sources (OpenCL 3.0, section 5.8.5): those that real applications send,
// those that are wrong, empty or huge; each wrong one is a build error with a log that says what and where.
#include "fixture.h"

namespace clarity::test {
namespace {

struct BuildSources : OpenCL {
  /// Builds a source that is wrong; its log has every one of these parts.
  void expectFailure(std::string_view text, const std::vector<std::string>& parts, const char* options = "",
                     std::source_location where = std::source_location::current()) {
    SCOPED_TRACE("called from line " + std::to_string(where.line()));
    const char* start = text.data();
    const size_t length = text.size();
    cl_program program = created([&](cl_int* e) { return clCreateProgramWithSource(context, 1, &start, &length, e); });
    EXPECT_CL(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 1, &device, options, nullptr, nullptr));
    const std::string log = buildLog(program);
    for (const std::string& each : parts)
      EXPECT_NE(log.find(each), std::string::npos) << "no '" << each << "' in the log:\n" << log.substr(0, 4000);
  }
  /// Builds a source that is good and returns its log.
  std::string logOf(std::string_view text, const char* options = "") { return buildLog(build(text, options)); }
  /// The same program from its binary.
  cl_program fromBuilt(cl_program program) {
    cl_program loaded = fromBinary(binaryOf(program));
    EXPECT_SUCCESS(clBuildProgram(loaded, 1, &device, "", nullptr, nullptr)) << buildLog(loaded);
    return loaded;
  }
  size_t kernelsOf(cl_program program) { return infoOf<size_t>(clGetProgramInfo, program, CL_PROGRAM_NUM_KERNELS); }
};

// The log is clang's own: the line, the column, the words, the line of source and a caret under the place.
TEST_F(BuildSources, errorsShowFileLineAndCaret) {
  expectFailure("kernel void k(global int* a) {\n  int b = 1;\n  a[0] = b + undeclared_thing;\n}\n",
                {":3:14: error: ", "undeclared_thing", "  a[0] = b + undeclared_thing;", "\n", "^"});
}

TEST_F(BuildSources, errorsOfEveryKindAreReported) {
  expectFailure("kernel void k(global int* a) { *a = ; }", {"error:"});
  expectFailure("kernel int k(global int* a) { return 1; }", {"void"});
  expectFailure("kernel void k(int* a) { *a = 1; }", {"error:"});
  expectFailure("#error this_is_wrong\nkernel void k() {}", {"this_is_wrong"});
  expectFailure("kernel void k(global int* a) { *a = 1; ", {"error:"});
  expectFailure("class X {}; kernel void k() {}", {"error:"});
  expectFailure("kernel void k(global float4* a) { (*a).xyzwq = 1; }", {"error:"});
  expectFailure("kernel void k(global int* a) { *a = 1; }\nkernel void k(global int* a) { *a = 2; }", {"redefinition"});
}

// Editors of Windows save UTF-16, with a byte order mark or without one: one sentence, and no error for each character.
// A finding may name a type that has no name.
TEST_F(BuildSources, errorsAboutTypesWithoutNames) {
  for (const char* type : {"enum { A }", "struct { int a; }", "union { int a; }", "enum : int { A }"})
    for (const std::string& text :
         {std::string("void f(") + type + " b) {}\nkernel void k() {}",
          std::string("kernel void k(global int* o, ") + type + " b) {}", std::string(type) + " f() { return {}; }",
          std::string("kernel void k() { int a = sizeof(") + type + "); }"})
      expectFailure(text, {"program.cl:1:", "error:", "cannot be defined"}, "-cl-std=CLC++2021");
}

TEST_F(BuildSources, encodingsOtherThanUtf8) {
  using namespace std::string_literals;
  const std::string text = "kernel void k(global int* a) { *a = 1; }\n";
  const auto widened = [&](std::size_t width, std::size_t place) {
    std::string wide(text.size() * width, '\0');
    for (std::size_t at = 0; at < text.size(); ++at) wide[at * width + place] = text[at];
    return wide;
  };
  for (const std::string& mark : {"\xff\xfe"s, ""s})
    expectFailure(mark + widened(2, 0), {": error: the source is UTF-16 text: convert it to UTF-8\n"});
  for (const std::string& mark : {"\xfe\xff"s, ""s}) expectFailure(mark + widened(2, 1), {"UTF-16"});
  for (const std::string& mark : {"\xff\xfe\0\0"s, ""s}) expectFailure(mark + widened(4, 0), {"UTF-32"});
  for (const std::string& mark : {"\0\0\xfe\xff"s, ""s}) expectFailure(mark + widened(4, 3), {"UTF-32"});
  logOf("\xef\xbb\xbf" + text);  // the mark of UTF-8
  logOf("// caf\xe9\n" + text);  // Latin-1 in a comment
  logOf("// caf\xc3\xa9\n\n" + text);
}

// Variables in global memory at program scope need another version of the language: the log says which.
TEST_F(BuildSources, variablesOfLaterVersions) {
  for (const char* variable : {"const size_t n = 4;", "size_t n = 4;", "global int n = 4;"})
    expectFailure(std::string(variable) + "\nkernel void k(global int* a) { *a = n; }",
                  {"error: ", "write '__constant'", "-cl-std=CL2.0"}, "-cl-std=CL1.2");
}

// Programs of OpenCL 1.x enable what is core or unknown today.
TEST_F(BuildSources, pragmasOfOldPrograms) {
  logOf(R"(
    #pragma OPENCL EXTENSION cl_khr_fp64 : enable
    #pragma OPENCL EXTENSION cl_khr_byte_addressable_store : enable
    #pragma OPENCL EXTENSION cl_khr_global_int32_base_atomics : enable
    #pragma OPENCL EXTENSION cl_khr_global_int32_extended_atomics : enable
    #pragma OPENCL EXTENSION cl_khr_local_int32_base_atomics : enable
    #pragma OPENCL EXTENSION cl_amd_fp64 : enable
    #pragma OPENCL EXTENSION cl_amd_printf : enable
    #pragma OPENCL EXTENSION cl_intel_printf : enable
    #pragma OPENCL EXTENSION cl_nv_pragma_unroll : enable
    #pragma OPENCL EXTENSION all : disable
    #pragma OPENCL FP_CONTRACT ON
    #pragma unknown words here
    __kernel void k(__global double* a, const int n) {
      #pragma unroll
      for (int i = 0; i < n; ++i) a[i] = a[i] * 2.0 + 1.0;
      #pragma unroll 4
      for (int i = 0; i < n; ++i) a[i] += 1.0;
      #pragma nounroll
      for (int i = 0; i < n; ++i) a[i] += 1.0;
    })");
}

// Pointers of other types are warned of, as they were for years; applications rely on it.
TEST_F(BuildSources, incompatiblePointersAreWarnedOf) {
  const std::string log = logOf(R"(
    typedef struct { float x, y; } pair;
    float first(global const float* p) { return p[0]; }
    kernel void k(global pair* a, global uint* b, global float2* c) {
      global float* p = a;
      global int* q = b;
      p[0] = first(c) + first(a);
      q[0] = 1;
    })");
  EXPECT_NE(log.find("warning:"), std::string::npos) << log;
  EXPECT_NE(log.find("incompatible pointer"), std::string::npos) << log;
}

// A pointer where an integer is wanted, and the reverse, are errors without a cast, unless the integer is 0.
TEST_F(BuildSources, conversionsOfPointersAndIntegers) {
  for (const char* options : {"", "-cl-std=CL3.0"}) {
    EXPECT_EQ(logOf(R"(
      typedef struct { global int* next; } node;
      global int* none(void) { return 0; }
      kernel void k(global int* a, global ulong* b, int n) {
        b[0] = (ulong)a;
        a[0] = (int)(size_t)b + (a == 0) + (NULL != a) + !a + (a ? 1 : 0) + (a && b);
        global int* p = 0;
        global int* q = NULL;
        node list = {NULL};
        p = n ? a : 0;
        q = n ? NULL : (global int*)b;
        p = (global int*)((uintptr_t)p | n);
        if (p != NULL && q && list.next == none()) *p = *q;
      })",
                    options),
              "")
        << options;
    expectFailure("kernel void k(global int* a) { int b = a; a[b] = 1; }", {"pointer to integer"}, options);
    expectFailure("kernel void k(global int* a) { long b = a; a[b] = 1; }", {"pointer to integer"}, options);
    expectFailure("kernel void k(global int* a, int b) { a = b; a[0] = 1; }", {"integer to pointer"}, options);
    expectFailure("int f(int n) { return n; }\nkernel void k(global int* a) { *a = f(a); }", {"pointer to integer"},
                  options);
  }
}

// Inline definitions without static or extern have a definition wherever one is needed.
TEST_F(BuildSources, inlineFunctions) {
  constexpr std::string_view text = R"(
    inline int one(int a) { return a + 1; }
    inline __attribute__((noinline)) int two(int a) { return one(a) + 1; }
    __inline__ __attribute__((noinline)) int three(int a);
    int four(int a);
    inline __attribute__((noinline)) int four(int a) { return three(a) + 1; }
    __inline__ int three(int a) { return two(a) + 1; }
    EXTERN inline int five(int a) { return four(a) + 1; }
    EXTERN inline __attribute__((gnu_inline, noinline)) int six(int a) { return five(a) + 1; }
    inline __attribute__((gnu_inline)) int seven(int a) { return six(a) + 1; }
    STATIC inline int eight(int a) { return seven(a) + 1; }
    inline __attribute__((always_inline)) int nine(int a) { return eight(a) + 1; }
    inline int large(int a) {
      for (int i = 0; i < 100; ++i) {
        a ^= a << 13; a ^= a >> 17; a ^= a << 5; a += i * 7; a ^= a << 11; a ^= a >> 7; a *= 31; a += 3 * i;
        a ^= a << 13; a ^= a >> 17; a ^= a << 5; a += i * 9; a ^= a << 11; a ^= a >> 9; a *= 33; a += 5 * i;
      }
      return a;
    }
    inline kernel void value(global int* r) { *r = nine(0) + (large(1) - large(1)) + (large(2) != large(3)) - 1; }
    int undefined_function(int a);
    inline int unused(int a) { return undefined_function(a); }
  )";
  // OpenCL C 1.0 and 1.1 have neither static nor extern functions.
  const std::string storage = "-DSTATIC=static -DEXTERN=extern ";
  for (const std::string& options :
       {storage, storage + "-cl-std=CL2.0", storage + "-cl-std=CL3.0", storage + "-cl-opt-disable",
        storage + "-cl-std=CLC++2021", storage + "-cl-clarity-packet-width=1",
        std::string("-DSTATIC= -DEXTERN= -cl-std=CL1.0"), std::string("-DSTATIC= -DEXTERN= -cl-std=CL1.1")}) {
    cl_program program = build(text, options.c_str());
    EXPECT_EQ(valueOf(program, "value"), 9) << options;
    EXPECT_EQ(valueOf(fromBuilt(program), "value"), 9) << options;
  }
}

// Inline assembly is of another machine, unless the device is an NVIDIA GPU: an error with a log, never a crash.
TEST_F(BuildSources, inlineAssemblyIsAnError) {
  if (hasAssembly()) GTEST_SKIP() << "the device has inline assembly";
  expectFailure("kernel void k(global int* a) { asm(\"bogus_instruction %eax\"); *a = 1; }", {"asm"});
  expectFailure("kernel void k(global int* a) { __asm__ volatile(\"nop\"); *a = 1; }", {"asm"});
  expectFailure("kernel void k(global int* a) { int b; asm(\"mov.u32 %0, %laneid;\" : \"=r\"(b)); *a = b; }", {"asm"});
}

// Recursion is not of OpenCL C: an error that names the function.
TEST_F(BuildSources, recursionIsAnError) {
  expectFailure(
      "int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }\n"
      "kernel void k(global int* a) { *a = factorial(*a); }",
      {"recurs", "factorial"});
  expectFailure(
      "int odd(int n);\nint even(int n) { return n == 0 ? 1 : odd(n - 1); }\n"
      "int odd(int n) { return n == 0 ? 0 : even(n - 1); }\n"
      "kernel void k(global int* a) { *a = even(*a); }",
      {"recurs"});
}

// A function that is declared and nowhere defined is a link error that names it.
TEST_F(BuildSources, undefinedFunctionsAreNamed) {
  expectFailure("int nowhere_defined(int a);\nkernel void k(global int* a) { *a = nowhere_defined(*a); }",
                {"nowhere_defined"});
  expectFailure("kernel void k(global int* a) { *a = never_declared(*a); }", {"never_declared"}, "-cl-std=CL1.2");
  expectFailure("kernel void k(global int* a) { *a = never_declared(*a); }", {"never_declared"}, "-cl-std=CL3.0");
  // The host's own functions are not there for kernels.
  expectFailure("int system(constant char* a);\nkernel void k(global int* a) { *a = system(\"true\"); }", {"system"});
  expectFailure("int getpid(void);\nkernel void k(global int* a) { *a = getpid(); }", {"getpid"});
}

// A function that is declared and never called need not be there.
TEST_F(BuildSources, undefinedFunctionsThatNobodyCallsAreGood) {
  logOf("int nowhere_defined(int a);\nkernel void k(global int* a) { *a = 1; }");
}

TEST_F(BuildSources, emptySourcesBuildToNothing) {
  for (const char* each : {"", " ", "\n\n", "// only words", "/* only words */", "int helper(int a) { return a; }"}) {
    cl_program program = build(std::string_view(each[0] != 0 ? each : ""), "");
    EXPECT_EQ(kernelsOf(program), 0U);
    EXPECT_EQ(infoStringOf(clGetProgramInfo, program, CL_PROGRAM_KERNEL_NAMES), "");
    expectFails(CL_INVALID_KERNEL_NAME, [&](cl_int* e) { return clCreateKernel(program, "k", e); });
  }
}

TEST_F(BuildSources, tenMegabytesOfWords) {
  std::string text;
  text.reserve(10 << 20);
  while (text.size() < size_t{10} << 20) text += "// a line of words that say nothing at all, again and again\n";
  text += "kernel void value(global int* r) { *r = 10; }\n";
  EXPECT_EQ(valueOf(build(std::string_view(text), "")), 10);
}

TEST_F(BuildSources, megabytesOfTable) {
  std::string text = "constant int table[] = {";
  constexpr int kEntries = 150'000;
  for (int i = 0; i < kEntries; ++i) text += std::to_string(i % 1000) + ",";
  text += "};\nkernel void value(global int* r) { *r = table[149123]; }\n";
  EXPECT_EQ(valueOf(build(std::string_view(text), "")), 123);
}

// Clang has a pointer for each element up to the last one that is named: 8 GiB, which it would clear.
TEST_F(BuildSources, designatorsFarBehind) {
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  const char* const sentence = "error: the compile was given up when it ";  // all memory is the sanitizer's
#else
  const char* const sentence = "error: the compile was given up when it asked for 8192 MiB of memory at once";
#endif
  expectFailure("constant int a[1 << 30] = {1, [(1 << 30) - 1] = 3};\nkernel void k(global int* p) { *p = a[*p]; }\n",
                {sentence});
  expectFailure("kernel void k(global int* p) { int a[1 << 30] = {[(1 << 30) - 1] = 3}; *p = a[*p]; }\n", {sentence});
}

TEST_F(BuildSources, hundredsOfKernels) {
  std::string text;
  for (int i = 0; i < 300; ++i)
    text +=
        "kernel void k" + std::to_string(i) + "(global int* a) { a[get_global_id(0)] = " + std::to_string(i) + "; }\n";
  cl_program program = build(std::string_view(text), "");
  EXPECT_EQ(kernelsOf(program), 300U);
  EXPECT_EQ(valueOf(program, "k299"), 299);
}

// Tens of thousands of errors end as one failure, with a log that is not as large as the source.
TEST_F(BuildSources, megabytesOfErrors) {
  std::string text;
  for (int i = 0; text.size() < size_t{1} << 20; ++i)
    text += "int a" + std::to_string(i) + " = undeclared_thing_" + std::to_string(i) + ";\n";
  expectFailure(text, {"error:", "undeclared_thing_0"});
}

TEST_F(BuildSources, deepNestingIsAnErrorOrWorks) {
  std::string text = "kernel void value(global int* r) { *r = ";
  text += std::string(100'000, '(') + "1" + std::string(100'000, ')') + "; }";
  expectFailure(text, {"error:"});
  text = "kernel void value(global int* r) { *r = 0";
  for (int i = 0; i < 3000; ++i) text += " + 1";
  EXPECT_EQ(valueOf(build(std::string_view(text + "; }"), "")), 3000);
}

// Ends of lines, a byte order mark, zeros and foreign letters do not disturb.
TEST_F(BuildSources, bytesThatFilesHave) {
  using namespace std::string_view_literals;
  EXPECT_EQ(valueOf(build("kernel void value(global int* r) {\r\n  // words\r\n  *r = 1;\r\n}\r\n"sv, "")), 1);
  EXPECT_EQ(valueOf(build("\xEF\xBB\xBFkernel void value(global int* r) { *r = 2; }"sv, "")), 2);
  EXPECT_EQ(valueOf(build("kernel void value(global int* r) { *r = 3; }\0"sv, "")), 3);
  EXPECT_EQ(valueOf(build("// \xC3\xA4\xE4\xFF letters\nkernel void value(global int* r) { *r = 4; }"sv, "")), 4);
  EXPECT_EQ(valueOf(build("kernel void value(global int* r) { *r = 5; } // no end of line"sv, "")), 5);
  EXPECT_EQ(valueOf(build("#define A \\\n 6\nkernel void value(global int* r) { *r = A; }"sv, "")), 6);
}

TEST_F(BuildSources, printfNeedsNothing) {
  logOf("kernel void k(global float4* a) { printf(\"%d %v4f %s\\n\", 1, a[0], \"text\"); }");
}

// Names that are functions of the host's library or of C are free in OpenCL C: the program's own are called.
TEST_F(BuildSources, namesOfTheHostAreFree) {
  EXPECT_EQ(valueOf(build("int malloc(int a) { return a + 1; } int y0(int a) { return a + 2; }\n"
                          "int strlen(int a) { return a + 4; }\n"
                          "kernel void value(global int* r) { *r = malloc(0) + y0(0) + strlen(0); }")),
            7);
  // A caller of the name tells nothing of destructors.
  EXPECT_EQ(valueOf(build("__attribute__((noinline)) int __cxa_atexit(int a) { return a + 3; }\n"
                          "kernel void value(global int* r) { *r = __cxa_atexit(4); }")),
            7);
  for (const char* name : {"sqrtf", "cosf", "expf", "floorf", "log2f", "fabsf"})
    for (const char* before : {"", "static "}) {
      const std::string function = std::string(before) + "float " + name + "(float a) { return a + 8; }\n";
      EXPECT_EQ(
          valueOf(build((function + "kernel void value(global int* r) { *r = (int)" + name + "(1.0f); }").c_str())), 9)
          << function;
    }
}

// A kernel can be called by another as a function.
TEST_F(BuildSources, kernelsCallKernels) {
  cl_program program = build(
      "kernel void inner(global int* r) { *r += 20; }\n"
      "kernel void value(global int* r) { *r = 1; inner(r); inner(r); }");
  EXPECT_EQ(valueOf(program), 41);
  EXPECT_EQ(kernelsOf(program), 2U);
}

}  // namespace
}  // namespace clarity::test
