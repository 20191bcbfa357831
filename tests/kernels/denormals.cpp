// SPDX-License-Identifier: Apache-2.0
// This file tests -cl-denorms-are-zero: processors compute without denormals while such a kernel runs, and neither
// other kernels nor the application's threads notice.
#include "device_test.h"

#include <cfloat>
#include <vector>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace {

const char* const source = R"(
kernel void scale(global const float *in, global float *out, float by) {
  out[get_global_id(0)] = in[get_global_id(0)] * by;
}
kernel void compute(global const float *in, global float *out, float by) {
  int exponent;
  const float x = in[get_global_id(0)];
  out[get_global_id(0)] = ldexp(frexp(x * by, &exponent), exponent) + exp2(log2(x)) + sqrt(x) + pow(x, 0.5f);
})";

class Denormals : public DeviceTest {
protected:
  void SetUp() override {
    DeviceTest::SetUp();
    cl_device_type type = 0;
    clGetDeviceInfo(device_, CL_DEVICE_TYPE, sizeof type, &type, nullptr);
    if (type != CL_DEVICE_TYPE_CPU) GTEST_SKIP() << "GPUs compute with denormals all the same";
  }

  std::vector<float> run(const char* kernel, const std::vector<float>& in, float by) {
    std::vector<float> out(in.size(), 77);
    cl_mem input = bufferOf(in), output = bufferOf(out);
    launch(kernel, {in.size()}, {}, input, output, by);
    take(output, out);
    clReleaseMemObject(input);
    return out;
  }

  /// Of a result and of an operand, in as many work-items as several threads execute.
  void expectDenormals(bool there) {
    const std::size_t count = 1 << 20;
    EXPECT_EQ(run("scale", std::vector<float>(count, FLT_MIN), 0.5f),
              std::vector<float>(count, there ? FLT_MIN / 2 : 0));
    EXPECT_EQ(run("scale", std::vector<float>(count, FLT_MIN / 2), 4.0f),
              std::vector<float>(count, there ? FLT_MIN * 2 : 0));
  }
};

TEST_F(Denormals, areZeroWhereTheOptionSaysSo) {
  for (const char* width : {"", " -cl-clarity-packet-width=1", " -cl-opt-disable"}) {
    build(source, std::string("-cl-denorms-are-zero") + width);
    expectDenormals(false);
    build(source, width);
    expectDenormals(true);
  }
}

#if defined(__x86_64__)
TEST_F(Denormals, theApplicationKeepsItsMode) {
  const unsigned before = _mm_getcsr();
  for (const unsigned mode : {before & ~0x8040u, before | 0x8040u}) {
    _mm_setcsr(mode);
    for (const char* options : {"-cl-denorms-are-zero", ""}) {
      build(source, options);
      const std::vector<float> small = run("scale", {FLT_MIN}, 0.5f);
      const unsigned now = _mm_getcsr();
      _mm_setcsr(before & ~0x8040u);  // comparisons are the test's
      EXPECT_EQ(small[0], options[0] ? 0 : FLT_MIN / 2) << options;
      EXPECT_EQ(now & 0x8040u, mode & 0x8040u) << options;
      _mm_setcsr(mode);
    }
    _mm_setcsr(before);
  }
}
#endif

/// Normal numbers are not touched.
TEST_F(Denormals, leaveOthersAlone) {
  std::vector<float> in;
  for (float x = 0x1p-100f; x < 0x1p100f; x *= 1.7f) in.push_back(x);
  build(source, "");
  const std::vector<float> expected = run("compute", in, 3.0f);
  build(source, "-cl-denorms-are-zero");
  const std::vector<float> found = run("compute", in, 3.0f);
  for (std::size_t i = 0; i < in.size(); ++i) EXPECT_FLOAT_EQ(found[i], expected[i]) << in[i];
}

}  // namespace
