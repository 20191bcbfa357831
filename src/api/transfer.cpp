// SPDX-License-Identifier: Apache-2.0
// This file holds the entry points that read, write, copy, fill and map buffers (OpenCL 3.0, sections 5.2.2 to 5.2.4)
// and unmap and migrate memory objects (5.5.2, 5.5.4).
#include "api/commands.h"
#include "api/enqueue.h"
#include "api/entry.h"
#include "api/entry_points.h"
#include "api/handle.h"
#include "api/shared_transfer.h"

#include <cstring>
#include <vector>

namespace clarity::api {

using core::Access;
using core::Memory;
using core::MemoryUse;
using device::Copy;
using device::Location;
using sched::Command;
using sched::Where;

namespace {

/// A region of a buffer. CL_INVALID_VALUE if any of it is outside.
void requireInside(const Memory& memory, const char* name, std::size_t offset, std::size_t size) {
  failIf(offset > memory.size() || size > memory.size() - offset, CL_INVALID_VALUE,
         "{} bytes at offset {} are not inside {}, which has {} bytes", size, offset, name, memory.size());
}

/// Whether so many bytes at two places of one buffer overlap.
bool overlap(std::size_t a, std::size_t b, std::size_t bytes) { return a < b + bytes && b < a + bytes; }

}  // namespace

cl_int clEnqueueReadBuffer(cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_read, size_t offset,
                           size_t size, void* ptr, cl_uint num_events_in_wait_list, const cl_event* event_wait_list,
                           cl_event* event) {
  return entry([&] {
    EnqueueCall call(command_queue, num_events_in_wait_list, event_wait_list);
    Memory& from = bufferOf(call.queue, buffer, "buffer");
    // CL_INVALID_VALUE if the region being read specified by (offset, size) is out of bounds or if ptr is a NULL value.
    requireInside(from, "buffer", offset, size);
    requireHostRange(ptr, size);
    requireAligned(call.queue, from, "buffer");
    // CL_INVALID_OPERATION if clEnqueueReadBuffer is called on buffer which has been created with
    // CL_MEM_HOST_WRITE_ONLY or CL_MEM_HOST_NO_ACCESS.
    requireHostAccess(from, CL_MEM_HOST_WRITE_ONLY, "read");
    core::MemoryUses uses;
    const Copy copy{
        .to = hostEnd(call.queue, "ptr", ptr, size, Access::Overwrite, uses), .from = from.at(offset), .bytes = size};
    uses.push_back({from, offset, size, Access::Read});
    call.enqueueBlocking(blocking_read, event, Command::of(CL_COMMAND_READ_BUFFER, copy, std::move(uses)));
  });
}

cl_int clEnqueueWriteBuffer(cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_write, size_t offset,
                            size_t size, const void* ptr, cl_uint num_events_in_wait_list,
                            const cl_event* event_wait_list, cl_event* event) {
  return entry([&] {
    EnqueueCall call(command_queue, num_events_in_wait_list, event_wait_list);
    Memory& to = bufferOf(call.queue, buffer, "buffer");
    // CL_INVALID_VALUE if the region being written specified by (offset, size) is out of bounds or if ptr is NULL.
    requireInside(to, "buffer", offset, size);
    requireHostRange(ptr, size);
    requireAligned(call.queue, to, "buffer");
    // CL_INVALID_OPERATION if clEnqueueWriteBuffer is called on buffer which has been created with
    // CL_MEM_HOST_READ_ONLY or CL_MEM_HOST_NO_ACCESS.
    requireHostAccess(to, CL_MEM_HOST_READ_ONLY, "write");
    core::MemoryUses uses{MemoryUse{to, offset, size, Access::Overwrite}};
    const Copy copy{
        .to = to.at(offset), .from = hostEnd(call.queue, "ptr", ptr, size, Access::Read, uses), .bytes = size};
    call.enqueueBlocking(blocking_write, event, Command::of(CL_COMMAND_WRITE_BUFFER, copy, std::move(uses)));
  });
}

std::unique_ptr<Command> copyBuffer(sched::Queue& queue, cl_mem src_buffer, cl_mem dst_buffer, std::size_t src_offset,
                                    std::size_t dst_offset, std::size_t size) {
  Memory& from = bufferOf(queue, src_buffer, "src_buffer");
  Memory& to = bufferOf(queue, dst_buffer, "dst_buffer");
  // CL_INVALID_VALUE if src_offset, dst_offset, size, src_offset + size or dst_offset + size require accessing
  // elements outside the buffers.
  requireInside(from, "src_buffer", src_offset, size);
  requireInside(to, "dst_buffer", dst_offset, size);
  requireMutable(to, "dst_buffer");
  requireAligned(queue, from, "src_buffer");
  requireAligned(queue, to, "dst_buffer");
  const Copy copy{.to = to.at(dst_offset), .from = from.at(src_offset), .bytes = size};
  // CL_MEM_COPY_OVERLAP if src_buffer and dst_buffer are the same buffer or sub-buffer object, or different
  // sub-buffers of the same buffer, and the regions overlap.
  failIf(&from.root() == &to.root() && overlap(copy.from.offset, copy.to.offset, size), CL_MEM_COPY_OVERLAP,
         "{} bytes at {} of src_buffer and at {} of dst_buffer overlap", size, src_offset, dst_offset);
  return Command::of(
      CL_COMMAND_COPY_BUFFER, copy,
      {MemoryUse{to, dst_offset, size, Access::Overwrite}, MemoryUse{from, src_offset, size, Access::Read}});
}

cl_int clEnqueueCopyBuffer(cl_command_queue command_queue, cl_mem src_buffer, cl_mem dst_buffer, size_t src_offset,
                           size_t dst_offset, size_t size, cl_uint num_events_in_wait_list,
                           const cl_event* event_wait_list, cl_event* event) {
  return entry([&] {
    EnqueueCall call(command_queue, num_events_in_wait_list, event_wait_list);
    call.enqueue(event, copyBuffer(call.queue, src_buffer, dst_buffer, src_offset, dst_offset, size));
  });
}

std::unique_ptr<Command> fillBuffer(sched::Queue& queue, cl_mem buffer, const void* pattern, std::size_t pattern_size,
                                    std::size_t offset, std::size_t size) {
  Memory& memory = bufferOf(queue, buffer, "buffer");
  // CL_INVALID_VALUE if offset or offset + size require accessing elements outside the buffer.
  requireInside(memory, "buffer", offset, size);
  // CL_INVALID_VALUE if pattern is NULL or if pattern_size is 0 or not one of {1, 2, 4, 8, 16, 32, 64, 128}.
  requirePattern(pattern, pattern_size);
  // CL_INVALID_VALUE if offset and size are not a multiple of pattern_size.
  failIf(offset % pattern_size != 0 || size % pattern_size != 0, CL_INVALID_VALUE,
         "offset {} or size {} is no multiple of pattern_size {}", offset, size, pattern_size);
  requireMutable(memory, "buffer");
  requireAligned(queue, memory, "buffer");
  device::Fill fill{.to = memory.at(offset), .bytes = size, .patternBytes = pattern_size, .pattern = {}};
  std::memcpy(fill.pattern.data(), pattern, pattern_size);
  return Command::of(CL_COMMAND_FILL_BUFFER, fill, MemoryUse{memory, offset, size, Access::Overwrite});
}

cl_int clEnqueueFillBuffer(cl_command_queue command_queue, cl_mem buffer, const void* pattern, size_t pattern_size,
                           size_t offset, size_t size, cl_uint num_events_in_wait_list, const cl_event* event_wait_list,
                           cl_event* event) {
  return entry([&] {
    EnqueueCall call(command_queue, num_events_in_wait_list, event_wait_list);
    call.enqueue(event, fillBuffer(call.queue, buffer, pattern, pattern_size, offset, size));
  });
}

void* clEnqueueMapBuffer(cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_map, cl_map_flags map_flags,
                         size_t offset, size_t size, cl_uint num_events_in_wait_list, const cl_event* event_wait_list,
                         cl_event* event, cl_int* errcode_ret) {
  return entry(errcode_ret, [&]() -> void* {
    EnqueueCall call(command_queue, num_events_in_wait_list, event_wait_list);
    Memory& memory = bufferOf(call.queue, buffer, "buffer");
    // CL_INVALID_VALUE if region being mapped given by (offset, size) is out of bounds or if size is 0.
    requireInside(memory, "buffer", offset, size);
    failIf(size == 0, CL_INVALID_VALUE, "size is 0");
    requireMapFlags(map_flags);
    requireAligned(call.queue, memory, "buffer");
    requireMapAccess(memory, map_flags);
    const core::Rectangle region{.begin = offset, .size = {size, 1, 1}};
    return call.map(CL_COMMAND_MAP_BUFFER, blocking_map, event, memory, region, map_flags);
  });
}

cl_int clEnqueueUnmapMemObject(cl_command_queue command_queue, cl_mem memobj, void* mapped_ptr,
                               cl_uint num_events_in_wait_list, const cl_event* event_wait_list, cl_event* event) {
  return entry([&] {
    EnqueueCall call(command_queue, num_events_in_wait_list, event_wait_list);
    Memory& memory = memoryOf(call.queue, memobj, "memobj");
    // CL_INVALID_VALUE if mapped_ptr is not a valid pointer returned by clEnqueueMapBuffer or clEnqueueMapImage for
    // memobj.
    const auto mapped = memory.unmap(mapped_ptr);
    failIf(!mapped, CL_INVALID_VALUE, "{} is not a pointer to where memobj is mapped", mapped_ptr);
    // Content that the host has written is valid there alone.
    const Where where = mapped->forWriting ? Where::Host : Where::Nowhere;
    call.enqueue(event, Command::order(CL_COMMAND_UNMAP_MEM_OBJECT, where, {writeOf(memory, mapped->region)}));
  });
}

cl_int clEnqueueMigrateMemObjects(cl_command_queue command_queue, cl_uint num_mem_objects, const cl_mem* mem_objects,
                                  cl_mem_migration_flags flags, cl_uint num_events_in_wait_list,
                                  const cl_event* event_wait_list, cl_event* event) {
  return entry([&] {
    EnqueueCall call(command_queue, num_events_in_wait_list, event_wait_list);
    // CL_INVALID_VALUE if num_mem_objects is zero or if mem_objects is NULL.
    failIf(num_mem_objects == 0 || !mem_objects, CL_INVALID_VALUE, "num_mem_objects is {} and mem_objects is {}",
           num_mem_objects, static_cast<const void*>(mem_objects));
    // CL_INVALID_VALUE if flags is not 0 or is not any of the values that there are.
    requireMigrationFlags(flags);
    const Where where = flags & CL_MIGRATE_MEM_OBJECT_HOST ? Where::Host : Where::Device;
    const Access access = flags & CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED ? Access::Overwrite : Access::Read;
    core::MemoryUses memory;
    for (cl_uint i = 0; i < num_mem_objects; ++i) {
      Memory& object = memoryOf(call.queue, mem_objects[i], "an element of mem_objects");
      memory.push_back({object, 0, object.extent(), access});
    }
    call.enqueue(event, Command::order(CL_COMMAND_MIGRATE_MEM_OBJECTS, where, std::move(memory)));
  });
}

}  // namespace clarity::api
