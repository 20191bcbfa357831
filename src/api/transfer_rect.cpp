// SPDX-License-Identifier: Apache-2.0
// This file holds the entry points that read, write and copy rectangular regions of buffers (OpenCL 3.0,
// section 5.2.2).
#include "api/commands.h"
#include "api/enqueue.h"
#include "api/entry.h"
#include "api/entry_points.h"
#include "api/handle.h"
#include "api/shared_transfer.h"
#include "support/checked.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace clarity::api {

using core::Memory;
using device::Location;
using sched::Command;

namespace {

using Triple = std::array<std::size_t, 3>;

/// One side of a rectangular copy as the application describes it, checked and with its pitches filled in.
struct Side {
  const char* name;
  Triple origin;
  std::size_t rowPitch, slicePitch;
  std::size_t begin = 0, end = 0;  ///< bytes from the start of the memory: the first, and one past the last

  Side(const char* sideName, const size_t* itsOrigin, const Triple& region, std::size_t itsRowPitch,
       std::size_t itsSlicePitch);
};

Triple tripleOf(const size_t* values, const char* name) {
  failIf(!values, CL_INVALID_VALUE, "{} is null", name);
  return {values[0], values[1], values[2]};
}

Triple regionOf(const size_t* region) {
  const Triple r = tripleOf(region, "region");
  // CL_INVALID_VALUE if any region array element is 0.
  failIf(r[0] == 0 || r[1] == 0 || r[2] == 0, CL_INVALID_VALUE, "region is ({}, {}, {})", r[0], r[1], r[2]);
  return r;
}

/// The distance of a byte of the rectangle from the start of the memory.
std::optional<std::size_t> distance(const Triple& at, std::size_t rowPitch, std::size_t slicePitch) {
  const auto inSlice = support::checkedProductSum(at[1], rowPitch, at[0]);
  return inSlice ? support::checkedProductSum(at[2], slicePitch, *inSlice) : std::nullopt;
}

Side::Side(const char* sideName, const size_t* itsOrigin, const Triple& region, std::size_t itsRowPitch,
           std::size_t itsSlicePitch)
    : name(sideName), origin(tripleOf(itsOrigin, sideName)), rowPitch(itsRowPitch), slicePitch(itsSlicePitch) {
  // CL_INVALID_VALUE if row_pitch is not 0 and is less than region[0].
  if (rowPitch == 0) rowPitch = region[0];
  failIf(rowPitch < region[0], CL_INVALID_VALUE, "row pitch {} of {} is less than region[0], {}", rowPitch, name,
         region[0]);
  // CL_INVALID_VALUE if slice_pitch is not 0 and is less than region[1] x row_pitch or not a multiple of row_pitch.
  const auto tight = support::checkedProduct(region[1], rowPitch);
  failIf(!tight, CL_INVALID_VALUE, "a slice of {} rows with row pitch {} of {} does not fit in size_t", region[1],
         rowPitch, name);
  if (slicePitch == 0) slicePitch = *tight;
  failIf(slicePitch < *tight || slicePitch % rowPitch != 0, CL_INVALID_VALUE,
         "slice pitch {} of {} is less than region[1] x row pitch, {}, or no multiple of row pitch {}", slicePitch,
         name, *tight, rowPitch);
  const auto first = distance(origin, rowPitch, slicePitch);
  Triple last;
  for (std::size_t d = 0; d < 3; ++d) {
    const auto end = support::checkedSum(origin[d], region[d] - 1);
    failIf(!end, CL_INVALID_VALUE, "{}[{}] + region[{}] = {} + {} does not fit in size_t", name, d, d, origin[d],
           region[d]);
    last[d] = *end;
  }
  const auto final = distance(last, rowPitch, slicePitch);
  failIf(!first || !final || *final == SIZE_MAX, CL_INVALID_VALUE,
         "the rectangle at ({}, {}, {}) of {} with pitches {} and {} does not fit in size_t", origin[0], origin[1],
         origin[2], name, rowPitch, slicePitch);
  begin = *first;
  end = *final + 1;
}

/// CL_INVALID_VALUE if the region being read or written is out of bounds.
void requireInside(const Memory& memory, const Side& side) {
  failIf(side.end > memory.size(), CL_INVALID_VALUE,
         "the rectangle at {} ({}, {}, {}) ends at byte {} of a buffer of {} bytes", side.name, side.origin[0],
         side.origin[1], side.origin[2], side.end, memory.size());
}

/// A side as bytes of its memory object, and of the root of that.
core::Rectangle rectangleOf(const Side& side, const Triple& region) {
  return {side.begin, region, side.rowPitch, side.slicePitch};
}
core::Rectangle inRoot(const Memory& memory, const Side& side, const Triple& region) {
  return {memory.origin() + side.begin, region, side.rowPitch, side.slicePitch};
}

device::RectCopy rectOf(const Triple& region, const Location& target, const Side& to, const Location& source,
                        const Side& from) {
  return {.to = target,
          .from = source,
          .region = region,
          .toRowPitch = to.rowPitch,
          .toSlicePitch = to.slicePitch,
          .fromRowPitch = from.rowPitch,
          .fromSlicePitch = from.slicePitch};
}

}  // namespace

cl_int clEnqueueReadBufferRect(cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_read,
                               const size_t* buffer_origin, const size_t* host_origin, const size_t* region,
                               size_t buffer_row_pitch, size_t buffer_slice_pitch, size_t host_row_pitch,
                               size_t host_slice_pitch, void* ptr, cl_uint num_events_in_wait_list,
                               const cl_event* event_wait_list, cl_event* event) {
  return entry([&] {
    EnqueueCall call(command_queue, num_events_in_wait_list, event_wait_list);
    Memory& memory = bufferOf(call.queue, buffer, "buffer");
    const Triple size = regionOf(region);
    const Side from("buffer_origin", buffer_origin, size, buffer_row_pitch, buffer_slice_pitch);
    const Side to("host_origin", host_origin, size, host_row_pitch, host_slice_pitch);
    requireInside(memory, from);
    requireHostRange(ptr, to.end);
    requireAligned(call.queue, memory, "buffer");
    // CL_INVALID_OPERATION if the buffer has been created with CL_MEM_HOST_WRITE_ONLY or CL_MEM_HOST_NO_ACCESS.
    requireHostAccess(memory, CL_MEM_HOST_WRITE_ONLY, "read");
    core::MemoryUses uses;
    const Location target = hostEnd(call.queue, "ptr", static_cast<std::byte*>(ptr) + to.begin, to.end - to.begin,
                                    core::Access::ReadWrite, uses);
    uses.push_back(readOf(memory, rectangleOf(from, size)));
    const auto rect = rectOf(size, target, to, memory.at(from.begin), from);
    call.enqueueBlocking(blocking_read, event, Command::of(CL_COMMAND_READ_BUFFER_RECT, rect, std::move(uses)));
  });
}

cl_int clEnqueueWriteBufferRect(cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_write,
                                const size_t* buffer_origin, const size_t* host_origin, const size_t* region,
                                size_t buffer_row_pitch, size_t buffer_slice_pitch, size_t host_row_pitch,
                                size_t host_slice_pitch, const void* ptr, cl_uint num_events_in_wait_list,
                                const cl_event* event_wait_list, cl_event* event) {
  return entry([&] {
    EnqueueCall call(command_queue, num_events_in_wait_list, event_wait_list);
    Memory& memory = bufferOf(call.queue, buffer, "buffer");
    const Triple size = regionOf(region);
    const Side to("buffer_origin", buffer_origin, size, buffer_row_pitch, buffer_slice_pitch);
    const Side from("host_origin", host_origin, size, host_row_pitch, host_slice_pitch);
    requireInside(memory, to);
    requireHostRange(ptr, from.end);
    requireAligned(call.queue, memory, "buffer");
    // CL_INVALID_OPERATION if the buffer has been created with CL_MEM_HOST_READ_ONLY or CL_MEM_HOST_NO_ACCESS.
    requireHostAccess(memory, CL_MEM_HOST_READ_ONLY, "write");
    core::MemoryUses uses{writeOf(memory, rectangleOf(to, size))};
    const Location source = hostEnd(call.queue, "ptr", static_cast<const std::byte*>(ptr) + from.begin,
                                    from.end - from.begin, core::Access::Read, uses);
    const auto rect = rectOf(size, memory.at(to.begin), to, source, from);
    call.enqueueBlocking(blocking_write, event, Command::of(CL_COMMAND_WRITE_BUFFER_RECT, rect, std::move(uses)));
  });
}

std::unique_ptr<Command> copyBufferRect(sched::Queue& queue, cl_mem src_buffer, cl_mem dst_buffer,
                                        const std::size_t* src_origin, const std::size_t* dst_origin,
                                        const std::size_t* region, Pitches sourcePitches, Pitches targetPitches) {
  Memory& source = bufferOf(queue, src_buffer, "src_buffer");
  Memory& target = bufferOf(queue, dst_buffer, "dst_buffer");
  const Triple size = regionOf(region);
  const Side from("src_origin", src_origin, size, sourcePitches.row, sourcePitches.slice);
  const Side to("dst_origin", dst_origin, size, targetPitches.row, targetPitches.slice);
  requireInside(source, from);
  requireInside(target, to);
  // CL_INVALID_VALUE if src_buffer and dst_buffer are the same buffer object and their pitches are not equal.
  failIf(&source == &target && (from.rowPitch != to.rowPitch || from.slicePitch != to.slicePitch), CL_INVALID_VALUE,
         "pitches {} and {} of the source differ from {} and {} of the target, which is the same buffer", from.rowPitch,
         from.slicePitch, to.rowPitch, to.slicePitch);
  requireAligned(queue, source, "src_buffer");
  requireAligned(queue, target, "dst_buffer");
  requireMutable(target, "dst_buffer");
  // CL_MEM_COPY_OVERLAP if src_buffer and dst_buffer are the same buffer or sub-buffer object, or different
  // sub-buffers of the same buffer, and the source and destination regions overlap.
  failIf(&source.root() == &target.root() && overlap(inRoot(source, from, size), inRoot(target, to, size)),
         CL_MEM_COPY_OVERLAP, "the rectangles at bytes {} to {} of src_buffer and {} to {} of dst_buffer overlap",
         from.begin, from.end, to.begin, to.end);
  const auto rect = rectOf(size, target.at(to.begin), to, source.at(from.begin), from);
  return Command::of(CL_COMMAND_COPY_BUFFER_RECT, rect,
                     {writeOf(target, rectangleOf(to, size)), readOf(source, rectangleOf(from, size))});
}

cl_int clEnqueueCopyBufferRect(cl_command_queue command_queue, cl_mem src_buffer, cl_mem dst_buffer,
                               const size_t* src_origin, const size_t* dst_origin, const size_t* region,
                               size_t src_row_pitch, size_t src_slice_pitch, size_t dst_row_pitch,
                               size_t dst_slice_pitch, cl_uint num_events_in_wait_list, const cl_event* event_wait_list,
                               cl_event* event) {
  return entry([&] {
    EnqueueCall call(command_queue, num_events_in_wait_list, event_wait_list);
    call.enqueue(event, copyBufferRect(call.queue, src_buffer, dst_buffer, src_origin, dst_origin, region,
                                       {src_row_pitch, src_slice_pitch}, {dst_row_pitch, dst_slice_pitch}));
  });
}

}  // namespace clarity::api
