// SPDX-License-Identifier: Apache-2.0
// This file turns what an application says of an image into the description of a memory object.
#pragma once

#include "api/external_memory.h"
#include "core/context.h"
#include "core/image_description.h"
#include "core/memory.h"

#include <CL/cl.h>

#include <vector>

namespace clarity::api {

/// The row of the table of a format. CL_INVALID_IMAGE_FORMAT_DESCRIPTOR if it is null or not valid,
/// CL_IMAGE_FORMAT_NOT_SUPPORTED if no device of the context has it for images of this type.
const core::ImageFormat& formatOf(const core::Context& context, const cl_image_format* format, cl_mem_object_type type);

/// The largest of an alignment, in texels, among the devices with images.
cl_uint largestAlignment(const core::Context& context, cl_uint device::ImageProperties::* alignment);

/// CL_INVALID_IMAGE_DESCRIPTOR if the descriptor has no type or an extent that no image of the context can have.
void requireDescribed(const core::Context& context, const cl_image_desc& desc);

/// CL_MEM_SIZE of an image of this descriptor, whatever it is made of. CL_INVALID_IMAGE_DESCRIPTOR.
std::size_t sizeOfImage(const core::Context& context, const core::ImageFormat& format, const cl_image_desc& desc);

/// Creates the image of clCreateImage and its relatives. All errors of the specification for clCreateImage; what is
/// wrong with pitches gets `pitchError`, which differs for clCreateImage2D and clCreateImage3D.
core::Memory& createImage(core::Context& context, MemoryProperties properties, cl_mem_flags flags,
                          const cl_image_format* format, const cl_image_desc* desc, void* hostPtr,
                          cl_int pitchError = CL_INVALID_IMAGE_DESCRIPTOR);

}  // namespace clarity::api
