// SPDX-License-Identifier: Apache-2.0
// This file reads what LLVM's callbacks around passes give: the unit of IR that the pass works on.
#pragma once

#include <llvm/ADT/Any.h>

namespace clarity::compiler {

/// The function, loop or module that a pass works on; nullptr if the unit is of another kind.
template <typename Unit>
const Unit* unitAs(const llvm::Any& ir) {
  const Unit* const* unit = llvm::any_cast<const Unit*>(&ir);
  return unit ? *unit : nullptr;
}

}  // namespace clarity::compiler
