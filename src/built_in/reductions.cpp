// SPDX-License-Identifier: Apache-2.0
// This file is the family of reductions.
#include "built_in/families.h"
#include "built_in/plan.h"

#include <algorithm>
#include <bit>
#include <string_view>

namespace clarity::built_in {
namespace {

// As in reduce.cl.
constexpr std::uint64_t groupItems = 256;
/// Elements of a row that one work-group combines. Up to mostOfRow, the cost of a second level exceeds what more
/// threads save: 2^16 floats take 3.9 us in one level and 6.3 in two (two cores of a Zen 4).
std::uint64_t rowChunk(const Builder& it, std::uint64_t n) {
  constexpr std::uint64_t mostOfRow = 65536, chunk = 16384, chunkInStep = 8192;
  if (it.isWide()) return chunkInStep;
  return n <= mostOfRow ? mostOfRow : chunk;
}
/// Rows of so few elements are combined by one work-item each.
constexpr std::uint64_t shortRow = 128;

bool isPlace(const Builder& it) { return std::string_view(it.kernel().entry->operation).starts_with("arg"); }
std::uint64_t accumulatorBytes(const Builder& it) {
  const ElementType& type = it.type();
  return isPlace(it) ? 16 : std::max<std::uint64_t>(type.bytes, 4);
}

/// Levels of rows from `n` partial results in `from` on; the last writes to `result` unless something is to finish it.
PassArgument addLevels(Builder& it, PassArgument from, std::uint64_t outer, std::uint64_t n, bool finishes) {
  while (n > 1) {
    const std::uint64_t chunk = rowChunk(it, n), chunks = divideUp(n, chunk);
    const PassArgument to = chunks == 1 && !finishes
                                ? it.given("result")
                                : Builder::given(it.scratch(outer * chunks * accumulatorBytes(it)));
    it.pass(it.function("rows_next"), groups(chunks, groupItems, outer), n, chunk, from, to);
    from = to;
    n = chunks;
  }
  return from;
}

/// Null: the result is there already.
PassArgument addRows(Builder& it, std::uint64_t outer, std::uint64_t n, bool finishes) {
  const bool isShort = n <= shortRow && outer > 1;
  const std::uint64_t chunk = rowChunk(it, n);
  const std::uint64_t chunks = isShort ? 1 : std::max<std::uint64_t>(1, divideUp(n, chunk));
  const PassArgument none = Builder::given(Null{});
  if (isPlace(it) && !isShort && chunks == 1) {
    it.pass(it.function("rows"), groups(chunks, groupItems, outer), "n", chunk, "x", none, "result");
    return none;
  }
  const PassArgument to =
      chunks == 1 && !finishes ? it.given("result") : Builder::given(it.scratch(outer * chunks * accumulatorBytes(it)));
  if (isShort)
    it.pass(it.function("short_rows"), items(outer), "n", "x", to);
  else if (isPlace(it))
    it.pass(it.function("rows"), groups(chunks, groupItems, outer), "n", chunk, "x", to, none);
  else
    it.pass(it.function("rows"), groups(chunks, groupItems, outer), "n", chunk, "x", to);
  const PassArgument last = addLevels(it, to, outer, chunks, finishes);
  if (!isPlace(it) || isShort) return last;
  it.pass(it.function("place"), groups(outer, groupItems), "n", chunk, "x", last, "result");
  return none;
}

/// Work-groups with some columns each, where work-items run in step.
void addColumnsInStep(Builder& it, std::uint64_t outer, std::uint64_t n, std::uint64_t inner, bool isFirst,
                      std::uint64_t rows, std::uint64_t chunks, PassArgument from, PassArgument to) {
  constexpr std::uint64_t most = 32;
  const std::uint64_t columns = std::min(std::bit_ceil(inner), most);
  const device::NDRange range = groups(divideUp(inner, columns), groupItems, chunks, outer);
  it.pass(it.function(isFirst ? "columns" : "columns_next"), range, n, inner,
          static_cast<std::uint32_t>(std::bit_width(columns) - 1), rows, from, to);
}

/// Rows that are combined at a time: so many that there is work for all, if work-items run in step.
std::uint64_t columnChunk(const Builder& it, std::uint64_t outer, std::uint64_t n, std::uint64_t inner) {
  constexpr std::uint64_t chunk = 256, few = 256, leastRows = 64, groupsOfUnit = 6, columns = 32;
  if (!it.isWide()) return chunk;
  if (n <= few) return few;
  const std::uint64_t across = outer * divideUp(inner, columns);
  const std::uint64_t wanted = std::max(it.device().computeUnits * groupsOfUnit / across, std::uint64_t{1});
  return std::clamp(divideUp(n, wanted), leastRows, chunk * (groupItems / columns));
}

PassArgument addColumns(Builder& it, std::uint64_t outer, std::uint64_t n, std::uint64_t inner, bool finishes) {
  PassArgument from = it.given("x");
  for (bool isFirst = true; isFirst || n > 1; isFirst = false) {
    const std::uint64_t rows = columnChunk(it, outer, n, inner);
    const std::uint64_t chunks = std::max<std::uint64_t>(1, divideUp(n, rows));
    const PassArgument to = chunks == 1 && !finishes
                                ? it.given("result")
                                : Builder::given(it.scratch(outer * chunks * inner * accumulatorBytes(it)));
    if (it.isWide())
      addColumnsInStep(it, outer, n, inner, isFirst, rows, chunks, from, to);
    else
      it.pass(it.function(isFirst ? "columns" : "columns_next"), items(inner, chunks, outer), n, inner, from, to);
    from = to;
    n = chunks;
  }
  return from;
}

void planReduce(Builder& it) {
  const std::uint64_t outer = it.number("outer"), n = it.number("n"), inner = it.number("inner");
  const std::uint64_t results = it.product(outer, inner);
  const std::string_view operation = it.kernel().entry->operation;
  it.needs("x", it.product(results, n));
  it.needs("result", results);
  it.apart("x", "result");
  (void)it.require(operation == "sum" || n > 0 || results == 0, "n is 0, and there is no {} of nothing", operation);
  if (it.isRefused() || results == 0) return;
  const bool finishes = isPlace(it) || (operation != "sum" && it.type().stored != it.type().arithmetic);
  const PassArgument last = inner == 1 ? addRows(it, outer, n, finishes) : addColumns(it, outer, n, inner, finishes);
  if (finishes && last.kind != PassArgument::Kind::Null) it.pass(it.function("finish"), items(results), last, "result");
}

void planVectors(Builder& it) {
  const std::uint64_t n = it.number("n"), incx = it.number("incx");
  const std::string_view operation = it.kernel().entry->operation;
  const bool isDot = operation == "dot", finishes = operation == "nrm2";
  const std::uint64_t incy = isDot ? it.number("incy") : 1;
  it.positive("incx");
  it.needsBox("x", n, incx);
  it.needs("result", 1);
  it.apart("x", "result");
  if (isDot) {
    it.positive("incy");
    it.needsBox("y", n, incy);
    it.apart("y", "result");
  }
  if (it.isRefused()) return;
  const std::uint64_t chunk = rowChunk(it, n), chunks = std::max<std::uint64_t>(1, divideUp(n, chunk));
  const PassArgument to =
      chunks == 1 && !finishes ? it.given("result") : Builder::given(it.scratch(chunks * accumulatorBytes(it)));
  it.pass(it.function(incx == 1 && incy == 1 ? "vector_unit" : "vector_strided"), groups(chunks, groupItems), n, chunk,
          "x", incx, it.given(isDot ? "y" : "x"), incy, to);
  const PassArgument last = addLevels(it, to, 1, chunks, finishes);
  if (finishes) it.pass(it.function("finish"), items(1), last, "result");
}

constexpr const char* all = "f32 f64 f16 bf16 i8 u8 i32 u32 i64 u64";
constexpr const char* real = "f32 f64 f16 bf16";
constexpr const char* sums = "ulong outer, ulong n, ulong inner, const T* x, S* result";
constexpr const char* ends = "ulong outer, ulong n, ulong inner, const T* x, T* result";
constexpr const char* places = "ulong outer, ulong n, ulong inner, const T* x, ulong* result";

constexpr Entry entry(const char* name, const char* types, const char* signature, const char* summary,
                      void (*plan)(Builder&), const char* operation) {
  return {name, types, nullptr, signature, summary, "reduce", plan, operation};
}

constexpr Entry entries[] = {
    entry("clarity.reduce.sum", all, sums, "result[o][i] = the sum of x[o][k][i]; 0 if n is 0", planReduce, "sum"),
    entry("clarity.reduce.min", all, ends, "the least x[o][k][i]; a NaN is left out", planReduce, "min"),
    entry("clarity.reduce.max", all, ends, "the greatest x[o][k][i]; a NaN is left out", planReduce, "max"),
    entry("clarity.reduce.argmin", all, places, "the first k where x[o][k][i] is least; a NaN is left out", planReduce,
          "argmin"),
    entry("clarity.reduce.argmax", all, places, "the first k where x[o][k][i] is greatest; a NaN is left out",
          planReduce, "argmax"),
    entry("clarity.dot", "f32 f64 f16 bf16 i8 i32",
          "ulong n, const T* x, ulong incx, const T* y, ulong incy, S* result", "*result = the sum of x[i] * y[i]",
          planVectors, "dot"),
    entry("clarity.asum", real, "ulong n, const T* x, ulong incx, S* result",
          "*result = the sum of the magnitudes of x[i]", planVectors, "asum"),
    entry("clarity.nrm2", real, "ulong n, const T* x, ulong incx, S* result",
          "*result = the root of the sum of x[i] * x[i], which must not overflow", planVectors, "nrm2"),
};

}  // namespace

const Family reductions{
    "Reductions",
    "An array `x` of `outer` x `n` x `inner` elements, without gaps, is reduced along its second axis. For a whole "
    "array `outer` and `inner` are 1, for the rows of a matrix `inner` is 1, for its columns `outer` is 1. Sums are "
    "computed in levels: each of a work-group's 256 work-items adds at most 256 elements, and a tree adds the results. "
    "The error of a sum of up to 2^28 elements is below 2^8 units in the last place of the sum of their magnitudes.",
    entries};

}  // namespace clarity::built_in
