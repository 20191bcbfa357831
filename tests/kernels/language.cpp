// SPDX-License-Identifier: Apache-2.0
// This file asks programs of every version of the language what is true of types, macros and operators (OpenCL C 3.0,
// sections 6.3, 6.4, 6.15.2.1 and 6.15.6). One program a version has all questions; operators are asked twice: of
// constants, which the compiler computes, and of values from memory, which the processor does.
#include "device_test.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using Questions = std::vector<std::string>;

constexpr const char* versions[] = {"-cl-std=CL1.0",     "-cl-std=CL1.1",   "-cl-std=CL1.2",
                                    "-cl-std=CL2.0",     "-cl-std=CL3.0",   "-cl-std=CLC++1.0",
                                    "-cl-std=CLC++2021", "-cl-opt-disable", "-cl-std=CL3.0 -g"};

bool isOf(const std::string& options, const char* version) { return options.contains(version); }
/// Whether an extension is missing in clang's headers and OpenCL 1.0 and 1.1.
bool isOld(const std::string& options) { return isOf(options, "CL1.0") || isOf(options, "CL1.1"); }

class Language : public DeviceTest {
protected:
  /// Every question is an expression over zero, one, two and three, which come from memory.
  void ask(const Questions& questions, const std::string& options, const std::string& ahead = "") {
    SCOPED_TRACE(options);
    std::string source = ahead +
                         "\nkernel void k(global int* answers, global const int* in) {\n  const int zero = in[0], one "
                         "= in[1], two = in[2], three = in[3];\n";
    for (std::size_t i = 0; i < questions.size(); ++i)
      source += "  answers[" + std::to_string(i) + "] = (" + questions[i] + ") ? 1 : 0;\n";
    build(source + "}\n", options);
    if (HasFatalFailure()) return;
    std::vector<int> answers(questions.size(), -1);
    cl_mem in = bufferOf(std::vector<int>{0, 1, 2, 3}), out = bufferOf(answers);
    launch("k", {1}, {}, out, in);
    take(out, answers);
    clReleaseMemObject(in);
    for (std::size_t i = 0; i < questions.size(); ++i) EXPECT_EQ(answers[i], 1) << questions[i];
  }
};

TEST_F(Language, SizesOfTypes) {
  Questions questions = {"sizeof(bool) == 1",          "sizeof(size_t) == 8",
                         "sizeof(ptrdiff_t) == 8",     "sizeof(intptr_t) == 8",
                         "sizeof(uintptr_t) == 8",     "sizeof(global int*) == 8",
                         "sizeof(struct mixed) == 48", "sizeof(struct packed) == 6",
                         "sizeof(union both) == 16",   "__alignof__(struct wide) == 64",
                         "sizeof(struct wide) == 64"};
  const std::pair<const char*, int> types[] = {{"char", 1},  {"uchar", 1},  {"short", 2}, {"ushort", 2},
                                               {"int", 4},   {"uint", 4},   {"long", 8},  {"ulong", 8},
                                               {"float", 4}, {"double", 8}, {"half", 2}};
  for (const auto& [type, bytes] : types) {
    questions.push_back("sizeof(" + std::string(type) + ") == " + std::to_string(bytes) + " && vec_step(" + type +
                        ") == 1");
    for (const int elements : {2, 3, 4, 8, 16}) {
      const int stored = elements == 3 ? 4 : elements;
      const std::string name = type + std::to_string(elements), size = std::to_string(bytes * stored);
      questions.push_back("sizeof(" + name + ") == " + size + " && __alignof__(" + name + ") == " + size +
                          " && vec_step(" + name + ") == " + std::to_string(stored));
    }
  }
  for (const char* options : versions)
    ask(questions, options,
        "struct mixed { char a; float3 b; short c; double d; };\nstruct __attribute__((packed)) packed { char a; int "
        "b; char c; };\n"
        "union both { float4 v; int i[4]; };\nstruct __attribute__((aligned(64))) wide { int a; };");
}

TEST_F(Language, Macros) {
  const Questions always = {
      "CHAR_BIT == 8", "CHAR_MAX == SCHAR_MAX", "SCHAR_MIN == -128", "UCHAR_MAX == 255", "SHRT_MAX == 32767",
      "SHRT_MIN == -32768", "USHRT_MAX == 65535", "INT_MAX == 2147483647", "INT_MIN == -2147483647 - 1",
      "UINT_MAX == 0xffffffffu", "LONG_MAX == 0x7fffffffffffffffL", "LONG_MIN == -0x7fffffffffffffffL - 1",
      "ULONG_MAX == 0xffffffffffffffffUL", "FLT_DIG == 6", "FLT_MANT_DIG == 24", "FLT_MAX_10_EXP == 38",
      "FLT_MAX_EXP == 128", "FLT_MIN_10_EXP == -37", "FLT_MIN_EXP == -125", "FLT_RADIX == 2",
      "FLT_MAX == 0x1.fffffep127f", "FLT_MIN == 0x1.0p-126f", "FLT_EPSILON == 0x1.0p-23f", "DBL_DIG == 15",
      "DBL_MANT_DIG == 53", "DBL_MAX_10_EXP == 308", "DBL_MAX_EXP == 1024", "DBL_MIN_10_EXP == -307",
      "DBL_MIN_EXP == -1021", "DBL_MAX == 0x1.fffffffffffffp1023", "DBL_MIN == 0x1.0p-1022", "DBL_EPSILON == 0x1.0p-52",
      "HALF_DIG == 3", "HALF_MANT_DIG == 11", "HALF_MAX_10_EXP == 4", "HALF_MAX_EXP == 16", "HALF_MIN_10_EXP == -4",
      "HALF_MIN_EXP == -13", "HALF_RADIX == 2", "HALF_MAX == 0x1.ffcp15h", "HALF_MIN == 0x1.0p-14h",
      "HALF_EPSILON == 0x1.0p-10h", "FP_ILOGB0 == ilogb(0.0f)", "FP_ILOGBNAN == ilogb(NAN)", "MAXFLOAT == FLT_MAX",
      "isinf(HUGE_VALF) && sizeof(HUGE_VALF) == 4", "isinf(HUGE_VAL) && sizeof(HUGE_VAL) == 8",
      "isinf(INFINITY) && sizeof(INFINITY) == 4", "isnan(NAN) && sizeof(NAN) == 4", "M_E_F == 2.718281828459045f",
      "M_LOG2E_F == 1.442695040888963f", "M_LOG10E_F == 0.434294481903251f", "M_LN2_F == 0.693147180559945f",
      "M_LN10_F == 2.302585092994045f", "M_PI_F == 3.141592653589793f", "M_PI_2_F == 1.570796326794896f",
      "M_PI_4_F == 0.785398163397448f", "M_1_PI_F == 0.318309886183790f", "M_2_PI_F == 0.636619772367581f",
      "M_2_SQRTPI_F == 1.128379167095512f", "M_SQRT2_F == 1.414213562373095f", "M_SQRT1_2_F == 0.707106781186547f",
      "M_E == 2.718281828459045", "M_PI == 3.141592653589793 && sizeof(M_PI) == 8", "M_SQRT2 == 1.4142135623730951",
      "M_LN10 == 2.3025850929940457", "M_PI_H == 3.14159h", "M_E_H == 2.71828h", "__ENDIAN_LITTLE__ == 1",
      "__OPENCL_VERSION__ == 300", "cl_khr_fp64 == 1", "cl_khr_fp16 == 1",
      "CL_VERSION_1_0 == 100 && CL_VERSION_1_1 == 110 && CL_VERSION_1_2 == 120", "CL_VERSION_2_0 == 200",
      "CLK_LOCAL_MEM_FENCE == 1 && CLK_GLOBAL_MEM_FENCE == 2",
      // Variables at program scope begin with them.
      "isnan(not_a_number) && isnan(numbers.x) && isinf(table[1]) && isnan(table[0]) && greatest == FLT_MAX"};
  const char* ahead =
      "constant float not_a_number = NAN;\nconstant float2 numbers = (float2)(NAN, -INFINITY);\nconstant float table[] "
      "= {-NAN, HUGE_VALF};\nconstant float greatest = MAXFLOAT;";
  for (const char* options : versions) {
    Questions questions = always;
    if (isOf(options, "C++"))
      std::erase_if(questions,
                    [](const std::string& each) { return each.starts_with("CL_VERSION") || each.starts_with("CLK"); });
    ask(questions, options, ahead);
  }
  // fma() is quick where the device says so.
  cl_device_fp_config config = 0;
  clGetDeviceInfo(device_, CL_DEVICE_SINGLE_FP_CONFIG, sizeof config, &config, nullptr);
  const std::string fast =
      "#if defined(FP_FAST_FMAF) && FP_FAST_FMAF == 1 && defined(FP_FAST_FMA) && FP_FAST_FMA == 1\nconstant int quick "
      "= 1;\n#else\nconstant int quick = 0;\n#endif\n";
  if (config & CL_FP_FMA) ask({"quick || fma(1.0f, 2.0f, 3.0f) == 5.0f"}, "", fast);
}

/// Operators, by what they give for constants, for values of memory, and as what a variable at program scope begins
/// with.
struct Operation {
  const char* type;
  const char* expression;  ///< an expression of vectors a and b, and of the scalar c, which is 1
  const char* result;      ///< its type
};
constexpr Operation operations[] = {
    {"T", "a && b", "R"}, {"T", "a || b", "R"}, {"T", "a == b", "R"},
    {"T", "a != b", "R"}, {"T", "a < b", "R"},  {"T", "a <= b", "R"},
    {"T", "a > b", "R"},  {"T", "a >= b", "R"}, {"T", "!a", "R"},
    {"T", "a + b", "T"},  {"T", "a - b", "T"},  {"T", "a * b", "T"},
    {"T", "-b", "T"},     {"T", "a && c", "R"}, {"T", "(a < b) || (a > b) && !(a == b)", "R"},
    {"I", "a << b", "T"}, {"I", "a >> b", "T"}, {"I", "a & b", "T"},
    {"I", "a | b", "T"},  {"I", "a ^ b", "T"},  {"I", "~a", "T"},
    {"I", "a % b", "T"},  {"T", "a / b", "T"},
};

TEST_F(Language, OperatorsOfConstantsAndOfValues) {
  struct Type {
    const char *name, *truth, *one, *a, *b;
    bool integer;
  };
  const Type types[] = {{"char", "char", "(char)1", "0, 5, -128, 7", "3, 9, 1, -1", true},
                        {"uchar", "char", "(uchar)1", "0, 5, 255, 7", "3, 9, 255, 8", true},
                        {"short", "short", "(short)1", "0, 5, -3000, 7", "3, 17, 1, 16", true},
                        {"ushort", "short", "(ushort)1", "0, 5, 65535, 7", "3, 17, 65535, 16", true},
                        {"int", "int", "1", "0, 5, -70000, 7", "3, 33, 1, 32", true},
                        {"uint", "int", "1u", "0, 5, 0xffffffff, 7", "3, 33, 0xffffffff, 32", true},
                        {"long", "long", "1L", "0, 5, -70000, 0x100000000", "3, 65, 1, 64", true},
                        {"ulong", "long", "1UL", "0, 5, 70000, 0x100000000", "3, 65, 1, 64", true},
                        {"float", "int", "1.0f", "0.0f, 5.5f, -1.0f, 0.5f", "3.0f, 5.5f, 1.0f, -0.5f", false},
                        {"double", "long", "1.0", "0.0, 5.5, -1.0, 0.5", "3.0, 5.5, 1.0, -0.5", false},
                        {"half", "short", "1.0h", "0.0h, 5.5h, -1.0h, 0.5h", "3.0h, 5.5h, 1.0h, -0.5h", false}};
  std::string ahead;
  Questions questions;
  for (const Type& type : types)
    for (const Operation& operation : operations) {
      if (!type.integer && *operation.type == 'I') continue;
      const std::string name = type.name, vector = name + "4",
                        result = (*operation.result == 'R' ? type.truth : name) + std::string("4"),
                        number = std::to_string(questions.size());
      const std::string a = "(" + vector + ")(" + type.a + ")", b = "(" + vector + ")(" + type.b + ")";
      const auto given = [&](const std::string& first, const std::string& second) {
        std::string text;
        for (const char c : std::string_view(operation.expression))
          text += c == 'a' ? first : c == 'b' ? second : c == 'c' ? type.one : std::string(1, c);
        return text;
      };
      ahead += "constant " + result + " constant" + number + " = " + given(a, b) + ";\n";
      ahead += "int same" + number + "(int zero) { volatile " + vector + " first = " + a + ", second = " + b + "; " +
               vector + " x = first, y = second; " + result + " computed = " + given("x", "y") +
               ", folded = " + given(a, b) + "; return all(computed == folded) && all(computed == constant" + number +
               "); }\n";
      questions.push_back("same" + number + "(zero)");
    }
  for (const char* options : {"", "-cl-std=CLC++2021"}) ask(questions, options, ahead);
}

// The results of operators and functions of vectors, written out: truth is -1, shifts count modulo the width, nothing
// is promoted.
TEST_F(Language, Expressions) {
  const Questions always = {
      "all((int4)(1,2,3,4)==(int4)(1,2,3,4))",
      "((int4)(1,2,3,4)<(int4)(2,2,2,2)).x==-1",
      "((int4)(1,2,3,4)<(int4)(2,2,2,2)).y==0",
      "((char2)(1,2)==(char2)(1,3)).x==(char)-1",
      "sizeof((char4)1==(char4)1)==4",
      "sizeof((uchar4)1==(uchar4)1)==4",
      "sizeof((double2)1==(double2)1)==16",
      "sizeof((half4)1==(half4)1)==8",
      "((double2)(1,2)==(double2)(1,3)).x==-1L",
      "(!(int2)(0,5)).x==-1",
      "(!(int2)(0,5)).y==0",
      "((int2)(0,5)&&(int2)(1,1)).y==-1",
      "((int2)(0,5)||(int2)(0,1)).x==0",
      "sizeof(!(float4)0)==16",
      "(!(float2)(0.0f,1.0f)).x==-1",
      "(one<<(33*one))==2",
      "(1<<(32+zero))==1",
      "((char)1<<(9*one))==512",
      "(((char2)(1,1)<<(char2)((char)(9*one),(char)8)).x)==2",
      "(((char2)(1,1)<<(char2)((char)(9*one),(char)8)).y)==1",
      "(((uchar2)(128,1)>>(uchar2)((uchar)(9*one),(uchar)8)).x)==64",
      "((1L<<(65*one)))==2",
      "(((short2)(1,1)<<(short2)((short)(17*one),(short)16)).x)==2",
      "((long2)(1)<<(long2)(65*one)).x==2L",
      "((-8>>(33*one))==-4)",
      "(((int2)(1,1)<<(33*one)).x==2)",
      "(((uchar2)(255,1)+(uchar2)(1,1)).x)==0",
      "((uchar)255+(uchar)1)==256",
      "((char)(127+one))==-128",
      "(((uchar2)(200)*(uchar2)(two)).x)==144",
      "((one?(int4)1:(int4)2).x)==1",
      "(((int2)(0,-1)?(int2)(5,6):(int2)(7,8)).x)==7",
      "(((int2)(0,-1)?(int2)(5,6):(int2)(7,8)).y)==6",
      "(((int2)(1,-1)?(int2)(5,6):(int2)(7,8)).x)==7",
      "select((int2)(1,2),(int2)(3,4),(int2)(-1,0)).x==3",
      "select(1,2,one)==2",
      "select((char2)(1,2),(char2)(3,4),(char2)(-128,127)).x==3",
      "select((char2)(1,2),(char2)(3,4),(char2)(-128,127)).y==2",
      "select(1.0f,2.0f,one)==2.0f",
      "select(1.0f,2.0f,0x7fffffff)==2.0f",
      "select((float2)1.0f,(float2)2.0f,(int2)(0x7fffffff)).x==1.0f",
      "bitselect(0xff00,0x00ff,0x0ff0)==0xf0f0",
      "((float4)(1,2,3,4)).s0==1.0f",
      "((float4)(1,2,3,4)).hi.even==3",
      "((float4)(1,2,3,4)).odd.y==4",
      "((float8)(0,1,2,3,4,5,6,7)).hi.odd.s1==7",
      "((float3)(1,2,3)).hi.x==3",
      "((float16)(0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15)).sF==15",
      "((float16)(0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15)).sAbC.y==11",
      "((float4)(1,2,3,4)).wzyx.x==4",
      "((float4)(1,2,3,4)).xxyy.w==2",
      "as_int(1.0f)==0x3f800000",
      "as_float(0x3f800000)==1.0f",
      "as_char4(0x04030201).z==3",
      "as_int3((int4)(1,2,3,4)).z==3",
      "as_short4((double)0).x==0",
      "as_uint2(0x0000000200000001L).y==2",
      "as_float3((uint3)(0x3f800000)).y==1.0f",
      "as_long((int2)(1,0))==1",
      "as_half((ushort)0x3c00)==1.0h",
      "as_double(0x3ff0000000000000L)==1.0",
      "as_ushort2((half2)(1.0h,2.0h)).y==0x4000",
      "as_char3((uchar4)(1,2,3,4)).z==3",
      "as_int4((int3)(1,2,3)).z==3",
      "convert_int(1.9f)==1",
      "convert_int_rte(2.5f)==2",
      "convert_int_rtp(1.1f)==2",
      "convert_int_rtn(-1.1f)==-2",
      "convert_uchar_sat(300)==255",
      "convert_uchar_sat(-5)==0",
      "convert_char_sat(1e9f)==127",
      "convert_uint_sat(-1.0f)==0",
      "convert_long_sat(1e30)==LONG_MAX",
      "convert_ulong_sat(1e30f)==ULONG_MAX",
      "convert_int_sat(NAN)==0",
      "convert_uchar4_sat((float4)(-1,256,1.5f,255)).y==255",
      "convert_float_rtz(16777217)==16777216.0f",
      "convert_float_rtp(16777217)==16777218.0f",
      "convert_float(16777219)==16777220.0f",
      "convert_half_rte(1.0f)==1.0h",
      "convert_half(65520.0f)==INFINITY",
      "convert_half_rtz(65520.0f)==65504.0h",
      "convert_char_sat_rte(126.5f)==126",
      "convert_ushort3_sat_rtp((double3)(1.1,-1,70000)).x==2",
      "convert_float_rtn(ULONG_MAX)==0x1.fffffep63f",
      "convert_double(ULONG_MAX)==0x1p64",
      "convert_float(-0.0f)==0.0f",
      "(int)(char)200==-56",
      "(int4)(true).x==-1||1",
      "((int4)(1)).w==1",
      "((int4)((int2)(1,2),3,4)).z==3",
      "((int4)((int3)(1,2,3),4)).w==4",
      "((float4)(1)).x==1.0f",
      "((short8)((short4)1,(short4)2)).s7==2",
      "('a'==97)",
      "(0x1p-2f==0.25f)",
      "(1.5h==(half)1.5f)",
      "(010==8)",
      "(0b11==3)",
      "(~(uchar)0==-1)",
      "((~(uchar2)0).x==255)",
      "(-(uchar)1==-1)",
      "(7%-3==1)",
      "(-7/2==-3)",
      "(-7%3==-1)",
      "((-(int2)(1)).x==-1)",
      "((+(char2)1).x==1)",
      "(rotate((uchar)0x81,(uchar)1)==3)",
      "(rotate(1,33)==2)",
      "(rotate((ushort)1,(ushort)17)==2)",
      "(mad_hi(INT_MAX,2,1)==1)",
      "(mul_hi(-1L,-1L)==0)",
      "(mul24(3,4)==12)",
      "(upsample((uchar)1,(uchar)2)==0x102)",
      "(hadd((char)-1,(char)0)==-1)",
      "(rhadd((char)-1,(char)0)==0)",
      "(abs((char)-128)==128)",
      "(abs_diff(INT_MAX,INT_MIN)==UINT_MAX)",
      "(add_sat((char)127,(char)1)==127)",
      "(sub_sat((uint)1,(uint)2)==0)",
      "(clz((uchar)1)==7)",
      "(clz(0)==32)",
      "(popcount((char)-1)==8)",
      "(mad_sat((short)200,(short)200,(short)1)==32767)",
      "(any((char2)(-1,0))==1)",
      "(all((char2)(-1,0))==0)",
      "(any((int4)(1))==0)",
      "(isnan(NAN)==1)",
      "(isnan((float2)(NAN)).x==-1)",
      "(isnan((double2)(NAN)).x==-1L)",
      "(isless(1.0f,2.0f)==1)",
      "(signbit(-0.0f)==1)",
      "(isnan((half2)(as_half((ushort)0x7e00))).x==-1)",
  };
  for (const char* options : versions) {
    Questions questions = always;
    // popcount() and logical operators of floating-point vectors came with OpenCL C 1.2.
    if (isOld(options))
      std::erase_if(questions,
                    [](const std::string& each) { return each.contains("popcount") || each.contains("!(float"); });
    ask(questions, options);
  }
}

// Arguments of every kind, structures and arrays in functions, tables and static constants.
TEST_F(Language, Objects) {
  const char* source = R"CL(
typedef struct { char tag; float3 v; short s[3]; } item;
typedef struct __attribute__((packed)) { char a; int b; ushort c; } packed;
typedef union { float4 v; int i[4]; } both;
typedef enum { first = 3, second = 70000 } choice;
constant int table[2][3] = {{1, 2, 3}, {4, 5, 6}};
constant item items[2] = {{.tag = 1, .v = (float3)(1, 2, 3)}, {2, (float3)(4), {7, 8, 9}}};
constant char text[] = "text";
item changed(item x, int by) { x.tag += by; x.v.y += by; x.s[2] = by; return x; }
float8 twice(float8 v) { return v + v; }
int sum(const int* values, int n) { int s = 0; for (int i = 0; i < n; ++i) s += values[i]; return s; }
kernel void k(global int* out, item one, packed two, both three, choice four, uchar3 five, double2 six, half seven,
    char eight, ulong nine, long16 ten, constant int* eleven, local int* twelve) {
  out[0] = one.tag; out[1] = (int)one.v.z; out[2] = one.s[2]; out[3] = two.a; out[4] = two.b; out[5] = two.c;
  out[6] = three.i[1] == as_int(three.v.y); out[7] = four; out[8] = five.z; out[9] = (int)six.y;
  out[10] = (int)seven; out[11] = eight; out[12] = nine == 0x123456789abcdefUL;
  out[13] = (int)ten.sf; out[14] = eleven[1]; twelve[0] = 5; out[15] = twelve[0];
  item other = changed(one, 4);
  out[16] = other.tag + 10 * (int)other.v.y + 100 * other.s[2] + 1000 * one.tag;
  out[17] = table[1][2] + items[1].s[1] + (int)items[0].v.z; out[18] = text[3] + sizeof(text);
  out[19] = (int)twice((float8)(1, 2, 3, 4, 5, 6, 7, 8)).s6;
  int values[5] = {1, 2, [4] = 9}; out[20] = sum(values, 5);
  constant int steps[3] = {10, 20, 30}; out[21] = steps[0] + steps[eight & 2];
  local int shared[4]; shared[eight & 3] = 6; out[22] = shared[eight & 3];
  both u; u.v = (float4)(1.0f); out[23] = u.i[3] == 0x3f800000;
  packed p[2] = {{1, 2, 3}, {4, 5, 6}}; out[24] = p[1].b * 10 + p[1].c + (int)sizeof(p);
}
)CL";
  struct Item {
    cl_char tag;
    cl_float3 v;
    cl_short s[3];
  } one = {5, {{1, 2, 3}}, {7, 8, 9}};
  static_assert(sizeof(Item) == 48);
#pragma pack(push, 1)
  struct Packed {
    cl_char a;
    cl_int b;
    cl_ushort c;
  } two = {-1, -2, 65535};
#pragma pack(pop)
  const cl_float4 three = {{1, 2, 3, 4}};
  const cl_int four = 70000;
  const cl_uchar3 five = {{1, 2, 200}};
  const cl_double2 six = {{1, 6}};
  const cl_half seven = 0x4700;
  const cl_char eight = -8;
  const cl_ulong nine = 0x123456789abcdef;
  cl_long16 ten = {};
  ten.s[15] = 15;
  for (const char* options :
       {"-cl-std=CL1.0", "-cl-std=CL1.2", "-cl-std=CL3.0", "-cl-opt-disable", "-cl-std=CL2.0 -g"}) {
    SCOPED_TRACE(options);
    build(source, options);
    if (HasFatalFailure()) return;
    std::vector<int> out(25, -1);
    cl_mem buffer = bufferOf(out), eleven = bufferOf(std::vector<int>{10, 11});
    launch("k", {1}, {1}, buffer, one, two, three, four, five, six, seven, eight, nine, ten, eleven, LocalBytes{4});
    take(buffer, out);
    clReleaseMemObject(eleven);
    EXPECT_EQ(out, (std::vector<int>{5,  3,  9, -1,   -2, 65535, 1,  70000, 200, 6, 7, -8, 1,
                                     15, 11, 5, 5469, 17, 121,   14, 12,    20,  6, 1, 70}));
  }
}

// Blocks (OpenCL C 2.0, section 6.12), with and without captured values, in functions and at program scope.
TEST_F(Language, Blocks) {
  const char* source = R"CL(
int (^const doubled)(int) = ^(int a) { return a * 2; };
kernel void k(global int* out, int x) {
  int (^plus)(int) = ^(int a) { return a + x; };
  int (^alone)(int, int) = ^(int a, int b) { return a * b; };
  out[get_global_id(0)] = doubled(plus(alone(3, (int)get_global_id(0))));
}
)CL";
  for (const char* options : {"-cl-std=CL2.0", "-cl-std=CL2.0 -cl-opt-disable"}) {
    build(source, options);
    if (HasFatalFailure()) return;
    std::vector<int> out(40, -1), wanted;
    for (int i = 0; i < 40; ++i) wanted.push_back(2 * (3 * i + 5));
    cl_mem buffer = bufferOf(out);
    launch("k", {40}, {}, buffer, cl_int{5});
    take(buffer, out);
    EXPECT_EQ(out, wanted) << options;
  }
}

}  // namespace
