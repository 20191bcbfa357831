// SPDX-License-Identifier: Apache-2.0
// This file is the family of kernels that normalise rows.
#include "built_in/families.h"
#include "built_in/plan.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

namespace clarity::built_in {
namespace {

constexpr std::uint64_t groupItems = 256;  // as in rows.cl
/// A form of softmax whose work-items hold a row in registers, up to so many elements each.
struct Held {
  std::uint64_t items, each;
  const char* function;
};
constexpr Held helds[] = {{256, 4, "softmax_held4"},
                          {256, 8, "softmax_held8"},
                          {256, 16, "softmax_held16"},
                          {512, 16, "softmax_held32"},
                          {1024, 16, "softmax_held64"}};

/// Adds a pass with a work-group for each row (rows.cl).
template <class... Arguments>
void addRows(Builder& it, std::string_view function, std::uint64_t items, Arguments... arguments) {
  const std::uint64_t rows = it.number("rows");
  if (it.isWide())
    it.pass(it.function(function), groups(rows, items), arguments...);
  else
    it.pass(it.function(std::string(function) + "_lines"), groups(rows, it.lanes()), arguments...);
}

void checkRows(Builder& it, std::uint64_t rows, std::uint64_t columns) {
  const std::uint64_t ldx = it.number("ldx"), ldy = it.number("ldy");
  (void)it.require(ldx >= columns || rows == 0, "ldx is {}, and a row has {} elements", ldx, columns);
  (void)it.require(ldy >= columns || rows == 0, "ldy is {}, and a row has {} elements", ldy, columns);
  it.needsBox("x", columns, 1, rows, ldx);
  it.needsBox("y", columns, 1, rows, ldy);
  it.apart("x", "y", ldx == ldy);
}

void planSoftmax(Builder& it) {
  const std::uint64_t rows = it.number("rows"), columns = it.number("columns");
  checkRows(it, rows, columns);
  if (it.isRefused() || rows == 0 || columns == 0) return;
  const bool isLog = std::string_view(it.kernel().entry->name) == "clarity.log_softmax";
  const auto* const held =
      std::ranges::find_if(helds, [&](const Held& each) { return columns <= each.items * each.each; });
  const bool isHeld = it.isWide() && held != std::end(helds) && held->items <= it.device().maxWorkGroupSize;
  addRows(it, isHeld ? held->function : "softmax", isHeld ? held->items : groupItems, "columns", "x", "ldx", "y", "ldy",
          std::uint32_t{isLog});
}

void planLayerNorm(Builder& it) {
  const std::uint64_t rows = it.number("rows"), columns = it.number("columns");
  checkRows(it, rows, columns);
  for (const char* const name : {"scale", "shift"})
    if (!it.isNull(name)) {
      it.needs(name, columns);
      it.apart(name, "y");
    }
  if (it.isRefused() || rows == 0 || columns == 0) return;
  addRows(it, "layer_norm", groupItems, "columns", "x", "ldx", "scale", "shift", "epsilon", "y", "ldy");
}

constexpr const char* real = "f32 f64 f16 bf16";
constexpr const char* twoMatrices = "ulong rows, ulong columns, const T* x, ulong ldx, T* y, ulong ldy";

constexpr Entry entries[] = {
    {"clarity.softmax", real, nullptr, twoMatrices,
     "y[i][j] = exp(x[i][j]) / the sum of exp(x[i][k]), without overflow", "rows", planSoftmax},
    {"clarity.log_softmax", real, nullptr, twoMatrices, "the logarithm of softmax", "rows", planSoftmax},
    {"clarity.layer_norm", real, nullptr,
     "ulong rows, ulong columns, const T* x, ulong ldx, const T* scale, const T* shift, S epsilon, T* y, ulong ldy",
     "y[i][j] = (x[i][j] - mean) / sqrt(variance + epsilon) * scale[j] + shift[j]", "rows", planLayerNorm},
};

}  // namespace

const Family normalisations{
    "Normalisation of rows",
    "Row `i` begins at `x[i * ldx]`. `x` and `y` may be the same if `ldx` is `ldy`. `scale` and "
    "`shift` may be null. Computed as `S` and rounded once.",
    entries};

}  // namespace clarity::built_in
