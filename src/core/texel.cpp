// SPDX-License-Identifier: Apache-2.0
// This file puts the channels of a colour into the bytes of a texel.
#include "core/texel.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace clarity::core {
namespace {

/// The component of (red, green, blue, alpha) that each channel in memory holds.
std::array<unsigned, 4> componentsOf(cl_channel_order order) {
  switch (order) {
    case CL_A: return {3};
    case CL_RA: return {0, 3};
    case CL_BGRA:
    case CL_sBGRA: return {2, 1, 0, 3};
    case CL_ARGB: return {3, 0, 1, 2};
    case CL_ABGR: return {3, 2, 1, 0};
    default: return {0, 1, 2, 3};
  }
}

/// Round to nearest even, whatever the rounding mode of the thread; NaN is 0.
std::int64_t toNormalised(float value, float least, float scale) {
  if (std::isnan(value)) return 0;
  // The product of a float and a scale of at most 16 bits is exact in double.
  const double exact = static_cast<double>(std::clamp(value, least, 1.0F)) * static_cast<double>(scale);
  const double down = std::floor(exact), rest = exact - down;
  const auto whole = static_cast<std::int64_t>(down);
  if (rest > 0.5 || (rest == 0.5 && whole % 2 != 0)) return whole + 1;
  return whole;
}

/// float to half, to nearest even.
std::uint16_t halfOf(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000U);
  const std::uint32_t magnitude = bits & 0x7FFFFFFFU;
  if (magnitude > 0x7F800000U) return static_cast<std::uint16_t>(sign | 0x7E00U);
  // 65520 and more: the half way to the next power of two is even.
  if (magnitude >= 0x477FF000U) return static_cast<std::uint16_t>(sign | 0x7C00U);
  const auto roundShift = [](std::uint64_t mantissa, unsigned shift) {
    const std::uint64_t half = std::uint64_t{1} << (shift - 1), kept = mantissa >> shift;
    const std::uint64_t rest = mantissa & ((std::uint64_t{1} << shift) - 1);
    return kept + (rest > half || (rest == half && kept % 2 != 0) ? 1 : 0);
  };
  if (magnitude >= 0x38800000U)  // normal: a carry out of the mantissa goes to the exponent, as it should
    return static_cast<std::uint16_t>(sign | (roundShift(magnitude, 13) - (std::uint64_t{112} << 10)));
  const unsigned exponent = magnitude >> 23;
  if (exponent < 102) return sign;  // less than half of the least half
  const std::uint64_t mantissa = (magnitude & 0x7FFFFFU) | 0x800000U;
  return static_cast<std::uint16_t>(sign | roundShift(mantissa, 126 - exponent));
}

/// A linear component as an sRGB one (OpenCL C, section 8.3.1).
float srgbOf(float linear) {
  if (std::isnan(linear) || linear < 0) return 0;
  if (linear > 1) return 1;
  if (linear < 0.0031308F) return 12.92F * linear;
  return static_cast<float>(1.055 * std::pow(static_cast<double>(linear), 1.0 / 2.4) - 0.055);
}

template <class To>
To saturated(std::int64_t value) {
  return static_cast<To>(
      std::clamp<std::int64_t>(value, std::numeric_limits<To>::min(), std::numeric_limits<To>::max()));
}

class Writer {
public:
  template <class T>
  void put(T value) {
    std::memcpy(texel_.data() + at_, &value, sizeof value);
    at_ += sizeof value;
  }
  const Texel& texel() const { return texel_; }

private:
  Texel texel_{};
  std::size_t at_ = 0;
};

void putFloat(Writer& out, cl_channel_type type, float value) {
  switch (type) {
    case CL_UNORM_INT8: return out.put(static_cast<std::uint8_t>(toNormalised(value, 0, 255)));
    case CL_UNORM_INT16: return out.put(static_cast<std::uint16_t>(toNormalised(value, 0, 65535)));
    case unormInt10x6: return out.put(static_cast<std::uint16_t>(toNormalised(value, 0, 1023) << 6));
    case unormInt12x4: return out.put(static_cast<std::uint16_t>(toNormalised(value, 0, 4095) << 4));
    case unormInt14x2: return out.put(static_cast<std::uint16_t>(toNormalised(value, 0, 16383) << 2));
    case CL_SNORM_INT8: return out.put(static_cast<std::int8_t>(toNormalised(value, -1, 127)));
    case CL_SNORM_INT16: return out.put(static_cast<std::int16_t>(toNormalised(value, -1, 32767)));
    case CL_HALF_FLOAT: return out.put(halfOf(value));
    default: return out.put(value);
  }
}

std::int64_t upTo(std::int64_t most, std::int64_t value) { return std::min(value, most); }

/// A block of a raw format whose texels are equal: the upper 8 bits of each, then the lower bits of all.
void putBlock(Writer& out, unsigned texels, unsigned bits, unsigned value) {
  unsigned low = 0;
  for (unsigned i = 0; i < texels; ++i) {
    out.put(static_cast<std::uint8_t>(value >> (bits - 8)));
    low |= (value & ((1U << (bits - 8)) - 1)) << (bits - 8) * i;
  }
  out.put(static_cast<std::uint8_t>(low));
}

void putInteger(Writer& out, cl_channel_type type, std::int64_t value) {
  switch (type) {
    case CL_SIGNED_INT8: return out.put(saturated<std::int8_t>(value));
    case CL_SIGNED_INT16: return out.put(saturated<std::int16_t>(value));
    case CL_UNSIGNED_INT8: return out.put(saturated<std::uint8_t>(value));
    case CL_UNSIGNED_INT16: return out.put(saturated<std::uint16_t>(value));
    case unsignedInt10x6: return out.put(static_cast<std::uint16_t>(upTo(1023, value) << 6));
    case unsignedInt12x4: return out.put(static_cast<std::uint16_t>(upTo(4095, value) << 4));
    case unsignedInt14x2: return out.put(static_cast<std::uint16_t>(upTo(16383, value) << 2));
    case unsignedIntRaw10: return putBlock(out, 4, 10, static_cast<unsigned>(upTo(1023, value)));
    case unsignedIntRaw12: return putBlock(out, 2, 12, static_cast<unsigned>(upTo(4095, value)));
    default: return out.put(static_cast<std::uint32_t>(value));
  }
}

/// Formats whose texel is one integer, the first channel in the most significant bits. False for others.
bool writePacked(Writer& out, cl_channel_type type, const std::array<float, 4>& colour) {
  const auto bits = [&](unsigned component, unsigned count) {
    const auto most = static_cast<float>((1U << count) - 1);
    return static_cast<std::uint32_t>(toNormalised(colour[component], 0, most));
  };
  switch (type) {
    case CL_UNORM_SHORT_565:
      out.put(static_cast<std::uint16_t>(bits(0, 5) << 11 | bits(1, 6) << 5 | bits(2, 5)));
      return true;
    case CL_UNORM_SHORT_555:
      out.put(static_cast<std::uint16_t>(bits(0, 5) << 10 | bits(1, 5) << 5 | bits(2, 5)));
      return true;
    case CL_UNORM_INT_101010: out.put(bits(0, 10) << 20 | bits(1, 10) << 10 | bits(2, 10)); return true;
    case CL_UNORM_INT_101010_2:
      out.put(bits(0, 10) << 22 | bits(1, 10) << 12 | bits(2, 10) << 2 | bits(3, 2));
      return true;
    case unormInt2_101010: out.put(bits(3, 2) << 30 | bits(2, 10) << 20 | bits(1, 10) << 10 | bits(0, 10)); return true;
    default: return false;
  }
}

}  // namespace

Texel texelOf(const ImageFormat& format, const void* colour) {
  const auto [order, type] = format.format;
  const std::array<unsigned, 4> components = componentsOf(order);
  Writer out;
  if (format.kind == ChannelKind::Float) {
    std::array<float, 4> values{};
    std::memcpy(values.data(), colour, format.isDepth() ? sizeof(float) : sizeof values);
    if (format.isSrgb())
      for (unsigned i = 0; i < 3; ++i) values[i] = srgbOf(values[i]);
    if (writePacked(out, type, values)) return out.texel();
    for (std::uint32_t i = 0; i < format.channels; ++i) putFloat(out, type, values[components[i]]);
    return out.texel();
  }
  std::array<std::uint32_t, 4> values{};
  std::memcpy(values.data(), colour, sizeof values);
  for (std::uint32_t i = 0; i < format.channels; ++i) {
    const std::uint32_t value = values[components[i]];
    putInteger(out, type, format.kind == ChannelKind::Signed ? static_cast<std::int32_t>(value) : std::int64_t{value});
  }
  return out.texel();
}

}  // namespace clarity::core
