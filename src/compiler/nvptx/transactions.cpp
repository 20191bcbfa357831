// SPDX-License-Identifier: Apache-2.0
#include "compiler/nvptx/transactions.h"

#include "compiler/analysis/variance.h"
#include "compiler/analysis/wrapping.h"
#include "compiler/nvptx/tile.h"

#include <algorithm>
#include <numeric>

namespace clarity::compiler::nvptx {

double ofWarp(const ValueVariance& address, unsigned d, std::uint64_t bytes) {
  if (!address.dims.has(d)) return 1;
  const std::uint64_t apart =
      address.stride[d] ? static_cast<std::uint64_t>(distance(*address.stride[d])) : bytesOfTransaction;
  return std::clamp<double>(
      static_cast<double>(std::min<std::uint64_t>(apart, bytesOfTransaction) * (warp - 1) + bytes) / bytesOfTransaction,
      1, warp);
}

double ofBanks(const ValueVariance& address, unsigned d, std::uint64_t bytes) {
  if (!address.dims.has(d)) return 1;
  if (!address.stride[d]) return 2;
  const std::uint64_t apart = static_cast<std::uint64_t>(distance(*address.stride[d])) / bytesOfBank;
  const std::uint64_t least = std::max<std::uint64_t>(bytes / bytesOfBank, 1);
  return apart == 0 ? 1 : static_cast<double>(std::max(std::gcd(apart, std::uint64_t{banks}), least));
}

}  // namespace clarity::compiler::nvptx
