// SPDX-License-Identifier: Apache-2.0
// This file gives OpenCL's constants, and bits of its flags, their names.
#pragma once

#include <cstdint>
#include <string>

namespace clarity::support {

/// "CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR" of cl_mem_flags and cl_svm_mem_flags; bits without a name in hexadecimal
/// digits, "0" for none.
std::string memoryFlagNames(std::uint64_t flags);
/// The same of cl_map_flags, cl_device_type, cl_command_queue_properties, and of cl_mem_fence_flags of OpenCL C.
std::string mapFlagNames(std::uint64_t flags);
std::string deviceTypeNames(std::uint64_t types);
std::string queuePropertyNames(std::uint64_t properties);
std::string fenceFlagNames(std::uint64_t flags);
/// "CL_RGBA" for 0x10b5; a number without a name here in hexadecimal digits. For constants that Khronos numbers
/// together: channels, kinds of memory objects, modes of samplers, properties, and what is asked of objects.
std::string constantName(std::uint64_t value);

}  // namespace clarity::support
