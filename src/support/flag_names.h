// SPDX-License-Identifier: Apache-2.0
// This file gives bits of OpenCL's flags their names.
#pragma once

#include <cstdint>
#include <string>

namespace clarity::support {

/// "CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR" of cl_mem_flags and cl_svm_mem_flags; bits without a name in hexadecimal
/// digits, "0" for none.
std::string memoryFlagNames(std::uint64_t flags);
/// The same of cl_map_flags.
std::string mapFlagNames(std::uint64_t flags);

}  // namespace clarity::support
