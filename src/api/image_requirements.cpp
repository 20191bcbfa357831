// SPDX-License-Identifier: Apache-2.0
// This file answers what an image needs before it is created (cl_ext_image_requirements_info; with it
// cl_ext_image_from_buffer).
#include "api/entry.h"
#include "api/entry_points.h"
#include "api/handle.h"
#include "api/image_create.h"
#include "api/info.h"
#include "api/memory_flags.h"
#include "api/new_extensions.h"
#include "core/constant_names.h"
#include "core/image_support.h"

#include <algorithm>
#include <bit>

namespace clarity::api {

using core::Context;
using core::Device;
using core::ImageFormat;

namespace {

/// The parameters of a query. A parameter that is null stands for all possible values, as does one that is 0 in queries
/// of the largest extents.
struct Requirements {
  const Context& context;
  const ImageFormat* format;
  const cl_image_desc* desc;

  cl_mem_object_type type() const { return desc ? desc->image_type : 0; }

  /// Bytes of an alignment that devices state in texels.
  std::size_t alignment(cl_uint device::ImageProperties::* texels) const {
    if (desc) requireDescribed(context, *desc);
    std::size_t bytes = 1;
    for (const ImageFormat& each : core::imageFormats())
      if (!format || format == &each) bytes = std::max<std::size_t>(bytes, each.pitchUnit());
    return std::bit_ceil(bytes * std::max<std::size_t>(largestAlignment(context, texels), 1));
  }

  /// The largest value among the devices, as an image may be as large as one of them supports; of several types of
  /// images the smallest. CL_INVALID_IMAGE_DESCRIPTOR if the type has no such dimension.
  struct Limit {
    cl_mem_object_type type;
    std::size_t device::ImageProperties::* member;
  };
  template <std::size_t N>
  cl_uint limit(const char* dimension, const Limit (&limits)[N]) const {
    std::size_t least = ~std::size_t{0};
    for (const Limit& each : limits) {
      if (type() != 0 && type() != each.type) continue;
      std::size_t largest = 0;
      for (const Ref<Device>& device : context.devices())
        largest = std::max(largest, device->properties().images.*each.member);
      least = std::min(least, largest);
    }
    failIf(least == ~std::size_t{0}, CL_INVALID_IMAGE_DESCRIPTOR, "{} has no {}", core::nameOfType(type()), dimension);
    return static_cast<cl_uint>(least);
  }

  std::size_t bytes() const {
    failIf(!format || !desc, CL_INVALID_VALUE, "CL_IMAGE_REQUIREMENTS_SIZE_EXT: {} is null",
           format ? "image_desc" : "image_format");
    return sizeOfImage(context, *format, *desc);
  }
};

using Images = device::ImageProperties;

constexpr Requirements::Limit widths[] = {
    {CL_MEM_OBJECT_IMAGE1D, &Images::maxWidth2D},       {CL_MEM_OBJECT_IMAGE1D_BUFFER, &Images::maxBufferTexels},
    {CL_MEM_OBJECT_IMAGE1D_ARRAY, &Images::maxWidth2D}, {CL_MEM_OBJECT_IMAGE2D, &Images::maxWidth2D},
    {CL_MEM_OBJECT_IMAGE2D_ARRAY, &Images::maxWidth2D}, {CL_MEM_OBJECT_IMAGE3D, &Images::maxWidth3D}};
constexpr Requirements::Limit heights[] = {{CL_MEM_OBJECT_IMAGE2D, &Images::maxHeight2D},
                                           {CL_MEM_OBJECT_IMAGE2D_ARRAY, &Images::maxHeight2D},
                                           {CL_MEM_OBJECT_IMAGE3D, &Images::maxHeight3D}};
constexpr Requirements::Limit depths[] = {{CL_MEM_OBJECT_IMAGE3D, &Images::maxDepth3D}};
constexpr Requirements::Limit layers[] = {{CL_MEM_OBJECT_IMAGE1D_ARRAY, &Images::maxArraySize},
                                          {CL_MEM_OBJECT_IMAGE2D_ARRAY, &Images::maxArraySize}};

const InfoRow<const Requirements> requirements[] = {
    INFO_ROW(size_t, CL_IMAGE_REQUIREMENTS_BASE_ADDRESS_ALIGNMENT_EXT, it.alignment(&Images::baseAddressAlignment)),
    INFO_ROW(size_t, CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT, it.alignment(&Images::pitchAlignment)),
    INFO_ROW(size_t, CL_IMAGE_REQUIREMENTS_SLICE_PITCH_ALIGNMENT_EXT, it.alignment(&Images::pitchAlignment)),
    INFO_ROW(size_t, CL_IMAGE_REQUIREMENTS_SIZE_EXT, it.bytes()),
    INFO_ROW(cl_uint, CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT, it.limit("width", widths)),
    INFO_ROW(cl_uint, CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT, it.limit("height", heights)),
    INFO_ROW(cl_uint, CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT, it.limit("depth", depths)),
    INFO_ROW(cl_uint, CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT, it.limit("array size", layers)),
};

}  // namespace

cl_int clGetImageRequirementsInfoEXT(cl_context context, const cl_mem_properties* properties, cl_mem_flags flags,
                                     const cl_image_format* image_format, const cl_image_desc* image_desc,
                                     cl_image_requirements_info_ext param_name, size_t param_value_size,
                                     void* param_value, size_t* param_value_size_ret) {
  return entry([&] {
    const Context& it = ref<Context>(context);
    failIf(!core::supportsImages(it), CL_INVALID_OPERATION, "no device of the context supports images");
    // CL_INVALID_PROPERTY if a property name in properties is not a supported property name: images have none.
    failIf(properties && *properties != 0, CL_INVALID_PROPERTY, "image property {:#x} is not supported",
           properties ? *properties : 0);
    // CL_INVALID_VALUE if values specified in flags are not valid.
    requireMemoryFlags(flags & ~cl_mem_flags{CL_MEM_KERNEL_READ_AND_WRITE}, bufferFlags | CL_MEM_IMMUTABLE_EXT);
    // CL_INVALID_IMAGE_DESCRIPTOR if values specified in image_desc are not valid.
    const cl_mem_object_type type = image_desc ? image_desc->image_type : 0;
    failIf(type != 0 && (type < CL_MEM_OBJECT_IMAGE2D || type > CL_MEM_OBJECT_IMAGE1D_BUFFER),
           CL_INVALID_IMAGE_DESCRIPTOR, "image_type is {}", core::ConstantName{type});
    // CL_INVALID_IMAGE_FORMAT_DESCRIPTOR if values specified in image_format are not valid.
    const ImageFormat* const format =
        image_format ? &formatOf(it, image_format, type ? type : CL_MEM_OBJECT_IMAGE2D) : nullptr;
    const Requirements wanted{it, format, image_desc};
    answer(requirements, wanted, param_name, param_value_size, param_value, param_value_size_ret);
  });
}

}  // namespace clarity::api
