// SPDX-License-Identifier: Apache-2.0
// This file estimates what work-items cost that are executed together. Both back ends choose by it how many of them:
// in the packets and rows of a tile on a CPU, in a thread of a GPU.
#pragma once

#include "compiler/analysis/variance.h"
#include "compiler/ir/tile_machine.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLFunctionalExtras.h>

#include <array>
#include <cstdint>

namespace llvm {
class BasicBlock;
class Instruction;
class Loop;
class LoopInfo;
}  // namespace llvm

namespace clarity::compiler {

/// The work of one work-item: operations, transactions of loads and their bytes, weighted by how often they are
/// executed.
struct TileWork {
  double operations = 0, transactions = 0, bytes = 0;

  TileWork& operator+=(const TileWork& other) {
    operations += other.operations;
    transactions += other.transactions;
    bytes += other.bytes;
    return *this;
  }
  TileWork operator*(double times) const { return {operations * times, transactions * times, bytes * times}; }
};

/// The demand of a work-item of a kernel, or of a part of it. Arrays by subset are indexed by Dimensions::bits():
/// by the dimensions along which a value differs.
struct TileDemand {
  static constexpr unsigned subsets = 8;
  /// In loops. Transactions are of loads, first with lanes along dimension 0, then along dimension 1.
  std::array<std::array<TileWork, subsets>, 2> inLoops{};
  /// Registers that a work-item carries through the loop with the most.
  std::array<double, subsets> carried{};
  unsigned depth = 0;  ///< the depth of the innermost loops
  /// Transactions of all accesses with lanes along dimensions 0 and 1.
  std::array<double, 2> transactions{};

  /// Transactions of loads in loops that neighbours along `d` have in common, with lanes along `along`.
  double sharedLoads(unsigned along, unsigned d) const;
  /// Whether lanes lie along y rather than along x: lanes along x make many more transactions.
  bool suitsLanesAlongY() const;
};

/// The longest chain of operations of an iteration each of which needs the result of the one before.
struct Chain {
  double cycles = 0;      ///< cycles of the chain
  double operations = 0;  ///< those beside the chain included
};

/// Transactions of an access to `bytes` by neighbours along dimension `along` in the lanes of one operation, 1 to
/// the number of lanes.
double transactionsOf(const TileMachine& machine, const ValueVariance& address, unsigned along, std::uint64_t bytes,
                      bool isLocal = false);

/// The code of a work-item whose demand is counted.
struct DemandScope {
  const VarianceInfo& variance;
  const llvm::LoopInfo& loops;
  unsigned around = 0;  ///< loops that lie around the code, and are no loops of a work-item
};

/// How often a block that lies in so many loops is assumed to be executed.
double timesAt(unsigned depth);

class TileModel {
public:
  TileModel(const TileMachine& machine, const DemandScope& scope) : machine_(machine), scope_(scope) {}

  /// Adds a block to the demand.
  /// @param counts whether an access of memory counts
  void add(const llvm::BasicBlock& block, llvm::function_ref<bool(const llvm::Instruction&)> counts);
  const TileDemand& demand() const { return demand_; }

  /// Cells of a tile along dimensions 0, 1 and 2.
  using Cells = std::array<unsigned, 3>;
  /// Cycles of an innermost iteration for each work-item, of tiles with so many cells whose lanes lie along `along`.
  double cycles(const Cells& cells, unsigned along) const;
  /// The same of a tile each of whose cells executes such a chain, and whose next iteration waits for its end.
  double waitingCycles(const Chain& chain, const Cells& cells) const;
  /// Registers of the values that such a tile carries from iteration to iteration.
  double registers(const Cells& cells) const;
  bool fits(const Cells& cells) const { return registers(cells) <= machine_.registers; }

private:
  double copies(unsigned subset, const Cells& cells) const;
  void addCarried(const llvm::BasicBlock& block);

  const TileMachine machine_;
  const DemandScope scope_;
  TileDemand demand_;
  llvm::DenseMap<const llvm::Loop*, std::array<double, TileDemand::subsets>> carriedIn_;
};

}  // namespace clarity::compiler
