// SPDX-License-Identifier: Apache-2.0
// This file is the family of histograms.
#include "built_in/families.h"
#include "built_in/plan.h"

#include <algorithm>

namespace clarity::built_in {
namespace {

void planHistogram(Builder& it) {
  const std::uint64_t n = it.number("n"), bins = it.number("bins");
  it.positive("bins");
  (void)it.require(it.real("low") < it.real("high"), "low is {} and high is {}: there is nothing between them",
                   it.real("low"), it.real("high"));
  (void)it.require(n <= 0xFFFFFFFFU, "n is {}, and counts have 32 bits", n);
  it.needs("x", n);
  it.needs("counts", bins);
  it.apart("x", "counts");
  if (it.isRefused()) return;
  it.pass(it.function("histogram_clear"), items(bins), "counts");
  if (n == 0) return;
  // A group has enough elements that adding its bins to those of all is little work.
  constexpr std::uint64_t groupItems = 256;
  const std::uint64_t count =
      std::min<std::uint64_t>(std::uint64_t{it.device().computeUnits} * 4, divideUp(n, std::max(bins, groupItems)));
  constexpr std::uint64_t tables = 4, leastChunk = 16384, otherBytes = 4096;  // as in histogram.cl
  if (const std::uint64_t bytes = tables * (bins + 1) * 4;
      !it.isWide() && bytes + otherBytes <= it.device().localMemBytes / 2) {
    const std::uint64_t chunk =
        std::max(divideUp(n, std::uint64_t{it.device().computeUnits} * 4), std::max(bins, leastChunk));
    it.pass(it.function("histogram_lines"), groups(divideUp(n, chunk), it.lanes()), "n", "x", "low", "high", "bins",
            "counts", static_cast<std::uint32_t>(chunk), Local{bytes});
  } else if (bins * 4 <= it.device().localMemBytes / 2)
    it.pass(it.function("histogram_local"), groups(count, groupItems), "n", "x", "low", "high", "bins", "counts",
            Local{bins * 4});
  else
    it.pass(it.function("histogram_global"), items(n), "x", "low", "high", "bins", "counts");
}

constexpr Entry entries[] = {
    {"clarity.histogram", "f32 f64 f16 bf16 i8 u8 i16 u16 i32 u32", nullptr,
     "ulong n, const T* x, S low, S high, uint bins, uint* counts",
     "counts[b] = how many x[i] are in bin b; others, and NaN, are not counted", "histogram", planHistogram},
};

}  // namespace

const Family histograms{
    "Histograms",
    "`bins` bins of equal width divide the range from `low` to `high`, without `high` itself. Rounding "
    "decides in which bin a number at an edge is; the first bin begins exactly at `low`.",
    entries};

}  // namespace clarity::built_in
