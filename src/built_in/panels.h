// SPDX-License-Identifier: Apache-2.0
// This file is the product of packed matrices on processors with vectors (gemm.cl), which several families use.
#pragma once

#include "built_in/plan.h"

#include <cstdint>

namespace clarity::built_in {

/// Rows of a panel of a, the most rows of a work-group (of doubles half as many), and the part of k that stays in the
/// first-level cache: as in gemm.cl.
constexpr std::uint64_t panelLines = 8, mostPanelRows = 128, panelSlice = 192;

/// Bytes of the type that sums are made in.
std::uint64_t sumBytes(const Builder& it);
/// Columns of a panel of b: two vectors.
std::uint64_t panelWidth(const Builder& it);

/// A packed matrix.
struct Packed {
  PassArgument elements;
  std::uint64_t stride;  ///< from one of a batch to the next
};

/// An argument that is a matrix, as panels take it: lines are rows of a or columns of b, and each has k elements.
struct Lines {
  PassArgument matrix;
  std::uint64_t batches, count, k;
  std::uint64_t across, along, stride;  ///< from a line, an element, a matrix of the batch to the next
};
/// Packs lines into panels of `width`.
Packed addPacking(Builder& it, const Lines& lines, std::uint64_t width);

/// c = activation(alpha * a * b + beta * c + bias), of m x k and k x n elements.
struct PanelProduct {
  std::uint64_t batches, m, n, k;
  Packed a, b;
  PassArgument alpha, beta, c;
  std::uint64_t ldc, stridec;
  PassArgument bias;
  std::uint64_t biasRow, biasColumn;  ///< from the bias of a row, or column, to that of the next
  PassArgument activation;
  std::uint64_t firstColumn = 0, panels = 0;  ///< those that `b` has
  std::uint64_t firstBatch = 0;               ///< the first batch of c
};
void addProduct(Builder& it, const PanelProduct& product);

/// The rows of a work-group, and its range, where `panels` are computed.
std::uint64_t panelHeight(const Builder& it, std::uint64_t m, std::uint64_t panels);

}  // namespace clarity::built_in
