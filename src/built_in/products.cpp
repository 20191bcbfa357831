// SPDX-License-Identifier: Apache-2.0
// This file divides products of matrices into blocks.
#include "built_in/products.h"

#include <algorithm>

namespace clarity::built_in {
namespace {

constexpr std::uint64_t blockSide = 64, itemsAcross = 16, activations = 6;  // as in products.clh

}  // namespace

void checkActivation(Builder& it) {
  const std::uint64_t activation = it.number("activation");
  (void)it.require(activation < activations, "activation is {}, not 0 to {}", activation, activations - 1);
}

device::NDRange blocksOfProduct(std::uint64_t rows, std::uint64_t columns, std::uint64_t batches) {
  device::NDRange range = groups(divideUp(columns, blockSide), itemsAcross, divideUp(rows, blockSide), batches);
  range.local[1] = itemsAcross;
  range.global[1] *= itemsAcross;
  range.dims = std::max(range.dims, 2U);
  return range;
}

}  // namespace clarity::built_in
