// SPDX-License-Identifier: Apache-2.0
// This file calls the functions of images for images_test.cpp: one function for each type of image, kind of coordinate
// and type of colour. Coordinates are float4 or int4, of which an image takes what it needs.

#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable

#define X(c) (c).x
#define XY(c) (c).xy
#define XYZW(c) (c)

#define VALUE(NAME) (NAME)
#define SCALAR(NAME) ((float4)(NAME, 0, 0, 0))
#define HALVES(NAME) convert_float4(NAME)

/// IMAGE: the type; C: its coordinate; S: f, i, ui; T: the type of colour; V: the colour as T.
#define READ_SAMPLED(IMAGE, C, S, T, V)                                                                                \
  void at_##IMAGE##_##S(read_only IMAGE image, sampler_t sampler, global const int4 *at, global T *out) {              \
    *out = V(read_image##S(image, sampler, C(*at)));                                                                   \
  }                                                                                                                    \
  void sample_##IMAGE##_##S(read_only IMAGE image, sampler_t sampler, global const float4 *at, global T *out) {        \
    *out = V(read_image##S(image, sampler, C(*at)));                                                                   \
  }
#define READ_LEVELS(IMAGE, C, G, S, T, V)                                                                              \
  void lod_##IMAGE##_##S(read_only IMAGE image, sampler_t sampler, global const float4 *at, float lod, global T *out) {\
    *out = V(read_image##S(image, sampler, C(*at), lod));                                                              \
  }                                                                                                                    \
  void gradient_##IMAGE##_##S(read_only IMAGE image, sampler_t sampler, global const float4 *at,                       \
                              global const float4 *d, global T *out) {                                                 \
    *out = V(read_image##S(image, sampler, C(*at), G(d[0]), G(d[1])));                                                 \
  }
#define READ_BARE(IMAGE, C, S, T, V)                                                                                   \
  void bare_##IMAGE##_##S(read_only IMAGE image, global const int4 *at, global T *out) {                               \
    *out = V(read_image##S(image, C(*at)));                                                                            \
  }                                                                                                                    \
  void shared_##IMAGE##_##S(read_write IMAGE image, global const int4 *at, global T *out) {                            \
    *out = V(read_image##S(image, C(*at)));                                                                            \
  }
#define WRITE(IMAGE, C, S, T, V)                                                                                       \
  void write_##IMAGE##_##S(write_only IMAGE image, global const int4 *at, global const T *colour) {                    \
    write_image##S(image, C(*at), V(*colour));                                                                         \
  }
#define WRITE_LEVEL(IMAGE, C, S, T, V)                                                                                 \
  void write_level_##IMAGE##_##S(write_only IMAGE image, global const int4 *at, int lod, global const T *colour) {     \
    write_image##S(image, C(*at), lod, V(*colour));                                                                    \
  }

#define COLOUR(IMAGE, C, G, S, T)                                                                                      \
  READ_SAMPLED(IMAGE, C, S, T, VALUE)                                                                                  \
  READ_LEVELS(IMAGE, C, G, S, T, VALUE)                                                                                \
  READ_BARE(IMAGE, C, S, T, VALUE)                                                                                     \
  WRITE(IMAGE, C, S, T, VALUE)                                                                                         \
  WRITE_LEVEL(IMAGE, C, S, T, VALUE)
#define COLOURS(IMAGE, C, G)                                                                                           \
  COLOUR(IMAGE, C, G, f, float4)                                                                                       \
  COLOUR(IMAGE, C, G, i, int4)                                                                                         \
  COLOUR(IMAGE, C, G, ui, uint4)                                                                                       \
  READ_SAMPLED(IMAGE, C, h, float4, HALVES)                                                                            \
  READ_BARE(IMAGE, C, h, float4, HALVES)                                                                               \
  WRITE(IMAGE, C, h, float4, convert_half4)
COLOURS(image1d_t, X, X)
COLOURS(image1d_array_t, XY, X)
COLOURS(image2d_t, XY, XY)
COLOURS(image2d_array_t, XYZW, XY)
COLOURS(image3d_t, XYZW, XYZW)

#define DEPTHS(IMAGE, C)                                                                                               \
  READ_SAMPLED(IMAGE, C, f, float4, SCALAR)                                                                            \
  READ_LEVELS(IMAGE, C, XY, f, float4, SCALAR)                                                                         \
  READ_BARE(IMAGE, C, f, float4, SCALAR)                                                                               \
  WRITE(IMAGE, C, f, float4, X)
DEPTHS(image2d_depth_t, XY)
DEPTHS(image2d_array_depth_t, XYZW)

#define BUFFER(S, T)                                                                                                   \
  READ_BARE(image1d_buffer_t, X, S, T, VALUE)                                                                          \
  WRITE(image1d_buffer_t, X, S, T, VALUE)
BUFFER(f, float4)
BUFFER(i, int4)
BUFFER(ui, uint4)

void query_1d(read_only image1d_t a, write_only image1d_array_t b, read_write image1d_buffer_t c, global ulong *out) {
  out[0] = get_image_width(a), out[1] = get_image_width(b), out[2] = get_image_array_size(b);
  out[3] = get_image_width(c), out[4] = get_image_channel_order(a), out[5] = get_image_channel_data_type(c);
  out[6] = get_image_num_mip_levels(a);
}
void query_2d(read_only image2d_t a, write_only image2d_array_t b, read_only image2d_depth_t c, global ulong *out) {
  out[0] = get_image_width(a), out[1] = get_image_height(a), out[2] = get_image_dim(b).y;
  out[3] = get_image_array_size(b), out[4] = get_image_dim(c).x, out[5] = get_image_num_mip_levels(c);
}
void query_3d(read_write image3d_t a, global ulong *out) {
  out[0] = get_image_width(a), out[1] = get_image_height(a), out[2] = get_image_depth(a), out[3] = get_image_dim(a).z;
  out[4] = get_image_dim(a).w, out[5] = get_image_channel_order(a);
}
