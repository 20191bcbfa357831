// SPDX-License-Identifier: Apache-2.0
// This file holds the entry points that read, write and map images (OpenCL 3.0, sections 5.3.3 and 5.3.6).
#include "api/enqueue.h"
#include "api/entry.h"
#include "api/entry_points.h"
#include "api/handle.h"
#include "api/image_region.h"

namespace clarity::api {

using core::Memory;
using core::Rectangle;
using device::Location;
using sched::Command;

namespace {

/// A copy between an image and memory of the host: which end is read, and what forbids it.
struct HostCopy {
  cl_command_type type;
  bool reads;
  cl_mem_flags forbidden;  ///< flags of the image: CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY
  const char* verb;
};
constexpr HostCopy readCopy{CL_COMMAND_READ_IMAGE, true, CL_MEM_HOST_WRITE_ONLY, "read"};
constexpr HostCopy writeCopy{CL_COMMAND_WRITE_IMAGE, false, CL_MEM_HOST_READ_ONLY, "write"};

std::unique_ptr<Command> hostCopy(const sched::Queue& queue, const HostCopy& kind, cl_mem image,
                                  const std::size_t* origin, const std::size_t* region, std::size_t rowPitch,
                                  std::size_t slicePitch, const void* host) {
  Memory& memory = imageOf(queue, image, "image");
  const ImageRegion part = regionOf(memory, "origin", origin, region);
  const Rectangle outside = hostRectangle(memory, part, rowPitch, slicePitch);
  requireHostRange(host, outside.end());
  requireAligned(queue, memory, "image");
  // CL_INVALID_OPERATION if the image has been created with CL_MEM_HOST_NO_ACCESS or for the other direction only.
  requireHostAccess(memory, kind.forbidden, kind.verb);
  const Location inImage = memory.at(part.bytes.begin), inHost = Location::inHost(host);
  if (kind.reads)
    return Command::of(kind.type, rectCopy(inHost, outside, inImage, part.bytes), {readOf(memory, part.bytes)});
  return Command::of(kind.type, rectCopy(inImage, part.bytes, inHost, outside), {writeOf(memory, part.bytes)});
}

}  // namespace

cl_int clEnqueueReadImage(cl_command_queue command_queue, cl_mem image, cl_bool blocking_read, const size_t* origin,
                          const size_t* region, size_t row_pitch, size_t slice_pitch, void* ptr,
                          cl_uint num_events_in_wait_list, const cl_event* event_wait_list, cl_event* event) {
  return entry([&] {
    EnqueueCall call(command_queue, num_events_in_wait_list, event_wait_list);
    call.enqueueBlocking(blocking_read, event,
                         hostCopy(call.queue, readCopy, image, origin, region, row_pitch, slice_pitch, ptr));
  });
}

cl_int clEnqueueWriteImage(cl_command_queue command_queue, cl_mem image, cl_bool blocking_write, const size_t* origin,
                           const size_t* region, size_t input_row_pitch, size_t input_slice_pitch, const void* ptr,
                           cl_uint num_events_in_wait_list, const cl_event* event_wait_list, cl_event* event) {
  return entry([&] {
    EnqueueCall call(command_queue, num_events_in_wait_list, event_wait_list);
    call.enqueueBlocking(
        blocking_write, event,
        hostCopy(call.queue, writeCopy, image, origin, region, input_row_pitch, input_slice_pitch, ptr));
  });
}

void* clEnqueueMapImage(cl_command_queue command_queue, cl_mem image, cl_bool blocking_map, cl_map_flags map_flags,
                        const size_t* origin, const size_t* region, size_t* image_row_pitch, size_t* image_slice_pitch,
                        cl_uint num_events_in_wait_list, const cl_event* event_wait_list, cl_event* event,
                        cl_int* errcode_ret) {
  return entry(errcode_ret, [&]() -> void* {
    EnqueueCall call(command_queue, num_events_in_wait_list, event_wait_list);
    Memory& memory = imageOf(call.queue, image, "image");
    const core::ImageDescription& description = *memory.image();
    const ImageRegion part = regionOf(memory, "origin", origin, region);
    requireMapFlags(map_flags);
    requireMapAccess(memory, map_flags);
    // CL_INVALID_VALUE if image_row_pitch is NULL, or image is a 3D image or an array and image_slice_pitch is NULL.
    const bool hasSlices = description.isArray() || description.type == CL_MEM_OBJECT_IMAGE3D;
    failIf(!image_row_pitch, CL_INVALID_VALUE, "image_row_pitch is null");
    failIf(hasSlices && !image_slice_pitch, CL_INVALID_VALUE, "image_slice_pitch is null");
    requireAligned(call.queue, memory, "image");
    void* const mapped = call.map(CL_COMMAND_MAP_IMAGE, blocking_map, event, memory, part.bytes, map_flags);
    const core::ImageLevel level = description.level(part.level);
    *image_row_pitch = level.rowPitch;
    if (image_slice_pitch) *image_slice_pitch = hasSlices ? level.slicePitch : 0;
    return mapped;
  });
}

}  // namespace clarity::api
