// SPDX-License-Identifier: Apache-2.0
// This file declares what extensions need and older headers of OpenCL than the current ones do not have.
#pragma once

#include <CL/cl.h>
#include <CL/cl_ext.h>

// cl_ext_buffer_device_address
#ifndef CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT
using cl_mem_device_address_ext = cl_ulong;
#define CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT 0x5000
#define CL_MEM_DEVICE_ADDRESS_EXT 0x5001
#define CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT 0x5002
#endif
