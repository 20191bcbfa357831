// SPDX-License-Identifier: Apache-2.0
// This file counts operations and transactions by the dimensions along which they differ.
#include "compiler/analysis/tile_model.h"

#include "compiler/analysis/wrapping.h"
#include "compiler/ir/cost_model.h"
#include "compiler/ir/primitives.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace clarity::compiler {
namespace {

/// Passes of the banks of local memory.
double passesOf(const TileMachine& machine, const std::optional<std::int64_t>& stride, std::uint64_t bytes) {
  if (!stride) return cost::tile::passesOfUnknown;
  const std::uint64_t apart = static_cast<std::uint64_t>(distance(*stride)) / machine.bankBytes;
  const std::uint64_t least = std::max<std::uint64_t>(bytes / machine.bankBytes, 1);
  return apart == 0 ? 1 : static_cast<double>(std::max(std::gcd(apart, std::uint64_t{machine.banks}), least));
}

/// Whether nothing but addresses and conditions needs an integer: tiles compute those of one cell, and add constants
/// for the others.
bool isForAddresses(const llvm::Instruction& instruction, unsigned depth = 0) {
  if (!instruction.getType()->isIntegerTy() || depth > cost::mostIndexDepth) return false;
  return llvm::all_of(instruction.users(), [&](const llvm::User* user) {
    const auto* next = llvm::cast<llvm::Instruction>(user);
    return llvm::isa<llvm::GetElementPtrInst, llvm::ICmpInst>(next) ||
           (llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::SelectInst, llvm::IntrinsicInst>(next) &&
            isForAddresses(*next, depth + 1));
  });
}

/// Whether a tile computes an instruction for each of its cells.
bool isOperation(const llvm::Instruction& instruction) {
  return !instruction.isTerminator() && !instruction.getType()->isPointerTy() &&
         !llvm::isa<llvm::PHINode, llvm::AllocaInst, llvm::StoreInst, llvm::LoadInst>(instruction) &&
         !isForAddresses(instruction);
}

/// Whether a value differs by constants between neighbours: scalars and immediate numbers stand for those of all lanes.
bool isAffine(const ValueVariance& variance) {
  for (unsigned d = 0; d < 3; ++d)
    if (variance.dims.has(d) && !variance.stride[d]) return false;
  return true;
}

double cellsOf(const TileModel::Cells& cells) { return cells[0] * cells[1] * cells[2]; }

}  // namespace

double timesAt(unsigned depth) {
  return std::pow(cost::tile::iterations, std::min(depth, cost::tile::deepestWeighted));
}

double transactionsOf(const TileMachine& machine, const ValueVariance& address, unsigned along, std::uint64_t bytes,
                      bool isLocal) {
  if (!address.dims.has(along)) return 1;
  const std::optional<std::int64_t>& stride = address.stride[along];
  if (isLocal && machine.banks) return passesOf(machine, stride, bytes);
  const auto apart = stride ? static_cast<std::uint64_t>(distance(*stride)) : std::uint64_t{machine.transactionBytes};
  if (machine.farthest && (!stride || apart > machine.farthest * bytes)) return machine.lanes;
  const std::uint64_t reach = std::min<std::uint64_t>(apart, machine.transactionBytes) * (machine.lanes - 1) + bytes;
  return std::clamp<double>(static_cast<double>(reach) / machine.transactionBytes, 1, machine.lanes);
}

double TileDemand::sharedLoads(unsigned along, unsigned d) const {
  double sum = 0;
  for (unsigned subset = 0; subset < subsets; ++subset)
    if (!(subset >> d & 1)) sum += inLoops[along][subset].transactions;
  return sum;
}

bool TileDemand::suitsLanesAlongY() const { return transactions[0] >= cost::tile::leastTurned * transactions[1]; }

void TileModel::add(const llvm::BasicBlock& block, llvm::function_ref<bool(const llvm::Instruction&)> counts) {
  const unsigned depth = scope_.loops.getLoopDepth(&block) - scope_.around;
  const double times = timesAt(depth);
  demand_.depth = std::max(demand_.depth, depth);
  const llvm::DataLayout& layout = block.getDataLayout();
  for (const llvm::Instruction& instruction : block) {
    if (const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction)) {
      if (!counts(instruction)) continue;
      const ValueVariance address = scope_.variance.of(*pointer);
      const bool isLocal = pointer->getType()->getPointerAddressSpace() == localAddressSpace;
      const auto bytes = layout.getTypeStoreSize(llvm::getLoadStoreType(&instruction)).getFixedValue();
      for (unsigned d = 0; d < 2; ++d) {
        const double transactions = times * transactionsOf(machine_, address, d, bytes, isLocal);
        const bool isUnknown = machine_.unknown > 0 && address.dims.has(d) && !address.stride[d] && !isLocal;
        // Programs mean neighbours along x to be neighbours in memory: along y that must be known.
        demand_.transactions[d] += isUnknown && d == 0 ? times * machine_.unknown : transactions;
        if (depth == 0 || !llvm::isa<llvm::LoadInst>(instruction)) continue;
        demand_.inLoops[d][address.dims.bits()] +=
            {.transactions = isUnknown ? times * machine_.unknown : transactions,
             .bytes = times * static_cast<double>(bytes * (address.dims.has(d) ? machine_.lanes : 1))};
      }
      continue;
    }
    if (depth == 0 || !isOperation(instruction)) continue;
    const ValueVariance variance = scope_.variance.of(instruction);
    for (unsigned d = 0; d < 2; ++d)
      if (variance.dims.has(d) ? !variance.stride[d] : !machine_.scalarUnits)
        demand_.inLoops[d][variance.dims.bits()] += {.operations = times};
  }
  if (depth > 0 && (machine_.masksBranches || scope_.loops.isLoopHeader(&block))) addCarried(block);
}

void TileModel::addCarried(const llvm::BasicBlock& block) {
  std::array<double, TileDemand::subsets>& carried = carriedIn_[scope_.loops.getLoopFor(&block)];
  const llvm::DataLayout& layout = block.getDataLayout();
  for (const llvm::PHINode& phi : block.phis()) {
    const ValueVariance variance = scope_.variance.of(phi);
    const Dimensions dims = variance.dims;
    if (machine_.scalarUnits && isAffine(variance)) continue;
    const double bits = static_cast<double>(layout.getTypeStoreSizeInBits(phi.getType()).getFixedValue());
    if (!dims.empty()) carried[dims.bits()] += std::max(1.0, std::ceil(bits * machine_.lanes / machine_.registerBits));
  }
  const auto sum = [](const auto& registers) { return std::accumulate(registers.begin(), registers.end(), 0.0); };
  if (sum(carried) > sum(demand_.carried)) demand_.carried = carried;
}

double TileModel::copies(unsigned subset, const Cells& cells) const {
  double product = 1;
  for (unsigned d = 0; d < 3; ++d)
    if (subset >> d & 1) product *= cells[d];
  return product;
}

double TileModel::cycles(const Cells& cells, unsigned along) const {
  TileWork work;
  for (unsigned subset = 0; subset < TileDemand::subsets; ++subset)
    work += demand_.inLoops[along][subset] * copies(subset, cells);
  const double latency = registers(cells) > 0 ? machine_.latency * timesAt(demand_.depth) : 0;
  const double busy = std::max({work.operations / machine_.operations, work.transactions / machine_.loads,
                                (work.operations + work.transactions) / machine_.instructions, latency});
  return (busy + (machine_.nearBytes > 0 ? work.bytes / machine_.nearBytes : 0)) /
         (cellsOf(cells) * timesAt(demand_.depth));
}

double TileModel::waitingCycles(const Chain& chain, const Cells& cells) const {
  return std::max(chain.operations * cellsOf(cells) / machine_.operations, chain.cycles * cost::latency::unhidden) /
         cellsOf(cells);
}

double TileModel::registers(const Cells& cells) const {
  double sum = 0;
  for (unsigned subset = 0; subset < TileDemand::subsets; ++subset)
    sum += demand_.carried[subset] * copies(subset, cells);
  return sum;
}

}  // namespace clarity::compiler
