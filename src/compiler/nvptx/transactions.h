// SPDX-License-Identifier: Apache-2.0
// This file says how a warp's accesses lie in memory.
#pragma once

#include <cstdint>

namespace clarity::compiler {
struct ValueVariance;
}

namespace clarity::compiler::nvptx {

inline constexpr unsigned bytesOfTransaction = 128, banks = 32, bytesOfBank = 4;

/// Transactions of an access to `bytes` of global memory by a warp whose threads lie along dimension `d`, 1 to 32.
double ofWarp(const ValueVariance& address, unsigned d, std::uint64_t bytes);

/// Passes of the banks of local memory for such an access, 1 to 32.
double ofBanks(const ValueVariance& address, unsigned d, std::uint64_t bytes);

}  // namespace clarity::compiler::nvptx
