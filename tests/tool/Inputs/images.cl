// SPDX-License-Identifier: Apache-2.0
// Arguments that `clarity exec` lists and cannot make.
kernel void images(read_only image2d_t from, write_only image3d_t to, read_write image1d_t both, sampler_t how,
                   read_only pipe int packets, global const float4* weights) {
  write_imagef(to, (int4)0, read_imagef(from, how, (int2)0) * weights[0]);
}
