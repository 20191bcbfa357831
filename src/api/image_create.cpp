// SPDX-License-Identifier: Apache-2.0
// This file checks descriptors of images (OpenCL 3.0, sections 5.3.1.1 and 5.3.1.2).
#include "api/image_create.h"

#include "api/handle.h"
#include "api/memory_flags.h"
#include "api/new_extensions.h"
#include "core/constant_names.h"
#include "core/image_support.h"
#include "support/checked.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

namespace clarity::api {

using core::ConstantName;
using core::Context;
using core::Device;
using core::FormatNames;
using core::ImageDescription;
using core::ImageFormat;
using core::Memory;
using core::MemoryFlagNames;

namespace {

/// Type, extent and levels of the application's descriptor; what a type has not is 1.
ImageDescription extentOf(const cl_image_desc& desc, const ImageFormat* format) {
  ImageDescription image;
  image.type = desc.image_type;
  image.format = format;
  image.width = desc.image_width;
  image.mipLevels = desc.num_mip_levels;
  const bool plane = desc.image_type == CL_MEM_OBJECT_IMAGE2D || desc.image_type == CL_MEM_OBJECT_IMAGE2D_ARRAY ||
                     desc.image_type == CL_MEM_OBJECT_IMAGE3D;
  if (plane) image.height = desc.image_height;
  if (desc.image_type == CL_MEM_OBJECT_IMAGE3D) image.depth = desc.image_depth;
  if (image.isArray()) image.layers = desc.image_array_size;
  return image;
}

/// CL_INVALID_IMAGE_SIZE or another code if the extent is 0 or exceeds the maxima of all devices in the context.
void requireExtent(const Context& context, const ImageDescription& image, cl_int code = CL_INVALID_IMAGE_SIZE) {
  const bool supported = std::ranges::any_of(
      context.devices(), [&](const Ref<Device>& device) { return core::supportsExtent(device, image); });
  const bool empty = image.width == 0 || image.height == 0 || image.depth == 0 || image.layers == 0;
  failIf(empty || !supported, code, "{} of {} x {} x {} texels in {} layers {}", core::nameOfType(image.type),
         image.width, image.height, image.depth, image.layers,
         empty ? "has no texels" : "is larger than any device of the context supports");
}

/// cl_ext_image_raw10_raw12: rows consist of whole blocks.
void requireBlocks(const ImageDescription& image) {
  const ImageFormat& format = *image.format;
  failIf(image.width % format.blockTexels != 0, CL_INVALID_IMAGE_DESCRIPTOR,
         "image_width is {}, no multiple of the {} texels that share {} bytes", image.width, format.blockTexels,
         format.blockBytes);
}

/// CL_IMAGE_FORMAT_NOT_SUPPORTED if kernels could write an image whose format does not allow it.
void requireWritable(const ImageFormat& format, cl_mem_flags flags) {
  failIf(!format.allowsWrite() && !(flags & CL_MEM_READ_ONLY), CL_IMAGE_FORMAT_NOT_SUPPORTED,
         "flags {}: an image of channel type {} must have CL_MEM_READ_ONLY", MemoryFlagNames{flags},
         ConstantName{format.format.image_channel_data_type});
}

/// Fills in the pitches. `error` if they are not 0 without host memory or a buffer to describe, or do not suit the
/// extent.
void setPitches(ImageDescription& image, const cl_image_desc& desc, bool mayHavePitches, cl_int error) {
  const std::size_t unit = image.format->pitchUnit(), tightRow = image.format->bytesOf(image.width);
  const std::size_t row = desc.image_row_pitch, slice = desc.image_slice_pitch;
  failIf((row != 0 || slice != 0) && !mayHavePitches, error,
         "row pitch {} and slice pitch {} must be 0 for an image whose memory the application does not give", row,
         slice);
  failIf(row != 0 && (row < tightRow || row % unit != 0), error,
         "row pitch {} is less than the {} bytes of {} texels, or no multiple of {} bytes", row, tightRow, image.width,
         unit);
  image.rowPitch = row != 0 ? row : tightRow;
  failIf(image.rowPitch > std::numeric_limits<std::uint32_t>::max(), error, "row pitch {} does not fit in 32 bits",
         image.rowPitch);
  const auto tightSlice = support::checkedProduct(image.rowPitch, image.height);
  const bool hasSlices = image.type == CL_MEM_OBJECT_IMAGE3D || image.isArray();
  // The slice pitch of an image without slices is not looked at.
  failIf(!tightSlice || (hasSlices && slice != 0 && (slice < *tightSlice || slice % image.rowPitch != 0)), error,
         "slice pitch {} is less than {} rows of {} bytes, or no multiple of a row", slice, image.height,
         image.rowPitch);
  image.slicePitch = hasSlices && slice != 0 ? slice : *tightSlice;
  const auto all = support::checkedProduct(image.slicePitch, image.depth * image.layers);
  failIf(!all || *all > std::numeric_limits<std::size_t>::max() / 2, error,
         "{} slices of {} bytes do not fit in the address space", image.depth * image.layers, image.slicePitch);
}

/// cl_khr_mipmap_image: which images have levels.
void requireLevels(const ImageDescription& image, cl_mem_flags flags, const void* hostPtr, bool ofMemoryObject) {
  if (image.levels() == 1) return;
  failIf(
      image.type == CL_MEM_OBJECT_IMAGE1D_BUFFER || image.format->isDepth() || image.format->blockTexels > 1 ||
          ofMemoryObject,
      CL_INVALID_IMAGE_DESCRIPTOR,
      "num_mip_levels is {} for {} of {}: image buffers, depth images, images of raw formats and images that are made "
      "of memory objects have one level",
      image.mipLevels, core::nameOfType(image.type), FormatNames{image.format->format});
  const cl_uint most = core::mostLevels(image.width, image.height, image.depth);
  failIf(image.mipLevels > most, CL_INVALID_IMAGE_DESCRIPTOR,
         "num_mip_levels is {}; an image of {} x {} x {} texels has {} levels", image.mipLevels, image.width,
         image.height, image.depth, most);
  failIf(flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR), CL_INVALID_VALUE,
         "flags {}: an image of {} levels is not made of host memory", MemoryFlagNames{flags}, image.mipLevels);
  failIf(hostPtr, CL_INVALID_HOST_PTR, "host_ptr is {}: an image of {} levels is not made of host memory", hostPtr,
         image.mipLevels);
}

/// Whether texels of the order `was` may be seen as `wanted` (table "compatible image channel orders").
bool isCompatible(cl_channel_order wanted, cl_channel_order was) {
  constexpr cl_channel_order pairs[][2] = {
      {CL_sBGRA, CL_BGRA}, {CL_sRGBA, CL_RGBA}, {CL_sRGB, CL_RGB}, {CL_sRGBx, CL_RGBx}};
  for (const auto& [srgb, linear] : pairs)
    if ((wanted == srgb && was == linear) || (wanted == linear && was == srgb)) return true;
  return wanted == CL_DEPTH && was == CL_R;
}

/// Conditions for an image of an image: the same description but for the order.
void requireView(const ImageDescription& view, const cl_image_desc& desc, const ImageDescription& of) {
  const bool same = desc.image_type == of.type && view.width == of.width && view.height == of.height &&
                    (desc.image_row_pitch == 0 || desc.image_row_pitch == of.rowPitch) && desc.image_slice_pitch == 0 &&
                    view.levels() == of.levels();
  failIf(!same, CL_INVALID_IMAGE_DESCRIPTOR,
         "{} of {} x {} texels with row pitch {} and slice pitch {} is not like the image that it is to be made of, {} "
         "of {} x {} texels with row pitch {}",
         core::nameOfType(view.type), view.width, view.height, desc.image_row_pitch, desc.image_slice_pitch,
         core::nameOfType(of.type), of.width, of.height, of.rowPitch);
  const cl_image_format &wanted = view.format->format, &was = of.format->format;
  // CL_INVALID_IMAGE_FORMAT_DESCRIPTOR: the type must be the same and the order compatible.
  failIf(wanted.image_channel_data_type != was.image_channel_data_type ||
             !isCompatible(wanted.image_channel_order, was.image_channel_order),
         CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "{} of an image that is to be made of one with {}", FormatNames{wanted},
         FormatNames{was});
}

/// The pitches of an image of a buffer, as far as its type has them (cl_khr_image2d_from_buffer,
/// cl_ext_image_from_buffer). CL_INVALID_IMAGE_FORMAT_DESCRIPTOR if they are not aligned: this comes before what
/// setPitches() says of pitches that the application gives.
void requireAlignedPitches(const Context& context, const ImageDescription& image, std::size_t row, std::size_t slice) {
  if (image.type == CL_MEM_OBJECT_IMAGE1D_BUFFER) return;
  const std::size_t texel = image.format->pitchUnit();
  const std::size_t pitch = largestAlignment(context, &device::ImageProperties::pitchAlignment) * texel;
  failIf(pitch == 0, CL_INVALID_OPERATION, "no device of the context supports images of buffers");
  const bool hasRows = image.height > 1 || image.type == CL_MEM_OBJECT_IMAGE2D || image.isArray();
  failIf(hasRows && row % pitch != 0, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
         "row pitch {} is no multiple of {} bytes, CL_DEVICE_IMAGE_PITCH_ALIGNMENT texels of {} bytes", row, pitch,
         texel);
  failIf(image.depth * image.layers > 1 && slice % pitch != 0, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
         "slice pitch {} is no multiple of {} bytes, CL_DEVICE_IMAGE_PITCH_ALIGNMENT texels of {} bytes", slice, pitch,
         texel);
}

/// Conditions for an image of a buffer beside its pitches: the alignment of its memory, and that it is large enough.
void requireBuffer(const Context& context, const ImageDescription& image, const Memory& buffer) {
  const std::size_t texel = image.format->pitchUnit();
  // CL_INVALID_IMAGE_FORMAT_DESCRIPTOR if an image is created from a buffer and the base address alignment does not
  // follow the rules.
  const std::size_t base =
      std::max<std::size_t>(largestAlignment(context, &device::ImageProperties::baseAddressAlignment), 1) * texel;
  failIf(reinterpret_cast<std::uintptr_t>(buffer.hostPtr()) % base != 0, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
         "the buffer's host_ptr {} is no multiple of {} bytes, CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT texels of {} "
         "bytes",
         buffer.hostPtr(), base, texel);
  // CL_INVALID_IMAGE_SIZE: the buffer is too small.
  failIf(image.bytes() > buffer.size(), CL_INVALID_IMAGE_SIZE, "{} of {} x {} texels needs {} bytes, the buffer has {}",
         core::nameOfType(image.type), image.width, image.height, image.bytes(), buffer.size());
}

/// The memory object that an image is made of, or null.
Memory* parentOf(const Context& context, const cl_image_desc& desc) {
  const bool needsOne = desc.image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER;
  // CL_INVALID_IMAGE_DESCRIPTOR: a 1D image buffer has a buffer, other images may have one (cl_ext_image_from_buffer),
  // and a 2D image may have an image.
  failIf(needsOne && !desc.buffer, CL_INVALID_IMAGE_DESCRIPTOR, "a 1D image buffer is made of a buffer, none is given");
  if (!desc.buffer) return nullptr;
  const auto* const handle = static_cast<const void*>(desc.buffer);
  RefPtr<Memory> parent = Memory::fromHandle(desc.buffer);
  failIf(!parent || parent->pipe() || (desc.image_type != CL_MEM_OBJECT_IMAGE2D && parent->image()),
         CL_INVALID_IMAGE_DESCRIPTOR, "mem_object {} is {}, of which {} is not made", handle,
         parent ? core::nameOfType(parent->type()) : "no memory object", core::nameOfType(desc.image_type));
  failIf(&parent->context() != &context, CL_INVALID_CONTEXT, "mem_object {} is of another context", handle);
  return &CallScope::current().keep(std::move(parent));
}

Memory& createOf(Context& context, Memory& parent, ImageDescription image, const cl_image_desc& desc,
                 cl_mem_flags flags, std::vector<cl_mem_properties> properties, cl_int pitchError) {
  const cl_mem_flags complete = inheritedFlags(parent, flags);
  requireWritable(*image.format, complete);
  requireLevels(image, flags, nullptr, true);
  if (const ImageDescription* const of = parent.image()) {
    requireView(image, desc, *of);
    image.rowPitch = of->rowPitch;
    image.slicePitch = of->slicePitch;
  } else {
    const bool holdsRow = desc.image_row_pitch >= image.format->bytesOf(image.width);
    requireAlignedPitches(context, image, holdsRow ? desc.image_row_pitch : 0, desc.image_slice_pitch);
    setPitches(image, desc, true, pitchError);
    requireAlignedPitches(context, image, image.rowPitch, image.slicePitch);
    requireBuffer(context, image, parent);
  }
  return *new Memory(parent, complete, image, std::move(properties));
}

}  // namespace

cl_uint largestAlignment(const Context& context, cl_uint device::ImageProperties::* alignment) {
  cl_uint largest = 0;
  for (const Ref<Device>& device : context.devices())
    largest = std::max(largest, device->properties().images.*alignment);
  return largest;
}

void requireDescribed(const Context& context, const cl_image_desc& desc) {
  failIf(desc.image_type == 0, CL_INVALID_IMAGE_DESCRIPTOR, "image_type is 0");
  requireExtent(context, extentOf(desc, nullptr), CL_INVALID_IMAGE_DESCRIPTOR);
}

std::size_t sizeOfImage(const Context& context, const ImageFormat& format, const cl_image_desc& desc) {
  requireDescribed(context, desc);
  ImageDescription image = extentOf(desc, &format);
  requireBlocks(image);
  requireLevels(image, 0, nullptr, false);
  setPitches(image, desc, true, CL_INVALID_IMAGE_DESCRIPTOR);
  return image.bytes();
}

const ImageFormat& formatOf(const Context& context, const cl_image_format* format, cl_mem_object_type type) {
  // CL_INVALID_IMAGE_FORMAT_DESCRIPTOR if values specified in image_format are not valid or if image_format is NULL.
  failIf(!format, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "image_format is null");
  failIf(!core::isValidImageFormat(*format), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "{} are no image format",
         FormatNames{*format});
  // CL_IMAGE_FORMAT_NOT_SUPPORTED if there are no devices in context that support image_format.
  const ImageFormat* const found = core::findImageFormat(*format);
  const bool depth = std::ranges::any_of(context.devices(),
                                         [](const Ref<Device>& device) { return device->properties().images.depth; });
  failIf(!found || !found->allows(type) || (found->isDepth() && !depth), CL_IMAGE_FORMAT_NOT_SUPPORTED,
         "{} are not supported for {}", FormatNames{*format}, core::nameOfType(type));
  return *found;
}

Memory& createImage(Context& context, MemoryProperties properties, cl_mem_flags flags, const cl_image_format* format,
                    const cl_image_desc* desc, void* hostPtr, cl_int pitchError) {
  // CL_INVALID_OPERATION if there are no devices in context that support images.
  failIf(!core::supportsImages(context), CL_INVALID_OPERATION, "no device of the context supports images");
  // CL_INVALID_VALUE if values specified in flags are not valid.
  requireMemoryFlags(flags, bufferFlags | CL_MEM_IMMUTABLE_EXT);
  requireNoHostMemory(properties, flags, hostPtr);
  failIf(!format, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "image_format is null");
  // CL_INVALID_IMAGE_DESCRIPTOR if values specified in image_desc are not valid or if image_desc is NULL.
  failIf(!desc, CL_INVALID_IMAGE_DESCRIPTOR, "image_desc is null");
  failIf(desc->image_type < CL_MEM_OBJECT_IMAGE2D || desc->image_type > CL_MEM_OBJECT_IMAGE1D_BUFFER,
         CL_INVALID_IMAGE_DESCRIPTOR, "image_type is {}", ConstantName{desc->image_type});
  failIf(desc->num_samples != 0, CL_INVALID_IMAGE_DESCRIPTOR, "num_samples is {}, expected 0", desc->num_samples);
  Memory* const parent = parentOf(context, *desc);
  const ImageFormat& row = formatOf(context, format, desc->image_type);
  ImageDescription image = extentOf(*desc, &row);
  requireExtent(context, image);
  requireBlocks(image);
  // CL_INVALID_HOST_PTR if host_ptr is NULL and CL_MEM_USE_HOST_PTR or CL_MEM_COPY_HOST_PTR are set in flags, or if it
  // is not NULL but neither is set.
  requireHostPtr(flags, hostPtr);
  const bool isExternal = properties.descriptor.has_value();
  failIf(parent && isExternal, CL_INVALID_IMAGE_DESCRIPTOR,
         "mem_object {} is given for an image of an external memory handle", static_cast<const void*>(desc->buffer));
  if (parent) return createOf(context, *parent, image, *desc, flags, std::move(properties.list), pitchError);
  requireWritable(row, flags);
  requireImmutableContent(flags, isExternal);
  requireLevels(image, flags, hostPtr, isExternal);
  setPitches(image, *desc, hostPtr != nullptr || isExternal, pitchError);
  // CL_MEM_OBJECT_ALLOCATION_FAILURE if there is a failure to allocate memory for the image object.
  failIf(image.bytes() > largestAllocation(context), CL_MEM_OBJECT_ALLOCATION_FAILURE,
         "{} of {} x {} x {} texels in {} layers needs {} bytes; CL_DEVICE_MAX_MEM_ALLOC_SIZE is {}",
         core::nameOfType(image.type), image.width, image.height, image.depth, image.layers, image.bytes(),
         largestAllocation(context));
  requireHostBytes(hostPtr, image.extent());
  auto external = importMemory(context, properties, flags, image.extent());
  return *new Memory(context, flags, image, hostPtr, std::move(properties.list), std::move(external));
}

}  // namespace clarity::api
