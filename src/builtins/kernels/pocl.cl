// SPDX-License-Identifier: Apache-2.0
// This file is the kernels of PoCL that work element by element, one for each work-item.

kernel void pocl_add_i32(const global int* input1, const global int* input2, global int* output) {
  const size_t i = get_global_id(0);
  output[i] = input1[i] + input2[i];
}

kernel void pocl_mul_i32(const global int* input1, const global int* input2, global int* output) {
  const size_t i = get_global_id(0);
  output[i] = input1[i] * input2[i];
}

kernel void pocl_add_i8(const global char* input1, const global char* input2, global char* output) {
  const size_t i = get_global_id(0);
  output[i] = (char)(input1[i] + input2[i]);
}

kernel void pocl_abs_f32(const global float* input, global float* output) {
  const size_t i = get_global_id(0);
  output[i] = fabs(input[i]);
}
