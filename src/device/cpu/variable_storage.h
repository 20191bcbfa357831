// SPDX-License-Identifier: Apache-2.0
// This file is where one program object's variables in global memory are on the CPU.
#pragma once

#include "compiler/driver/compiler.h"
#include "device/cpu/allocator.h"

#include <cstddef>
#include <memory>

namespace clarity::device::cpu {

/// A block as compiler::GlobalVariables says, with the initial content of the program. Zeros that are never touched use
/// no memory where there are many.
class VariableStorage {
public:
  /// The description outlives the storage. std::bad_alloc when the device has no memory left.
  VariableStorage(std::shared_ptr<Allocator>, const compiler::GlobalVariables&);
  ~VariableStorage();
  VariableStorage(const VariableStorage&) = delete;
  VariableStorage& operator=(const VariableStorage&) = delete;

  /// nullptr if the program has no variables.
  std::byte* base() const { return base_; }
  const compiler::GlobalVariables& variables() const { return variables_; }

private:
  const compiler::GlobalVariables& variables_;
  std::shared_ptr<Allocator> allocator_;
  Allocator::Block block_;
  std::byte* base_ = nullptr;
};

}  // namespace clarity::device::cpu
