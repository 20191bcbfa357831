// SPDX-License-Identifier: Apache-2.0
// This file is the family of vectors that are computed element by element.
#include "built_in/families.h"
#include "built_in/plan.h"

namespace clarity::built_in {
namespace {

void planAxpy(Builder& it) {
  const std::uint64_t n = it.number("n"), incx = it.number("incx"), incy = it.number("incy");
  it.positive("incx");
  it.positive("incy");
  it.needsBox("x", n, incx);
  it.needsBox("y", n, incy);
  it.apart("x", "y", incx == incy);
  if (n == 0) return;
  if (incx == 1 && incy == 1)
    it.pass(it.function("axpy_unit"), items(n), "alpha", "x", "y");
  else
    it.pass(it.function("axpy_strided"), items(n), "alpha", "x", "incx", "y", "incy");
}

void planScal(Builder& it) {
  const std::uint64_t n = it.number("n"), incx = it.number("incx");
  it.positive("incx");
  it.needsBox("x", n, incx);
  if (n == 0) return;
  if (incx == 1)
    it.pass(it.function("scal_unit"), items(n), "alpha", "x");
  else
    it.pass(it.function("scal_strided"), items(n), "alpha", "x", "incx");
}

constexpr const char* numbers = "f32 f64 f16 bf16 i32 u32 i64";

constexpr Entry entries[] = {
    {"clarity.axpy", numbers, nullptr, "ulong n, S alpha, const T* x, ulong incx, T* y, ulong incy",
     "y[i] = alpha * x[i] + y[i]; x and y may be the same", "vectors", planAxpy},
    {"clarity.scal", numbers, nullptr, "ulong n, S alpha, T* x, ulong incx", "x[i] = alpha * x[i]", "vectors",
     planScal},
};

}  // namespace

const Family vectors{
    "Vectors",
    "Vectors of `n` elements, of which element `i` is at `x[i * incx]`. Each result is rounded once to "
    "its type; products may be fused with sums.",
    entries};

}  // namespace clarity::built_in
