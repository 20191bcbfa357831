// SPDX-License-Identifier: Apache-2.0
// This file has kernels of pictures whose elements are bytes, in buffers.

__kernel void sobel_uchar(__global const uchar* in, __global uchar* out, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1), i = y * width + x;
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
    out[i] = 0;
    return;
  }
  int gx =
      in[i - width + 1] + 2 * in[i + 1] + in[i + width + 1] - in[i - width - 1] - 2 * in[i - 1] - in[i + width - 1];
  int gy = in[i + width - 1] + 2 * in[i + width] + in[i + width + 1] - in[i - width - 1] - 2 * in[i - width] -
           in[i - width + 1];
  out[i] = min(abs(gx) + abs(gy), 255u);
}

__kernel void sobel_uchar4(__global const uchar4* in, __global uchar4* out, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1), i = y * width + x;
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
    out[i] = (uchar4)(0);
    return;
  }
  float4 a = convert_float4(in[i - width - 1]), b = convert_float4(in[i - width]),
         c = convert_float4(in[i - width + 1]);
  float4 d = convert_float4(in[i - 1]), f = convert_float4(in[i + 1]);
  float4 g = convert_float4(in[i + width - 1]), h = convert_float4(in[i + width]),
         k = convert_float4(in[i + width + 1]);
  float4 gx = c + 2.0f * f + k - a - 2.0f * d - g, gy = g + 2.0f * h + k - a - 2.0f * b - c;
  out[i] = convert_uchar4_sat(sqrt(gx * gx + gy * gy));
}

__kernel void bilateral(__global const uchar* in, __global uchar* out, int radius, float spatial, float tonal) {
  int x = get_global_id(0), y = get_global_id(1), width = get_global_size(0), height = get_global_size(1);
  float centre = in[y * width + x], sum = 0.0f, weights = 0.0f;
  for (int dy = -radius; dy <= radius; ++dy) {
    for (int dx = -radius; dx <= radius; ++dx) {
      int column = x + dx, row = y + dy;
      if (column < 0 || column >= width || row < 0 || row >= height) continue;
      float value = in[row * width + column], difference = value - centre;
      float weight = exp(-(dx * dx + dy * dy) * spatial - difference * difference * tonal);
      sum += weight * value;
      weights += weight;
    }
  }
  out[y * width + x] = convert_uchar_sat(sum / weights + 0.5f);
}

__kernel void rgb_to_yuv_packed(__global const uchar* rgb, __global uchar* yuv) {
  int i = get_global_id(0);
  float3 pixel = convert_float3(vload3(i, rgb));
  float3 result = (float3)(dot(pixel, (float3)(0.299f, 0.587f, 0.114f)),
                           dot(pixel, (float3)(-0.168736f, -0.331264f, 0.5f)) + 128.0f,
                           dot(pixel, (float3)(0.5f, -0.418688f, -0.081312f)) + 128.0f);
  vstore3(convert_uchar3_sat(result + 0.5f), i, yuv);
}

// In whole numbers; the fourth component stays.
__kernel void rgba_to_yuva(__global const uchar4* rgba, __global uchar4* yuva) {
  int i = get_global_id(0);
  int4 pixel = convert_int4(rgba[i]);
  int y = (77 * pixel.x + 150 * pixel.y + 29 * pixel.z + 128) >> 8;
  int u = ((-43 * pixel.x - 85 * pixel.y + 128 * pixel.z + 128) >> 8) + 128;
  int v = ((128 * pixel.x - 107 * pixel.y - 21 * pixel.z + 128) >> 8) + 128;
  yuva[i] = convert_uchar4_sat((int4)(y, u, v, pixel.w));
}

__kernel void bilinear_resize(__global const uchar4* in, __global uchar4* out, int width, int height, float scale_x,
                              float scale_y) {
  int x = get_global_id(0), y = get_global_id(1);
  float from_x = x * scale_x, from_y = y * scale_y;
  int left = (int)from_x, top = (int)from_y;
  int right = min(left + 1, width - 1), bottom = min(top + 1, height - 1);
  float4 upper = mix(convert_float4(in[top * width + left]), convert_float4(in[top * width + right]), from_x - left);
  float4 lower =
      mix(convert_float4(in[bottom * width + left]), convert_float4(in[bottom * width + right]), from_x - left);
  out[y * get_global_size(0) + x] = convert_uchar4_rte(mix(upper, lower, from_y - top));
}
