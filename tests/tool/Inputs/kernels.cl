// SPDX-License-Identifier: Apache-2.0
// This file holds the kernels that the tests of `clarity exec` run.
typedef struct {
  float mass;
  int count;
} Particle;

__kernel void saxpy(const float a, __global const float *x, __global float *y) {
  const size_t i = get_global_id(0);
  y[i] += a * x[i];
}

__kernel void scale_float3(__global float3 *v, const float3 by) { v[get_global_id(0)] *= by; }

__kernel void reverse_groups(__global int *data, __local int *tile) {
  const int local_id = get_local_id(0), size = get_local_size(0);
  tile[local_id] = data[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  data[get_global_id(0)] = tile[size - 1 - local_id];
}

__kernel void paint(__global uchar4 *out, const int blue) {
  const int x = get_global_id(0), y = get_global_id(1);
  out[y * get_global_size(0) + x] = (uchar4)(x, y, blue, 255);
}

__kernel void invert(__global const uchar *in, __global uchar *out) {
  const size_t i = get_global_id(0);
  out[i] = 255 - in[i];
}

__kernel void copy_pixels(__global const uchar4 *in, __global uchar4 *out) {
  out[get_global_id(0)] = in[get_global_id(0)];
}

__kernel void copy_doubles(__global const double *in, __global double *out) {
  out[get_global_id(0)] = in[get_global_id(0)];
}

__kernel void ids(__global int *out) { out[get_global_id(0) - get_global_offset(0)] = get_global_id(0); }

__kernel void add_scalars(__global long *out, const char c, const uint u, const long l, const int4 v) {
  out[0] = c;
  out[1] = u;
  out[2] = l;
  out[3] = v.x + v.y + v.z + v.w;
}

__kernel void masses(__global const Particle *p, __global float *m) { m[get_global_id(0)] = p[get_global_id(0)].mass; }

// Parts of vectors behind constants, of which code generation makes one shuffle.
__kernel void literals(__global float4 *out, const float4 v) {
  out[0] = (float4)((float2)(1.5f), (v + v).zw);
  out[1] = (float4)(0.5f, (v * v).wyz);
  const float4 both[2] = {(float4)((float2)(2, 3), (float2)((v - 1).yx)), (float4)((v + 1).xy, (float2)(7))};
  out[2] = both[0] + both[1];
}

#ifdef FACTOR
__kernel void multiply(__global int *data) { data[get_global_id(0)] *= FACTOR; }
#endif
