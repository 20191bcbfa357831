// SPDX-License-Identifier: Apache-2.0
// This file creates images and answers queries about them (OpenCL 3.0, sections 5.3.1, 5.3.2 and 5.3.7).
#include "api/entry.h"
#include "api/entry_points.h"
#include "api/handle.h"
#include "api/image_create.h"
#include "api/info.h"
#include "api/memory_flags.h"
#include "core/constant_names.h"
#include "core/image_support.h"

#include <algorithm>
#include <vector>

namespace clarity::api {

using core::Context;
using core::Device;
using core::ImageDescription;
using core::ImageFormat;
using core::Memory;

namespace {

/// An image, described.
struct Image {
  const Memory& memory;
  const ImageDescription& description;

  bool isPlane() const { return description.type == CL_MEM_OBJECT_IMAGE2D; }
  size_t slicePitch() const {
    return description.isArray() || description.type == CL_MEM_OBJECT_IMAGE3D ? description.slicePitch : 0;
  }
  /// Sizes that the type does not have are 0.
  size_t height() const {
    const bool has = isPlane() || description.type == CL_MEM_OBJECT_IMAGE2D_ARRAY || depth() != 0;
    return has ? description.height : 0;
  }
  size_t depth() const { return description.type == CL_MEM_OBJECT_IMAGE3D ? description.depth : 0; }
  /// The buffer that it was made of; of an image of an image none is named.
  cl_mem buffer() const {
    Memory* const parent = memory.parent();
    return parent && !parent->image() ? parent->handle() : nullptr;
  }
};

const InfoRow<const Image> imageInfo[] = {
    INFO_ROW(cl_image_format, CL_IMAGE_FORMAT, it.description.format->format),
    INFO_ROW(size_t, CL_IMAGE_ELEMENT_SIZE, it.description.format->texelBytes),
    INFO_ROW(size_t, CL_IMAGE_ROW_PITCH, it.description.rowPitch),
    INFO_ROW(size_t, CL_IMAGE_SLICE_PITCH, it.slicePitch()),
    INFO_ROW(size_t, CL_IMAGE_WIDTH, it.description.width),
    INFO_ROW(size_t, CL_IMAGE_HEIGHT, it.height()),
    INFO_ROW(size_t, CL_IMAGE_DEPTH, it.depth()),
    INFO_ROW(size_t, CL_IMAGE_ARRAY_SIZE, it.description.isArray() ? it.description.layers : 0),
    INFO_ROW(cl_mem, CL_IMAGE_BUFFER, it.buffer()),
    INFO_ROW(cl_uint, CL_IMAGE_NUM_MIP_LEVELS, it.description.mipLevels),
    INFO_ROW(cl_uint, CL_IMAGE_NUM_SAMPLES, 0),
};

/// Whether a device of the context has images of this format and type.
bool isSupported(const Context& context, const ImageFormat& format, cl_mem_object_type type) {
  return format.allows(type) && std::ranges::any_of(context.devices(), [&](const Ref<Device>& device) {
           const device::ImageProperties& images = device->properties().images;
           return images.supported && (images.depth || !format.isDepth());
         });
}

}  // namespace

cl_mem clCreateImage(cl_context context, cl_mem_flags flags, const cl_image_format* image_format,
                     const cl_image_desc* image_desc, void* host_ptr, cl_int* errcode_ret) {
  return entry(errcode_ret, [&] {
    return createImage(ref<Context>(context), {}, flags, image_format, image_desc, host_ptr).handOut();
  });
}

cl_mem clCreateImageWithProperties(cl_context context, const cl_mem_properties* properties, cl_mem_flags flags,
                                   const cl_image_format* image_format, const cl_image_desc* image_desc, void* host_ptr,
                                   cl_int* errcode_ret) {
  return entry(errcode_ret, [&] {
    Context& it = ref<Context>(context);
    return createImage(it, readMemoryProperties(it, properties, false), flags, image_format, image_desc, host_ptr)
        .handOut();
  });
}

cl_mem clCreateImage2D(cl_context context, cl_mem_flags flags, const cl_image_format* image_format, size_t image_width,
                       size_t image_height, size_t image_row_pitch, void* host_ptr, cl_int* errcode_ret) {
  return entry(errcode_ret, [&] {
    cl_image_desc desc{};
    desc.image_type = CL_MEM_OBJECT_IMAGE2D;
    desc.image_width = image_width;
    desc.image_height = image_height;
    desc.image_row_pitch = image_row_pitch;
    return createImage(ref<Context>(context), {}, flags, image_format, &desc, host_ptr, CL_INVALID_IMAGE_SIZE)
        .handOut();
  });
}

cl_mem clCreateImage3D(cl_context context, cl_mem_flags flags, const cl_image_format* image_format, size_t image_width,
                       size_t image_height, size_t image_depth, size_t image_row_pitch, size_t image_slice_pitch,
                       void* host_ptr, cl_int* errcode_ret) {
  return entry(errcode_ret, [&] {
    Context& it = ref<Context>(context);
    // CL_INVALID_IMAGE_SIZE if image_depth <= 1.
    failIf(core::supportsImages(it) && image_depth <= 1, CL_INVALID_IMAGE_SIZE, "image_depth is {}, expected 2 or more",
           image_depth);
    cl_image_desc desc{};
    desc.image_type = CL_MEM_OBJECT_IMAGE3D;
    desc.image_width = image_width;
    desc.image_height = image_height;
    desc.image_depth = image_depth;
    desc.image_row_pitch = image_row_pitch;
    desc.image_slice_pitch = image_slice_pitch;
    return createImage(it, {}, flags, image_format, &desc, host_ptr, CL_INVALID_IMAGE_SIZE).handOut();
  });
}

cl_int clGetSupportedImageFormats(cl_context context, cl_mem_flags flags, cl_mem_object_type image_type,
                                  cl_uint num_entries, cl_image_format* image_formats, cl_uint* num_image_formats) {
  return entry([&] {
    Context& it = ref<Context>(context);
    // CL_INVALID_VALUE if flags or image_type are not valid, or if num_entries is 0 and image_formats is not NULL.
    requireMemoryFlags(flags & ~cl_mem_flags{CL_MEM_KERNEL_READ_AND_WRITE}, bufferFlags | CL_MEM_IMMUTABLE_EXT);
    failIf(image_type < CL_MEM_OBJECT_IMAGE2D || image_type > CL_MEM_OBJECT_IMAGE1D_BUFFER, CL_INVALID_VALUE,
           "image_type is {}", core::ConstantName{image_type});
    failIf(num_entries == 0 && image_formats, CL_INVALID_VALUE, "num_entries is 0 and image_formats is {}",
           static_cast<const void*>(image_formats));
    cl_uint count = 0;
    for (const ImageFormat& each : core::imageFormats()) {
      if (!isSupported(it, each, image_type)) continue;
      if (flags & CL_MEM_KERNEL_READ_AND_WRITE && !each.allowsReadWrite()) continue;
      if (!(flags & CL_MEM_READ_ONLY) && !each.allowsWrite()) continue;
      if (image_formats && count < num_entries) image_formats[count] = each.format;
      ++count;
    }
    if (num_image_formats) *num_image_formats = count;
  });
}

cl_int clGetImageInfo(cl_mem image, cl_image_info param_name, size_t param_value_size, void* param_value,
                      size_t* param_value_size_ret) {
  return entry([&] {
    const Memory& it = ref<Memory>(image);
    // CL_INVALID_MEM_OBJECT if image is not a valid image object.
    failIf(!it.image(), CL_INVALID_MEM_OBJECT, "{} is {}, not an image", static_cast<const void*>(image),
           core::nameOfType(it.type()));
    const Image described{it, *it.image()};
    answer(imageInfo, described, param_name, param_value_size, param_value, param_value_size_ret);
  });
}

}  // namespace clarity::api
