// SPDX-License-Identifier: Apache-2.0
// Kernels of image objects: copies, filters, changes of size, a table of colours.

const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

// Kernels to measure the image kernels against: the same bytes in buffers.
kernel void copy_buffer(global const uint* in, global uint* out) {
  out[get_global_id(0)] = in[get_global_id(0)];
}

kernel void copy_image(read_only image2d_t in, write_only image2d_t out) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(out, at, read_imagef(in, nearest, at));
}

kernel void filter_3x3(read_only image2d_t in, write_only image2d_t out) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  const float weights[9] = {1, 2, 1, 2, 4, 2, 1, 2, 1};
  float4 sum = 0;
  for (int y = -1; y <= 1; ++y)
    for (int x = -1; x <= 1; ++x)
      sum += weights[(y + 1) * 3 + x + 1] * read_imagef(in, nearest, at + (int2)(x, y));
  write_imagef(out, at, sum / 16);
}

kernel void filter_11x11(read_only image2d_t in, write_only image2d_t out, constant float* weights) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  float4 sum = 0;
  for (int y = 0; y < 11; ++y)
    for (int x = 0; x < 11; ++x) sum += weights[y * 11 + x] * read_imagef(in, nearest, at + (int2)(x - 5, y - 5));
  write_imagef(out, at, sum);
}

// The sampler interpolates; coordinates are normalised.
kernel void resize(read_only image2d_t in, write_only image2d_t out, sampler_t sampler) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  const float2 place = (convert_float2(at) + 0.5f) / convert_float2(get_image_dim(out));
  write_imagef(out, at, read_imagef(in, sampler, place));
}

kernel void box_blur(read_only image2d_t in, write_only image2d_t out, int radius) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  float4 sum = 0;
  for (int x = -radius; x <= radius; ++x) sum += read_imagef(in, nearest, (int2)(at.x + x, at.y));
  write_imagef(out, at, sum / (2 * radius + 1));
}

// Down a column, with half texels as coordinates.
kernel void gaussian_blur(read_only image2d_t in, write_only image2d_t out, sampler_t sampler,
                          constant float* weights) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  const float2 centre = convert_float2(at) + 0.5f;
  float4 sum = 0;
  for (int y = -4; y <= 4; ++y) sum += weights[y + 4] * read_imagef(in, sampler, centre + (float2)(0, y));
  write_imagef(out, at, sum);
}

// Every colour is looked up in a cube of colours, between eight of them.
kernel void colour_lookup(read_only image2d_t in, read_only image3d_t table, write_only image2d_t out,
                          sampler_t sampler) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  const float4 colour = read_imagef(in, nearest, at);
  const float size = get_image_width(table);
  const float4 place = (colour * (size - 1) + 0.5f) / size;
  const float4 found = read_imagef(table, sampler, (float4)(place.xyz, 0));
  write_imagef(out, at, (float4)(found.xyz, colour.w));
}
