// SPDX-License-Identifier: Apache-2.0
// This file is how program binaries of the application become compiled programs.
#pragma once

#include "compiler/ir/compiled_program.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace clarity::compiler {

/// A program binary (clCreateProgramWithBinary): its fields are checked, its code is verified and compared with them.
/// nullptr and a sentence in `why` if it is damaged, or of another version or device. A binary that
/// the cache has was checked before, and no thread is used. Any thread; never throws because
/// of what the binary is.
std::shared_ptr<const CompiledProgram> load(std::span<const std::byte> binary, const Target&, std::string& why);

}  // namespace clarity::compiler
