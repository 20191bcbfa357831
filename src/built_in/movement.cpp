// SPDX-License-Identifier: Apache-2.0
// This file is the family of kernels that move elements.
#include "built_in/families.h"
#include "built_in/plan.h"
#include "built_in/vector_passes.h"

namespace clarity::built_in {
namespace {

void planFill(Builder& it) { addVectorPass(it, "fill", "value"); }
void planCopy(Builder& it) { addVectorsPass(it, "copy", false); }

/// x and y have so many rows, of which `index` names those that are moved. Whether there is anything to move.
bool needsRows(Builder& it, std::uint64_t rowsOfX, std::uint64_t rowsOfY) {
  const std::uint64_t n = it.number("n"), width = it.number("width");
  it.needs("x", it.product(rowsOfX, width));
  it.needs("index", width ? n : 0);
  it.needs("y", it.product(rowsOfY, width));
  it.apart("x", "y");
  it.apart("index", "y");
  return n != 0 && width != 0;
}

void planGather(Builder& it) {
  const std::uint64_t n = it.number("n"), width = it.number("width");
  if (!needsRows(it, it.number("rows"), n)) return;
  if (width == 1)
    it.pass(it.function("gather_one"), items(n), "x", "rows", "index", "y");
  else
    it.pass(it.function("gather"), items(width, n), "width", "x", "rows", "index", "y");
}

void planScatter(Builder& it) {
  const std::uint64_t n = it.number("n"), width = it.number("width");
  if (!needsRows(it, n, it.number("rows"))) return;
  if (width == 1)
    it.pass(it.function("scatter_one"), items(n), "x", "index", "y", "rows");
  else
    it.pass(it.function("scatter"), items(width, n), "width", "x", "index", "y", "rows");
}

void planTranspose(Builder& it) {
  const std::uint64_t rows = it.number("rows"), columns = it.number("columns"), batches = it.number("batches");
  const std::uint64_t lda = it.number("lda"), ldb = it.number("ldb");
  it.require(rows == 0 || lda >= columns, "lda is {}, less than the {} columns of a", lda, columns);
  it.require(columns == 0 || ldb >= rows, "ldb is {}, less than the {} rows of a", ldb, rows);
  it.needsBox("a", columns, 1, rows, lda, batches, it.number("stridea"));
  it.needsBox("b", rows, 1, columns, ldb, batches, it.number("strideb"));
  it.apart("a", "b");
  if (rows == 0 || columns == 0 || batches == 0) return;
  constexpr std::uint64_t wideSide = 64, wideLines = 4, side = 64;  // as in movement.cl
  const device::NDRange wide{.dims = 3,
                             .offset = {0, 0, 0},
                             .global = {roundUp(columns, wideSide), divideUp(rows, wideSide) * wideLines, batches},
                             .local = {wideSide, wideLines, 1}};
  it.pass(it.function(it.isWide() ? "transpose" : "transpose_lines"),
          it.isWide() ? wide : groups(divideUp(rows, side), side, divideUp(columns, side), batches), "rows", "columns",
          "a", "lda", "b", "ldb", "stridea", "strideb");
}

constexpr const char* all = "f32 f64 f16 bf16 i8 u8 i16 u16 i32 u32 i64 u64";

constexpr Entry entries[] = {
    {"clarity.fill", all, nullptr, "ulong n, S value, T* x, ulong incx", "x[i] = value", "movement", planFill},
    {"clarity.copy", all, all, "ulong n, const T* x, ulong incx, U* y, ulong incy",
     "y[i] = x[i]; to integers towards zero and saturated, to others rounded to nearest", "copy", planCopy},
    {"clarity.gather", all, nullptr, "ulong n, ulong width, const T* x, ulong rows, const uint* index, T* y",
     "row i of y = row index[i] of x; a row that x does not have leaves y as it is", "movement", planGather},
    {"clarity.scatter", all, nullptr, "ulong n, ulong width, const T* x, const uint* index, T* y, ulong rows",
     "row index[i] of y = row i of x; no two indices may be the same; one that y does not have is left out", "movement",
     planScatter},
    {"clarity.transpose", all, nullptr,
     "ulong batches, ulong rows, ulong columns, const T* a, ulong lda, ulong stridea, T* b, ulong ldb, ulong strideb",
     "b[j][i] = a[i][j], in each of the batches", "movement", planTranspose},
};

}  // namespace

const Family movement{
    "Fill, copy, gather, scatter, transpose",
    "Vectors have `n` elements, of which element `i` is at `x[i * incx]`. `gather` and `scatter` move "
    "rows of `width` elements that follow each other. A matrix has its element of row `i` and column "
    "`j` at `a[i * lda + j]`, the matrices of a batch are `stridea` elements apart.",
    entries};

}  // namespace clarity::built_in
