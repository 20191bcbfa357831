// SPDX-License-Identifier: Apache-2.0
// Instructions of floating-point numbers: roundings, saturation, NaN, subnormal numbers, conversions.
#include "calculator.h"

#include <cfloat>
#include <cmath>

namespace clarity::ptx {
namespace {

constexpr std::uint32_t nan32 = 0x7fffffff, infinity32 = 0x7f800000;

std::uint32_t single(const std::string& instruction, const std::vector<float>& inputs) {
  std::string operands;
  std::vector<std::uint64_t> bits;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    operands += ", %r" + std::to_string(11 + i);
    bits.push_back(bitsOf(inputs[i]));
  }
  return calculate(instruction + " %r10" + operands + ";", bits).r;
}

std::uint64_t twice(const std::string& instruction, const std::vector<double>& inputs) {
  std::string operands;
  std::vector<std::uint64_t> bits;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    operands += ", %rd" + std::to_string(11 + i);
    bits.push_back(bitsOf(inputs[i]));
  }
  return calculate(instruction + " %rd10" + operands + ";", bits).rd;
}

std::uint16_t half(const std::string& instruction, const std::vector<std::uint64_t>& inputs) {
  std::string operands;
  for (std::size_t i = 0; i < inputs.size(); ++i) operands += ", %rs" + std::to_string(11 + i);
  return calculate(instruction + " %rs10" + operands + ";", inputs).rs;
}

TEST(PtxNumbers, sumsRoundOnce) {
  const float x = 1 + 0x1p-12f;
  EXPECT_EQ(single("fma.rn.f32", {x, x, -1}), bitsOf(0x1p-11f + 0x1p-24f));
  EXPECT_EQ(single("mul.rn.f32", {x, x}), bitsOf(1 + 0x1p-11f));
  EXPECT_EQ(single("add.rz.f32", {1, -0x1p-60f}), bitsOf(std::nextafter(1.0f, 0.0f)));
  EXPECT_EQ(single("add.rp.f32", {1, 0x1p-60f}), bitsOf(std::nextafter(1.0f, 2.0f)));
  EXPECT_EQ(single("add.rn.f32", {1, 0x1p-60f}), bitsOf(1.0f));
  EXPECT_EQ(single("div.rm.f32", {1, 3}), bitsOf(std::nextafter(1.0f / 3, 0.0f)));
  EXPECT_EQ(single("sqrt.rp.f32", {2}),
            bitsOf(std::nextafter(std::sqrt(2.0f), 2.0f)) - (std::sqrt(2.0f) > std::sqrt(2.0)));
  EXPECT_EQ(twice("fma.rz.f64", {1, 1, -0x1p-80}), bitsOf(std::nextafter(1.0, 0.0)));
  EXPECT_EQ(twice("rcp.rn.f64", {3}), bitsOf(1.0 / 3));
}

TEST(PtxNumbers, subnormalNumbersAreFlushedWhereSaid) {
  const float small = 0x1p-130f;
  EXPECT_EQ(single("add.rn.f32", {small, small}), bitsOf(2 * small));
  EXPECT_EQ(single("add.rn.ftz.f32", {small, small}), 0u);
  EXPECT_EQ(single("mul.rn.ftz.f32", {-0x1p-100f, 0x1p-30f}), bitsOf(-0.0f));
  EXPECT_EQ(single("ex2.approx.f32", {-130}), bitsOf(small));
  EXPECT_EQ(single("ex2.approx.ftz.f32", {-130}), 0u);
  EXPECT_EQ(single("abs.ftz.f32", {-small}), 0u);
  EXPECT_TRUE(calculate("setp.eq.ftz.f32 %p1, %r11, 0f00000000;", {bitsOf(small)}).p);
  EXPECT_FALSE(calculate("setp.eq.f32 %p1, %r11, 0f00000000;", {bitsOf(small)}).p);
}

TEST(PtxNumbers, saturationGivesZeroToOne) {
  EXPECT_EQ(single("add.rn.sat.f32", {0.75f, 0.75f}), bitsOf(1.0f));
  EXPECT_EQ(single("mul.rn.sat.f32", {-2, 3}), 0u);
  EXPECT_EQ(single("fma.rn.sat.f32", {NAN, 1, 1}), 0u);
}

TEST(PtxNumbers, minimaAndMaximaWithNan) {
  EXPECT_EQ(single("min.f32", {NAN, 2}), bitsOf(2.0f));
  EXPECT_EQ(single("max.f32", {2, NAN}), bitsOf(2.0f));
  EXPECT_EQ(single("max.f32", {NAN, NAN}), nan32);
  EXPECT_EQ(single("min.NaN.f32", {NAN, 2}), nan32);
  EXPECT_EQ(single("min.f32", {0.0f, -0.0f}), bitsOf(-0.0f));
  EXPECT_EQ(single("max.f32", {-0.0f, 0.0f}), 0u);
  EXPECT_EQ(single("min.xorsign.abs.f32", {-3, 2}), bitsOf(-2.0f));
  EXPECT_EQ(twice("max.f64", {-1, NAN}), bitsOf(-1.0));
}

TEST(PtxNumbers, comparisonsWithNan) {
  const auto holds = [](const std::string& how) {
    return calculate("setp." + how + ".f32 %p1, %r11, %r12;", {bitsOf(NAN), bitsOf(1.0f)}).p;
  };
  for (const char* how : {"eq", "ne", "lt", "le", "gt", "ge", "num"}) EXPECT_FALSE(holds(how)) << how;
  for (const char* how : {"equ", "neu", "ltu", "leu", "gtu", "geu", "nan"}) EXPECT_TRUE(holds(how)) << how;
  EXPECT_TRUE(calculate("testp.subnormal.f32 %p1, %r11;", {1}).p);
  EXPECT_FALSE(calculate("testp.normal.f32 %p1, %r11;", {infinity32}).p);
  EXPECT_TRUE(calculate("testp.infinite.f64 %p1, %rd11;", {bitsOf(-HUGE_VAL)}).p);
}

TEST(PtxNumbers, conversionsToIntegersClamp) {
  const auto toInt = [](const std::string& how, float x) {
    return calculate("cvt." + how + ".f32 %r10, %r11;", {bitsOf(x)}).r;
  };
  EXPECT_EQ(toInt("rzi.s32", -1.9f), static_cast<std::uint32_t>(-1));
  EXPECT_EQ(toInt("rni.s32", 2.5f), 2u);
  EXPECT_EQ(toInt("rpi.s32", 2.1f), 3u);
  EXPECT_EQ(toInt("rmi.s32", -2.1f), static_cast<std::uint32_t>(-3));
  EXPECT_EQ(toInt("rzi.s32", 3e9f), 0x7fffffffu);
  EXPECT_EQ(toInt("rzi.s32", -3e9f), 0x80000000u);
  EXPECT_EQ(toInt("rzi.u32", -1), 0u);
  EXPECT_EQ(toInt("rzi.u32", INFINITY), ~0u);
  EXPECT_EQ(toInt("rzi.s32", NAN), 0u);
  EXPECT_EQ(toInt("rzi.s8", 300), 127u);
  EXPECT_EQ(calculate("cvt.rzi.s64.f32 %rd10, %r11;", {bitsOf(NAN)}).rd, std::uint64_t{1} << 63);
  EXPECT_EQ(calculate("cvt.rzi.s32.f64 %r10, %rd11;", {bitsOf(std::nan(""))}).r, 0x80000000u);
  EXPECT_EQ(calculate("cvt.rzi.u64.f64 %rd10, %rd11;", {bitsOf(1e30)}).rd, ~std::uint64_t{0});
}

TEST(PtxNumbers, conversionsRoundOnce) {
  // 2^60 + 2^36 + 1: halfway between two floats, but for the last bit.
  const std::uint64_t wide = (std::uint64_t{1} << 60) + (std::uint64_t{1} << 36) + 1;
  EXPECT_EQ(calculate("cvt.rn.f32.u64 %r10, %rd11;", {wide}).r, bitsOf(0x1p60f + 0x1p37f));
  EXPECT_EQ(calculate("cvt.rz.f32.u64 %r10, %rd11;", {wide}).r, bitsOf(0x1p60f));
  EXPECT_EQ(calculate("cvt.rp.f64.u64 %rd10, %rd11;", {(std::uint64_t{1} << 60) + 1}).rd,
            bitsOf(std::nextafter(0x1p60, 1e30)));
  EXPECT_EQ(calculate("cvt.rn.f32.f64 %r10, %rd11;", {bitsOf(1 + 0x1p-24 + 0x1p-50)}).r, bitsOf(1 + 0x1p-23f));
  EXPECT_EQ(calculate("cvt.rz.f32.f64 %r10, %rd11;", {bitsOf(1e300)}).r, bitsOf(FLT_MAX));
  EXPECT_EQ(calculate("cvt.rm.f32.f64 %r10, %rd11;", {bitsOf(-1 - 0x1p-40)}).r, bitsOf(-1 - 0x1p-23f));
  EXPECT_EQ(calculate("cvt.rni.f32.f32 %r10, %r11;", {bitsOf(-0.5f)}).r, bitsOf(-0.0f));
  EXPECT_EQ(calculate("cvt.sat.f32.f32 %r10, %r11;", {bitsOf(7.0f)}).r, bitsOf(1.0f));
  EXPECT_EQ(calculate("cvt.f64.f32 %rd10, %r11;", {bitsOf(0.1f)}).rd, bitsOf(double{0.1f}));
}

TEST(PtxNumbers, halvesByTheirBits) {
  EXPECT_EQ(calculate("cvt.rn.f16.f32 %rs10, %r11;", {bitsOf(1 + 0x1p-11f)}).rs, 0x3c00u) << "to even";
  EXPECT_EQ(calculate("cvt.rp.f16.f32 %rs10, %r11;", {bitsOf(1 + 0x1p-20f)}).rs, 0x3c01u);
  EXPECT_EQ(calculate("cvt.rz.f16.f32 %rs10, %r11;", {bitsOf(1e6f)}).rs, 0x7bffu);
  EXPECT_EQ(calculate("cvt.rn.f16.f32 %rs10, %r11;", {bitsOf(1e6f)}).rs, 0x7c00u);
  EXPECT_EQ(calculate("cvt.rn.f16.f32 %rs10, %r11;", {bitsOf(-0x1p-24f)}).rs, 0x8001u);
  EXPECT_EQ(calculate("cvt.rn.f16.f64 %rs10, %rd11;", {bitsOf(1 + 0x1p-11 + 0x1p-45)}).rs, 0x3c01u);
  EXPECT_EQ(calculate("cvt.f32.f16 %r10, %rs11;", {0x0001}).r, bitsOf(0x1p-24f));
  EXPECT_EQ(calculate("cvt.rn.bf16.f32 %rs10, %r11;", {bitsOf(1 + 0x1p-7f + 0x1p-8f)}).rs, 0x3f82u);
  EXPECT_EQ(calculate("cvt.f32.bf16 %r10, %rs11;", {0x3f80}).r, bitsOf(1.0f));
  EXPECT_EQ(calculate("cvt.rn.f16x2.f32 %r10, %r11, %r12;", {bitsOf(1.0f), bitsOf(2.0f)}).r, 0x3c004000u);
  EXPECT_EQ(calculate("cvt.rzi.s32.f16 %r10, %rs11;", {0xc500}).r, static_cast<std::uint32_t>(-5));
  EXPECT_EQ(calculate("cvt.rn.f16.s32 %rs10, %r11;", {2049}).rs, 0x6800u) << "2049 is halfway: to even";
}

TEST(PtxNumbers, sumsOfHalves) {
  EXPECT_EQ(half("add.rn.f16", {0x3c00, 0x1000}), 0x3c00u);
  EXPECT_EQ(half("fma.rn.f16", {0x3c01, 0x3c01, 0xbc02}), 0x0010u) << "what the product has beyond a half is kept";
  EXPECT_EQ(half("mul.rn.f16", {0x0001, 0x3800}), 0u);
  EXPECT_EQ(half("add.rn.sat.f16", {0x3c00, 0x3c00}), 0x3c00u);
  EXPECT_EQ(half("max.f16", {0x7e00, 0xc000}), 0xc000u);
  EXPECT_EQ(half("neg.f16", {0x3c00}), 0xbc00u);
  EXPECT_EQ(calculate("add.rn.f16x2 %r10, %r11, %r12;", {0x3c004000, 0x40003c00}).r, 0x42004200u);
  EXPECT_EQ(half("fma.rn.bf16", {0x3f80, 0x3f80, 0x3f80}), 0x4000u);
}

TEST(PtxNumbers, approximateFunctionsAreNear) {
  EXPECT_EQ(single("rcp.approx.ftz.f32", {3}), bitsOf(1.0f / 3));
  EXPECT_EQ(single("rsqrt.approx.f32", {4}), bitsOf(0.5f));
  EXPECT_EQ(single("lg2.approx.f32", {0}), bitsOf(-INFINITY));
  EXPECT_EQ(single("sin.approx.f32", {1}), bitsOf(static_cast<float>(std::sin(1.0))));
  EXPECT_EQ(single("cos.approx.ftz.f32", {1}), bitsOf(static_cast<float>(std::cos(1.0))));
  EXPECT_EQ(single("tanh.approx.f32", {1}), bitsOf(static_cast<float>(std::tanh(1.0))));
  EXPECT_EQ(single("div.full.f32", {1, 3}), bitsOf(1.0f / 3));
  EXPECT_EQ(single("copysign.f32", {-1, 3}), bitsOf(-3.0f));
}

}  // namespace
}  // namespace clarity::ptx
