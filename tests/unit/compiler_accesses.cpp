// SPDX-License-Identifier: Apache-2.0
// This file tests which bytes of its buffers a kernel is found to access for a box of work-groups.
#include "compiler/driver/compiler.h"
#include "compiler/host/target.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <tuple>
#include <vector>

namespace clarity::compiler {
namespace {

using Range = std::tuple<std::uint32_t, bool, std::int64_t, std::int64_t>;  ///< argument, written, begin, end

/// A kernel, its launch, and values of its arguments.
class Launched {
public:
  explicit Launched(const std::string& source, AccessedBox box = {}) : box_(box) {
    const Outcome outcome = build(source, "", hostTarget());
    EXPECT_TRUE(outcome.compiled) << outcome.log;
    compiled_ = outcome.compiled;
    summary_ = accessesOf(*compiled_, compiled_->kernels.front().name);
    block_.resize(info().argBlockBytes);
  }

  template <class T>
  Launched& set(std::uint32_t argument, T value) {
    std::memcpy(block_.data() + info().args[argument].offset, &value, sizeof value);
    return *this;
  }

  /// Those of a run of work-groups along a dimension; the whole box along the others. One for each argument and way.
  std::vector<Range> ranges(std::size_t dimension, std::size_t first, std::size_t count) const {
    EXPECT_EQ(summary_.objection, "");
    AccessedBox box = box_;
    for (std::size_t d = 0; d < 3; ++d) box.groups[d] = (box.global[d] - 1) / box.local[d] + 1;
    box.firstGroup[dimension] = first;
    box.groups[dimension] = count;
    std::vector<Range> all;
    for (const AccessedRange& each : accessedBy(summary_, box, block_)) {
      const auto same = std::ranges::find_if(all, [&](const Range& known) {
        return std::get<0>(known) == each.argument && std::get<1>(known) == each.isWrite;
      });
      if (same == all.end()) {
        all.emplace_back(each.argument, each.isWrite, each.begin, each.end);
      } else {
        std::get<2>(*same) = std::min(std::get<2>(*same), each.begin);
        std::get<3>(*same) = std::max(std::get<3>(*same), each.end);
      }
    }
    std::ranges::sort(all);
    return all;
  }
  const std::string& objection() const { return summary_.objection; }

private:
  const KernelInfo& info() const { return compiled_->kernels.front(); }

  AccessedBox box_;
  std::shared_ptr<const CompiledProgram> compiled_;
  AccessSummary summary_;
  std::vector<std::byte> block_;
};

constexpr std::int64_t least = AccessedRange::least, most = AccessedRange::most;

using Ranges = std::vector<Range>;

TEST(KernelAccesses, NeighboursOfTheId) {
  const Launched kernel(
      "kernel void k(global const float* a, global float* b) {"
      "  size_t i = get_global_id(0); b[i] = a[i - 1] + a[i + 1]; }",
      {.offset = {100, 0, 0}, .global = {1024, 1, 1}, .local = {64, 1, 1}});
  EXPECT_EQ(kernel.ranges(0, 4, 2), (Ranges{{0, false, 4 * 355, 4 * 485}, {1, true, 4 * 356, 4 * 484}}));
}

TEST(KernelAccesses, GuardsClampIds) {
  Launched kernel(
      "kernel void k(global int* out, int w, int h) {"
      "  int x = get_global_id(0), y = get_global_id(1); if (x < w && y < h) out[y * w + x] = 1; }",
      {.global = {1024, 64, 1}, .local = {16, 16, 1}});
  kernel.set(1, 1000).set(2, 60);
  EXPECT_EQ(kernel.ranges(1, 1, 1), (Ranges{{0, true, 4 * 16000, 4 * 32000}}));
  EXPECT_EQ(kernel.ranges(1, 3, 1), (Ranges{{0, true, 4 * 48000, 4 * 60000}}));
}

TEST(KernelAccesses, GroupAndLocalIdsMakeAGlobalId) {
  Launched kernel(
      "kernel void k(global float* out, global float* sums) {"
      "  size_t i = get_group_id(0) * get_local_size(0) + get_local_id(0);"
      "  out[i] = i; if (get_local_id(0) == 0) sums[get_group_id(0)] = i; }",
      {.global = {1024, 1, 1}, .local = {32, 1, 1}});
  EXPECT_EQ(kernel.ranges(0, 8, 8), (Ranges{{0, true, 4 * 256, 4 * 512}, {1, true, 4 * 8, 4 * 16}}));
}

TEST(KernelAccesses, RowsAndColumnsOfAProduct) {
  Launched kernel(
      "kernel void k(global const float* a, global const float* b, global float* c, int n) {"
      "  int col = get_global_id(0), row = get_global_id(1); float sum = 0;"
      "  for (int i = 0; i < n; ++i) sum += a[row * n + i] * b[i * n + col]; c[row * n + col] = sum; }",
      {.global = {256, 256, 1}, .local = {16, 16, 1}});
  kernel.set(3, 256);
  EXPECT_EQ(kernel.ranges(1, 0, 4), (Ranges{{0, false, 0, 65536}, {1, false, 0, 262144}, {2, true, 0, 65536}}));
  EXPECT_EQ(kernel.ranges(1, 12, 4),
            (Ranges{{0, false, 196608, 262144}, {1, false, 0, 262144}, {2, true, 196608, 262144}}));
}

TEST(KernelAccesses, RowAndColumnOfAFlatId) {
  Launched kernel(
      "kernel void k(global float* out, uint w) {"
      "  uint i = get_global_id(0), x = i % w, y = i / w; out[y * w + x] = x; }",
      {.global = {10000, 1, 1}, .local = {100, 1, 1}});
  kernel.set(1, 300);
  EXPECT_EQ(kernel.ranges(0, 50, 50), (Ranges{{0, true, 4 * 5000, 4 * 10000}}));
}

TEST(KernelAccesses, LoadedIndicesReadAnywhere) {
  Launched kernel(
      "kernel void k(global const float* a, global const int* at, global float* out) {"
      "  size_t i = get_global_id(0); out[i] = a[at[i]]; }",
      {.global = {64, 1, 1}, .local = {8, 1, 1}});
  const Ranges ranges = kernel.ranges(0, 0, 4);
  ASSERT_EQ(ranges.size(), 3U);
  EXPECT_LE(std::get<2>(ranges[0]), 0);
  EXPECT_GE(std::get<3>(ranges[0]), std::int64_t{1} << 32);
  EXPECT_EQ(ranges[2], (Range{2, true, 0, 128}));
}

TEST(KernelAccesses, StructureOfSizes) {
  struct Sizes {
    int first, width;
  };
  Launched kernel(
      "struct S { int first, width; };"
      "kernel void k(global float* out, struct S s) { out[s.first + get_global_id(0) * s.width] = 1; }",
      {.global = {64, 1, 1}, .local = {8, 1, 1}});
  kernel.set(1, Sizes{10, 3});
  EXPECT_EQ(kernel.ranges(0, 2, 2), (Ranges{{0, true, 4 * (10 + 48), 4 * (10 + 93 + 1)}}));
}

TEST(KernelAccesses, UnknownWritesAreAnywhere) {
  Launched kernel("kernel void k(global const long* at, global float* out) { out[at[get_global_id(0)]] = 1; }",
                  {.global = {64, 1, 1}, .local = {8, 1, 1}});
  EXPECT_EQ(kernel.ranges(0, 2, 2), (Ranges{{0, false, 8 * 16, 8 * 32}, {1, true, least, most}}));
}

TEST(KernelAccesses, IndicesThatWrapAreAnywhere) {
  Launched kernel("kernel void k(global float* out, uint n) { uint i = get_global_id(0); out[i * n] = 1; }",
                  {.global = {64, 1, 1}, .local = {8, 1, 1}});
  kernel.set(1, 0x40000000U);
  const Ranges ranges = kernel.ranges(0, 0, 4);
  ASSERT_EQ(ranges.size(), 1U);
  EXPECT_LE(std::get<2>(ranges[0]), 0);
  EXPECT_GE(std::get<3>(ranges[0]), std::int64_t{1} << 32);
}

/// An index as a kernel has it, and as C++ computes it for a work-item: `x` and `y` are ids, `w` the first size, `n` an
/// argument; `ux`, `uw` and `un` the same as unsigned numbers.
struct Index {
  const char* text;
  std::int64_t (*of)(int x, int y, int w, int n, unsigned ux, unsigned uw, unsigned un);
};
#define INDEX(...)                                                                       \
  {#__VA_ARGS__, [](int x, int y, int w, int n, unsigned ux, unsigned uw, unsigned un) { \
     (void)x, (void)y, (void)w, (void)n, (void)ux, (void)uw, (void)un;                   \
     using uchar [[maybe_unused]] = unsigned char;                                       \
     using ushort [[maybe_unused]] = unsigned short;                                     \
     return static_cast<std::int64_t>(__VA_ARGS__);                                      \
   }}
const Index indices[] = {INDEX(w - 1 - x),
                         INDEX(~x + w),
                         INDEX((w - 1 - x) * 3 + y),
                         INDEX(y* w + (w - 1 - x)),
                         INDEX((y + 1) * w - x - 1),
                         INDEX(n - x),
                         INDEX(-x + n),
                         INDEX(-(x - n)),
                         INDEX((x - w) * -2),
                         INDEX(x * -3 + y * 7),
                         INDEX((x ^ -1) + n),
                         INDEX(x << 2),
                         INDEX((n - x) << 3),
                         INDEX(-(x << 1) + n),
                         INDEX(x* x - n),
                         INDEX((x - 20) * (y - 3)),
                         INDEX(uw - 1u - ux),
                         INDEX(ux - 5u),
                         INDEX(ux + 0xfffffff0u),
                         INDEX(un - ux),
                         INDEX((ux - un) * 2u),
                         INDEX(ux < 5u ? ux : ux - 5u),
                         INDEX(ux * 0x10000001u),
                         INDEX((ux << 28) + ux),
                         INDEX(0u - ux),
                         INDEX((char)(x * 3)),
                         INDEX((uchar)(x - 1)),
                         INDEX((short)(x * 3000)),
                         INDEX((ushort)(n - x)),
                         INDEX((char)x - 10),
                         INDEX(x & ~3),
                         INDEX(x & 12),
                         INDEX((x - 8) & 7),
                         INDEX((x - 8) & -4),
                         INDEX(x | 1),
                         INDEX((x << 2) | 3),
                         INDEX((x - 9) | 4),
                         INDEX(x ^ 5),
                         INDEX(x % 5),
                         INDEX((x - 20) % 6),
                         INDEX((x - 20) / 3),
                         INDEX((w - 1 - x) / 4),
                         INDEX(ux / 3u),
                         INDEX((ux - 2u) / 5u),
                         INDEX((ux - 2u) % 5u),
                         INDEX((x - 20) >> 1),
                         INDEX((ux - 2u) >> 3),
                         INDEX((x - 20) >> y),
                         INDEX(x > 6 ? x - 6 : n),
                         INDEX(x < y ? y - x : w - x),
                         INDEX((x > 10 ? x : 3) + y),
                         INDEX((long)(w - 1 - x) * 5),
                         INDEX((long)(ux - 3u)),
                         INDEX((unsigned long)(int)(ux - 3u)),
                         INDEX((w - x) % n + x)};

// Whatever the form: no work-item accesses what is not in the range of its box.
TEST(KernelAccesses, RangesHoldWhatWorkItemsAccess) {
  constexpr int w = 40, h = 6, n = 33, rows = 3, columns = 5;
  for (const Index& index : indices) {
    Launched kernel(std::string("typedef unsigned u;\nkernel void k(global int* out, int n) {"
                                "  const int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0);"
                                "  const u ux = x, uw = w, un = n; out[") +
                        index.text + "] = 1; }",
                    {.global = {w, h, 1}, .local = {columns, rows, 1}});
    kernel.set(1, n);
    for (int left = 0; left < w; left += columns) {
      const Ranges ranges = kernel.ranges(0, static_cast<std::size_t>(left / columns), 1);
      ASSERT_EQ(ranges.size(), 1U) << index.text;
      const auto [argument, isWrite, begin, end] = ranges[0];
      for (int y = 0; y < h; ++y)
        for (int x = left; x < left + columns; ++x) {
          const std::int64_t at = 4 * index.of(x, y, w, n, static_cast<unsigned>(x), w, n);
          ASSERT_TRUE(begin <= at && at + 4 <= end)
              << index.text << " of " << x << ", " << y << ": " << at << " in [" << begin << ", " << end << ")";
        }
    }
  }
}

TEST(KernelAccesses, DeadCodeAccessesNothing) {
  Launched kernel("kernel void k(global int* out, int n) { if (n > 3) out[get_global_id(0)] = 1; }",
                  {.global = {64, 1, 1}, .local = {8, 1, 1}});
  kernel.set(1, 2);
  EXPECT_TRUE(kernel.ranges(0, 0, 8).empty());
}

TEST(KernelAccesses, Objections) {
  const auto contains = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
  EXPECT_TRUE(contains(Launched("kernel void k(global int* a) { atomic_inc(a); }").objection(), "atomic"));
  EXPECT_TRUE(contains(Launched("kernel void k(global volatile int* a) { a[0] = a[1]; }").objection(), "volatile"));
  EXPECT_TRUE(contains(Launched("struct N { global int* next; };"
                                "kernel void k(global struct N* a) { *a[get_global_id(0)].next = 1; }")
                           .objection(),
                       "comes from memory"));
  EXPECT_EQ(Launched("kernel void k(local int* a, global int* b) {"
                     "  atomic_inc(a); barrier(CLK_LOCAL_MEM_FENCE); b[get_global_id(0)] = *a; }")
                .objection(),
            "");
}

}  // namespace
}  // namespace clarity::compiler
