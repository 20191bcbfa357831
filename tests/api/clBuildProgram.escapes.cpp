// SPDX-License-Identifier: Apache-2.0
// This file tests what clBuildProgram makes of sources that reach for what OpenCL does not have: other address spaces,
// assembly, the process's functions, numbers without instructions. Each is a build error with its line, or runs
// (docs/untrusted-input.md).
#include "fixture.h"

namespace clarity::test {
namespace {

struct BuildEscapes : OpenCL {
  void expectError(const std::string& text, const std::string& part, const char* options = "-cl-std=CL3.0",
                   std::source_location where = std::source_location::current()) {
    SCOPED_TRACE("called from line " + std::to_string(where.line()));
    cl_program program = source(text.c_str());
    EXPECT_CL(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 1, &device, options, nullptr, nullptr)) << text;
    const std::string log = buildLog(program);
    EXPECT_NE(log.find(part), std::string::npos) << "no '" << part << "' in the log:\n" << log.substr(0, 2000);
    EXPECT_NE(log.find("program.cl:"), std::string::npos) << "no place in the log:\n" << log.substr(0, 2000);
  }
  /// In a kernel with a buffer of doubles, a pointer to ints and a number.
  void expectErrorIn(const std::string& statements, const std::string& part, const char* options = "-cl-std=CL3.0",
                     std::source_location where = std::source_location::current()) {
    expectError("kernel void k(global double* o, global int* p, int n) {\n" + statements + "\n}\n", part, options,
                where);
  }
  void expectResult(const std::string& text, cl_int wanted, const char* options = "-cl-std=CL3.0",
                    std::source_location where = std::source_location::current()) {
    SCOPED_TRACE("called from line " + std::to_string(where.line()));
    EXPECT_EQ(valueOf(build(text.c_str(), options)), wanted) << text;
  }
  /// Expects the value that a kernel stores in *r.
  void expectResultOf(const std::string& statements, cl_int wanted, const char* options = "-cl-std=CL3.0",
                      std::source_location where = std::source_location::current()) {
    expectResult("kernel void value(global int* r) {\nint n = get_global_size(0) + 2;\n" + statements + "\n}\n", wanted,
                 options, where);
  }
};

// FS and GS of x86 are 256 to 258: the memory of the thread that runs the kernel.
TEST_F(BuildEscapes, addressSpaces) {
  for (const char* number : {"5", "6", "256", "257", "258", "270", "8388607"}) {
    const std::string space = std::string("__attribute__((address_space(") + number + ")))";
    expectErrorIn("*(int " + space + "*)(ulong)16 = 1;", "address space");
    expectErrorIn(space + " int* q = (" + space + " int*)o; n = *q;", "address space");
    expectError("typedef " + space + " int T;\nkernel void k(global int* o) { *(T*)(size_t)o[0] = 1; }",
                "address space");
    expectError(space + " int variable = 1;\nkernel void k(global int* o) { *o = variable; }", "address space");
  }
  expectErrorIn("*(__attribute__((address_space(257))) int*)8 = 1;", "address space", "-cl-std=CLC++2021");
  // Numbers of OpenCL's own spaces are these.
  expectResultOf("*(__attribute__((address_space(1))) int*)(ulong)r = 7;", 7);
}

TEST_F(BuildEscapes, addressesOfCode) {
  expectErrorIn("private void* there = &&here; *p = there != 0; here: *p = 1;", "");
  expectErrorIn("void* there = &&here; goto *there; here: *p = 1;", "", "-cl-std=CL1.2");
  expectErrorIn("static __constant void* const there = &&here; *p = there != 0; here: *p = 1;", "");
  expectErrorIn("*p = (long)__builtin_return_address(0);", "'k' uses 'llvm.returnaddress'");
  expectErrorIn("*p = (long)__builtin_frame_address(0);", "llvm.frameaddress");
  expectErrorIn("*p = (long)__builtin_stack_address();", "llvm.stackaddress");
  expectErrorIn("*p = (long)__builtin_dwarf_cfa();", "llvm.eh.dwarf.cfa");
  expectErrorIn("__builtin_unwind_init();", "llvm.eh.unwind.init");
  expectErrorIn("__builtin___clear_cache((char*)0, (char*)0);", "llvm.clear_cache");
  expectErrorIn("__builtin_eh_return(0, 0);", "llvm.eh.return");
  expectErrorIn("void* b[5]; __builtin_longjmp(b, 1);", "");
  expectErrorIn("void* b[5]; if (__builtin_setjmp(b)) *p = 1;", "");
}

// NVIDIA GPUs have PTX in functions.
TEST_F(BuildEscapes, assemblyInFunctions) {
  if (hasAssembly()) GTEST_SKIP() << "the device has inline assembly";
  expectErrorIn("asm(\"syscall\");", "inline assembly");
  expectErrorIn("asm volatile(\"wrfsbase %0\" : : \"r\"(o));", "inline assembly");
  expectError("__attribute__((naked)) void f(void) { asm(\"ret\"); }\nkernel void k() { f(); }", "assembly");
}

TEST_F(BuildEscapes, assembly) {
  expectError("asm(\".globl x\");\nkernel void k() {}", "assembly");
  expectError("int f(void) __asm__(\"system\");\nkernel void k(global int* o) { *o = f(); }",
              "'f' has an assembly name");
  expectError("global int v __asm__(\"environ\") = 1;\nkernel void k(global int* o) { *o = v; }", "assembly name");
  expectErrorIn("register long sp asm(\"rsp\"); *p = sp;", "register");
  expectError("#pragma redefine_extname f system\nint f(void);\nkernel void k(global int* o) { *o = f(); }",
              "assembly name");
}

// Functions that are another one, run at other times or lie elsewhere.
TEST_F(BuildEscapes, attributes) {
  expectError(
      "int f(int x) { return x; }\nint g(int x) __attribute__((alias(\"f\")));\n"
      "kernel void k(global int* o) { *o = g(1); }",
      "'g' is an alias");
  expectError(
      "int f(int x) { return x; }\n#pragma weak g = f\nint g(int);\n"
      "kernel void k(global int* o) { *o = g(1); }",
      "");
  expectError("__attribute__((constructor)) void f(void) {}\nkernel void k() {}", "'f' is to run before");
  expectError("__attribute__((destructor)) void f(void) {}\nkernel void k() {}", "'f' is to run before");
  expectResult(
      "__attribute__((section(\".eh_frame\"))) constant int a = 4;\n"
      "__attribute__((section(\".init_array\"))) int f(int x) { return x + a; }\n"
      "kernel void value(global int* r) { *r = f(1); }",
      5);
  expectResult(
      "__attribute__((target(\"avx512f\"))) int f(int x) { return x; }\n"
      "kernel void value(global int* r) { *r = f(3); }",
      3);
  expectResult(
      "__attribute__((stack_protect, noinline)) int f(int x) { int a[8]; for (int i = 0; i < 8; ++i) a[i] = x; return "
      "a[x]; }\n"
      "kernel void value(global int* r) { *r = f(3); }",
      3);
  expectResult(
      "__attribute__((function_return(\"thunk-extern\"), noinline)) int f(int x) { return x; }\n"
      "kernel void value(global int* r) { *r = f(3); }",
      3);
  expectResult(
      "__attribute__((annotate(\"x\"))) global int a = 3;\n"
      "kernel void value(global int* r) { __attribute__((annotate(\"y\"))) int b = a; *r = b; }",
      3);
}

// Calling conventions that the target has not are warned of, on kernels, too. Annotations, and lists of what a linker
// may not drop, are dropped.
TEST_F(BuildEscapes, attributesOfKernels) {
  for (const char* options : {"-cl-std=CL1.2", "-cl-std=CL3.0", "-cl-std=CLC++2021"}) {
    for (const char* convention : {"ms_abi", "vectorcall", "preserve_most", "aarch64_vector_pcs"}) {
      const std::string attribute = std::string("__attribute__((") + convention + ")) ";
      expectResult(attribute + "kernel void value(global int* r) { *r = 4; }", 4, options);
      expectResult(attribute + "kernel void other(global int* r) { *r = 5; }\n" + attribute +
                       "kernel void value(global int* r);\nkernel void value(global int* r) { other(r); }",
                   5, options);
      expectResult(attribute + "int f(int x) { return x; }\nkernel void value(global int* r) { *r = f(6); }", 6,
                   options);
    }
    for (const char* attribute : {"used", "retain", "annotate(\"x\")"})
      expectResult(std::string("#define A __attribute__((") + attribute +
                       "))\nA int f(int x) { return x; }\nA constant int three = 3;\n"
                       "A kernel void value(global int* r) { A local int l; l = f(three); *r = l; }",
                   3, options);
  }
}

// A kernel that the host cannot find is an error of the build.
TEST_F(BuildEscapes, kernelsWithoutAName) {
  for (const char* attribute : {"overloadable", "internal_linkage"})
    expectError(std::string("__attribute__((") + attribute + ")) kernel void k(global int* o) { *o = 1; }",
                "kernel 'k' cannot be found by its name");
  cl_program named = source("kernel void k(global int* o) __asm__(\"f\");\nkernel void k(global int* o) { *o = 1; }");
  EXPECT_CL(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(named, 1, &device, "", nullptr, nullptr));
  EXPECT_EQ(buildLog(named).find("recursion"), std::string::npos) << buildLog(named);
  expectError("kernel void k(global int* o) { k(o); }", "recursion is not supported in OpenCL C: 'k' calls itself");
  expectResult("namespace { kernel void value(global int* r) { *r = 1; } }", 1, "-cl-std=CLC++2021");
  expectResult("namespace n { kernel void value(global int* r) { *r = 2; } }", 2, "-cl-std=CLC++2021");
  expectResult("extern \"C\" { kernel void value(global int* r) { *r = 2; } }", 2, "-cl-std=CLC++2021");
}

// The runtime's functions are not the program's.
TEST_F(BuildEscapes, namesOfTheRuntime) {
  expectError(
      "int __clarity_printf(void*, const char*, ulong*, uint);\n"
      "kernel void k(global int* o) { *o = __clarity_printf((void*)8, 0, 0, 0); }",
      "implementation's");
  expectError("void __clarity_barrier(uint f) {}\nkernel void k() { __clarity_barrier(1); }", "implementation's");
  expectError("kernel void __clarity_x() {}", "implementation's");
  expectErrorIn("__builtin_abort();", "undefined function 'abort'");
  expectError("int system(constant char*);\nkernel void k(global int* o) { *o = system(\"x\"); }", "'system'");
  expectError("extern global int environ;\nkernel void k(global int* o) { *o = environ; }", "environ");
}

TEST_F(BuildEscapes, pragmas) {
  for (const char* what : {"overflow_stack", "crash", "llvm_fatal_error", "llvm_unreachable", "parser_crash", "assert"})
    buildLog(build((std::string("#pragma clang __debug ") + what + "\nkernel void k() {}\n").c_str()));
  expectError(
      "#pragma clang attribute push(__attribute__((constructor)), apply_to = function)\n"
      "void f(void) {}\n#pragma clang attribute pop\nkernel void k() {}",
      "to run before");
  expectResult(
      "#pragma clang section text=\".init\" rodata=\".eh_frame\"\nconstant int c[2] = {1, 2};\n"
      "kernel void value(global int* r) { *r = c[1]; }",
      2);
}

// Files that are no files, or never end.
TEST_F(BuildEscapes, includes) {
  for (const char* file : {"/dev/zero", "/dev/stdin", "/proc/self/mem", "/proc/self/environ", "/proc/kcore", "/dev/tty",
                           "/sys/kernel/notes"}) {
    expectError(std::string("#include \"") + file + "\"\nkernel void k() {}", file);
    expectError(std::string("constant uchar c[] = {\n#embed \"") + file + "\" limit(16)\n};\nkernel void k() {}",
                "error:");
  }
  expectError("constant uchar c[] = {\n#embed \"/dev/zero\"\n};\nkernel void k() {}", "error:");
  for (const char* file : {"\"/dev/zero\"", "<none.h>", "\"none.h\" limit(3)"})
    expectError(std::string("#if __has_embed(") + file + ")\n#endif\nkernel void k() {}",
                "'__has_embed' is not defined");
  expectResultOf("#ifdef __has_embed\n*r = 1;\n#else\n*r = 2;\n#endif", 2);
}

TEST_F(BuildEscapes, numbersThatAreNotOpenCLs) {
  expectErrorIn("__int128 a = n; *p = a / 3;", "__int128");
  expectErrorIn("_BitInt(128) a = n; *p = (int)(a / n);", "integers of 128 bits");
  expectErrorIn("__bf16 a = (__bf16)1.0f; *p = (int)a;", "__bf16");
  expectErrorIn("__float128 a = n; *p = (int)a;", "__float128");
  expectResultOf("_BitInt(33) a = n; a = a * a / 2; *r = (int)a;", 4);
  expectResultOf("long double x = 1.5L; x = x * n / 2.0L; *r = (int)(x * 4.0L);", 9);
  expectResultOf("*r = (int)(sin(0.0L) + pow(2.0L, 3.0) + sqrt(4.0L * n)) + sizeof(long double);", 19);
  expectResultOf(
      "long long a = 7LL; unsigned long long b = 1ULL << 40; a = a * n / 2LL; *r = (int)(a + (b >> 40) / n);", 10);
  expectResultOf("*r = (int)max(5LL, (long)n) + (int)min(7ULL, (ulong)n) + sizeof(1LL);", 16);
  expectResultOf("_Complex double c = n; __imag c = 1.0; c = c * c / (c + 0.0); *r = (int)__real c + (int)__imag c;",
                 4);
}

// In C++, too, where `long double` is a type of its own and the parser reads statements twice.
TEST_F(BuildEscapes, longLiteralsInCxx) {
  const char* const options = "-cl-std=CLC++2021";
  expectResultOf("*r = (int)(sin(0.0L) + pow(2.0L, 3.0) + sqrt(4.0l * n)) + sizeof(1e1L) + sizeof(0x1.8p3L);", 27,
                 options);
  expectResultOf("*r = (int)max(5LL, (long)n) + (int)min(7uLL, (ulong)n) + (int)min(0x7llU, (ulong)n) + sizeof(1LL);",
                 5 + 3 + 3 + 8, options);
  expectResult(
      "#define TWICE(x) ((x) + (x))\n#define JOIN(a, b) a##b\n"
      "template <class T> int kind(T) { return 0; }\n"
      "template <> int kind(double) { return 1; }\ntemplate <> int kind(long) { return 2; }\n"
      "struct Holder { double value = fabs(-2.0L); int of() { return (int)fmax(value, 1.0L); } };\n"
      "struct Number { operator double() const { return 0.5; } };\n"
      "kernel void value(global int* r) {\n"
      "  fmax(1.0L, 2.0L);\n"
      "  double a(cos(0.0L)), b = Number() + 1.5L;\n"
      "  *r = kind(1.0L) + kind(1LL) + kind(JOIN(1., 0L)) + (int)TWICE(floor(1.5L)) + Holder().of() + (int)(a + b);\n"
      "}",
      1 + 2 + 1 + 2 + 2 + 3, options);
}

TEST_F(BuildEscapes, mathematicsOfClang) {
  expectResultOf(
      "*r = (int)(__builtin_sin(0.0 * n) + __builtin_pow(2.0, (double)n) + __builtin_powi(2.0, n) +\n"
      "__builtin_exp2f(n) + __builtin_fmod(7.0, n) + __builtin_ldexp(1.0, n));",
      33);
  expectResultOf(
      "int e; double m = __builtin_frexp(12.0 * n, &e); double w; double f = __builtin_modf(n + 0.25, &w);\n"
      "*r = (int)(m * 1000) + e * 10 + (int)(f * 4 + w);",
      626);
  expectResultOf("*r = (int)(__builtin_lrint(n + 0.5) * 10 + __builtin_lround(n + 0.5));", 44);
  expectResultOf("float3 v = __builtin_elementwise_exp2((float3)(1, 2, n)); *r = (int)(v.x + v.y + v.z);", 14);
  expectResultOf(
      "typedef float F5 __attribute__((ext_vector_type(5))); F5 v = n; v = __builtin_elementwise_pow(v, v);\n"
      "*r = (int)(v[4] + v[0] + 0.5f);",
      54);
  expectErrorIn("*o = __builtin_cbrt(*o);", "undefined function 'cbrt'");
}

// Clang compares a global pointer with a null pointer of another address space: an error of the build, not the launch.
TEST_F(BuildEscapes, invalidCodeOfClang) {
  for (const char* builtin : {"__builtin_extract_return_addr", "__builtin_frob_return_addr"}) {
    cl_program program =
        source((std::string("kernel void k(global int* o) { *o = ") + builtin + "(o) != 0; }").c_str());
    EXPECT_CL(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 1, &device, "", nullptr, nullptr));
    EXPECT_NE(buildLog(program).find("error: invalid IR: "), std::string::npos) << buildLog(program);
  }
}

TEST_F(BuildEscapes, otherBuiltinsOfClang) {
  expectResultOf("*r = __builtin_readcyclecounter() != 0;", 1);
  expectResultOf("ulong a = __builtin_readcyclecounter(); *r = a != 0UL && a != 0ULL;", 1);
  expectResultOf("int a[4] = {1, 2, 3, 4}, b[4]; __builtin_memcpy(b, a, sizeof a); *r = b[n];", 4);
  expectResultOf("*r = ({ int a = n; a + 1; });", 4);
  expectResultOf("int s; *r = __builtin_mul_overflow(n, 0x7fffffff, &s) + 2 * __builtin_popcount(n);", 5);
  expectResultOf("int a = n; __atomic_fetch_add(&a, 2, __ATOMIC_SEQ_CST); __sync_fetch_and_add(&a, 1); *r = a;", 6);
  expectResultOf("if (n == 1000) __builtin_unreachable(); __builtin_assume(n > 0); __builtin_prefetch(r); *r = n;", 3);
  expectResultOf("if (n == 1000) __builtin_trap(); *r = n;", 3);
  expectResultOf("*r = __builtin_isnan(0.0 / (n - 3)) + __builtin_signbit(-1.0 * n) + (__builtin_inf() > n);", 3);
  expectErrorIn("char* q = __builtin_alloca(n); q[n - 1] = 1; *p = q[0];", "memory on the stack");
  expectErrorIn("for (int i = 0; i < n; ++i) { char* q = __builtin_alloca(16); q[i] = 1; *p += q[0]; }",
                "memory on the stack");
  expectErrorIn("int a[n]; a[0] = 1; *p = a[0];", "variable length");
  expectErrorIn("__builtin_va_list v; *p = __builtin_va_arg(v, int);", "");
  expectErrorIn("static _Thread_local int v; *p = v;", "thread-local");
  expectErrorIn("void (*f)(int) = 0; f(1);", "function");
  expectErrorIn("__builtin_ia32_wrfsbase64(0);", "__builtin_ia32_wrfsbase64");
  expectErrorIn("*p = __builtin_ia32_rdpmc(0);", "__builtin_ia32_rdpmc");
}

}  // namespace
}  // namespace clarity::test
