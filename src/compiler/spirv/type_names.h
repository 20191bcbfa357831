// SPDX-License-Identifier: Apache-2.0
// This file declares names of types as OpenCL C writes them.
#pragma once

#include "compiler/spirv/module_reader.h"

#include <string>

namespace clarity::compiler::spirv {

/// "float4*", for CL_KERNEL_ARG_TYPE_NAME. SPIR-V's integers have no sign: "int" stands for both.
std::string typeName(const ModuleReader& module, const Type& type, const Instruction& user);

}  // namespace clarity::compiler::spirv
