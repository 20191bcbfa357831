// SPDX-License-Identifier: Apache-2.0
// The two declarations that OpenCL C and C++ write differently.
#define LOCAL_ARRAY(type, name, size) __local type name[size]
#define LOCAL_VARIABLE(type, name) __local type name
#pragma OPENCL FP_CONTRACT OFF
// Places in all dimensions at once.
#define GLOBAL_ID ((get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0))
#define LOCAL_ID ((get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0))
#define GLOBAL_COUNT (get_global_size(0) * get_global_size(1) * get_global_size(2))
#define LOCAL_COUNT (get_local_size(0) * get_local_size(1) * get_local_size(2))
