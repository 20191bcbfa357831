// SPDX-License-Identifier: Apache-2.0
// This file makes the table of image formats from the types that each channel order may have.
#include "core/image_format.h"

#include <CL/cl_ext.h>

#include <algorithm>
#include <vector>

namespace clarity::core {
namespace {

struct ChannelType {
  cl_channel_type type;
  std::uint32_t bytes;  ///< bytes of a channel, or of the whole texel if the type is packed
  ChannelKind kind;
};

constexpr ChannelType normalised[] = {{CL_UNORM_INT8, 1, ChannelKind::Float},
                                      {CL_UNORM_INT16, 2, ChannelKind::Float},
                                      {CL_SNORM_INT8, 1, ChannelKind::Float},
                                      {CL_SNORM_INT16, 2, ChannelKind::Float}};
constexpr ChannelType integers[] = {
    {CL_SIGNED_INT8, 1, ChannelKind::Signed},      {CL_SIGNED_INT16, 2, ChannelKind::Signed},
    {CL_SIGNED_INT32, 4, ChannelKind::Signed},     {CL_UNSIGNED_INT8, 1, ChannelKind::Unsigned},
    {CL_UNSIGNED_INT16, 2, ChannelKind::Unsigned}, {CL_UNSIGNED_INT32, 4, ChannelKind::Unsigned}};
constexpr ChannelType floats[] = {{CL_HALF_FLOAT, 2, ChannelKind::Float}, {CL_FLOAT, 4, ChannelKind::Float}};
constexpr ChannelType bytes[] = {{CL_UNORM_INT8, 1, ChannelKind::Float},
                                 {CL_SNORM_INT8, 1, ChannelKind::Float},
                                 {CL_SIGNED_INT8, 1, ChannelKind::Signed},
                                 {CL_UNSIGNED_INT8, 1, ChannelKind::Unsigned}};
constexpr ChannelType depths[] = {{CL_UNORM_INT16, 2, ChannelKind::Float}, {CL_FLOAT, 4, ChannelKind::Float}};
constexpr ChannelType unormBytes[] = {{CL_UNORM_INT8, 1, ChannelKind::Float}};
// A texel of these is one integer.
constexpr ChannelType packedRgb[] = {{CL_UNORM_SHORT_565, 2, ChannelKind::Float},
                                     {CL_UNORM_SHORT_555, 2, ChannelKind::Float},
                                     {CL_UNORM_INT_101010, 4, ChannelKind::Float}};
constexpr ChannelType packedRgba[] = {{CL_UNORM_INT_101010_2, 4, ChannelKind::Float}};
constexpr ChannelType packedAbgr[] = {{unormInt2_101010, 4, ChannelKind::Float}};
// Channels in the upper bits of 16.
constexpr ChannelType upperBits[] = {
    {unsignedInt10x6, 2, ChannelKind::Unsigned}, {unsignedInt12x4, 2, ChannelKind::Unsigned},
    {unsignedInt14x2, 2, ChannelKind::Unsigned}, {unormInt10x6, 2, ChannelKind::Float},
    {unormInt12x4, 2, ChannelKind::Float},       {unormInt14x2, 2, ChannelKind::Float}};

std::vector<ImageFormat> makeTable() {
  std::vector<ImageFormat> table;
  const auto add = [&](cl_channel_order order, std::uint32_t channels, std::span<const ChannelType> types) {
    for (const ChannelType& each : types)
      table.push_back({{order, each.type}, each.bytes * channels, channels, each.kind});
  };
  const auto addPacked = [&](cl_channel_order order, std::uint32_t channels, std::span<const ChannelType> types) {
    for (const ChannelType& each : types) table.push_back({{order, each.type}, each.bytes, channels, each.kind});
  };
  const auto addAll = [&](cl_channel_order order, std::uint32_t channels) {
    add(order, channels, normalised);
    add(order, channels, integers);
    add(order, channels, floats);
  };
  addAll(CL_RGBA, 4);
  addPacked(CL_RGBA, 4, packedRgba);
  add(CL_RGBA, 4, upperBits);
  add(CL_BGRA, 4, bytes);
  add(CL_ARGB, 4, bytes);
  add(CL_ABGR, 4, bytes);
  addPacked(CL_ABGR, 4, packedAbgr);
  add(CL_sRGBA, 4, unormBytes);
  add(CL_sBGRA, 4, unormBytes);
  addAll(CL_R, 1);
  add(CL_R, 1, upperBits);
  table.push_back({{CL_R, unsignedIntRaw10}, 2, 1, ChannelKind::Unsigned, 4, 5});
  table.push_back({{CL_R, unsignedIntRaw12}, 2, 1, ChannelKind::Unsigned, 2, 3});
  addAll(CL_A, 1);
  addAll(CL_RG, 2);
  add(CL_RG, 2, upperBits);
  addAll(CL_RA, 2);
  for (const cl_channel_order order : {CL_INTENSITY, CL_LUMINANCE}) {
    add(order, 1, normalised);
    add(order, 1, floats);
  }
  add(CL_DEPTH, 1, depths);
  addPacked(CL_RGB, 3, packedRgb);
  return table;
}

constexpr cl_channel_order orders[] = {CL_R,     CL_A,    CL_RG,    CL_RA,    CL_RGB,   CL_RGBA,         CL_BGRA,
                                       CL_ARGB,  CL_ABGR, CL_Rx,    CL_RGx,   CL_RGBx,  CL_INTENSITY,    CL_LUMINANCE,
                                       CL_DEPTH, CL_sRGB, CL_sRGBx, CL_sRGBA, CL_sBGRA, CL_DEPTH_STENCIL};

constexpr cl_channel_type types[] = {
    CL_SNORM_INT8,       CL_SNORM_INT16,        CL_UNORM_INT8,  CL_UNORM_INT16,  CL_UNORM_SHORT_565, CL_UNORM_SHORT_555,
    CL_UNORM_INT_101010, CL_UNORM_INT_101010_2, CL_SIGNED_INT8, CL_SIGNED_INT16, CL_SIGNED_INT32,    CL_UNSIGNED_INT8,
    CL_UNSIGNED_INT16,   CL_UNSIGNED_INT32,     CL_HALF_FLOAT,  CL_FLOAT,        CL_UNORM_INT24,     unormInt2_101010,
    unormInt10x6,        unormInt12x4,          unormInt14x2,   unsignedInt10x6, unsignedInt12x4,    unsignedInt14x2,
    unsignedIntRaw10,    unsignedIntRaw12};

}  // namespace

bool ImageFormat::isSrgb() const {
  return format.image_channel_order == CL_sRGBA || format.image_channel_order == CL_sBGRA;
}

bool ImageFormat::allows(cl_mem_object_type type) const {
  if (isDepth()) return type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
  return !isSrgb() || type != CL_MEM_OBJECT_IMAGE1D_BUFFER;
}

std::span<const ImageFormat> imageFormats() {
  static const auto* const table = new std::vector<ImageFormat>(makeTable());
  return *table;
}

const ImageFormat* findImageFormat(const cl_image_format& format) {
  for (const ImageFormat& each : imageFormats())
    if (each.format.image_channel_order == format.image_channel_order &&
        each.format.image_channel_data_type == format.image_channel_data_type)
      return &each;
  return nullptr;
}

bool isValidImageFormat(const cl_image_format& format) {
  const cl_channel_order order = format.image_channel_order;
  const cl_channel_type type = format.image_channel_data_type;
  if (std::ranges::find(orders, order) == std::end(orders) || std::ranges::find(types, type) == std::end(types))
    return false;
  switch (type) {
    case CL_UNORM_SHORT_565:
    case CL_UNORM_SHORT_555:
    case CL_UNORM_INT_101010: return order == CL_RGB || order == CL_RGBx;
    case CL_UNORM_INT_101010_2: return order == CL_RGBA;
    case unormInt2_101010: return order == CL_ABGR;
    case unormInt10x6:
    case unormInt12x4:
    case unormInt14x2:
    case unsignedInt10x6:
    case unsignedInt12x4:
    case unsignedInt14x2: return order == CL_R || order == CL_RG || order == CL_RGBA;
    case unsignedIntRaw10:
    case unsignedIntRaw12: return order == CL_R;
    case CL_UNORM_INT24: return order == CL_DEPTH_STENCIL;
    default: return order != CL_DEPTH_STENCIL || type == CL_FLOAT;
  }
}

}  // namespace clarity::core
