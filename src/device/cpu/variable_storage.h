// SPDX-License-Identifier: Apache-2.0
// This file is where one program object's variables in global memory are on the CPU.
#pragma once

#include "compiler/compiler.h"
#include "device/cpu/memory.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

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

  struct Near {
    const compiler::GlobalVariables::Variable* variable = nullptr;
    std::uint64_t distance = 0;  ///< from its beginning
  };
  /// The variable that begins last before an address; none if the address is before all of them.
  std::optional<Near> near(const void* address) const;

private:
  const compiler::GlobalVariables& variables_;
  std::shared_ptr<Allocator> allocator_;
  std::byte* memory_ = nullptr;
  std::size_t room_ = 0;
  std::byte* base_ = nullptr;
};

}  // namespace clarity::device::cpu
