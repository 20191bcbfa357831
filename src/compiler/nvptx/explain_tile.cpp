// SPDX-License-Identifier: Apache-2.0
// This file describes accesses by warps, for the report.
#include "compiler/nvptx/explain_tile.h"

#include "compiler/analysis/tile_model.h"
#include "compiler/analysis/variance.h"
#include "compiler/ir/primitives.h"
#include "compiler/ir/remarks.h"
#include "compiler/nvptx/warp_machine.h"

#include <fmt/format.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <cmath>

namespace clarity::compiler::nvptx {

void explainTile(const llvm::Function& kernel, const Tile& tile, const VarianceInfo& variance) {
  const unsigned fast = tile.fast();
  for (const llvm::Instruction& access : llvm::instructions(kernel)) {
    const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&access);
    const unsigned space = pointer ? pointer->getType()->getPointerAddressSpace() : 0;
    if (!pointer || variance.privateAddress(*pointer) || space == 0) continue;
    const ValueVariance address = variance.of(*pointer);
    std::uint32_t serves = tile.groups > 1 ? 1 : 0;
    if (serves == 0) {
      serves = 1;
      for (unsigned d = 0; d < 3; ++d) serves *= address.dims.has(d) ? 1 : tile.cells[d];
    }
    if (serves > 1 && llvm::isa<llvm::LoadInst>(access))
      remark(access, RemarkKind::Access, fmt::format("one load serves {} work-items of a thread", serves));
    if (space == localAddressSpace) continue;
    const auto bytes = kernel.getDataLayout().getTypeStoreSize(llvm::getLoadStoreType(&access)).getFixedValue();
    const double transactions = std::ceil(transactionsOf(warpMachine, address, fast, bytes));
    remark(access, RemarkKind::Access,
           !address.dims.has(fast) ? "all threads of a warp access the same address"
           : address.stride[fast]
               ? fmt::format("a warp's addresses are {} bytes apart: {:.0f} transaction{} of {} bytes",
                             *address.stride[fast], transactions, transactions == 1 ? "" : "s",
                             warpMachine.transactionBytes)
               : "a warp's addresses are known at run time only");
  }
}

}  // namespace clarity::compiler::nvptx
