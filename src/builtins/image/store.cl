// SPDX-License-Identifier: Apache-2.0
// This file writes one texel of any format (OpenCL 3.0, section 8.3): saturated, rounded to nearest even.

#include "image/formats.clh"
#include "math/float_power.clh"

/// NaN is 0. The product is exact where operations fuse, as 8.3.1.2 has it.
HELPER uint4 unormBits(float4 c, float4 scale) {
  FUSED
  c = c > (float4)0 ? c : (float4)0;
  c = c < (float4)1 ? c : (float4)1;
  return as_uint4(c * scale + ROUNDER) & 0x3FFFFF;
}

HELPER uint4 snormBits(float4 c, float scale) {
  FUSED
  c = c == c ? c : (float4)0;
  c = c > (float4)-1 ? c : (float4)-1;
  c = c < (float4)1 ? c : (float4)1;
  return as_uint4(c * scale + ROUNDER);
}

HELPER int4 within(int4 c, int low, int high) {
  return __builtin_elementwise_min(__builtin_elementwise_max(c, (int4)low), (int4)high);
}

/// 8.3.5: from linear RGB to sRGB; what is not between 0 and 1 is 0 or 1 later.
HELPER float3 toStandardRgb(float3 c) {
  float3 power = 1.055f * floatPow(c, (float3)(1 / 2.4f)) - 0.055f;
  return c < (float3)0.0031308f ? c * 12.92f : power;
}

void __clarity_image_store_f(Image image, TEXEL, float4 colour) {
  uint order = image->order, count = channelsOf(order);
  NewTexel texel = ADDRESS;
  float4 c = channels(colour, order);
  uint4 bits;
  switch (image->type) {
    case TYPE_UNORM_INT8:
      if (isStandardRgb(order)) c.xyz = toStandardRgb(c.xyz);
      store8(texel, count, unormBits(c, (float4)255));
      break;
    case TYPE_SNORM_INT8: store8(texel, count, snormBits(c, 127)); break;
    case TYPE_UNORM_INT16: store16(texel, count, unormBits(c, (float4)65535)); break;
    case TYPE_UNORM_INT10X6: store16(texel, count, unormBits(c, (float4)1023) << 6); break;
    case TYPE_UNORM_INT12X4: store16(texel, count, unormBits(c, (float4)4095) << 4); break;
    case TYPE_UNORM_INT14X2: store16(texel, count, unormBits(c, (float4)16383) << 2); break;
    case TYPE_SNORM_INT16: store16(texel, count, snormBits(c, 32767)); break;
    case TYPE_HALF_FLOAT:
      store16(texel, count, __builtin_convertvector(as_ushort4(__builtin_convertvector(c, half4)), uint4));
      break;
    case TYPE_FLOAT: store32(texel, count, as_uint4(c)); break;
    case TYPE_UNORM_SHORT_565:
      bits = unormBits(c, (float4)(31, 63, 31, 0));
      *(__global Ushort *)texel = bits.x << 11 | bits.y << 5 | bits.z;
      break;
    case TYPE_UNORM_SHORT_555:
      bits = unormBits(c, (float4)31);
      *(__global Ushort *)texel = bits.x << 10 | bits.y << 5 | bits.z;
      break;
    case TYPE_UNORM_INT_101010:
      bits = unormBits(c, (float4)1023);
      *(__global Uint *)texel = bits.x << 20 | bits.y << 10 | bits.z;
      break;
    case TYPE_UNORM_INT_101010_2:
      bits = unormBits(c, (float4)(1023, 1023, 1023, 3));
      *(__global Uint *)texel = bits.x << 22 | bits.y << 12 | bits.z << 2 | bits.w;
      break;
    case TYPE_UNORM_INT_2_101010:
      bits = unormBits(c, (float4)(3, 1023, 1023, 1023));
      *(__global Uint *)texel = bits.x << 30 | bits.y << 20 | bits.z << 10 | bits.w;
      break;
  }
}

void __clarity_image_store_i(Image image, TEXEL, int4 colour) {
  uint order = image->order, count = channelsOf(order);
  NewTexel texel = ADDRESS;
  int4 c = channels(colour, order);
  switch (image->type) {
    case TYPE_SIGNED_INT8: store8(texel, count, as_uint4(within(c, -128, 127))); break;
    case TYPE_SIGNED_INT16: store16(texel, count, as_uint4(within(c, -32768, 32767))); break;
    case TYPE_SIGNED_INT32: store32(texel, count, as_uint4(c)); break;
  }
}

void __clarity_image_store_ui(Image image, TEXEL, uint4 colour) {
  uint order = image->order, count = channelsOf(order);
  NewTexel texel = ADDRESS;
  uint4 c = channels(colour, order);
  switch (image->type) {
    case TYPE_UNSIGNED_INT8: store8(texel, count, __builtin_elementwise_min(c, (uint4)0xFF)); break;
    case TYPE_UNSIGNED_INT16: store16(texel, count, __builtin_elementwise_min(c, (uint4)0xFFFF)); break;
    case TYPE_UNSIGNED_INT32: store32(texel, count, c); break;
    case TYPE_UNSIGNED_INT10X6: store16(texel, count, __builtin_elementwise_min(c, (uint4)0x3FF) << 6); break;
    case TYPE_UNSIGNED_INT12X4: store16(texel, count, __builtin_elementwise_min(c, (uint4)0xFFF) << 4); break;
    case TYPE_UNSIGNED_INT14X2: store16(texel, count, __builtin_elementwise_min(c, (uint4)0x3FFF) << 2); break;
  }
}
