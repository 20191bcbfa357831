// SPDX-License-Identifier: Apache-2.0
// This file plans products of packed matrices.
#include "built_in/panels.h"

#include <algorithm>

namespace clarity::built_in {

std::uint64_t sumBytes(const Builder& it) { return std::max<std::uint64_t>(it.type().bytes, 4); }

std::uint64_t panelWidth(const Builder& it) {
  return std::max<std::uint64_t>(panelLines, it.device().vectorBits / 8 / sumBytes(it) * 2);
}

Packed addPacking(Builder& it, const Lines& lines, std::uint64_t width) {
  const std::uint64_t padded = roundUp(lines.count, width), batches = lines.stride ? lines.batches : 1;
  const PassArgument elements =
      Builder::given(it.scratch(it.product(it.product(batches, padded), lines.k) * sumBytes(it)));
  constexpr std::uint32_t depth = 64;
  if (lines.along == 1 && lines.across != 1)
    it.pass(it.function("gemm_pack_along"), items(lines.k, padded / panelLines, batches), lines.count, lines.k,
            lines.matrix, lines.across, lines.along, lines.stride, elements, static_cast<std::uint32_t>(width));
  else
    it.pass(it.function("gemm_pack_across"), groups(padded / width, width, divideUp(lines.k, depth), batches),
            lines.count, lines.k, lines.matrix, lines.across, lines.along, lines.stride, elements, depth);
  return {elements, batches == 1 ? 0 : padded * lines.k};
}

std::uint64_t panelHeight(const Builder& it, std::uint64_t m, std::uint64_t panels) {
  // Fewer rows where there would not be work for all compute units.
  const std::uint64_t wanted = divideUp(std::uint64_t{it.device().computeUnits} * 4, panels);
  const std::uint64_t most = mostPanelRows * 4 / sumBytes(it);
  const std::uint64_t blocks = std::max(divideUp(m, most), std::min(wanted, divideUp(m, 2 * panelLines)));
  return roundUp(divideUp(m, blocks), panelLines);
}

void addProduct(Builder& it, const PanelProduct& product) {
  const auto& [batches, m, n, k, a, b, alpha, beta, c, ldc, stridec, bias, biasRow, biasColumn, activation, firstColumn,
               panels, firstBatch] = product;
  const std::uint64_t width = panelWidth(it), height = panelHeight(it, m, panels * batches);
  constexpr std::uint64_t most = 1024;  // so that the rows of a that a work-group uses stay in the second-level cache
  const PassArgument partial =
      k <= most ? Builder::given(Null{})
                : Builder::given(it.scratch(it.product(roundUp(m, height) * batches, panels * width) * sumBytes(it)));
  for (std::uint64_t begin = 0; begin < k; begin += most)
    it.pass(it.function("gemm_panels"), groups(panels, width, divideUp(m, height), batches), m, n, k, begin,
            static_cast<std::uint32_t>(std::min(most, k - begin)), alpha, a.elements, a.stride, b.elements, b.stride,
            beta, c, ldc, stridec, bias, biasRow, biasColumn, activation, static_cast<std::uint32_t>(height), partial,
            firstColumn, firstBatch);
}

}  // namespace clarity::built_in
