// SPDX-License-Identifier: Apache-2.0
// This file makes random kernels of index arithmetic, as strided loops over rows, lanes and groups of work-items are
// written, and compares packets with scalar builds. Seeds are fixed.
#include "device_test.h"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace {

/// The source of one kernel after the other. Values that are made up are named, so that later ones use them.
class IndexForms {
public:
  explicit IndexForms(unsigned seed) : random_(seed) {}

  std::string kernel(const std::string& name) {
    ints_ = {"g", "l", "y", "n", "w", "L"};
    std::string text = "__kernel void " + name +
                       "(__global const int* in, __global int* out, int n, int w, uint u) {\n"
                       "  const int g = get_global_id(0), l = get_local_id(0), y = get_global_id(1), L = "
                       "get_local_size(0);\n"
                       "  const size_t at = get_global_id(1) * get_global_size(0) + get_global_id(0);\n  int r = g;\n";
    const unsigned statements = 3 + below(5);
    for (unsigned i = 0; i < statements; ++i) text += statement(1);
    return text + "  out[at] = r;\n}\n";
  }

private:
  unsigned below(unsigned end) { return static_cast<unsigned>(random_() % end); }
  std::string any(std::initializer_list<const char*> texts) {
    return *(texts.begin() + below(static_cast<unsigned>(texts.size())));
  }

  std::string constant() {
    return any(
        {"0", "1", "2", "3", "5", "7", "8", "16", "32", "63", "-1", "-2", "INT_MIN", "INT_MAX", "0x7fff", "1 << 20"});
  }
  /// Unsigned arithmetic, so that nothing overflows; read as an int where it is used.
  std::string value(unsigned depth = 0) {
    const unsigned kind = below(depth > 2 ? 3 : 12);
    const auto part = [&] { return value(depth + 1); };
    switch (kind) {
      case 0: return "(uint)(" + constant() + ")";
      case 1:
      case 2: return "(uint)" + ints_[below(static_cast<unsigned>(ints_.size()))];
      case 3: return "(" + part() + " + " + part() + ")";
      case 4: return "(" + part() + " - " + part() + ")";
      case 5: {  // x - x * k: strides that vanish
        const std::string one = part();
        return "(" + one + " - " + one + " * (uint)" + any({"1", "w", "n", "L", "(n - 2)"}) + ")";
      }
      case 6: return "(" + part() + " * (uint)" + any({"w", "n", "3", "4", "L"}) + ")";
      case 7: return "((uint)((int)" + part() + any({" / ", " % "}) + any({"w", "n", "4", "3", "L"}) + "))";
      case 8: return "(" + part() + any({" & ", " | ", " ^ ", " << ", " >> "}) + any({"1u", "3u", "7u", "4u"}) + ")";
      case 9: return "((int)" + part() + comparison() + "(int)" + part() + " ? " + part() + " : " + part() + ")";
      case 10: return "(uint)" + any({"min", "max"}) + "((int)" + part() + ", (int)" + part() + ")";
      default: return "(uint)(" + any({"ushort", "short", "uchar", "char"}) + ")" + part();
    }
  }
  std::string comparison() { return any({" < ", " <= ", " == ", " != ", " > ", " >= "}); }
  std::string index() { return "(" + value() + " & 1023u)"; }

  std::string statement(unsigned depth) {
    const std::string indent(2 * depth, ' ');
    switch (below(depth > 2 ? 3 : 7)) {
      case 0: {
        const std::string name = "v" + std::to_string(made_++);
        const std::string text = indent + "const int " + name + " = (int)" + value() + ";\n";
        if (depth == 1) ints_.push_back(name);
        return text;
      }
      case 1: return indent + "r = (int)((uint)r * 3u + (uint)in[" + index() + "]);\n";
      case 2: return indent + "r ^= (int)" + value() + ";\n";
      case 3:
        return indent + "if ((int)" + value() + comparison() + any({"INT_MIN", "INT_MAX", "0", "n", "(int)u", "g"}) +
               ") {\n" + statement(depth + 1) + indent + "}\n";
      case 4: {  // for (i = lane; i < n; i += step)
        const std::string i = "i" + std::to_string(made_++);
        const std::string text =
            indent + "for (int " + i + " = (int)" +
            any({"(l - l * w)", "(l % w)", "l", "(l / w)", "(g - g * (n - 2))", "y", "(w - 1 - l % w)"}) + "; " + i +
            " < " + any({"n * 4", "w * 3", "64"}) + " && " + i + " > -500; " + i +
            " += " + any({"w", "8", "L", "1 + n"}) + ") {\n";
        ints_.push_back(i);
        const std::string body = statement(depth + 1) + statement(depth + 1);
        ints_.pop_back();
        return text + body + indent + "}\n";
      }
      case 5: {
        const std::string one = value();
        return indent + "{ const ulong wide = (int)" + one + " >= " + any({"3", "n", "w"}) + " ? (ulong)(" + one +
               " - (uint)" + any({"3", "n", "w"}) + ") : 0; r += (int)(wide >> " + any({"0", "1", "31", "32"}) +
               "); }\n";
      }
      default:
        return indent + "r += (int)(" + value() + " / (uint)((" + value() + ") | 1u)) + (int)" + value() + " / " +
               any({"(w - 9)", "-1", "(n - 4)", "w"}) + ";\n";
    }
  }

  std::mt19937 random_;
  std::vector<std::string> ints_;
  unsigned made_ = 0;
};

class IndexFormsOf : public DeviceTest, public testing::WithParamInterface<unsigned> {};

TEST_P(IndexFormsOf, PacketsAreThoseOfScalarBuilds) {
  constexpr unsigned kernels = 12;
  IndexForms forms(GetParam());
  std::string source;
  for (unsigned i = 0; i < kernels; ++i) source += forms.kernel("k" + std::to_string(i));
  std::vector<cl_int> in(1024);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<cl_int>(i * 2654435761u);
  std::vector<std::vector<cl_int>> expected;
  for (const char* options : {"-cl-clarity-packet-width=1", "", "-cl-clarity-packet-width=4"}) {
    build(source, options);
    for (unsigned i = 0; i < kernels; ++i) {
      std::vector<cl_int> made(96 * 3);
      cl_mem input = bufferOf(in), output = bufferOf(made);
      const cl_int n = 5, w = 4;
      const cl_uint u = 0x80000000u;
      launch(("k" + std::to_string(i)).c_str(), {96, 3}, {32, 1}, input, output, n, w, u);
      clReleaseMemObject(input);
      take(output, made);
      if (expected.size() <= i)
        expected.push_back(made);
      else
        ASSERT_EQ(made, expected[i]) << "kernel k" << i << " with '" << options << "' of\n" << source;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, IndexFormsOf, testing::Range(1u, 9u));

/// Found in programs.
class FoundIndexForms : public DeviceTest {};

TEST_F(FoundIndexForms, LanesOfARowAreCompared) {
  const char source[] = R"CL(
__kernel void rows(__global const float* in, __global float* out, int n, int tpr) {
  const int lid = get_local_id(0);
  const int lane = lid - lid * tpr;
  float sum = 0;
  for (int i = lane; i < n; i += tpr) sum += in[(i & 63) / (i == INT_MIN ? 1 : 2)] + (float)(i / (tpr - 2));
  out[get_global_id(0)] = sum;
}
__kernel void differences(__global const int* in, __global int* out, int n) {
  const uint l = get_local_id(0), off = n;
  const ulong far = l >= off ? (ulong)(l - off) : 77;
  out[get_global_id(0)] = (int)(far >> 32) * 1000 + (int)far;
}
)CL";
  std::vector<float> in(64), first, second;
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i);
  for (std::vector<float>* made : {&first, &second}) {
    build(source, made == &first ? "-cl-clarity-packet-width=1" : "");
    made->assign(64, 0);
    cl_mem input = bufferOf(in), output = bufferOf(*made);
    const cl_int n = 50, tpr = 1;
    launch("rows", {64}, {64}, input, output, n, tpr);
    clReleaseMemObject(input);
    take(output, *made);
  }
  EXPECT_EQ(first, second);
  std::vector<cl_int> differences(64);
  cl_mem input = bufferOf(in), output = bufferOf(differences);
  const cl_int n = 5;
  launch("differences", {64}, {64}, input, output, n);
  clReleaseMemObject(input);
  take(output, differences);
  for (cl_int l = 0; l < 64; ++l) ASSERT_EQ(differences[static_cast<std::size_t>(l)], l >= n ? l - n : 77);
}

}  // namespace
