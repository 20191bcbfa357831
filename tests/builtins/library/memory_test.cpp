// SPDX-License-Identifier: Apache-2.0
// This file tests the builtins that touch memory, as one work-item sees them: nothing is read or written beyond what
// the call names, halves round as asked, copies cover a work-item's share, atomics return what was there before.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "library/host_environment.h"
#include "library/inputs.h"

extern "C" {
#define ROUND_TRIP(n, T) void copy_##T##_##n(const T*, const T*, T*, std::size_t);
#define WIDTHS(T) ROUND_TRIP(2, T) ROUND_TRIP(3, T) ROUND_TRIP(4, T) ROUND_TRIP(8, T) ROUND_TRIP(16, T)
WIDTHS(char)
WIDTHS(ushort)
WIDTHS(int)
WIDTHS(double)
#define HALF(n, F) void half_##F##_##n(const F*, half*, half*, float*, float*, std::size_t);
#define HALVES(F) HALF(2, F) HALF(3, F) HALF(4, F) HALF(8, F) HALF(16, F)
HALVES(float)
HALVES(double)
void half_modes_float(const float*, half*, int);
void half_modes_double(const double*, half*, int);
void half_mode_vectors_float(const float*, half*, int);
void half_mode_vectors_double(const double*, half*, int);
void load_half(const half*, float*, int);
void copy_async(int*, const int*, int*, std::size_t);
void copy_strided(float*, const float*, float*, std::size_t, std::size_t);
#define LEGACY(T, PREFIX) void legacy_##PREFIX##_##T(T*, T, T, T*);
LEGACY(int, atomic)
LEGACY(uint, atomic)
LEGACY(int, atom)
LEGACY(long, atom)
LEGACY(ulong, atom)
#undef LEGACY
float exchange_float(float*, float);
#define C11(T) void c11_##T(T*, T, T, T*, int*);
C11(int)
C11(ulong)
C11(float)
C11(double)
#undef C11
int flags(int*);
}

namespace {

template <typename T>
void checkCopy(void (*copy)(const T*, const T*, T*, std::size_t), std::size_t width) {
  const std::size_t offset = 3;
  std::vector<T> from(width * 6), to(width * 6, T(99)), expected = to;
  std::iota(from.begin(), from.end(), T(1));
  std::copy_n(from.begin() + offset * width, width, expected.begin() + offset * width);
  // An address aligned for the element only: the vectors start one element into the storage.
  std::vector<T> shiftedFrom(from.size() + 1), shiftedTo(to.size() + 1, T(99));
  std::copy(from.begin(), from.end(), shiftedFrom.begin() + 1);
  copy(from.data(), from.data(), to.data(), offset);
  EXPECT_EQ(to, expected) << width;
  copy(shiftedFrom.data() + 1, from.data(), shiftedTo.data() + 1, offset);
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), shiftedTo.begin() + 1)) << width;
}

template <typename F>
void checkHalf(void (*convert)(const F*, half*, half*, float*, float*, std::size_t), std::size_t width) {
  const std::size_t offset = 2, stride = width == 3 ? 4 : width;
  const half untouched = 77;
  std::vector<F> in(width);
  std::iota(in.begin(), in.end(), F(0.5));
  std::vector<half> plain(width * 4, untouched);
  alignas(64) half aligned[64];
  std::fill(std::begin(aligned), std::end(aligned), untouched);
  std::vector<float> back(width), backAligned(width);
  convert(in.data(), plain.data(), aligned, back.data(), backAligned.data(), offset);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    bool inside = i >= offset * width && i < (offset + 1) * width;
    EXPECT_EQ(plain[i], inside ? half(in[i - offset * width]) : untouched) << width << " element " << i;
  }
  for (std::size_t i = 0; i < 64; ++i) {
    bool inside = i >= offset * stride && i < offset * stride + width;
    EXPECT_EQ(aligned[i], inside ? half(in[i - offset * stride]) : untouched) << width << " element " << i;
  }
  for (std::size_t i = 0; i < width; ++i) {
    EXPECT_EQ(back[i], float(in[i]));
    EXPECT_EQ(backAligned[i], float(in[i]));
  }
}

/// The two halves around value, found by search over all of them: no arithmetic in common with the library.
struct Neighbours {
  float below = -INFINITY, above = INFINITY;
};
Neighbours neighboursOf(double value) {
  static const std::vector<float> all = [] {
    std::vector<float> values;
    for (unsigned bits = 0; bits < 0x10000; ++bits) {
      float f = static_cast<float>(fromBits<half>(bits));
      if (f == f) values.push_back(f);
    }
    std::sort(values.begin(), values.end());
    return values;
  }();
  auto above = std::lower_bound(all.begin(), all.end(), value);
  auto below = std::upper_bound(all.begin(), all.end(), value);
  return {*(below - 1), *above};
}

template <typename F>
void checkModes(void (*modes)(const F*, half*, int)) {
  auto in = inputs<F>();
  std::erase_if(in, [](F x) { return x != x; });
  in.resize(in.size() / 16 * 16);
  const std::size_t n = in.size();
  std::vector<half> out(5 * n);
  modes(in.data(), out.data(), static_cast<int>(n));
  for (std::size_t i = 0; i < n; ++i) {
    Neighbours near = neighboursOf(in[i]);
    float zero = in[i] < 0 ? near.above : near.below;
    EXPECT_EQ(float(out[2 * n + i]), zero) << "rtz " << double(in[i]);
    EXPECT_EQ(float(out[3 * n + i]), near.above) << "rtp " << double(in[i]);
    EXPECT_EQ(float(out[4 * n + i]), near.below) << "rtn " << double(in[i]);
    EXPECT_EQ(bitsOf(out[i]), bitsOf(out[n + i])) << "no mode is rte, " << double(in[i]);
    double nearest = float(out[i]);
    EXPECT_TRUE(nearest == near.above || nearest == near.below) << double(in[i]);
    if (std::isfinite(near.above) && std::isfinite(near.below) && near.above != near.below) {
      double up = near.above - double(in[i]), down = double(in[i]) - near.below;
      double expected = up < down                        ? near.above
                        : down < up                      ? near.below
                        : (bitsOf(half(near.above)) & 1) ? near.below
                                                         : near.above;
      EXPECT_EQ(nearest, expected) << "rte " << double(in[i]);
    }
    EXPECT_EQ(std::signbit(float(out[i])), std::signbit(double(in[i]))) << double(in[i]);
  }
}

template <typename F>
void checkModeVectors(void (*scalars)(const F*, half*, int), void (*vectors)(const F*, half*, int)) {
  auto in = inputs<F>();
  std::vector<half> one(5 * in.size()), four(5 * in.size());
  scalars(in.data(), one.data(), static_cast<int>(in.size()));
  vectors(in.data(), four.data(), static_cast<int>(in.size()));
  for (std::size_t i = 0; i < one.size(); ++i) {
    ASSERT_TRUE(bitsOf(one[i]) == bitsOf(four[i]) || (one[i] != one[i] && four[i] != four[i])) << i;
  }
}

template <typename T>
void checkLegacy(void (*run)(T*, T, T, T*)) {
  T memory = 5, value = 12, other = 10, returned[13];
  run(&memory, value, other, returned);
  const T expected[13] = {5, 17, 7, 12, 13, 12, 10, 10, 10, 10, 8, 10, 6};
  for (int i = 0; i < 13; ++i) EXPECT_EQ(returned[i], expected[i]) << "step " << i;
}

template <typename T>
void checkC11(void (*run)(T*, T, T, T*, int*)) {
  T memory = 0, value = 3, other = 20, returned[10];
  int equal[2];
  run(&memory, value, other, returned, equal);
  const T expected[10] = {3, 20, 20, 3, 23, 20, 3, 20, 20, 3};
  for (int i = 0; i < 10; ++i) EXPECT_EQ(returned[i], expected[i]) << "step " << i;
  EXPECT_EQ(equal[0], 0);
  EXPECT_EQ(equal[1], 1);
}

}  // namespace

TEST(Memory, VectorsTouchTheirElementsOnly) {
#undef ROUND_TRIP
#define ROUND_TRIP(n, T) checkCopy<T>(&copy_##T##_##n, n);
  WIDTHS(char)
  WIDTHS(ushort)
  WIDTHS(int)
  WIDTHS(double)
}

TEST(Memory, HalvesTouchTheirElementsOnly) {
#undef HALF
#define HALF(n, F) checkHalf<F>(&half_##F##_##n, n);
  HALVES(float)
  HALVES(double)
}

TEST(Memory, HalvesRoundAsAsked) {
  checkModes(&half_modes_float);
  checkModes(&half_modes_double);
  checkModeVectors(&half_modes_float, &half_mode_vectors_float);
  checkModeVectors(&half_modes_double, &half_mode_vectors_double);
}

TEST(Memory, EveryHalfLoads) {
  std::vector<half> in(0x10000);
  for (unsigned bits = 0; bits < in.size(); ++bits) in[bits] = fromBits<half>(bits);
  std::vector<float> out(in.size());
  load_half(in.data(), out.data(), static_cast<int>(in.size()));
  for (std::size_t i = 0; i < in.size(); ++i) {
    ASSERT_TRUE(out[i] == static_cast<float>(in[i]) || (in[i] != in[i] && out[i] != out[i])) << i;
  }
}

TEST(Memory, WorkItemsShareACopy) {
  const int count = 50;
  std::vector<int> far(count), near(count, -1), back(count, -1);
  std::iota(far.begin(), far.end(), 0);
  ndRange = {};
  ndRange.localSize = {4, 3, 1};
  for (std::size_t y = 0; y < 3; ++y) {
    for (std::size_t x = 0; x < 4; ++x) {
      ndRange.localId = {x, y, 0};
      std::vector<int> mine(count, -1), mineBack(count, -1);
      copy_async(mine.data(), far.data(), mineBack.data(), count);
      for (int i = 0; i < count; ++i) {
        if (mine[i] == -1) continue;
        EXPECT_EQ(near[i], -1) << "element " << i << " is copied twice";
        near[i] = mine[i];
        back[i] = mineBack[i];
      }
    }
  }
  EXPECT_EQ(near, far);
  EXPECT_EQ(back, far);
  // Two waits for each of the twelve work-items, each a fence of both memories.
  EXPECT_EQ(ndRange.barriers, std::vector<unsigned>(24, 3u));
}

TEST(Memory, StridedCopiesSkip) {
  ndRange = {};
  const std::size_t count = 5, stride = 3;
  std::vector<float> far(count * stride * 4), near(count * 4, -1.0f), back(far.size(), -1.0f);
  std::iota(far.begin(), far.end(), 0.0f);
  copy_strided(near.data(), far.data(), back.data(), count, stride);
  for (std::size_t i = 0; i < count * 4; ++i) EXPECT_EQ(near[i], far[i / 4 * stride * 4 + i % 4]);
  for (std::size_t i = 0; i < back.size(); ++i) {
    EXPECT_EQ(back[i], i / 4 % stride == 0 ? far[i] : -1.0f) << i;
  }
}

TEST(Atomics, LegacyOperations) {
  checkLegacy(&legacy_atomic_int);
  checkLegacy(&legacy_atomic_uint);
  checkLegacy(&legacy_atom_int);
  checkLegacy(&legacy_atom_long);
  checkLegacy(&legacy_atom_ulong);
  float memory = 1.5f;
  EXPECT_EQ(exchange_float(&memory, 2.5f), 1.5f);
  EXPECT_EQ(memory, 2.5f);
}

TEST(Atomics, C11Operations) {
  checkC11(&c11_int);
  checkC11(&c11_ulong);
  checkC11(&c11_float);
  checkC11(&c11_double);
  int flag = 0;
  EXPECT_EQ(flags(&flag), 2);
}

TEST(Atomics, TheCompilerGetsOrdersAndScopes) {
  using Asked = std::set<std::array<int, 3>>;
  ndRange = {};
  int word = 0, results[13] = {}, equal[2] = {};
  legacy_atomic_int(&word, 1, 2, results);
  EXPECT_EQ(ndRange.atomics, (Asked{{0, 0, 2}}));  // relaxed, of the device
  ndRange = {};
  c11_int(&word, 1, 2, results, equal);
  EXPECT_EQ(ndRange.atomics, (Asked{{0, 0, 1}, {0, 0, 2}, {2, 0, 1}, {3, 0, 2}, {4, 0, 2}, {5, 0, 2}, {5, 5, 2}}));
  ndRange = {};
  word = 0;
  flags(&word);
  EXPECT_EQ(ndRange.atomics, (Asked{{0, 0, 2}, {5, 0, 2}}));
  // Nothing beyond the work-group sees local memory.
  EXPECT_EQ(ndRange.fences, (std::vector<std::array<int, 2>>{{4, 2}, {4, 1}}));
}
