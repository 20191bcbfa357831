// SPDX-License-Identifier: Apache-2.0
// This file is what the plans of products of matrices share, convolutions among them
// (src/builtins/kernels/products.clh).
#pragma once

#include "built_in/plan.h"

#include <cstdint>

namespace clarity::built_in {

/// The argument `activation` is one of ACTIVATE.
void checkActivation(Builder&);

/// The work-groups of a product with so many rows and columns, on devices whose work-items run in step: one for each
/// block.
device::NDRange blocksOfProduct(std::uint64_t rows, std::uint64_t columns, std::uint64_t batches);

}  // namespace clarity::built_in
