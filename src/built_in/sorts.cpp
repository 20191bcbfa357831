// SPDX-License-Identifier: Apache-2.0
// This file is the family of sorts.
#include "built_in/families.h"
#include "built_in/scans.h"

#include <algorithm>
#include <bit>
#include <string_view>

namespace clarity::built_in {
namespace {

/// Keys that one work-item sorts at once.
constexpr std::uint64_t mostOfFew = 6000, networkBytes = 32768;

/// The division of the work, as in sort.cl and sort_groups.cl.
constexpr std::uint64_t chunkBytes = 32768, digits = 256, itemsOfTile = 256, bytesOfItem = 80;
constexpr std::uint32_t digitBits = 8;

/// Keys, and values if there are any, in one place.
struct Items {
  PassArgument keys, values;
};

/// Memory for keys between passes.
Items spareOf(Builder& it, std::uint64_t n, bool hasValues) {
  return {Builder::given(it.scratch(n * it.type().bytes)),
          hasValues ? Builder::given(it.scratch(n * 4)) : Builder::given(Null{})};
}

/// A work-item for each chunk.
void addSort(Builder& it, std::uint64_t n, bool hasValues, std::uint64_t flip, Items from, const Items& result) {
  const PassArgument none = Builder::given(Null{});
  const std::uint64_t chunks = divideUp(n, chunkBytes / it.type().bytes);
  const Scratch counts = it.scratch(digits * chunks * 4), places = it.scratch(digits * chunks * 4);
  const Items spare = spareOf(it, n, hasValues);
  const auto count = static_cast<std::uint32_t>(n), bits = static_cast<std::uint32_t>(it.type().bytes * 8);
  for (std::uint32_t shift = 0; shift < bits; shift += digitBits) {
    const Items& to = shift / digitBits % 2 == 1 ? result : spare;
    it.pass(it.function("sort_count_serial"), groups(chunks, 1), count, from.keys, shift, flip, counts);
    addScan(it, {.first = "sum_u32", .next = "sum_u32", .bytes = 4}, digits * chunks, Builder::given(counts), none,
            Builder::given(places), true);
    it.pass(it.function(hasValues ? "sort_move_pairs" : "sort_move_keys"), groups(chunks, 1), count, from.keys,
            from.values, shift, flip, counts, places, to.keys, to.values);
    from = to;
  }
}

/// Work-groups with tiles that tell each other what they have.
void addSortInStep(Builder& it, std::uint64_t n, bool hasValues, std::uint64_t flip, Items from, const Items& result) {
  const std::uint64_t tile = itemsOfTile * (bytesOfItem / it.type().bytes);
  if (n <= tile) {
    it.pass(it.function(hasValues ? "sort_tile_pairs" : "sort_tile_keys"), groups(1, itemsOfTile),
            static_cast<std::uint32_t>(n), from.keys, from.values, flip, result.keys, result.values);
    return;
  }
  // States count fewer than 2^30 keys.
  const std::uint64_t most = (std::uint64_t{1} << 29) / tile * tile, portions = divideUp(n, most);
  const std::uint64_t rows = divideUp(std::min(n, most), tile);
  const auto passes = static_cast<std::uint32_t>(it.type().bytes), apart = static_cast<std::uint32_t>(portions + 1);
  // Counters of tiles, one for each launch, the counter of those that have counted, and where digits begin.
  const auto ended = static_cast<std::uint32_t>(passes * portions), starts = ended + 1;
  const std::uint64_t words = starts + passes * apart * digits;
  const Scratch control = it.scratch(words * 4), states = it.scratch(2 * rows * digits * 4);
  const Items spare = spareOf(it, n, hasValues);
  it.pass(it.function("sort_clear"), items(std::max(words, rows * digits)), static_cast<std::uint32_t>(words),
          static_cast<std::uint32_t>(rows * digits), control, states);
  constexpr std::uint64_t tilesOfUnit = 4;
  const std::uint64_t counting = std::min(divideUp(n, tile), it.device().computeUnits * tilesOfUnit);
  it.pass(it.function("sort_digits"), groups(counting, itemsOfTile), static_cast<std::uint32_t>(n), from.keys, flip,
          apart, control, ended, starts);
  std::uint32_t number = 0;
  for (std::uint32_t pass = 0; pass < passes; ++pass) {
    const Items& to = pass % 2 == 1 ? result : spare;
    for (std::uint32_t portion = 0; portion < portions; ++portion, ++number) {
      const std::uint64_t first = portion * most, some = std::min(most, n - first);
      it.pass(it.function(hasValues ? "sort_pass_pairs" : "sort_pass_keys"), groups(divideUp(some, tile), itemsOfTile),
              static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(some), number,
              static_cast<std::uint32_t>(rows), from.keys, from.values, pass * digitBits, flip, control,
              static_cast<std::uint32_t>(starts + (pass * apart + portion) * digits), states, to.keys, to.values);
    }
    from = to;
  }
}

void planSort(Builder& it) {
  const std::uint64_t n = it.number("n");
  const bool hasValues = std::string_view(it.kernel().entry->name) == "clarity.sort.pairs";
  (void)it.require(n <= 0xFFFFFFFFU, "n is {}, more than 2^32 - 1", n);
  it.needs("keys", n);
  it.needs("sorted", n);
  it.apart("keys", "sorted", true);
  if (hasValues) {
    if (!it.isNull("values")) it.needs("values", n);
    it.needs("moved", n);
    it.apart("values", "moved", true);
    it.apart("keys", "moved");
    it.apart("values", "sorted");
    it.apart("sorted", "moved");
  }
  if (it.isRefused() || n == 0) return;
  const std::uint64_t flip = it.number("descending") ? ~std::uint64_t{0} : 0;
  const auto count = static_cast<std::uint32_t>(n);
  const PassArgument none = Builder::given(Null{});
  const std::uint64_t padded = std::bit_ceil(std::max<std::uint64_t>(n, 16));
  if (!it.isWide() && !hasValues && padded * it.type().bytes <= networkBytes) {
    const std::uint64_t width = std::min<std::uint64_t>(it.lanes(), 16);
    it.pass(it.function("sort_network"), groups(1, width), count, static_cast<std::uint32_t>(padded), "keys", flip,
            "sorted", Local{padded * it.type().bytes});
    return;
  }
  if (!it.isWide() && n <= mostOfFew && n * 2 * (it.type().bytes + 4) + 16384 <= it.device().localMemBytes) {
    it.pass(it.function("sort_few"), groups(1, 1), count, "keys", hasValues ? it.given("values") : none, flip, "sorted",
            hasValues ? it.given("moved") : none, std::uint32_t{hasValues}, Local{n * 2 * it.type().bytes},
            Local{hasValues ? n * 8 : 8});
    return;
  }
  const Items from{it.given("keys"), hasValues ? it.given("values") : none};
  const Items to{it.given("sorted"), hasValues ? it.given("moved") : none};
  if (it.isWide())
    addSortInStep(it, n, hasValues, flip, from, to);
  else
    addSort(it, n, hasValues, flip, from, to);
}

constexpr Entry entries[] = {
    {"clarity.sort.keys", "f32 f64 i32 u32 i64 u64", nullptr, "ulong n, const T* keys, uint descending, T* sorted",
     "sorted = the keys, the least first, or with `descending` the greatest", "sort", planSort, nullptr,
     "sort_groups - *;scan sum u32"},
    {"clarity.sort.pairs", "f32 f64 i32 u32 i64 u64", nullptr,
     "ulong n, const T* keys, const uint* values, uint descending, T* sorted, uint* moved",
     "the same; moved[j] = the value of sorted[j]. Without `values` they are 0, 1, 2, ...", "sort", planSort, nullptr,
     "sort_groups - *;scan sum u32"},
};

}  // namespace

const Family sorts{
    "Sorting",
    "Radix sorts, which are stable: equal keys stay in their order. Floating-point keys are ordered by sign and "
    "magnitude: -0 comes before 0, a NaN with a sign bit first, and any other NaN last. `sorted` may be `keys`, and "
    "`moved` may be `values`.",
    entries};

}  // namespace clarity::built_in
