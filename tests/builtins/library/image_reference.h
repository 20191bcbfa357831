// SPDX-License-Identifier: Apache-2.0
// This file computes in double what the functions of images shall return (OpenCL 3.0, chapter 8), for images_test.cpp.
#pragma once

#include "compiler/ir/image_descriptor.h"

#include <CL/cl.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

namespace image_reference {

/// Types of cl_ext_image_unorm_int_2_101010, cl_ext_image_unsigned_10x6_12x4_14x2 and cl_ext_image_raw10_raw12, which
/// older headers do not have.
inline constexpr cl_channel_type unormInt2_101010 = 0x10E5;
inline constexpr cl_channel_type unormInt10x6 = 0x10E1, unormInt12x4 = 0x10E9, unormInt14x2 = 0x10EA;
inline constexpr cl_channel_type unsignedInt10x6 = 0x10E6, unsignedInt12x4 = 0x10E7, unsignedInt14x2 = 0x10E8;
inline constexpr cl_channel_type unsignedIntRaw10 = 0x10E3, unsignedIntRaw12 = 0x10E4;

using clarity::compiler::ImageDescriptor;
using clarity::compiler::SamplerBits;
using Colour = std::array<double, 4>;

struct Format {
  cl_channel_order order;
  cl_channel_type type;
};

inline unsigned channelsOf(cl_channel_order order) {
  switch (order) {
    case CL_R:
    case CL_A:
    case CL_INTENSITY:
    case CL_LUMINANCE:
    case CL_Rx:
    case CL_DEPTH: return 1;
    case CL_RG:
    case CL_RA:
    case CL_RGx: return 2;
    case CL_RGB:
    case CL_RGBx:
    case CL_sRGB:
    case CL_sRGBx: return 3;
    default: return 4;
  }
}

inline unsigned bytesOf(Format format) {
  switch (format.type) {
    case CL_UNORM_SHORT_565:
    case CL_UNORM_SHORT_555: return 2;
    case CL_UNORM_INT_101010:
    case CL_UNORM_INT_101010_2:
    case unormInt2_101010: return 4;
    case CL_SNORM_INT8:
    case CL_UNORM_INT8:
    case CL_SIGNED_INT8:
    case CL_UNSIGNED_INT8: return channelsOf(format.order);
    case CL_SNORM_INT16:
    case CL_UNORM_INT16:
    case CL_SIGNED_INT16:
    case CL_UNSIGNED_INT16:
    case unormInt10x6:
    case unormInt12x4:
    case unormInt14x2:
    case unsignedInt10x6:
    case unsignedInt12x4:
    case unsignedInt14x2:
    case CL_HALF_FLOAT: return 2 * channelsOf(format.order);
    default: return 4 * channelsOf(format.order);
  }
}

inline bool isStandardRgb(cl_channel_order order) {
  return order == CL_sRGB || order == CL_sRGBx || order == CL_sRGBA || order == CL_sBGRA;
}

inline double fromStandardRgb(double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); }
inline double toStandardRgb(double c) { return c < 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055; }

inline double halfToDouble(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31, mantissa = bits & 1023;
  const double magnitude = exponent == 31 ? (mantissa ? NAN : INFINITY)
                           : exponent     ? std::ldexp(1024 + mantissa, exponent - 25)
                                          : std::ldexp(mantissa, -24);
  return bits & 0x8000 ? -magnitude : magnitude;
}

/// One channel of a type that is not packed, as memory has it.
inline double channel(const unsigned char* at, cl_channel_type type, unsigned index) {
  const auto read = [&]<class T>(T value) {
    std::memcpy(&value, at + index * sizeof(T), sizeof(T));
    return value;
  };
  switch (type) {
    case CL_UNORM_INT8: return read(std::uint8_t()) / 255.0;
    case CL_SNORM_INT8: return std::max(-1.0, read(std::int8_t()) / 127.0);
    case CL_UNORM_INT16: return read(std::uint16_t()) / 65535.0;
    case unormInt10x6: return (read(std::uint16_t()) >> 6) / 1023.0;
    case unormInt12x4: return (read(std::uint16_t()) >> 4) / 4095.0;
    case unormInt14x2: return (read(std::uint16_t()) >> 2) / 16383.0;
    case unsignedInt10x6: return read(std::uint16_t()) >> 6;
    case unsignedInt12x4: return read(std::uint16_t()) >> 4;
    case unsignedInt14x2: return read(std::uint16_t()) >> 2;
    case CL_SNORM_INT16: return std::max(-1.0, read(std::int16_t()) / 32767.0);
    case CL_SIGNED_INT8: return read(std::int8_t());
    case CL_SIGNED_INT16: return read(std::int16_t());
    case CL_SIGNED_INT32: return read(std::int32_t());
    case CL_UNSIGNED_INT8: return read(std::uint8_t());
    case CL_UNSIGNED_INT16: return read(std::uint16_t());
    case CL_UNSIGNED_INT32: return read(std::uint32_t());
    case CL_HALF_FLOAT: return halfToDouble(read(std::uint16_t()));
    default: return read(float());
  }
}

/// The channels of a texel, in their order in memory.
inline Colour channels(const unsigned char* at, Format format) {
  std::uint32_t word = 0;
  std::memcpy(&word, at, std::min(4u, bytesOf(format)));
  switch (format.type) {
    case CL_UNORM_SHORT_565: return {(word >> 11) / 31.0, (word >> 5 & 63) / 63.0, (word & 31) / 31.0, 0};
    case CL_UNORM_SHORT_555: return {(word >> 10 & 31) / 31.0, (word >> 5 & 31) / 31.0, (word & 31) / 31.0, 0};
    case CL_UNORM_INT_101010:
      return {(word >> 20 & 1023) / 1023.0, (word >> 10 & 1023) / 1023.0, (word & 1023) / 1023.0, 0};
    case CL_UNORM_INT_101010_2:
      return {(word >> 22) / 1023.0, (word >> 12 & 1023) / 1023.0, (word >> 2 & 1023) / 1023.0, (word & 3) / 3.0};
    case unormInt2_101010:
      return {(word >> 30) / 3.0, (word >> 20 & 1023) / 1023.0, (word >> 10 & 1023) / 1023.0, (word & 1023) / 1023.0};
    default: break;
  }
  Colour result{};
  for (unsigned i = 0; i < channelsOf(format.order); ++i) {
    result[i] = channel(at, format.type, i);
    if (isStandardRgb(format.order) && i < 3) result[i] = fromStandardRgb(result[i]);
  }
  return result;
}

/// Which channel each component is; 4: it is 0, 5: it is 1 (6.15.15.2).
inline std::array<int, 4> componentsOf(cl_channel_order order) {
  switch (order) {
    case CL_R:
    case CL_Rx: return {0, 4, 4, 5};
    case CL_A: return {4, 4, 4, 0};
    case CL_RG:
    case CL_RGx: return {0, 1, 4, 5};
    case CL_RA: return {0, 4, 4, 1};
    case CL_RGB:
    case CL_RGBx:
    case CL_sRGB:
    case CL_sRGBx: return {0, 1, 2, 5};
    case CL_BGRA:
    case CL_sBGRA: return {2, 1, 0, 3};
    case CL_ARGB: return {1, 2, 3, 0};
    case CL_ABGR: return {3, 2, 1, 0};
    case CL_INTENSITY: return {0, 0, 0, 0};
    case CL_LUMINANCE: return {0, 0, 0, 5};
    case CL_DEPTH: return {0, 4, 4, 4};
    default: return {0, 1, 2, 3};
  }
}

inline Colour texel(const unsigned char* at, Format format) {
  const Colour in = channels(at, format);
  const std::array<int, 4> from = componentsOf(format.order);
  Colour result;
  for (int i = 0; i < 4; ++i) result[i] = from[i] == 4 ? 0 : from[i] == 5 ? 1 : in[from[i]];
  return result;
}

/// 6.15.15.1.1
inline Colour border(cl_channel_order order) {
  const bool opaque = order == CL_R || order == CL_RG || order == CL_RGB || order == CL_LUMINANCE || order == CL_sRGB;
  return {0, 0, 0, opaque ? 1.0 : 0.0};
}

/// An image, whose levels and rows lie as a descriptor has them.
struct Picture {
  Format format;
  int dimensions = 2;
  bool array = false;
  ImageDescriptor descriptor{};
  const unsigned char* bytes = nullptr;

  int size(int d, unsigned level) const {
    const std::uint32_t all[] = {descriptor.width, descriptor.height, descriptor.depth};
    return d < dimensions ? std::max(1, static_cast<int>(all[d] >> level)) : 1;
  }
  /// Indices that are outside are the border's.
  Colour at(const std::array<int, 3>& index, int layer, unsigned level) const {
    for (int d = 0; d < dimensions; ++d)
      if (index[d] < 0 || index[d] >= size(d, level)) return border(format.order);
    const std::uint64_t row = level ? std::uint64_t(size(0, level)) * bytesOf(format) : descriptor.rowPitch;
    const std::uint64_t slice = level ? row * size(1, level) : descriptor.slicePitch;
    const std::uint64_t offset = descriptor.levelOffsets[level] + index[0] * bytesOf(format) +
                                 (dimensions > 1 ? index[1] * row : 0) +
                                 (array            ? layer
                                  : dimensions > 2 ? index[2]
                                                   : 0) *
                                     slice;
    return texel(bytes + offset, format);
  }
};

struct Axis {
  int first, second;
  double part;
};

/// 8.2 along one dimension, in float as there: texel and neighbour, -1 and `size` where the border is.
inline Axis axisOf(std::uint64_t sampler, float s, int size) {
  const std::uint64_t mode = sampler & SamplerBits::addressing;
  const bool linear = sampler & SamplerBits::linear, normalised = sampler & SamplerBits::normalised;
  const float w = static_cast<float>(size), shift = linear ? 0.5f : 0;
  const auto clamped = [](float x, float low, float high) { return x > low ? std::min(x, high) : low; };
  if (normalised && mode == 6) {
    const float u = (s - std::floor(s)) * w;
    int first = static_cast<int>(clamped(std::floor(u - shift), -1, w)), second = first + 1;
    if (first < 0) first += size;
    if (first > size - 1) first -= size;
    if (second > size - 1) second -= size;
    return {first, second, (u - shift) - std::floor(u - shift)};
  }
  float u = normalised ? s * w : s;
  if (normalised && mode == 8) u = std::fabs(s - 2.0f * std::rint(0.5f * s)) * w;
  const bool outside = mode == 0 || mode == 4;
  const float low = outside ? -1 : 0, high = outside ? w : w - 1;
  return {static_cast<int>(clamped(std::floor(u - shift), low, high)),
          static_cast<int>(clamped(std::floor(u - shift) + 1, low, high)), (u - shift) - std::floor(u - shift)};
}

inline int layerOf(float coordinate, int layers) {
  const float rounded = std::rint(coordinate);
  return rounded > 0 ? static_cast<int>(std::min(rounded, static_cast<float>(layers - 1))) : 0;
}

/// A sample of one level.
inline Colour sample(const Picture& image, std::uint64_t sampler, const std::array<float, 4>& at, unsigned level) {
  const int layer = image.array ? layerOf(at[image.dimensions], static_cast<int>(image.descriptor.layers)) : 0;
  std::array<Axis, 3> axes{};
  for (int d = 0; d < image.dimensions; ++d) axes[d] = axisOf(sampler, at[d], image.size(d, level));
  if (!(sampler & SamplerBits::linear)) return image.at({axes[0].first, axes[1].first, axes[2].first}, layer, level);
  Colour sum{};
  for (int corner = 0; corner < 1 << image.dimensions; ++corner) {
    std::array<int, 3> index{};
    double weight = 1;
    for (int d = 0; d < image.dimensions; ++d) {
      const bool second = corner >> d & 1;
      index[d] = second ? axes[d].second : axes[d].first;
      weight *= second ? axes[d].part : 1 - axes[d].part;
    }
    const Colour each = image.at(index, layer, level);
    for (int i = 0; i < 4; ++i) sum[i] += weight * each[i];
  }
  return sum;
}

}  // namespace image_reference
