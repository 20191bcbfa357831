// SPDX-License-Identifier: Apache-2.0
// This file attaches sites to calls of barriers; work-item-loops reads them.
#include "compiler/instrument/mark_barriers.h"

#include "compiler/instrument/sites.h"
#include "compiler/ir/attributes.h"
#include "compiler/ir/primitives.h"
#include "support/observer_hooks.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Metadata.h>
#include <llvm/IR/Module.h>

namespace clarity::compiler {

void markBarriers(llvm::Module& module, InstrumentedPlaces& places) {
  auto* const number = llvm::Type::getInt32Ty(module.getContext());
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    if (!function.hasLocalLinkage()) function.addFnAttr(checkedAttribute);
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      const auto primitive = primitiveOf(instruction);
      if (primitive != Primitive::Barrier && primitive != Primitive::WorkGroupCollective) continue;
      const auto constant = [&](std::uint64_t value) {
        return llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(number, value));
      };
      // Functions of the work-group order all that its work-items do.
      std::uint64_t flags = allFences;
      if (primitive == Primitive::Barrier)
        if (const auto* given = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(0)))
          flags = given->getZExtValue();
      llvm::Metadata* const site = constant(places.add(siteAt(instruction, SiteKind::Barrier)));
      instruction.setMetadata(siteMetadata, llvm::MDNode::get(module.getContext(), {site, constant(flags)}));
    }
  }
}

}  // namespace clarity::compiler
