// SPDX-License-Identifier: Apache-2.0
// This file is what the tests of images start from: images of every type, their content as a box of texels in host
// memory, and what the enqueue functions of images have in common.
#pragma once

#include "enqueue_checks.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace clarity::test {

using Triple = std::array<size_t, 3>;

/// Texels in a box of width x height x depth, without gaps. Layers of an array are its last extent that is not 1.
struct Box {
  Triple extent{1, 1, 1};
  size_t texelBytes = 4;
  std::vector<unsigned char> bytes;

  Box(Triple its, size_t texel, unsigned start = 0)
      : extent(its), texelBytes(texel), bytes(its[0] * its[1] * its[2] * texel) {
    for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(start + i * 7 + i / 251);
  }
  unsigned char* at(size_t x, size_t y, size_t z) {
    return bytes.data() + ((z * extent[1] + y) * extent[0] + x) * texelBytes;
  }
  const unsigned char* at(size_t x, size_t y, size_t z) const { return const_cast<Box*>(this)->at(x, y, z); }
  /// Calls with every row of a region: visit(pointer to its first texel, y, z), y and z counted in the region.
  template <class Visit>
  void rows(const Triple& origin, const Triple& region, Visit visit) {
    for (size_t z = 0; z < region[2]; ++z)
      for (size_t y = 0; y < region[1]; ++y) visit(at(origin[0], origin[1] + y, origin[2] + z), y, z);
  }
  bool operator==(const Box&) const = default;
};

/// One image to be made.
struct ImageShape {
  const char* what;
  cl_mem_object_type type;
  Triple extent;  ///< as regions have it: of a 1D array the layers are extent[1], of a 2D array extent[2]
};

/// All types, with extents that are no powers of two.
inline std::vector<ImageShape> imageShapes() {
  return {{"1D", CL_MEM_OBJECT_IMAGE1D, {37, 1, 1}},
          {"1D buffer", CL_MEM_OBJECT_IMAGE1D_BUFFER, {37, 1, 1}},
          {"1D array", CL_MEM_OBJECT_IMAGE1D_ARRAY, {19, 5, 1}},
          {"2D", CL_MEM_OBJECT_IMAGE2D, {19, 7, 1}},
          {"2D array", CL_MEM_OBJECT_IMAGE2D_ARRAY, {9, 7, 4}},
          {"3D", CL_MEM_OBJECT_IMAGE3D, {9, 7, 5}}};
}

inline cl_image_desc describe(cl_mem_object_type type, const Triple& extent) {
  cl_image_desc desc{};
  desc.image_type = type;
  desc.image_width = extent[0];
  desc.image_height = extent[1];
  desc.image_depth = extent[2];
  desc.image_array_size = type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? extent[1] : extent[2];
  return desc;
}

struct ImageTest : OpenCL {
  static constexpr cl_image_format rgba8{CL_RGBA, CL_UNORM_INT8};  ///< texels of 4 bytes
  static constexpr Triple zero{0, 0, 0};
  /// cl_ext_image_raw10_raw12: 4 texels in 5 bytes, 2 texels in 3.
  static constexpr cl_image_format raw10{CL_R, 0x10E3}, raw12{CL_R, 0x10E4};

  /// An image with this content, by default of 4 bytes a texel.
  cl_mem imageOf(const ImageShape& shape, const Box& content, const cl_image_format& format = rgba8) {
    cl_image_desc desc = describe(shape.type, shape.extent);
    if (shape.type == CL_MEM_OBJECT_IMAGE1D_BUFFER) {
      desc.buffer = bufferOf(content.bytes);
      return image(desc, CL_MEM_READ_WRITE, nullptr, format);
    }
    return image(desc, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, const_cast<unsigned char*>(content.bytes.data()),
                 format);
  }
  cl_mem image(const cl_image_desc& desc, cl_mem_flags flags = CL_MEM_READ_WRITE, void* host = nullptr,
               const cl_image_format& format = rgba8, std::source_location where = std::source_location::current()) {
    return created([&](cl_int* e) { return clCreateImage(context, flags, &format, &desc, host, e); }, where);
  }
  /// A 2D image.
  cl_mem image2D(size_t width, size_t height, cl_mem_flags flags = CL_MEM_READ_WRITE, void* host = nullptr,
                 const cl_image_format& format = rgba8, std::source_location where = std::source_location::current()) {
    return image(describe(CL_MEM_OBJECT_IMAGE2D, {width, height, 1}), flags, host, format, where);
  }
  cl_mem imageOfAnotherContext() {
    const cl_image_desc desc = describe(CL_MEM_OBJECT_IMAGE2D, {8, 8, 1});
    cl_context other = otherContext();
    return created([&](cl_int* e) { return clCreateImage(other, 0, &rgba8, &desc, nullptr, e); });
  }

  /// The whole content of an image, read with a blocking call.
  Box contentOf(cl_mem image, const Triple& extent, size_t texelBytes = 4, cl_command_queue on = nullptr) {
    Box box(extent, texelBytes);
    std::fill(box.bytes.begin(), box.bytes.end(), static_cast<unsigned char>(0xEE));
    EXPECT_SUCCESS(clEnqueueReadImage(on ? on : queue, image, CL_TRUE, zero.data(), extent.data(), 0, 0,
                                      box.bytes.data(), 0, nullptr, nullptr));
    return box;
  }

  /// A call with an image, an origin and a region: the rules that all enqueue functions of images share.
  using Call = std::function<cl_int(cl_mem image, const size_t* origin, const size_t* region)>;

  /// CL_INVALID_MEM_OBJECT for what is no image, CL_INVALID_CONTEXT for an image of another context.
  void expectImageChecked(const Call& call) {
    const Triple one{1, 1, 1};
    for (const auto& bad : badHandles<cl_mem>(*this))
      EXPECT_CL(CL_INVALID_MEM_OBJECT, call(bad.handle, zero.data(), one.data())) << "the image is " << bad.what;
    EXPECT_CL(CL_INVALID_MEM_OBJECT, call(buffer(64), zero.data(), one.data())) << "the image is a buffer";
    EXPECT_CL(CL_INVALID_CONTEXT, call(imageOfAnotherContext(), zero.data(), one.data()));
  }
  /// Origin and region: null, 0 or outside in any dimension, more than the type has.
  void expectRegionChecked(const Call& call) {
    for (const ImageShape& shape : imageShapes()) {
      SCOPED_TRACE(shape.what);
      cl_mem made = imageOf(shape, Box(shape.extent, 4));
      const Triple whole = shape.extent;
      EXPECT_SUCCESS(call(made, zero.data(), whole.data()));
      EXPECT_CL(CL_INVALID_VALUE, call(made, nullptr, whole.data()));
      EXPECT_CL(CL_INVALID_VALUE, call(made, zero.data(), nullptr));
      for (size_t d = 0; d < 3; ++d) {
        Triple origin = zero, region = whole;
        region[d] = 0;
        EXPECT_CL(CL_INVALID_VALUE, call(made, origin.data(), region.data())) << "region[" << d << "] is 0";
        region[d] = whole[d] + 1;
        EXPECT_CL(CL_INVALID_VALUE, call(made, origin.data(), region.data())) << "region[" << d << "] is too large";
        region[d] = whole[d];
        origin[d] = 1;
        EXPECT_CL(CL_INVALID_VALUE, call(made, origin.data(), region.data())) << "origin[" << d << "] leads outside";
        region[d] = 1;
        for (const size_t far : {whole[d], SIZE_MAX}) {
          origin[d] = far;
          EXPECT_CL(CL_INVALID_VALUE, call(made, origin.data(), region.data())) << "origin[" << d << "] is outside";
        }
        origin[d] = 1;
        region[d] = SIZE_MAX;
        EXPECT_CL(CL_INVALID_VALUE, call(made, origin.data(), region.data())) << "their sum does not fit";
      }
    }
    EXPECT_TRUE(wasNotifiedOf(SIZE_MAX)) << "the message names no value:\n" << allNotified();
  }
  /// Regions of raw images consist of whole blocks.
  void expectBlocksChecked(const Call& call) {
    cl_mem made = image2D(16, 2, CL_MEM_READ_ONLY, nullptr, raw10);
    const auto with = [&](size_t origin, size_t region) {
      const Triple from{origin, 0, 0}, size{region, 2, 1};
      return call(made, from.data(), size.data());
    };
    EXPECT_SUCCESS(with(4, 8));
    EXPECT_CL(CL_INVALID_VALUE, with(2, 8));
    EXPECT_CL(CL_INVALID_VALUE, with(4, 7));
    made = image2D(16, 2, CL_MEM_READ_ONLY, nullptr, raw12);
    EXPECT_SUCCESS(with(2, 6));
    EXPECT_CL(CL_INVALID_VALUE, with(1, 6));
    EXPECT_CL(CL_INVALID_VALUE, with(2, 5));
  }
  /// A mipmap has the levels that it was made with, named by the number of the origin that its type leaves over.
  void expectLevelsChecked(const Call& call) {
    for (const ImageShape& shape : imageShapes()) {
      if (shape.type == CL_MEM_OBJECT_IMAGE1D_BUFFER) continue;
      SCOPED_TRACE(shape.what);
      cl_image_desc desc = describe(shape.type, shape.extent);
      desc.num_mip_levels = 3;
      cl_mem made = image(desc);
      const size_t at = levelIndex(shape.type);
      std::array<size_t, 4> origin{};
      Triple region{1, 1, 1};
      origin[at] = 2;
      EXPECT_SUCCESS(call(made, origin.data(), region.data()));
      for (const size_t level : {size_t{3}, SIZE_MAX}) {
        origin[at] = level;
        EXPECT_CL(CL_INVALID_MIP_LEVEL, call(made, origin.data(), region.data())) << level;
      }
      // Levels become smaller, but for the layers of arrays.
      origin[at] = 2;
      region = shape.extent;
      EXPECT_CL(CL_INVALID_VALUE, call(made, origin.data(), region.data()));
      region = levelExtent(shape, 2);
      EXPECT_SUCCESS(call(made, origin.data(), region.data()));
    }
  }
  static size_t levelIndex(cl_mem_object_type type) {
    switch (type) {
      case CL_MEM_OBJECT_IMAGE1D: return 1;
      case CL_MEM_OBJECT_IMAGE1D_ARRAY:
      case CL_MEM_OBJECT_IMAGE2D: return 2;
      default: return 3;
    }
  }
  static Triple levelExtent(const ImageShape& shape, unsigned level) {
    Triple result = shape.extent;
    const bool layers1D = shape.type == CL_MEM_OBJECT_IMAGE1D_ARRAY,
               layers2D = shape.type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
    for (size_t d = 0; d < 3; ++d)
      if (!(layers1D && d == 1) && !(layers2D && d == 2)) result[d] = std::max<size_t>(result[d] >> level, 1);
    return result;
  }
};

}  // namespace clarity::test
