// SPDX-License-Identifier: Apache-2.0
// These kernels enlarge a picture: each work-item computes one pixel of the result.

// The sampler interpolates between the four nearest pixels, clamps coordinates to the picture, and takes them from 0 to
// 1 whatever the picture's size. Colours are converted from bytes to 0..1 and back by the image.
constant sampler_t linear = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;

kernel void zoomLinear(read_only image2d_t in, write_only image2d_t out) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  const float2 place = (convert_float2(at) + 0.5f) / convert_float2(get_image_dim(out));
  write_imagef(out, at, read_imagef(in, linear, place));
}

// The same with the sampler that the host has chosen (clCreateSampler).
kernel void zoomWith(read_only image2d_t in, write_only image2d_t out, sampler_t sampler) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  const float2 place = (convert_float2(at) + 0.5f) / convert_float2(get_image_dim(out));
  write_imagef(out, at, read_imagef(in, sampler, place));
}

// The linear sampler's work, by hand and in buffers.
kernel void zoomBuffer(global const uchar4* in, global uchar4* out, int width, int height) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  const int2 size = (int2)(get_global_size(0), get_global_size(1)), last = (int2)(width, height) - 1;
  const float2 place = (convert_float2(at) + 0.5f) / convert_float2(size) * (float2)(width, height) - 0.5f;
  const float2 weight = place - floor(place);
  const int2 low = clamp(convert_int2(floor(place)), (int2)0, last);
  const int2 high = clamp(convert_int2(floor(place)) + 1, (int2)0, last);
  const float4 above =
      mix(convert_float4(in[low.y * width + low.x]), convert_float4(in[low.y * width + high.x]), weight.x);
  const float4 below =
      mix(convert_float4(in[high.y * width + low.x]), convert_float4(in[high.y * width + high.x]), weight.x);
  out[at.y * size.x + at.x] = convert_uchar4_sat_rte(mix(above, below, weight.y));
}
