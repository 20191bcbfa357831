// SPDX-License-Identifier: Apache-2.0
// This file holds the entry points that copy images, also to and from buffers, and fill them (OpenCL 3.0, sections
// 5.3.3 to 5.3.5).
#include "api/commands.h"
#include "api/enqueue.h"
#include "api/entry.h"
#include "api/entry_points.h"
#include "api/handle.h"
#include "api/image_region.h"
#include "core/constant_names.h"
#include "core/texel.h"

#include <cstring>

namespace clarity::api {

using core::Memory;
using core::Rectangle;
using sched::Command;

namespace {

/// CL_MEM_COPY_OVERLAP if two rectangles of memory objects share bytes.
void requireApart(const Memory& source, const Rectangle& from, const Memory& target, const Rectangle& to) {
  if (&source.root() != &target.root()) return;
  Rectangle a = from, b = to;
  a.begin += source.origin();
  b.begin += target.origin();
  failIf(support::overlap(a, b), CL_MEM_COPY_OVERLAP,
         "the regions at bytes {} to {} of the source and {} to {} of the target, which share their memory, overlap",
         from.begin, from.end(), to.begin, to.end());
}

/// A copy in the memory of the device.
std::unique_ptr<Command> copyOf(cl_command_type type, Memory& source, const Rectangle& from, Memory& target,
                                const Rectangle& to) {
  requireApart(source, from, target, to);
  return Command::of(type, rectCopy(target.at(to.begin), to, source.at(from.begin), from),
                     {writeOf(target, to), readOf(source, from)});
}

/// The texels of a region one behind the other in a buffer. CL_INVALID_VALUE if any of it is outside.
Rectangle inBuffer(const Memory& buffer, const char* offsetName, std::size_t offset, const ImageRegion& region) {
  const std::array<std::size_t, 3>& size = region.bytes.size;
  const std::size_t bytes = size[0] * size[1] * size[2];  // no more than the image has
  failIf(offset > buffer.size() || bytes > buffer.size() - offset, CL_INVALID_VALUE,
         "{} bytes at {} {} are not inside of the buffer, which has {} bytes", bytes, offsetName, offset,
         buffer.size());
  return {.begin = offset, .size = size, .rowPitch = size[0], .slicePitch = size[0] * size[1]};
}

/// CL_INVALID_MEM_OBJECT for a 1D image buffer and the buffer that it is made of.
void requireOtherThanItsBuffer(const Memory& image, const char* name, const Memory& buffer) {
  failIf(image.type() == CL_MEM_OBJECT_IMAGE1D_BUFFER && image.parent() == &buffer, CL_INVALID_MEM_OBJECT,
         "{} is a 1D image buffer that is made of the buffer", name);
}

/// A copy between an image and a buffer, in which its texels are one behind the other.
struct BufferCopy {
  cl_command_type type;
  bool toBuffer;
  const char *image, *imageOrigin, *buffer, *bufferOffset;  ///< the names of arguments
};
constexpr BufferCopy imageToBuffer{
    CL_COMMAND_COPY_IMAGE_TO_BUFFER, true, "src_image", "src_origin", "dst_buffer", "dst_offset"};
constexpr BufferCopy bufferToImage{
    CL_COMMAND_COPY_BUFFER_TO_IMAGE, false, "dst_image", "dst_origin", "src_buffer", "src_offset"};

std::unique_ptr<Command> bufferCopy(sched::Queue& queue, const BufferCopy& kind, cl_mem image, cl_mem buffer,
                                    const std::size_t* origin, const std::size_t* region, std::size_t offset) {
  // The source is checked first.
  Memory* const first = kind.toBuffer ? &imageOf(queue, image, kind.image) : &bufferOf(queue, buffer, kind.buffer);
  Memory* const second = kind.toBuffer ? &bufferOf(queue, buffer, kind.buffer) : &imageOf(queue, image, kind.image);
  Memory &its = kind.toBuffer ? *first : *second, &other = kind.toBuffer ? *second : *first;
  requireOtherThanItsBuffer(its, kind.image, other);
  const ImageRegion part = regionOf(its, kind.imageOrigin, origin, region);
  const Rectangle packed = inBuffer(other, kind.bufferOffset, offset, part);
  requireAligned(queue, its, kind.image);
  requireAligned(queue, other, kind.buffer);
  requireMutable(*second, kind.toBuffer ? kind.buffer : kind.image);
  if (kind.toBuffer) return copyOf(kind.type, its, part.bytes, other, packed);
  return copyOf(kind.type, other, packed, its, part.bytes);
}

}  // namespace

std::unique_ptr<Command> copyImage(sched::Queue& queue, cl_mem src_image, cl_mem dst_image,
                                   const std::size_t* src_origin, const std::size_t* dst_origin,
                                   const std::size_t* region) {
  Memory& source = imageOf(queue, src_image, "src_image");
  Memory& target = imageOf(queue, dst_image, "dst_image");
  // CL_IMAGE_FORMAT_MISMATCH if src_image and dst_image do not use the same image format.
  const cl_image_format &from = source.image()->format->format, &to = target.image()->format->format;
  failIf(source.image()->format != target.image()->format, CL_IMAGE_FORMAT_MISMATCH, "src_image has {}, dst_image {}",
         core::FormatNames{from}, core::FormatNames{to});
  const ImageRegion read = regionOf(source, "src_origin", src_origin, region);
  const ImageRegion written = regionOf(target, "dst_origin", dst_origin, region);
  requireAligned(queue, source, "src_image");
  requireAligned(queue, target, "dst_image");
  requireMutable(target, "dst_image");
  return copyOf(CL_COMMAND_COPY_IMAGE, source, read.bytes, target, written.bytes);
}

cl_int clEnqueueCopyImage(cl_command_queue command_queue, cl_mem src_image, cl_mem dst_image, const size_t* src_origin,
                          const size_t* dst_origin, const size_t* region, cl_uint num_events_in_wait_list,
                          const cl_event* event_wait_list, cl_event* event) {
  return entry([&] {
    EnqueueCall call(command_queue, num_events_in_wait_list, event_wait_list);
    call.enqueue(event, copyImage(call.queue, src_image, dst_image, src_origin, dst_origin, region));
  });
}

std::unique_ptr<Command> copyImageToBuffer(sched::Queue& queue, cl_mem src_image, cl_mem dst_buffer,
                                           const std::size_t* src_origin, const std::size_t* region,
                                           std::size_t dst_offset) {
  return bufferCopy(queue, imageToBuffer, src_image, dst_buffer, src_origin, region, dst_offset);
}

cl_int clEnqueueCopyImageToBuffer(cl_command_queue command_queue, cl_mem src_image, cl_mem dst_buffer,
                                  const size_t* src_origin, const size_t* region, size_t dst_offset,
                                  cl_uint num_events_in_wait_list, const cl_event* event_wait_list, cl_event* event) {
  return entry([&] {
    EnqueueCall call(command_queue, num_events_in_wait_list, event_wait_list);
    call.enqueue(event, copyImageToBuffer(call.queue, src_image, dst_buffer, src_origin, region, dst_offset));
  });
}

std::unique_ptr<Command> copyBufferToImage(sched::Queue& queue, cl_mem src_buffer, cl_mem dst_image,
                                           std::size_t src_offset, const std::size_t* dst_origin,
                                           const std::size_t* region) {
  return bufferCopy(queue, bufferToImage, dst_image, src_buffer, dst_origin, region, src_offset);
}

cl_int clEnqueueCopyBufferToImage(cl_command_queue command_queue, cl_mem src_buffer, cl_mem dst_image,
                                  size_t src_offset, const size_t* dst_origin, const size_t* region,
                                  cl_uint num_events_in_wait_list, const cl_event* event_wait_list, cl_event* event) {
  return entry([&] {
    EnqueueCall call(command_queue, num_events_in_wait_list, event_wait_list);
    call.enqueue(event, copyBufferToImage(call.queue, src_buffer, dst_image, src_offset, dst_origin, region));
  });
}

std::unique_ptr<Command> fillImage(sched::Queue& queue, cl_mem image, const void* color, const std::size_t* origin,
                                   const std::size_t* region) {
  Memory& memory = imageOf(queue, image, "image");
  // CL_INVALID_VALUE if color is NULL.
  failIf(!color, CL_INVALID_VALUE, "fill_color is null");
  const ImageRegion part = regionOf(memory, "origin", origin, region);
  requireAligned(queue, memory, "image");
  requireMutable(memory, "image");
  const core::Texel texel = core::texelOf(*memory.image()->format, color);
  const Rectangle& bytes = part.bytes;
  device::Fill fill{.to = memory.at(bytes.begin),
                    .bytes = bytes.size[0],
                    .rows = bytes.size[1],
                    .slices = bytes.size[2],
                    .rowPitch = bytes.rowPitch,
                    .slicePitch = bytes.slicePitch,
                    .patternBytes = memory.image()->format->blockBytes,
                    .pattern = {}};
  std::memcpy(fill.pattern.data(), texel.data(), fill.patternBytes);
  return Command::of(CL_COMMAND_FILL_IMAGE, fill, {writeOf(memory, bytes)});
}

cl_int clEnqueueFillImage(cl_command_queue command_queue, cl_mem image, const void* fill_color, const size_t* origin,
                          const size_t* region, cl_uint num_events_in_wait_list, const cl_event* event_wait_list,
                          cl_event* event) {
  return entry([&] {
    EnqueueCall call(command_queue, num_events_in_wait_list, event_wait_list);
    call.enqueue(event, fillImage(call.queue, image, fill_color, origin, region));
  });
}

}  // namespace clarity::api
