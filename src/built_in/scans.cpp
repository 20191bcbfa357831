// SPDX-License-Identifier: Apache-2.0
// This file is the family of scans, and the one of what is made with them: compaction and partition.
#include "built_in/scans.h"

#include "built_in/families.h"

#include <algorithm>
#include <string_view>

namespace clarity::built_in {
namespace {

// As in scan.cl and partition.cl.
constexpr std::uint64_t groupItems = 256, chunkOfScan = 4096;

bool isNone(const PassArgument& argument) { return argument.kind == PassArgument::Kind::Null; }

}  // namespace

namespace {

/// Elements of a chunk: on processors with vectors as many as leave work for all compute units.
std::uint64_t chunkOf(const Builder& it, std::uint64_t n, bool isSegmented) {
  constexpr std::uint64_t most = std::uint64_t{1} << 16;
  if (it.isWide() || isSegmented) return chunkOfScan;
  const std::uint64_t share = divideUp(n, std::uint64_t{it.device().computeUnits} * 8);
  return std::clamp(divideUp(share, chunkOfScan) * chunkOfScan, chunkOfScan, most);
}

}  // namespace

namespace {

/// The same without segments where work-items run in step.
void addScanInStep(Builder& it, const ScanKind& kind, std::uint64_t n, PassArgument from, PassArgument to,
                   bool isExclusive) {
  // As in scan_groups.cl: work-items, bytes of a tile, and levels of totals: of tiles, of 32 tiles, of 32 of these ...
  constexpr std::uint64_t items = 128, tileBytes = 16384;
  constexpr unsigned levels = 4;
  const bool isNext = kind.first.empty();
  const std::string suffix = (isNext ? "_next_" : "_") + (isNext ? kind.next : kind.first);
  const std::uint64_t tiles = divideUp(n, tileBytes / (isNext ? kind.bytes : it.type().bytes));
  if (!it.require(tiles <= 0xFFFFFFFFU, "n is {}: more than 2^32 tiles of {} bytes", n, tileBytes)) return;
  PassArgument states = Builder::given(Null{});
  std::uint64_t words = 0;
  if (tiles > 1) {
    for (unsigned level = 0; level < levels; ++level) words += (tiles >> 5 * level) * (kind.bytes / 4);
    states = Builder::given(it.scratch((words + 1) * 8));
    it.pass("scan_clear_" + kind.next, groups(divideUp(words + 1, items), items), words + 1, states);
  }
  it.pass("scan_chain" + suffix, groups(tiles, items), n, from, to, std::uint32_t{isExclusive},
          static_cast<std::uint32_t>(tiles), states, words);
}

}  // namespace

void addScan(Builder& it, const ScanKind& kind, std::uint64_t n, PassArgument from, PassArgument heads, PassArgument to,
             bool isExclusive) {
  if (it.isWide() && isNone(heads)) return addScanInStep(it, kind, n, from, to, isExclusive);
  const std::uint64_t chunk = chunkOf(it, n, !isNone(heads)), chunks = divideUp(n, chunk);
  const auto each = static_cast<std::uint32_t>(chunk);
  const bool isNext = kind.first.empty(), isInLines = !it.isWide() && isNone(heads);
  const std::string suffix = (isNext ? "_next_" : "_") + (isNext ? kind.next : kind.first);
  PassArgument before = Builder::given(Null{});
  if (chunks > 1) {
    const PassArgument totals = Builder::given(it.scratch(chunks * kind.bytes));
    const PassArgument begun = isNone(heads) ? heads : Builder::given(it.scratch(chunks));
    if (isInLines)
      it.pass("total_lines" + suffix, groups(chunks, it.lanes()), n, from, totals, each);
    else
      it.pass("total" + suffix, groups(chunks, groupItems), n, from, heads, totals, begun, each);
    before = Builder::given(it.scratch(chunks * kind.bytes));
    addScan(it, {.first = {}, .next = kind.next, .bytes = kind.bytes}, chunks, totals, begun, before, false);
  }
  if (isInLines)
    it.pass("scan_lines" + suffix, groups(chunks, it.lanes()), n, from, before, to, std::uint32_t{isExclusive}, each);
  else
    it.pass("scan" + suffix, groups(chunks, groupItems), n, from, heads, before, to, std::uint32_t{isExclusive}, each);
}

namespace {

void planScan(Builder& it) {
  const std::uint64_t n = it.number("n");
  const std::string_view name = it.kernel().entry->name;
  const bool isSegmented = name.find(".segments.") != name.npos;
  it.needs("x", n);
  it.needs("y", n);
  it.apart("x", "y", true);
  if (isSegmented) {
    it.needs("heads", n);
    it.apart("heads", "y");
  }
  if (it.isRefused() || n == 0) return;
  const std::string suffix = it.function("").substr(1);
  addScan(it, {.first = suffix, .next = suffix, .bytes = std::max<std::uint64_t>(it.type().bytes, 4)}, n, it.given("x"),
          isSegmented ? it.given("heads") : Builder::given(Null{}), it.given("y"),
          name.find(".exclusive.") != name.npos);
}

void planPartition(Builder& it) {
  const std::uint64_t n = it.number("n");
  const bool isWhole = std::string_view(it.kernel().entry->name) == "clarity.partition";
  it.needs("x", n);
  it.needs("keep", n);
  it.needs("count", 1);
  if (isWhole)
    it.needs("y", n);
  else if (n > 0)
    it.needs("y", 1);
  it.apart("x", "y");
  it.apart("keep", "y");
  it.apart("count", "y");
  it.apart("count", "x");
  it.apart("count", "keep");
  if (it.isRefused()) return;
  const std::uint64_t chunks = std::max<std::uint64_t>(1, divideUp(n, chunkOfScan));
  const Scratch totals = it.scratch(chunks * 8), before = it.scratch(chunks * 8);
  it.pass(it.function("kept"), groups(chunks, groupItems), "n", "keep", totals);
  addScan(it, {.first = {}, .next = "sum_u64", .bytes = 8}, chunks, Builder::given(totals), Builder::given(Null{}),
          Builder::given(before), false);
  it.pass(it.function("place"), groups(chunks, groupItems), "n", "x", "keep", before, "y", "count",
          std::uint32_t{isWhole}, it.bytesOf("y") / it.type().bytes);
}

constexpr const char* scanned = "f32 f64 f16 bf16 i32 u32 i64 u64";
constexpr const char* moved = "f32 f64 f16 bf16 i8 u8 i16 u16 i32 u32 i64 u64";

constexpr Entry scan(const char* name, const char* summary, const char* operation) {
  return {name, scanned, nullptr, "ulong n, const T* x, T* y", summary, "scan", planScan, operation, "scan_groups @ *"};
}
constexpr Entry segments(const char* name, const char* summary, const char* operation) {
  return {name,     scanned,   nullptr,          "ulong n, const T* x, const uchar* heads, T* y", summary, "scan",
          planScan, operation, "scan_groups @ *"};
}

constexpr Entry scanEntries[] = {
    scan("clarity.scan.inclusive.sum", "y[i] = x[0] + ... + x[i]", "sum"),
    scan("clarity.scan.exclusive.sum", "y[i] = x[0] + ... + x[i - 1], y[0] = 0", "sum"),
    scan("clarity.scan.inclusive.min", "y[i] = the least of x[0] to x[i]", "min"),
    scan("clarity.scan.inclusive.max", "y[i] = the greatest of x[0] to x[i]", "max"),
    segments("clarity.scan.segments.inclusive.sum", "the same as inclusive.sum within each segment", "sum"),
    segments("clarity.scan.segments.exclusive.sum", "the same as exclusive.sum within each segment", "sum"),
    segments("clarity.scan.segments.inclusive.min", "the same as inclusive.min within each segment", "min"),
    segments("clarity.scan.segments.inclusive.max", "the same as inclusive.max within each segment", "max"),
};

constexpr Entry partitionEntries[] = {
    {"clarity.compact", moved, nullptr, "ulong n, const T* x, const uchar* keep, T* y, ulong* count",
     "y = the x[i] with keep[i] not 0, in their order; *count of them. Those that y has no room for are left out",
     "partition", planPartition, nullptr, "scan sum u64;scan_groups sum u64"},
    {"clarity.partition", moved, nullptr, "ulong n, const T* x, const uchar* keep, T* y, ulong* count",
     "the same, and behind them the others, in their order", "partition", planPartition, nullptr,
     "scan sum u64;scan_groups sum u64"},
};

}  // namespace

const Family scans{
    "Scans",
    "`x` and `y` may be the same. A segment begins at element 0 and wherever `heads[i]` is not 0. Sums of `f16` and "
    "`bf16` are computed in `float` and rounded when they are stored. Arrays are summed in chunks of up to 65,536 "
    "elements, each in vectors or by shuffles: the error of a sum is below `n` / 4 + 32 units in the last place of the "
    "sum of the elements' magnitudes.",
    scanEntries};
const Family partitions{"Compaction and partition", "A scan of the flags gives the new places of elements.",
                        partitionEntries};

}  // namespace clarity::built_in
