// SPDX-License-Identifier: Apache-2.0
// This file takes program binaries from the application.
#pragma once

#include "compiler/driver/compiler.h"
#include "core/device.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace clarity::core {

/// The program in a binary for a device; null and a sentence in `why` if it is not one (CL_INVALID_BINARY).
std::shared_ptr<const compiler::CompiledProgram> loadBinary(std::span<const std::byte> binary, const Device&,
                                                            std::string& why);

}  // namespace clarity::core
