// SPDX-License-Identifier: Apache-2.0
// This file is the family of vectors that are computed element by element.
#include "built_in/families.h"
#include "built_in/vector_passes.h"

namespace clarity::built_in {
namespace {

void planAxpy(Builder& it) { addVectorsPass(it, "axpy", true, "alpha"); }
void planScal(Builder& it) { addVectorPass(it, "scal", "alpha"); }

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
