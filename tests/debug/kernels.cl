// SPDX-License-Identifier: Apache-2.0
// Kernels that run.py looks at in gdb; it names the lines by their comments.
typedef struct {
  int count;
  float weights[3];
  float4 colour;
} Setting;

float helper(float x, int n) {
  float sum = x;
  for (int i = 0; i < n; ++i)
    sum += (float)i;  // helper
  return sum;
}

kernel void saxpy(global float* y, global const float* x, float a) {
  int i = get_global_id(0);      // first
  float4 v = (float4)(1, 2, 3, i);
  float squares[3];
  for (int k = 0; k < 3; ++k) squares[k] = (float)(k * k);
  Setting s = {i, {0.5f, 1.5f, 2.5f}, v};
  bool even = i % 2 == 0;        // values
  float t = helper(a * x[i], 3);  // call
  y[i] = t + s.weights[1] + squares[2] + (even ? v.x : v.w);  // store
}

kernel void turn(global int* out, global const int* in, local int* scratch) {
  local int tile[8];
  int l = get_local_id(0);
  int own = in[get_global_id(0)] * 10;
  tile[l] = own;
  scratch[l] = l;
  barrier(CLK_LOCAL_MEM_FENCE);               // barrier
  int other = tile[(l + 1) % 8] + scratch[0];  // behind
  out[get_global_id(0)] = other;               // last
}

kernel void wrong(global int* out) {
  int i = get_global_id(0);
  int at = i == 5 ? i + 100000000 : i;
  out[at] = i;  // wrong
}

kernel void picture(read_only image2d_t from, global float4* to) {
  const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  float4 texel = read_imagef(from, nearest, at);
  to[at.y * get_global_size(0) + at.x] = texel;  // texel
}

kernel void together(global int* out) {
  int l = get_local_id(0);
  int sum = work_group_reduce_add(l);
  int before = work_group_scan_exclusive_add(l);
  int lane = sub_group_broadcast(l, 1);
  out[get_global_id(0)] = sum + before + lane;  // sums
}
