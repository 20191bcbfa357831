// SPDX-License-Identifier: Apache-2.0
// This file is the names of the extensions that devices have because the runtime has them.
#pragma once

#include <string_view>

namespace clarity::device::host {

/// Extensions of the runtime that all devices have, each after a space.
inline constexpr std::string_view runtimeExtensions =
    " cl_ext_cxx_for_opencl cl_ext_image_requirements_info cl_ext_image_from_buffer cl_ext_immutable_memory_objects"
    " cl_khr_initialize_memory cl_khr_terminate_context"
    " cl_khr_spir cl_khr_il_program cl_khr_spirv_queries cl_khr_spirv_linkonce_odr"
    " cl_khr_spirv_no_integer_wrap_decoration cl_khr_spirv_extended_debug_info"
    " cl_intel_spirv_subgroups cl_intel_devicelib_assert";

/// Extensions of the runtime on devices that share memory with the host by address, each after a space.
inline constexpr std::string_view sharedMemoryExtensions =
    " cl_intel_unified_shared_memory cl_ext_buffer_device_address cl_khr_unified_svm"
    " cl_khr_external_memory cl_khr_external_memory_opaque_fd";

}  // namespace clarity::device::host
