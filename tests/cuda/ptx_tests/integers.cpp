// SPDX-License-Identifier: Apache-2.0
// Integer instructions, against what the PTX manual says.
#include "calculator.h"

namespace clarity::ptx {
namespace {

std::uint32_t word(const std::string& instruction, const std::vector<std::uint64_t>& inputs) {
  std::string operands;
  for (std::size_t i = 0; i < inputs.size(); ++i) operands += ", %r" + std::to_string(11 + i);
  return calculate(instruction + " %r10" + operands + ";", inputs).r;
}

std::uint64_t wide(const std::string& instruction, const std::vector<std::uint64_t>& inputs) {
  std::string operands;
  for (std::size_t i = 0; i < inputs.size(); ++i) operands += ", %rd" + std::to_string(11 + i);
  return calculate(instruction + " %rd10" + operands + ";", inputs).rd;
}

constexpr std::uint64_t minus(std::int64_t x) { return static_cast<std::uint64_t>(-x); }
constexpr std::uint32_t minusWord(std::int32_t x) { return static_cast<std::uint32_t>(-x); }

TEST(PtxIntegers, sumsWithCarries) {
  const auto sum = calculate(
      "add.cc.u32 %r10, %r11, %r12; addc.cc.u32 %r13, %r11, 0; addc.u32 %r14, 0, 0; mov.b64 %rd10, {%r13, %r14};",
      {0xffffffff, 2});
  EXPECT_EQ(sum.r, 1u);
  EXPECT_EQ(sum.rd, 0x1'00000000u) << "the carry goes through a word of ones";
  const auto difference = calculate("sub.cc.u64 %rd10, %rd11, %rd12; subc.u32 %r10, %r13, 0;", {1, 2, 7});
  EXPECT_EQ(difference.rd, ~std::uint64_t{0});
  EXPECT_EQ(difference.r, 6u) << "less what was borrowed";
}

TEST(PtxIntegers, sumsSaturate) {
  EXPECT_EQ(word("add.sat.s32", {0x7fffffff, 1}), 0x7fffffffu);
  EXPECT_EQ(word("sub.sat.s32", {0x80000000, 1}), 0x80000000u);
  EXPECT_EQ(word("add.s32", {0x7fffffff, 1}), 0x80000000u);
}

TEST(PtxIntegers, productsHaveLowHighAndWholeResults) {
  EXPECT_EQ(word("mul.hi.s32", {minus(1), 2}), 0xffffffffu);
  EXPECT_EQ(word("mul.hi.u32", {0xffffffff, 2}), 1u);
  EXPECT_EQ(wide("mul.hi.u64", {~std::uint64_t{0}, ~std::uint64_t{0}}), ~std::uint64_t{1});
  EXPECT_EQ(wide("mul.hi.s64", {minus(1), 5}), ~std::uint64_t{0});
  EXPECT_EQ(calculate("mul.wide.s32 %rd10, %r11, %r12;", {minus(3), 5}).rd, minus(15));
  EXPECT_EQ(calculate("mad.wide.u32 %rd10, %r11, %r12, %rd13;", {0xffffffff, 0xffffffff, 1}).rd, 0xfffffffe00000002u);
  EXPECT_EQ(calculate("mul.wide.s16 %r10, %rs11, %rs12;", {0x8000, 0x8000}).r, 0x40000000u);
  EXPECT_EQ(word("mad.hi.sat.s32", {0x7fffffff, 0x7fffffff, 0x7fffffff}), 0x7fffffffu);
  EXPECT_EQ(word("mul24.lo.s32", {0x00ffffff, 3}), minusWord(3)) << "24 bits with their sign";
  EXPECT_EQ(word("mad24.hi.u32", {0xffffff, 0xffffff, 1}), static_cast<std::uint32_t>(0xfffffe000001u >> 16) + 1);
}

TEST(PtxIntegers, dotProductsTakeBytesWithTheirSigns) {
  EXPECT_EQ(word("dp4a.s32.s32", {0x01ff02fe, 0x02030405, 10}), 10u + 1 * 2 - 1 * 3 + 2 * 4 - 2 * 5);
  EXPECT_EQ(word("dp4a.u32.s32", {0xff, 0xff, 0}), minusWord(255));
  EXPECT_EQ(word("dp2a.hi.s32.u32", {0x00020003, 0x05060000, 1}), 1u + 3 * 6 + 2 * 5);
}

TEST(PtxIntegers, divisionsByZeroAndOfTheLeast) {
  EXPECT_EQ(word("div.s32", {minus(7), 2}), minusWord(3));
  EXPECT_EQ(word("rem.s32", {minus(7), 2}), minusWord(1));
  EXPECT_EQ(word("div.s32", {0x80000000, minus(1)}), 0x80000000u);
  EXPECT_EQ(word("rem.s32", {0x80000000, minus(1)}), 0u);
  EXPECT_EQ(word("div.u32", {5, 0}), ~0u);
  EXPECT_EQ(word("rem.u32", {5, 0}), 5u);
}

TEST(PtxIntegers, shiftsByTheWidthAndMoreShiftEverythingOut) {
  EXPECT_EQ(word("shl.b32", {1, 31}), 0x80000000u);
  EXPECT_EQ(word("shl.b32", {1, 32}), 0u);
  EXPECT_EQ(word("shr.u32", {0x80000000, 40}), 0u);
  EXPECT_EQ(word("shr.s32", {0x80000000, 40}), 0xffffffffu);
  EXPECT_EQ(calculate("shl.b64 %rd10, %rd11, %r12;", {1, 64}).rd, 0u);
  EXPECT_EQ(calculate("shr.s64 %rd10, %rd11, %r12;", {minus(8), 0xffffffff}).rd, ~std::uint64_t{0});
  EXPECT_EQ(calculate("shr.s16 %rs10, %rs11, %r12;", {0x8000, 16}).rs, 0xffffu);
}

TEST(PtxIntegers, funnelShiftsWrapOrClamp) {
  EXPECT_EQ(word("shf.l.wrap.b32", {0x80000001, 0x0000000f, 4}), 0xf8u);
  EXPECT_EQ(word("shf.l.wrap.b32", {7, 9, 32}), 9u);
  EXPECT_EQ(word("shf.l.clamp.b32", {7, 9, 33}), 7u);
  EXPECT_EQ(word("shf.r.wrap.b32", {0x10, 0x1, 4}), 0x10000001u);
  EXPECT_EQ(word("shf.r.clamp.b32", {7, 9, 99}), 9u);
}

TEST(PtxIntegers, fieldsOfBits) {
  EXPECT_EQ(word("bfe.u32", {0xabcd1234, 8, 8}), 0x12u);
  EXPECT_EQ(word("bfe.s32", {0x0000f000, 12, 4}), 0xffffffffu);
  EXPECT_EQ(word("bfe.s32", {0x80000000, 28, 8}), 0xfffffff8u) << "the highest bit is the sign of what is beyond";
  EXPECT_EQ(word("bfe.u32", {0xffffffff, 4, 0}), 0u);
  EXPECT_EQ(word("bfe.u32", {0xffffffff, 32, 4}), 0u);
  EXPECT_EQ(word("bfe.s32", {0x80000000, 40, 4}), 0xffffffffu);
  EXPECT_EQ(calculate("bfe.u64 %rd10, %rd11, %r12, %r13;", {~std::uint64_t{0}, 60, 8}).rd, 0xfu);
  EXPECT_EQ(word("bfi.b32", {0xff, 0, 4, 4}), 0xf0u);
  EXPECT_EQ(word("bfi.b32", {0xff, 0x12345678, 4, 0}), 0x12345678u);
  EXPECT_EQ(word("bfi.b32", {0xff, 0x12345678, 32, 8}), 0x12345678u);
  EXPECT_EQ(word("bfi.b32", {0xff, 0, 28, 32}), 0xf0000000u);
}

TEST(PtxIntegers, bytesArePermuted) {
  EXPECT_EQ(word("prmt.b32", {0x33221100, 0x77665544, 0x7531}), 0x77553311u);
  EXPECT_EQ(word("prmt.b32", {0x80, 0x7f, 0x00c8}), 0x808000ffu) << "a selector's highest bit spreads the sign";
  EXPECT_EQ(word("prmt.b32.rc8", {0x33221100, 0, 2}), 0x22222222u);
  EXPECT_EQ(word("prmt.b32.f4e", {0x33221100, 0x77665544, 1}), 0x44332211u);
}

TEST(PtxIntegers, bitsAreCountedAndFound) {
  EXPECT_EQ(calculate("popc.b64 %r10, %rd11;", {~std::uint64_t{0}}).r, 64u);
  EXPECT_EQ(calculate("clz.b64 %r10, %rd11;", {0}).r, 64u);
  EXPECT_EQ(word("clz.b32", {1}), 31u);
  EXPECT_EQ(word("brev.b32", {0x80000002}), 0x40000001u);
  EXPECT_EQ(word("bfind.u32", {0}), ~0u);
  EXPECT_EQ(word("bfind.s32", {minus(1)}), ~0u) << "no bit is unlike the sign";
  EXPECT_EQ(word("bfind.shiftamt.u32", {0x00800000}), 8u);
  EXPECT_EQ(word("fns.b32", {0xf0, 0, 2}), 5u);
  EXPECT_EQ(word("fns.b32", {0xf0, 6, minus(3)}), 4u);
  EXPECT_EQ(word("fns.b32", {0xf0, 0, 5}), ~0u);
  EXPECT_EQ(calculate("lop3.b32 %r10, %r11, %r12, %r13, 0xe8;", {0xc, 0xa, 0x9}).r, 8u) << "a majority";
}

TEST(PtxIntegers, comparisonsOfBothKinds) {
  EXPECT_TRUE(calculate("setp.lt.s32 %p1, %r11, %r12;", {minus(1), 0}).p);
  EXPECT_FALSE(calculate("setp.lt.u32 %p1, %r11, %r12;", {minus(1), 0}).p);
  EXPECT_TRUE(calculate("setp.lo.u32 %p1, %r12, %r11;", {minus(1), 0}).p);
  EXPECT_EQ(calculate("setp.eq.s32 %p2|%p1, %r11, %r12;", {1, 2}).p, true) << "the second is the opposite";
  EXPECT_FALSE(calculate("setp.ne.u32 %p2, %r11, 0; setp.gt.and.u32 %p1, %r12, 1, !%p2;", {1, 2}).p);
  EXPECT_EQ(calculate("set.lt.u32.s32 %r10, %r11, %r12;", {minus(1), 0}).r, ~0u);
  EXPECT_EQ(calculate("set.lt.f32.s32 %r10, %r11, %r12;", {minus(1), 0}).r, bitsOf(1.0f));
  EXPECT_EQ(calculate("slct.b32.s32 %r10, 5, 6, %r11;", {minus(1)}).r, 6u);
  EXPECT_EQ(calculate("slct.b32.f32 %r10, 5, 6, %r11;", {bitsOf(-0.0f)}).r, 5u);
}

TEST(PtxIntegers, narrowValuesInWiderRegisters) {
  EXPECT_EQ(calculate("cvt.s8.s32 %r10, %r11;", {0x1ff}).r, 0xffffffffu);
  EXPECT_EQ(calculate("cvt.u32.u8 %r10, %rs11;", {0x1ff}).r, 0xffu);
  EXPECT_EQ(calculate("cvt.sat.u8.s32 %r10, %r11;", {minus(5)}).r, 0u);
  EXPECT_EQ(calculate("cvt.sat.s16.s32 %rs10, %r11;", {70000}).rs, 32767u);
  EXPECT_EQ(calculate("cvt.s64.s32 %rd10, %r11;", {minus(2)}).rd, minus(2));
  EXPECT_EQ(calculate("ld.global.s8 %r10, [%rd2];", {0x80}).r, 0xffffff80u);
  EXPECT_EQ(calculate("ld.global.b8 %r10, [%rd2];", {0x80}).r, 0x80u);
  EXPECT_EQ(calculate("mov.b32 {%rs10, %rs20}, %r11; mov.b32 %r10, {%rs20, %rs10};", {0x12345678}).r, 0x56781234u);
}

TEST(PtxIntegers, pairsOfHalfWords) {
  EXPECT_EQ(word("min.s16x2", {0xffff0005, 0x0001fff0}), 0xfffffff0u);
  EXPECT_EQ(word("max.relu.s16x2", {0xffff0005, 0xfffefff0}), 0x00000005u);
  EXPECT_EQ(word("max.relu.s32", {minus(3), minus(4)}), 0u);
  EXPECT_EQ(word("add.u16x2", {0xffff0001, 0x00010001}), 0x00000002u);
}

}  // namespace
}  // namespace clarity::ptx
