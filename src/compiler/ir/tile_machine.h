// SPDX-License-Identifier: Apache-2.0
// This file describes processors as far as they decide how many work-items are executed together.
#pragma once

namespace clarity::compiler {

/// Registers and rates of what executes one tile: a core of a CPU, or a scheduler of a GPU's multiprocessor.
struct TileMachine {
  unsigned lanes = 1;                ///< work-items for which one operation computes
  unsigned registers = 1;            ///< for values that a tile carries from iteration to iteration
  unsigned registerBits = 32;        ///< bits of a register, for all lanes
  double operations = 1, loads = 1;  ///< arithmetic operations and transactions that begin in a cycle
  double instructions = 1;           ///< instructions of any kind that begin in a cycle
  double latency = 0;                ///< cycles until the next iteration can use a value that this one carries to it
  double nearBytes = 0;              ///< bytes a cycle from the caches behind the first; 0: transactions say it all
  bool scalarUnits = false;          ///< values that lanes have in common are computed beside the operations
  bool masksBranches = false;        ///< both sides of a divergent branch are executed: joins have registers, too
  double unknown = 0;             ///< transactions of a load in a loop by unknown addresses; 0: as for unrelated ones
  unsigned transactionBytes = 1;  ///< bytes that one transaction moves at most
  unsigned farthest = 0;          ///< elements from lane to lane up to which whole transactions are made; 0: any
  unsigned banks = 0, bankBytes = 1;  ///< banks of local memory; none: it is memory like any other
};

}  // namespace clarity::compiler
