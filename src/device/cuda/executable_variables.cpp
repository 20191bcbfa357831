// SPDX-License-Identifier: Apache-2.0
// This file is the variables in program scope of an executable on a GPU.
#include "device/cuda/executable.h"

#include <cstring>
#include <new>
#include <vector>

namespace clarity::device::cuda {

void CudaExecutable::fillVariables() {
  const compiler::GlobalVariables& variables = compiled_->scope.variables;
  std::vector<std::byte> bytes(variables.bytes);
  for (const auto& content : variables.contents)
    std::memcpy(bytes.data() + content.offset, content.bytes.data(), content.bytes.size());
  for (const auto& pointer : variables.pointers) {
    const CuPointer target = this->variables() + pointer.target;
    std::memcpy(bytes.data() + pointer.offset, &target, sizeof target);
  }
  if (!memory_->initialise(*variables_, bytes.data(), bytes.size())) throw std::bad_alloc();
}

Result CudaExecutable::bindVariables(CuModule module) const {
  CuPointer symbol = 0;
  std::size_t bytes = 0;
  if (!variables_ || driver().moduleGetGlobal(&symbol, &bytes, module, compiler::nvptx::variablesSymbol) != 0)
    return {};  // the kernel has none
  const CuPointer address = variables();
  return writeNow(symbol, &address, sizeof address);
}

}  // namespace clarity::device::cuda
