// SPDX-License-Identifier: Apache-2.0
// This file is the family of products of matrices.
#include "built_in/families.h"
#include "built_in/panels.h"
#include "built_in/products.h"

#include <algorithm>
#include <utility>

namespace clarity::built_in {
namespace {

/// The block of a work-group of gemm_tiles, and its work-items, as in gemm.cl.
constexpr std::uint64_t tall = 128, wide = 128, wideOfDouble = 64, itemsOfTile = 256;
/// Columns of a block of gemm_matrices at most, and rows and columns of the result that it pays from. Chosen.
constexpr std::uint64_t widestOfMatrices = 256, leastOfMatrices = 64;
/// Compute units that one such block makes up for: smaller blocks on more of them are slower. Chosen.
constexpr std::uint64_t unitsOfTile = 3;

/// A matrix as a kernel reads it: distances of rows and of columns.
struct Steps {
  std::uint64_t row, column;
};

/// Checks a matrix that is stored as `rows` x `columns`, or transposed.
Steps checkMatrix(Builder& it, const char* name, const char* ld, bool isTransposed, std::uint64_t rows,
                  std::uint64_t columns, std::uint64_t batches, std::uint64_t stride) {
  if (isTransposed) std::swap(rows, columns);
  const std::uint64_t pitch = it.number(ld);
  (void)it.require(pitch >= columns || rows == 0, "{} is {}, and a row of {} has {} elements", ld, pitch, name,
                   columns);
  it.needsBox(name, columns, 1, rows, pitch, batches, stride);
  return isTransposed ? Steps{1, pitch} : Steps{pitch, 1};
}

/// Bytes of local memory of gemm_matrices, whose panels have 32 elements of each line, or 8 of doubles.
std::uint64_t bytesOfMatrices(const Builder& it, std::uint64_t lines) {
  if (it.type().bytes == 8) return (tall + 4 + lines + 4) * 8 * 8 * 2;
  const auto panel = [](std::uint64_t count) { return std::max(count * (32 + 8), (count + 8) * 32); };
  return (panel(tall) + panel(lines)) * 2 * 2;
}

/// Columns of a block of gemm_staged, elements of a line in a panel, and panels that are on their way or in use
/// (gemm_staged.cl).
struct Staged {
  std::uint64_t wide, deep, stages;
};
Staged stagedOf(const Builder& it, bool isNarrow) {
  if (it.type().bytes == 8) return {isNarrow ? 64u : 128u, 16, 4};
  return isNarrow ? Staged{128, 32, 4} : Staged{256, 64, 4};
}

/// Bytes of local memory; rows of a panel are 8 elements longer than what is in them, or 4 doubles.
std::uint64_t bytesOfStaged(const Builder& it, const Staged& form, bool isAlongA, bool isAlongB) {
  const std::uint64_t gap = it.type().bytes == 8 ? 4 : 8;
  const auto panel = [&](bool isAlong, std::uint64_t lines) {
    return isAlong ? lines * (form.deep + gap) : form.deep * (lines + gap);
  };
  return (panel(isAlongA, tall) + panel(isAlongB, form.wide)) * it.type().bytes * form.stages;
}

const char* nameOfStaged(bool isNarrow, bool isAlongA, bool isAlongB) {
  if (isNarrow)
    return isAlongB ? (isAlongA ? "gemm_staged_narrow_b_turned" : "gemm_staged_narrow_both_turned")
                    : (isAlongA ? "gemm_staged_narrow_plain" : "gemm_staged_narrow_a_turned");
  return isAlongB ? (isAlongA ? "gemm_staged_b_turned" : "gemm_staged_both_turned")
                  : (isAlongA ? "gemm_staged_plain" : "gemm_staged_a_turned");
}

/// Whether vectors of 16 bytes begin at such places in all rows of a and b.
bool hasAlignedRows(const Builder& it) {
  const std::uint64_t vector = 16 / it.type().bytes;
  for (const char* const name : {"lda", "ldb", "stridea", "strideb"})
    if (it.number(name) % vector != 0) return false;
  return it.isAligned("a", 16) && it.isAligned("b", 16);
}

/// Blocks whose sums are work-items' own (gemm_groups.cl), with the rate of a compute unit that has one, of that with
/// the largest. Measured on an H200.
struct Tile {
  std::uint64_t tall, wide;
  double rate;
  const char* function;
};
constexpr Tile tiles[] = {
    {tall, wide, 1, "gemm_tiles"}, {64, wide, 0.84, "gemm_tiles_low"}, {64, 64, 0.75, "gemm_tiles_small"}};

/// The tile with which the compute units, which take one after the other, are done first.
const Tile& bestTile(std::uint64_t m, std::uint64_t n, std::uint64_t batches, std::uint64_t units) {
  const auto time = [&](const Tile& each) {
    const std::uint64_t blocks = divideUp(m, each.tall) * divideUp(n, each.wide) * batches;
    return static_cast<double>(divideUp(blocks, units) * each.tall * each.wide) / each.rate;
  };
  return *std::ranges::min_element(tiles, {}, time);
}

/// Work-groups with blocks of the result.
void addBlocks(Builder& it, Steps a, Steps b) {
  const std::uint64_t batches = it.number("batches"), m = it.number("m"), n = it.number("n");
  const std::uint64_t bytes = it.type().bytes, down = divideUp(m, tall) * batches, units = it.device().computeUnits;
  const auto add = [&](const char* function, const device::NDRange& range, auto... more) {
    it.pass(it.function(function), range, "m", "n", "k", "alpha", "a", a.row, a.column, "stridea", "b", b.row, b.column,
            "strideb", "beta", "c", "ldc", "stridec", "bias", "activation", more...);
  };
  const auto rangeOf = [&](std::uint64_t width) {
    return groups(divideUp(n, width), itemsOfTile, divideUp(m, tall), batches);
  };
  if (it.device().subGroupMatrices && bytes != 4 && std::min(m, n) >= leastOfMatrices) {
    if (hasAlignedRows(it)) {
      const bool isNarrow = down * divideUp(n, stagedOf(it, false).wide) * 2 < units;
      const bool isAlongA = a.column == 1, isAlongB = b.row == 1;
      const Staged form = stagedOf(it, isNarrow);
      const std::uint64_t room = bytesOfStaged(it, form, isAlongA, isAlongB);
      if (room <= it.device().localMemBytes)
        return add(nameOfStaged(isNarrow, isAlongA, isAlongB), rangeOf(form.wide), Local{room});
    }
    const bool isNarrow = bytes == 2 && down * divideUp(n, widestOfMatrices) * 2 < units;
    const std::uint64_t width = bytes == 8 ? wideOfDouble : isNarrow ? wide : widestOfMatrices;
    if (bytesOfMatrices(it, width) <= it.device().localMemBytes)
      return add(isNarrow ? "gemm_matrices_narrow" : "gemm_matrices", rangeOf(width),
                 Local{bytesOfMatrices(it, width)});
  }
  if (bytes == 8) {
    if (down * divideUp(n, wideOfDouble) * unitsOfTile >= units) return add("gemm_tiles", rangeOf(wideOfDouble));
    return add("gemm_blocks", blocksOfProduct(m, n, batches));
  }
  const Tile& tile = bestTile(m, n, batches, units);
  add(tile.function, groups(divideUp(n, tile.wide), itemsOfTile, divideUp(m, tile.tall), batches));
}

/// Work-groups with panels of columns, as wide as two vectors.
void addPanels(Builder& it, Steps a, Steps b) {
  const std::uint64_t batches = it.number("batches"), m = it.number("m"), n = it.number("n"), k = it.number("k");
  const std::uint64_t width = panelWidth(it), panels = divideUp(n, width);
  // Rows that lie one after the other are read as quickly as packed ones, and nothing waits for packing. Larger
  // matrices are packed, because work-groups read their rows of a again from memory. Measured with 2 and 16 processors.
  constexpr std::uint64_t most = std::uint64_t{1} << 33, small = std::uint64_t{1} << 22;
  const std::uint64_t products = it.product(it.product(m, n), k);
  const bool isPlain = a.column == 1 && b.column == 1 && k <= 0xFFFFFFFFU && sumBytes(it) == it.type().bytes;
  if (k == 0 || (isPlain && (m <= 2 * panelLines || products <= most))) {
    // A slice of b that work-items keep pays where enough rows use it.
    const bool keeps = m > 2 * panelLines && (k > panelSlice || products > small);
    const std::uint64_t height = panelHeight(it, m, panels * batches);
    it.pass(it.function(keeps ? "gemm_slices" : "gemm_direct"), groups(panels, width, divideUp(m, height), batches),
            "m", "n", static_cast<std::uint32_t>(k), "alpha", "a", a.row, "stridea", "b", b.row, "strideb", "beta", "c",
            "ldc", "stridec", "bias", "activation", static_cast<std::uint32_t>(height));
    return;
  }
  const Packed packedA =
      addPacking(it, {it.given("a"), batches, m, k, a.row, a.column, it.number("stridea")}, panelLines);
  const Packed packedB = addPacking(it, {it.given("b"), batches, n, k, b.column, b.row, it.number("strideb")}, width);
  addProduct(it, {.batches = batches,
                  .m = m,
                  .n = n,
                  .k = k,
                  .a = packedA,
                  .b = packedB,
                  .alpha = it.given("alpha"),
                  .beta = it.given("beta"),
                  .c = it.given("c"),
                  .ldc = it.number("ldc"),
                  .stridec = it.number("stridec"),
                  .bias = it.given("bias"),
                  .biasRow = 0,
                  .biasColumn = 1,
                  .activation = it.given("activation"),
                  .panels = panels});
}

void planGemm(Builder& it) {
  const std::uint64_t batches = it.number("batches"), m = it.number("m"), n = it.number("n"), k = it.number("k");
  const bool isEmpty = batches == 0 || m == 0 || n == 0;
  const Steps a =
      checkMatrix(it, "a", "lda", it.number("transa") != 0, m, k, isEmpty ? 0 : batches, it.number("stridea"));
  const Steps b =
      checkMatrix(it, "b", "ldb", it.number("transb") != 0, k, n, isEmpty ? 0 : batches, it.number("strideb"));
  checkMatrix(it, "c", "ldc", false, m, n, batches, it.number("stridec"));
  checkActivation(it);
  (void)it.require(batches < 2 || it.number("stridec") >= n, "stridec is {}: results of the {} batches overlap",
                   it.number("stridec"), batches);
  if (!it.isNull("bias")) it.needs("bias", n);
  it.apart("a", "c");
  it.apart("b", "c");
  it.apart("bias", "c");
  if (it.isRefused() || isEmpty) return;
  if (it.isWide())
    addBlocks(it, a, b);
  else
    addPanels(it, a, b);
}

/// Columns are summed in chunks of rows, so that there is work for all, and then these.
void addTransposedGemv(Builder& it, std::uint64_t m, std::uint64_t n) {
  const std::uint64_t units = it.device().computeUnits;
  const auto add = [&](const char* function, const auto& rangeOf, std::uint64_t rows) {
    const std::uint64_t chunks = std::max<std::uint64_t>(1, divideUp(m, rows));
    const PassArgument partial =
        chunks == 1 ? Builder::given(Null{}) : Builder::given(it.scratch(chunks * n * sumBytes(it)));
    it.pass(it.function(function), rangeOf(chunks), "m", "n", "alpha", "a", "lda", "x", "incx", "beta", "y", "incy",
            partial, rows);
    if (chunks > 1) it.pass(it.function("gemv_finish"), items(n), chunks, "n", partial, "alpha", "beta", "y", "incy");
  };
  if (it.isWide()) {
    // Columns and work-items of a work-group, as in gemv.cl; so many work-groups are on the way at once.
    constexpr std::uint64_t groupItems = 256, groupsOfUnit = 4, leastRows = 64, few = 256;
    const std::uint64_t columns = 32 * 16 / it.type().bytes, across = divideUp(n, columns),
                        wanted = std::max(units * groupsOfUnit / across, std::uint64_t{1});
    return add(
        "gemv_blocks", [&](std::uint64_t chunks) { return groups(across, groupItems, chunks); },
        m <= few ? few : std::max(leastRows, divideUp(m, wanted)));
  }
  constexpr std::uint64_t leastRows = 256, itemsOfUnit = 4096;
  add(
      "gemv_columns", [&](std::uint64_t chunks) { return items(n, chunks); },
      std::max(leastRows, divideUp(m, divideUp(units * itemsOfUnit, n))));
}

void planGemv(Builder& it) {
  const std::uint64_t m = it.number("m"), n = it.number("n"), incx = it.number("incx"), incy = it.number("incy");
  const bool isTransposed = it.number("transa") != 0;
  const std::uint64_t results = isTransposed ? n : m, sums = isTransposed ? m : n;
  checkMatrix(it, "a", "lda", false, m, n, 1, 0);
  it.positive("incx");
  it.positive("incy");
  it.needsBox("x", results ? sums : 0, incx);
  it.needsBox("y", results, incy);
  it.apart("a", "y");
  it.apart("x", "y");
  if (it.isRefused() || results == 0) return;
  if (!isTransposed && it.isWide()) {
    constexpr std::uint64_t group = 64;  // as in gemv.cl
    it.pass(it.function("gemv_rows"), groups(m, group), "n", "alpha", "a", "lda", "x", "incx", "beta", "y", "incy");
    return;
  }
  if (!isTransposed) {
    it.pass(it.function("gemv_lines"), groups(divideUp(m, panelLines), it.lanes()), "m", "n", "alpha", "a", "lda", "x",
            "incx", "beta", "y", "incy");
    return;
  }
  addTransposedGemv(it, m, n);
}

constexpr const char* real = "f32 f64 f16 bf16";

constexpr Entry entries[] = {
    {"clarity.gemm", real, nullptr,
     "ulong batches, uint transa, uint transb, ulong m, ulong n, ulong k, S alpha, const T* a, ulong lda, "
     "ulong stridea, const T* b, ulong ldb, ulong strideb, S beta, T* c, ulong ldc, ulong stridec, const T* bias, "
     "uint activation",
     "c = activation(alpha * a * b + beta * c + bias)", "gemm", planGemm, nullptr, "gemm_groups - *;gemm_staged - *"},
    {"clarity.gemv", real, nullptr,
     "uint transa, ulong m, ulong n, S alpha, const T* a, ulong lda, const T* x, ulong incx, S beta, T* y, ulong incy",
     "y = alpha * a * x + beta * y, where a has m rows and n columns; with transa of a transposed", "gemv", planGemv},
};

}  // namespace

const Family matrices{
    "Products of matrices",
    "The element of row `i` and column `j` of `a` is at `a[i * lda + j]`, or at `a[j * lda + i]` if `transa` is not 0; "
    "so of `b`. `a` is `m` x `k`, `b` is `k` x `n`; those of a batch are `stridea`, `strideb` and `stridec` apart, "
    "where "
    "0 means that all use the same. `c` is not read if `beta` is 0. `bias` has an element for each column, and may be "
    "null. `activation`: 0 none, 1 ReLU, 2 SiLU, 3 GELU (by erf), 4 tanh, 5 sigmoid. The error of an element is at "
    "most "
    "`k` units in the last place of the sum of its products' magnitudes.",
    entries};

}  // namespace clarity::built_in
