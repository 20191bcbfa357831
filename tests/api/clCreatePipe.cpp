// SPDX-License-Identifier: Apache-2.0
// This file tests clCreatePipe (OpenCL 3.0, section 5.4.1).
#include "enqueue_checks.h"

#include <cstddef>
#include <fstream>

namespace clarity::test {
namespace {

struct CreatePipe : OpenCL {
  auto with(cl_mem_flags flags, cl_uint bytes, cl_uint packets, const cl_pipe_properties* properties = nullptr) {
    return [=, this](cl_int* e) { return driver->clCreatePipe(context, flags, bytes, packets, properties, e); };
  }
  cl_uint largest() { return infoOf<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_PIPE_MAX_PACKET_SIZE); }
};

// The least that the specification demands of a device with pipes, and what the queries say together.
TEST_F(CreatePipe, theDeviceSaysSo) {
  EXPECT_EQ(infoOf<cl_bool>(clGetDeviceInfo, device, CL_DEVICE_PIPE_SUPPORT), cl_bool{CL_TRUE});
  EXPECT_GE(infoOf<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_MAX_PIPE_ARGS), 16U);
  EXPECT_GE(infoOf<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS), 1U);
  EXPECT_GE(largest(), 1024U);
}

// A pipe is a memory object.
TEST_F(CreatePipe, answersAsAMemoryObject) {
  const struct {
    cl_mem_flags given, said;
  } flags[] = {{0, CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS},
               {CL_MEM_READ_WRITE, CL_MEM_READ_WRITE},
               {CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_NO_ACCESS},
               {CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS, CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS}};
  for (const auto& [given, said] : flags) {
    cl_mem pipe = created(with(given, 12, 5));
    EXPECT_EQ(infoOf<cl_mem_object_type>(clGetMemObjectInfo, pipe, CL_MEM_TYPE),
              cl_mem_object_type{CL_MEM_OBJECT_PIPE});
    EXPECT_EQ(infoOf<cl_mem_flags>(clGetMemObjectInfo, pipe, CL_MEM_FLAGS), said);
    EXPECT_GE(infoOf<size_t>(clGetMemObjectInfo, pipe, CL_MEM_SIZE), size_t{60});
    EXPECT_EQ(infoOf<void*>(clGetMemObjectInfo, pipe, CL_MEM_HOST_PTR), nullptr);
    EXPECT_EQ(infoOf<cl_mem>(clGetMemObjectInfo, pipe, CL_MEM_ASSOCIATED_MEMOBJECT), nullptr);
    EXPECT_EQ(infoOf<cl_uint>(clGetMemObjectInfo, pipe, CL_MEM_REFERENCE_COUNT), 1U);
    EXPECT_EQ(infoOf<cl_context>(clGetMemObjectInfo, pipe, CL_MEM_CONTEXT), context);
    ASSERT_SUCCESS(clRetainMemObject(pipe));
    ASSERT_SUCCESS(clReleaseMemObject(pipe));
  }
}

TEST_F(CreatePipe, everySizeOfPacket) {
  for (const cl_uint bytes : {1U, 3U, 16U, largest()})
    for (const cl_uint packets : {1U, 2U, 3U, 64U, 1000U}) created(with(0, bytes, packets));
}

// Commands for buffers and images take no pipe, and nothing is made of one.
TEST_F(CreatePipe, isNoBuffer) {
  cl_mem pipe = created(with(0, 4, 16)), other = buffer(256);
  char byte = 0;
  EXPECT_CL(CL_INVALID_MEM_OBJECT, clEnqueueReadBuffer(queue, pipe, CL_TRUE, 0, 1, &byte, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_MEM_OBJECT, clEnqueueWriteBuffer(queue, pipe, CL_TRUE, 0, 1, &byte, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_MEM_OBJECT, clEnqueueFillBuffer(queue, pipe, &byte, 1, 0, 4, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_MEM_OBJECT, clEnqueueCopyBuffer(queue, pipe, other, 0, 0, 4, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_MEM_OBJECT, clEnqueueCopyBuffer(queue, other, pipe, 0, 0, 4, 0, nullptr, nullptr));
  expectFails(CL_INVALID_MEM_OBJECT, [&](cl_int* e) -> cl_mem {
    EXPECT_EQ(clEnqueueMapBuffer(queue, pipe, CL_TRUE, CL_MAP_READ, 0, 4, 0, nullptr, nullptr, e), nullptr);
    return nullptr;
  });
  const cl_buffer_region region{0, 4};
  expectFails(CL_INVALID_MEM_OBJECT,
              [&](cl_int* e) { return clCreateSubBuffer(pipe, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, e); });
  cl_image_format format{CL_R, CL_FLOAT};
  EXPECT_CL(CL_INVALID_MEM_OBJECT, clGetImageInfo(pipe, CL_IMAGE_FORMAT, sizeof format, &format, nullptr));
  if (infoOf<cl_bool>(clGetDeviceInfo, device, CL_DEVICE_IMAGE_SUPPORT)) {
    cl_image_desc desc{};
    desc.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
    desc.image_width = 1;
    desc.buffer = pipe;
    expectFails(CL_INVALID_IMAGE_DESCRIPTOR,
                [&](cl_int* e) { return clCreateImage(context, 0, &format, &desc, nullptr, e); });
  }
  EXPECT_TRUE(wasNotified("a pipe")) << allNotified();
}

// context is no context.
TEST_F(CreatePipe, invalidContext) {
  for (const auto& bad : badHandles<cl_context>(*this))
    expectFails(CL_INVALID_CONTEXT, [&](cl_int* e) { return driver->clCreatePipe(bad.handle, 0, 4, 16, nullptr, e); });
}

// Flags of buffers, and properties, of which there are none.
TEST_F(CreatePipe, invalidValue) {
  for (const cl_mem_flags flags : {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_MEM_COPY_HOST_PTR, CL_MEM_ALLOC_HOST_PTR,
                                   CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY, CL_MEM_READ_WRITE | CL_MEM_READ_ONLY})
    expectFails(CL_INVALID_VALUE, with(flags, 4, 16));
  expectFails(CL_INVALID_VALUE, with(cl_mem_flags{1} << 40, 4, 16));
  const cl_pipe_properties none = 0, some[] = {CL_PIPE_PACKET_SIZE, 4, 0};
  expectFails(CL_INVALID_VALUE, with(0, 4, 16, &none));
  expectFails(CL_INVALID_VALUE, with(0, 4, 16, some));
}

TEST_F(CreatePipe, invalidPipeSize) {
  expectFails(CL_INVALID_PIPE_SIZE, with(0, 0, 16));
  expectFails(CL_INVALID_PIPE_SIZE, with(0, 4, 0));
  expectFails(CL_INVALID_PIPE_SIZE, with(0, largest() + 1, 16));
  EXPECT_TRUE(wasNotifiedOf(largest() + 1)) << allNotified();
  expectFails(CL_INVALID_PIPE_SIZE, with(0, ~cl_uint{0}, 1));
}

// More than a device can allocate, and more than can be counted.
TEST_F(CreatePipe, memObjectAllocationFailure) {
  expectFails(CL_MEM_OBJECT_ALLOCATION_FAILURE, with(0, largest(), ~cl_uint{0}));
  expectFails(CL_MEM_OBJECT_ALLOCATION_FAILURE, with(0, 1, ~cl_uint{0}));
  EXPECT_TRUE(wasNotifiedOf(~cl_uint{0})) << allNotified();
}

// Packets that are not written take no memory, however many there may be.
TEST_F(CreatePipe, manyPacketsTakeNoMemoryAtOnce) {
  const auto residentPages = [] {
    std::size_t all = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> all >> resident;
    return resident;
  };
  const std::size_t before = residentPages();
  cl_int error = CL_SUCCESS;
  cl_mem pipe = nullptr;
  for (cl_uint packets = cl_uint{1} << 31; !pipe && packets >= cl_uint{1} << 26; packets /= 2)
    pipe = keep(driver->clCreatePipe(context, 0, 1, packets, nullptr, &error));
  ASSERT_SUCCESS(error);
  if (infoOf<cl_device_type>(clGetDeviceInfo, device, CL_DEVICE_TYPE) == CL_DEVICE_TYPE_CPU)
    EXPECT_LT(residentPages() - before, std::size_t{64} << 20 >> 12);
}

}  // namespace
}  // namespace clarity::test
