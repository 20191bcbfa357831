// SPDX-License-Identifier: Apache-2.0
// This file hands program binaries to the compiler.
#include "core/binary.h"

#include "compiler/driver/load.h"

namespace clarity::core {

std::shared_ptr<const compiler::CompiledProgram> loadBinary(std::span<const std::byte> binary, const Device& device,
                                                            std::string& why) {
  return compiler::load(binary, device.target(), why);
}

}  // namespace clarity::core
