// SPDX-License-Identifier: Apache-2.0
// This file gives programs functions of their own with the names of builtin functions: every call must go to the
// function that its arguments fit, whatever else has the name.
#include "device_test.h"

#include <initializer_list>
#include <string>
#include <vector>

namespace {

constexpr const char* allVersions[] = {"-cl-std=CL1.0", "-cl-std=CL1.1", "-cl-std=CL1.2", "-cl-std=CL2.0",
                                       "-cl-std=CL3.0"};
constexpr const char* plusPlus[] = {"-cl-std=CLC++1.0", "-cl-std=CLC++2021"};

class OwnFunctions : public DeviceTest {
protected:
  /// Each question is an expression that is true; one, two and three are ints from memory.
  void ask(const std::string& ahead, const std::vector<std::string>& questions, const std::string& options) {
    SCOPED_TRACE(options + ": " + ahead);
    std::string source =
        "#ifdef __OPENCL_CPP_VERSION__\n#define OVL\n#else\n#define OVL __attribute__((overloadable))\n#endif\n"
        "#if defined(__OPENCL_CPP_VERSION__) || __OPENCL_C_VERSION__ >= 120\n#define STATIC static\n#else\n#define "
        "STATIC\n#endif\n" +
        ahead +
        "\nkernel void ask_k(global int* answers, global const int* in) {\n  const int one = in[0], two = in[1], three "
        "= "
        "in[2];\n  const float f = in[0] + 0.5f;\n  const double d = in[0] + 0.5;\n";
    for (std::size_t i = 0; i < questions.size(); ++i)
      source += "  answers[" + std::to_string(i) + "] = (" + questions[i] + ") ? 1 : 0;\n";
    build(source + "}\n", options);
    if (HasFatalFailure()) return;
    std::vector<int> answers(questions.size(), -1);
    cl_mem in = bufferOf(std::vector<int>{1, 2, 3}), out = bufferOf(answers);
    launch("ask_k", {1}, {}, out, in);
    take(out, answers);
    clReleaseMemObject(in);
    for (std::size_t i = 0; i < questions.size(); ++i) EXPECT_EQ(answers[i], 1) << questions[i];
  }
  void askAll(const std::string& ahead, const std::vector<std::string>& questions) {
    for (const char* options : allVersions) ask(ahead, questions, options);
    for (const char* options : plusPlus) ask(ahead, questions, options);
  }
};

constexpr const char* pair = "typedef struct { double x, y; } S;\n";

TEST_F(OwnFunctions, OverloadsOfStructures) {
  askAll(std::string(pair) +
             "S OVL mad(S a, S b, S c) { S r = {a.x * b.x + c.x, 0}; return r; }\n"
             "S OVL max(S a, S b) { if (a.x > b.x) return a; return b; }\n"
             "double OVL dot(S a, S b) { return a.x * b.x + a.y * b.y; }\n"
             "double OVL length(S a) { return sqrt(dot(a, a)); }\n"
             "S OVL clamp(S v, S lo, S hi) { S r = {clamp(v.x, lo.x, hi.x), clamp(v.y, lo.y, hi.y)}; return r; }\n"
             "float OVL fract(S a) { return (float)a.x; }\n"
             "S make(double x, double y) { S r = {x, y}; return r; }",
         {"mad(d, d, d) == 3.75", "mad(f, f, f) == 3.75f", "mad(make(1, 0), make(2, 0), make(3, 0)).x == 5",
          "max(one, two) == 2", "max(d, 2.0) == 2.0", "max(make(1, 2), make(3, 4)).y == 4",
          "dot((float4)(f), (float4)(2.0f)) == 12.0f", "dot(make(3, 4), make(3, 4)) == 25", "length(make(3, 4)) == 5",
          "length((float2)(3, 4)) == 5", "clamp(three, one, two) == 2",
          "clamp(make(5, 0), make(0, 0), make(2, 2)).x == 2", "fract(make(0.25, 0)) == 0.25f", "all((int4)(-1))"});
}

// One function without the attribute is a candidate like the others.
TEST_F(OwnFunctions, PlainFunctions) {
  for (const char* options : allVersions) {
    ask(std::string(pair) +
            "S mad(S a, S b, S c) { a.x += b.x + c.x; return a; }\nS get(double x) { S r = {x, x}; return r; }",
        {"mad(d, d, d) == 3.75", "mad(f, f, f) == 3.75f", "mad(get(1), get(2), get(3)).x == 6"}, options);
    ask("float smoothstep(int a) { return a + 0.25f; }",
        {"smoothstep(one) == 1.25f", "smoothstep(0.0f, 1.0f, 0.5f) == 0.5f"}, options);
  }
}

// A function with a builtin's parameters takes its place, and only its place; static or not, whatever it returns.
TEST_F(OwnFunctions, InPlaceOfABuiltin) {
  askAll(
      "float OVL mad(float a, float b, float c) { return 7; }\n"
      "STATIC int OVL max(int a, int b) { return -1; }\n"
      "int OVL floor(float x) { return 42; }\n"
      "void touch(global int* p);\n"
      "float4 OVL fabs(float4 a) { return a + 1.0f; }\n",
      {"mad(f, f, f) == 7", "mad(d, d, d) == 3.75", "mad((float2)(f), (float2)(f), (float2)(f)).y == 3.75f",
       "max(one, two) == -1", "max(f, 2.0f) == 2.0f", "max((int2)(one), (int2)(two)).x == 2", "floor(f) == 42",
       "floor(d) == 1.0", "fabs((float4)(-1.0f)).w == 0.0f", "fabs(-f) == 1.5f"});
  for (const char* options : allVersions)
    ask("float mad(float a, float b, float c) { return 7; }\n", {"mad(f, f, f) == 7", "mad(d, d, d) == 3.75"}, options);
}

// Without an attribute that the builtin has: the function that replaces it writes to memory.
TEST_F(OwnFunctions, AttributesAreNotInherited) {
  askAll(
      "int OVL abs_diff(global int* p);\n"
      "int OVL hadd(int a, int b);\n"
      "int OVL hadd(int a, int b) { return a * 100 + b; }\n",
      {"hadd(one, two) == 102", "hadd((uint)one, (uint)three) == 2"});
}

// The second overload follows calls of the builtins in the first.
TEST_F(OwnFunctions, SeveralOverloads) {
  askAll(std::string(pair) +
             "S OVL min(S a, S b) { S r = {min(a.x, b.x), min(a.y, b.y)}; return r; }\n"
             "STATIC float OVL min(float a, float b) { return min((int)a, (int)b) + 100.0f; }\n"
             "S OVL min(S a, double b) { S c = {b, b}; return min(a, c); }\n"
             "S of(double x) { S r = {x, x}; return r; }\n",
         {"min(f, 5.0f) == 101.0f", "min(d, 5.0) == 1.5", "min(one, two) == 1", "min(of(3), 2.0).x == 2",
          "min((float2)(1.0f, 2.0f), 1.5f).y == 1.5f"});
}

// A call that only conversions make fit one function is that function's, as long as a program has been built so.
TEST_F(OwnFunctions, LooseCalls) {
  for (const char* options : allVersions)
    ask("float clamp(float x, float lo, float hi) { return x < lo ? lo : x > hi ? hi : x; }",
        {"clamp(f, 0, 1) == 1.0f", "clamp(two, 0.0f, 1) == 1.0f"}, options);
}

// Names of builtins for what is no function.
TEST_F(OwnFunctions, OtherThings) {
  askAll(
      "constant float step = 0.25f;\ntypedef int mix;\nenum { sign = 3, degrees };\nstruct dot { int x; };\n"
      "struct cross { int min, max, length; };\n#define half_cos(x) (x)\n",
      {"step == 0.25f", "(mix)f == 1", "sign + degrees == 7", "sizeof(struct dot) == 4",
       "({ int floor = two; floor; }) == 2", "({ struct cross c = {1, 2, 3}; c.min + c.max + c.length; }) == 6",
       "min(one, two) == 1", "length((float2)(3, 4)) == 5", "half_cos(two) == 2"});
}

// Prototypes of builtins, as headers for other compilers have them.
TEST_F(OwnFunctions, DeclaredAndNotDefined) {
  askAll(
      "size_t OVL get_global_size(uint);\nfloat OVL mad(float, float, float);\nint OVL max(int, int);\n"
      "float OVL native_sin(float a);\n",
      {"get_global_size(0) == 1", "mad(f, f, f) == 3.75f", "mad(d, d, d) == 3.75", "max(one, two) == 2"});
  for (const char* options : allVersions)
    ask("size_t get_global_size(uint);\nfloat sqrt(float);\n",
        {"get_global_size(0) == 1", "sqrt(f + f + 1.0f) == 2.0f", "sqrt(d + d + 1.0) == 2.0"}, options);
}

TEST_F(OwnFunctions, NamespacesAndMembers) {
  const std::string text = std::string(pair) +
                           "namespace my { double dot(S a, S b) { return 1000; }\n"
                           "  double both(float4 v) { return ::dot(v, v); } }\n"
                           "using namespace my;\n"
                           "struct V { float x; float length() const { return ::sqrt(x * x); }\n"
                           "  float max(V o) const { return ::max(x, o.x); } };\n"
                           "template <class T> T twice(T v) { return max(v, v) + min(v, v); }\n"
                           "S operator+(S a, S b) { return {a.x + b.x, 0}; }\n"
                           "S max(S a, S b) { return a.x > b.x ? a : b; }\nS min(S a, S b) { return b; }\n";
  for (const char* options : plusPlus)
    ask(text,
        {"dot(S{1, 2}, S{1, 2}) == 1000", "dot((float4)(1.0f), (float4)(f)) == 6.0f", "my::both((float4)(1.0f)) == 4",
         "V{-3}.length() == 3", "V{2}.max(V{5}) == 5", "twice(two) == 4", "twice(f) == 3.0f", "twice(S{1, 2}).x == 2"},
        options);
}

// Operators of enumerations and of classes with conversions, for which every arithmetic type is a candidate.
TEST_F(OwnFunctions, OperatorsOfOtherTypes) {
  for (const char* options : plusPlus)
    ask("enum E : long { a = 5 };\nenum F { b = 3 };\nstruct L { long v; operator long() const { return v; } };\n"
        "struct D { double v; operator double() const { return v; } };\n",
        {"(a ^ b) == 6", "a + 1LL == 6", "(L{5} ^ L{3}) == 6", "L{5} * 2 == 10", "D{1.5} + D{1.0} == 2.5",
         "sizeof(long long) == 8", "sizeof(1.0L) == 8", "7LL / two == 3"},
        options);
}

// Pasted names, and names that a version does not have.
TEST_F(OwnFunctions, NamesThatAVersionDoesNotReserve) {
  ask("#define CAT(a, b) a##b\n", {"CAT(work_, group_reduce_mul)(two) == 2", "CAT(sub_, group_reduce_add)(two) == 2"},
      "-cl-std=CL3.0");
  for (const char* options : {"-cl-std=CL2.0", "-cl-std=CL3.0"}) {
    ask("int work_group_reduce_mul(int x) { return x + 10; }\n",
        {"work_group_reduce_mul(two) == 12", "work_group_reduce_add(two) == 2"}, options);
    ask("STATIC float work_group_reduce_mul(int x) { return x + 0.5f; }\n", {"work_group_reduce_mul(two) == 2.5f"},
        options);
  }
  for (const char* options : {"-cl-std=CL1.0", "-cl-std=CL1.1", "-cl-std=CL1.2"})
    ask("int work_group_reduce_add(int x) { return x + 10; }\nint to_global(int x) { return x; }\n"
        "int get_enqueued_local_size(int a) { return 5; }\nint read_pipe(int x) { return x + 1; }\n",
        {"work_group_reduce_add(two) == 12", "to_global(two) == 2", "get_enqueued_local_size(0) == 5",
         "read_pipe(one) == 2"},
        options);
}

// A function called printf, where the language has none.
TEST_F(OwnFunctions, Printf) {
  for (const char* options : {"-cl-std=CL1.0", "-cl-std=CL1.1"}) {
    ask("int printf(int x) { return x + 1; }\n", {"printf(two) == 3"}, options);
    ask("float printf(global const int* p, float b) { return p[0] + b; }\n", {"printf(in, f) == 2.5f"}, options);
    ask("void printf(int* x) { *x = 5; }\nint ask_it(void) { int x; printf(&x); return x; }\n", {"ask_it() == 5"},
        options);
    ask("kernel void printf(global int* p) { p[0] = 5; }\n", {"one == 1"}, options);
  }
}

// Names that the compiler or a C library gives a meaning.
TEST_F(OwnFunctions, NamesOfTheCLibrary) {
  askAll(
      "float sqrtf(float x) { return x + 1; }\nint memcpy(int a, int b) { return a * b; }\n"
      "double pow10(double x) { return x; }\nint puts(int x) { return x; }\nvoid* malloc(int x) { return 0; }\n"
      "int strlen(int x) { return x; }\n\nfloat fminf(float a) { return a; }\n"
      "int cl(int x) { return x; }\nint user(int x) { return x; }\nint llvm(int x) { return x; }\n",
      {"sqrtf(3.0f + f) == 5.5f", "memcpy(two, three) == 6", "pow10(d) == 1.5", "puts(two) == 2", "malloc(two) == 0",
       "strlen(two) == 2", "fminf(f) == 1.5f", "cl(one) == 1", "user(one) == 1", "llvm(two) == 2"});
}

}  // namespace
