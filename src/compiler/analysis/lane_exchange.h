// SPDX-License-Identifier: Apache-2.0
// This file declares the search for work-items that exchange values through local memory without a barrier.
#pragma once

#include <llvm/ADT/SmallVector.h>

#include <array>
#include <cstdint>

namespace llvm {
class Function;
class Instruction;
class Value;
}  // namespace llvm

namespace clarity::compiler {

/// A store to local memory, and a load of what another work-item has stored there, with no barrier between them: a data
/// race (OpenCL C 3.0, section 6.15.8; OpenCL 3.0, section 3.3.4), which has a result where the two work-items run in
/// step, as the threads of a warp do.
struct LaneExchange {
  unsigned width = 0;  ///< work-items that must run in step: 32 or 64; 0: there is no exchange
  const llvm::Instruction *store = nullptr, *load = nullptr;  ///< the first two
  /// The loads and stores whose order matters: those between the same barriers as the exchange, but for loads of what
  /// nothing stores there and no atomic operation changes.
  llvm::SmallVector<llvm::Instruction*, 16> accesses;
  bool isComplete = true;  ///< false: the kernel has too many accesses to be searched
};

/// Which exchanges count.
enum class ExchangeSearch {
  Certain,  ///< those that the addresses prove, for whole warps of a work-group
  Possible  ///< all that the addresses do not exclude
};

/// The pointer to local memory that an atomic operation changes; nullptr: it is no such operation.
const llvm::Value* localMemoryChangedAtomically(const llvm::Instruction& instruction);

/// Addresses and conditions are computed for the work-items with the local linear ids 0 to 63, iteration by iteration:
/// loads and stores whose addresses depend on ids, sizes, arguments and counters of loops only. `local` is the size of
/// work-groups; 0 0 0 if it is not known.
LaneExchange findLaneExchange(const llvm::Function& kernel, const std::array<std::uint32_t, 3>& local,
                              ExchangeSearch search);

}  // namespace clarity::compiler
