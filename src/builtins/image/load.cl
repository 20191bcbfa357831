// SPDX-License-Identifier: Apache-2.0
// This file reads one texel of any format (OpenCL 3.0, section 8.3). A texel outside is not read: its channels are 0.

#include "image/formats.clh"
#include "math/float_power.clh"

/// Channels of 8, 16 or 32 bits, signed ones with their sign.
HELPER int4 extended(uint4 c, int bits) { return as_int4(c << (uint4)(32 - bits)) >> (int4)(32 - bits); }

HELPER float4 unorm(uint4 c, float4 scale) { return __builtin_convertvector(as_int4(c), float4) * scale; }

/// The lowest two integers are both -1.
HELPER float4 snorm(int4 c, float scale) {
  float4 x = __builtin_convertvector(c, float4) * scale;
  return x > (float4)-1 ? x : (float4)-1;
}

/// 8.3.5: from sRGB to linear RGB.
HELPER float3 fromStandardRgb(float3 c) {
  float3 power = floatPow((c + 0.055f) * (1 / 1.055f), (float3)2.4f);
  return c <= (float3)0.04045f ? c * (1 / 12.92f) : power;
}

float4 __clarity_image_load_f(Image image, TEXEL, bool inside) {
  uint order = image->order, channels = channelsOf(order);
  uint4 raw = 0;
  float4 c = 0;
  switch (image->type) {
    case TYPE_UNORM_INT8:
      if (inside) raw = load8(ADDRESS, channels);
      c = unorm(raw, 1 / 255.0f);
      if (isStandardRgb(order)) c.xyz = fromStandardRgb(c.xyz);
      break;
    case TYPE_SNORM_INT8:
      if (inside) raw = load8(ADDRESS, channels);
      c = snorm(extended(raw, 8), 1 / 127.0f);
      break;
    case TYPE_UNORM_INT16:
      if (inside) raw = load16(ADDRESS, channels);
      c = unorm(raw, 1 / 65535.0f);
      break;
    case TYPE_UNORM_INT10X6:
      if (inside) raw = load16(ADDRESS, channels);
      c = unorm(raw >> 6, 1 / 1023.0f);
      break;
    case TYPE_UNORM_INT12X4:
      if (inside) raw = load16(ADDRESS, channels);
      c = unorm(raw >> 4, 1 / 4095.0f);
      break;
    case TYPE_UNORM_INT14X2:
      if (inside) raw = load16(ADDRESS, channels);
      c = unorm(raw >> 2, 1 / 16383.0f);
      break;
    case TYPE_SNORM_INT16:
      if (inside) raw = load16(ADDRESS, channels);
      c = snorm(extended(raw, 16), 1 / 32767.0f);
      break;
    case TYPE_HALF_FLOAT:
      if (inside) raw = load16(ADDRESS, channels);
      c = __builtin_convertvector(as_half4(__builtin_convertvector(raw, ushort4)), float4);
      break;
    case TYPE_FLOAT:
      if (inside) raw = load32(ADDRESS, channels);
      c = as_float4(raw);
      break;
    case TYPE_UNORM_SHORT_565:
      if (inside) raw.x = *(const __global Ushort *)ADDRESS;
      c = unorm((uint4)(raw.x >> 11, raw.x >> 5 & 63, raw.x & 31, 0), (float4)(1 / 31.0f, 1 / 63.0f, 1 / 31.0f, 0));
      break;
    case TYPE_UNORM_SHORT_555:
      if (inside) raw.x = *(const __global Ushort *)ADDRESS;
      c = unorm((uint4)(raw.x >> 10 & 31, raw.x >> 5 & 31, raw.x & 31, 0), 1 / 31.0f);
      break;
    case TYPE_UNORM_INT_101010:
      if (inside) raw.x = *(const __global Uint *)ADDRESS;
      c = unorm((uint4)(raw.x >> 20 & 1023, raw.x >> 10 & 1023, raw.x & 1023, 0), 1 / 1023.0f);
      break;
    case TYPE_UNORM_INT_101010_2:
      if (inside) raw.x = *(const __global Uint *)ADDRESS;
      c = unorm((uint4)(raw.x >> 22, raw.x >> 12 & 1023, raw.x >> 2 & 1023, raw.x & 3),
                (float4)((float3)(1 / 1023.0f), 1 / 3.0f));
      break;
    case TYPE_UNORM_INT_2_101010:
      if (inside) raw.x = *(const __global Uint *)ADDRESS;
      c = unorm((uint4)(raw.x >> 30, raw.x >> 20 & 1023, raw.x >> 10 & 1023, raw.x & 1023),
                (float4)(1 / 3.0f, (float3)(1 / 1023.0f)));
      break;
  }
  return arranged(c, order, inside);
}

/// Channels of 8, 16 or 32 bits as they lie in memory, of types that follow each other from `first` on; 0 of others.
HELPER uint4 integers(Image image, TEXEL, bool inside, uint first) {
  uint channels = channelsOf(image->order);
  uint4 c = 0;
  switch (image->type - first) {
    case 0:
      if (inside) c = load8(ADDRESS, channels);
      break;
    case 1:
      if (inside) c = load16(ADDRESS, channels);
      break;
    case 2:
      if (inside) c = load32(ADDRESS, channels);
      break;
  }
  return c;
}

int4 __clarity_image_load_i(Image image, TEXEL, bool inside) {
  uint4 c = integers(image, start, slicePitch, rowPitch, x, y, z, inside, TYPE_SIGNED_INT8);
  int bits = 8 << (image->type - TYPE_SIGNED_INT8 & 3);
  return arranged(extended(c, bits), image->order, inside);
}

/// A texel of a raw format, of which 2^`shift` texels share a block: a byte with the upper 8 bits of each, then a byte
/// with the lower bits of all (cl_ext_image_raw10_raw12).
HELPER uint4 rawTexel(Image image, TEXEL, bool inside, int shift) {
  if (!inside) return (uint4)0;
  int texels = 1 << shift, at = x & (texels - 1), bits = 8 >> shift;
  Texel block = addressOf(image, start, slicePitch, rowPitch, x >> shift, y, z);
  uint low = (uint)block[texels] >> (bits * at) & ((1u << bits) - 1);
  return (uint4)((uint)block[at] << bits | low, 0, 0, 0);
}

uint4 __clarity_image_load_ui(Image image, TEXEL, bool inside) {
  uint4 c;
  switch (image->type) {
    case TYPE_UNSIGNED_INT_RAW10: c = rawTexel(image, start, slicePitch, rowPitch, x, y, z, inside, 2); break;
    case TYPE_UNSIGNED_INT_RAW12: c = rawTexel(image, start, slicePitch, rowPitch, x, y, z, inside, 1); break;
    case TYPE_UNSIGNED_INT10X6:
    case TYPE_UNSIGNED_INT12X4:
    case TYPE_UNSIGNED_INT14X2:
      c = 0;
      if (inside) c = load16(ADDRESS, channelsOf(image->order));
      c >>= (uint4)(6 - 2 * (image->type - TYPE_UNSIGNED_INT10X6));
      break;
    default: c = integers(image, start, slicePitch, rowPitch, x, y, z, inside, TYPE_UNSIGNED_INT8); break;
  }
  return arranged(c, image->order, inside);
}
