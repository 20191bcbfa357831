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

/// The division of the work, as in sort.cl.
struct Division {
  bool isWide;
  std::uint32_t bits, digits;  ///< of a digit
  std::uint64_t chunks;
};

Division divisionOf(const Builder& it, std::uint64_t n) {
  constexpr std::uint64_t wideChunk = 4096, chunkBytes = 32768;
  if (it.isWide()) return {true, 4, 16, divideUp(n, wideChunk)};
  return {false, 8, 256, divideUp(n, chunkBytes / it.type().bytes)};
}

/// Keys, and values if there are any, in one place.
struct Items {
  PassArgument keys, values;
};

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
  const Division by = divisionOf(it, n);
  const Scratch counts = it.scratch(by.digits * by.chunks * 4), places = it.scratch(by.digits * by.chunks * 4);
  const Items spare{Builder::given(it.scratch(n * it.type().bytes)),
                    hasValues ? Builder::given(it.scratch(n * 4)) : none};
  const Items result{it.given("sorted"), hasValues ? it.given("moved") : none};
  Items from{it.given("keys"), hasValues ? it.given("values") : none};
  const auto bits = static_cast<std::uint32_t>(it.type().bytes * 8);
  for (std::uint32_t shift = 0; shift < bits; shift += by.bits) {
    const Items& to = (bits - shift) / by.bits % 2 == 1 ? result : spare;
    if (by.isWide)
      it.pass(it.function("sort_count"), groups(by.chunks, 256), count, from.keys, shift, flip, counts);
    else
      it.pass(it.function("sort_count_serial"), groups(by.chunks, 1), count, from.keys, shift, flip, counts);
    addScan(it, {.first = "sum_u32", .next = "sum_u32", .bytes = 4}, by.digits * by.chunks, Builder::given(counts),
            none, Builder::given(places), true);
    if (by.isWide)
      it.pass(it.function("sort_move"), groups(by.chunks, 256), count, from.keys, from.values, shift, flip, places,
              to.keys, to.values, std::uint32_t{hasValues});
    else
      it.pass(it.function(hasValues ? "sort_move_pairs" : "sort_move_keys"), groups(by.chunks, 1), count, from.keys,
              from.values, shift, flip, counts, places, to.keys, to.values);
    from = to;
  }
}

constexpr Entry entries[] = {
    {"clarity.sort.keys", "f32 f64 i32 u32 i64 u64", nullptr, "ulong n, const T* keys, uint descending, T* sorted",
     "sorted = the keys, the least first, or with `descending` the greatest", "sort", planSort, nullptr,
     "scan sum u32"},
    {"clarity.sort.pairs", "f32 f64 i32 u32 i64 u64", nullptr,
     "ulong n, const T* keys, const uint* values, uint descending, T* sorted, uint* moved",
     "the same; moved[j] = the value of sorted[j]. Without `values` they are 0, 1, 2, ...", "sort", planSort, nullptr,
     "scan sum u32"},
};

}  // namespace

const Family sorts{
    "Sorting",
    "By radix, and stable: keys that are equal stay in their order. Floating-point keys are ordered by "
    "sign and magnitude: -0 before 0, a NaN with its sign bit first and any other one last. `sorted` may "
    "be `keys`, and `moved` may be `values`.",
    entries};

}  // namespace clarity::built_in
