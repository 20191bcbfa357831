// SPDX-License-Identifier: Apache-2.0
// This file declares operations on masks, <lanes x i1>.
#pragma once

#include "compiler/packets/tile_context.h"

namespace clarity::compiler {

/// Generates operations on masks. It has no state beside the tile.
class MaskValues {
public:
  explicit MaskValues(TileContext& tile) : tile_(tile), builder_(tile.builder) {}

  /// How masks are stored in variables.
  llvm::Type* storageType() const;
  llvm::Value* pack(llvm::Value* mask);      ///< <lanes x i1> as it is stored
  llvm::Value* unpack(llvm::Value* stored);  ///< the reverse
  llvm::Value* none() const;
  llvm::Value* full() const;
  llvm::Value* any(llvm::ArrayRef<llvm::Value*> masks);  ///< i1: whether any lane is active
  llvm::Value* all(llvm::ArrayRef<llvm::Value*> masks);  ///< i1: whether all lanes are active

protected:
  TileContext& tile_;
  llvm::IRBuilderBase& builder_;
};

}  // namespace clarity::compiler
