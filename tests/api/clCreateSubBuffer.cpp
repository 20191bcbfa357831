// SPDX-License-Identifier: Apache-2.0
// This file tests clCreateSubBuffer (OpenCL 3.0, section 5.2.1).
#include "enqueue_checks.h"

#include <cstdint>

namespace clarity::test {
namespace {

struct CreateSubBuffer : OpenCL {
  static constexpr size_t kSize = 4096;
  std::vector<unsigned char> host = countingBytes(kSize);
  cl_mem parent = nullptr;
  size_t align = 0;

  void SetUp() override {
    OpenCL::SetUp();
    if (HasFatalFailure()) return;
    align = infoOf<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
    ASSERT_GT(align, 0U);
    ASSERT_LE(4 * align, kSize);
    parent = bufferOf(host);
  }

  cl_mem sub(cl_mem of, size_t origin, size_t size, cl_mem_flags flags = 0) {
    cl_int error = CL_INVALID_VALUE;
    const cl_buffer_region region{origin, size};
    cl_mem made = clCreateSubBuffer(of, flags, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
    EXPECT_SUCCESS(error) << "origin " << origin << " size " << size << " flags " << flags;
    return keep(made);
  }

  cl_int errorOf(cl_mem of, cl_mem_flags flags, size_t origin, size_t size) {
    const cl_buffer_region region{origin, size};
    return errorOfInfo(of, flags, CL_BUFFER_CREATE_TYPE_REGION, &region);
  }
  cl_int errorOfInfo(cl_mem of, cl_mem_flags flags, cl_buffer_create_type type, const void* info) {
    cl_int error = CL_SUCCESS;
    cl_mem made = driver->clCreateSubBuffer(of, flags, type, info, &error);
    EXPECT_EQ(made, nullptr);
    if (made != nullptr) clReleaseMemObject(made);
    return error;
  }
};

TEST_F(CreateSubBuffer, sharesTheStoreOfItsBuffer) {
  cl_mem part = sub(parent, align, 2 * align);
  const std::vector<unsigned char> wanted(host.begin() + align, host.begin() + 3 * align);
  EXPECT_EQ(read<unsigned char>(part, 2 * align), wanted);

  const std::vector<unsigned char> fresh(4, 0xAB);
  ASSERT_SUCCESS(clEnqueueWriteBuffer(queue, part, CL_TRUE, 2, fresh.size(), fresh.data(), 0, nullptr, nullptr));
  std::copy(fresh.begin(), fresh.end(), host.begin() + align + 2);
  EXPECT_EQ(read<unsigned char>(parent, kSize), host);
}

TEST_F(CreateSubBuffer, aKernelSeesTheRegion) {
  cl_mem part = sub(parent, 2 * align, align);
  cl_kernel fill = kernel("kernel void fill(global uchar* p) { p[get_global_id(0)] = 7; }", "fill");
  ASSERT_SUCCESS(clSetKernelArg(fill, 0, sizeof part, &part));
  launch(fill, align);
  std::fill(host.begin() + 2 * align, host.begin() + 3 * align, 7);
  EXPECT_EQ(read<unsigned char>(parent, kSize), host);
}

TEST_F(CreateSubBuffer, inheritsFlagsThatAreNotGiven) {
  struct Case {
    cl_mem_flags of, given, wanted;
  };
  const Case cases[] = {
      {CL_MEM_READ_ONLY, 0, CL_MEM_READ_ONLY},
      {CL_MEM_WRITE_ONLY, 0, CL_MEM_WRITE_ONLY},
      {CL_MEM_READ_WRITE, CL_MEM_READ_ONLY, CL_MEM_READ_ONLY},
      {CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY, CL_MEM_WRITE_ONLY},
      {CL_MEM_READ_ONLY | CL_MEM_HOST_READ_ONLY, 0, CL_MEM_READ_ONLY | CL_MEM_HOST_READ_ONLY},
      {CL_MEM_READ_WRITE | CL_MEM_HOST_WRITE_ONLY, CL_MEM_READ_ONLY, CL_MEM_READ_ONLY | CL_MEM_HOST_WRITE_ONLY},
      {CL_MEM_READ_WRITE | CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_NO_ACCESS, CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS},
      {CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, CL_MEM_READ_ONLY, CL_MEM_READ_ONLY | CL_MEM_ALLOC_HOST_PTR},
  };
  for (const Case& each : cases) {
    cl_mem part = sub(buffer(kSize, each.of), 0, align, each.given);
    EXPECT_EQ(infoOf<cl_mem_flags>(clGetMemObjectInfo, part, CL_MEM_FLAGS), each.wanted)
        << "buffer " << each.of << " sub-buffer " << each.given;
  }
}

TEST_F(CreateSubBuffer, hostPointerIsThatOfTheBufferPlusTheOrigin) {
  cl_mem whole = buffer(kSize, CL_MEM_USE_HOST_PTR, host.data());
  cl_mem part = sub(whole, align, align);
  EXPECT_EQ(infoOf<void*>(clGetMemObjectInfo, part, CL_MEM_HOST_PTR), host.data() + align);
  EXPECT_NE(infoOf<cl_mem_flags>(clGetMemObjectInfo, part, CL_MEM_FLAGS) & CL_MEM_USE_HOST_PTR, 0U);
  EXPECT_EQ(infoOf<void*>(clGetMemObjectInfo, sub(parent, align, align), CL_MEM_HOST_PTR), nullptr);
}

TEST_F(CreateSubBuffer, outlivesTheLastReferenceToItsBuffer) {
  cl_mem whole = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, kSize, host.data(), nullptr);
  const cl_buffer_region region{align, align};
  cl_mem part = keep(clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr));
  ASSERT_SUCCESS(clReleaseMemObject(whole));
  const std::vector<unsigned char> wanted(host.begin() + align, host.begin() + 2 * align);
  EXPECT_EQ(read<unsigned char>(part, align), wanted);
}

TEST_F(CreateSubBuffer, theWholeBufferAndItsLastByte) {
  EXPECT_EQ(read<unsigned char>(sub(parent, 0, kSize), kSize), host);
  const size_t last = kSize - align;
  EXPECT_EQ(read<unsigned char>(sub(parent, last, align), align),
            (std::vector<unsigned char>(host.begin() + last, host.end())));
}

// buffer is not a buffer object, or is itself a sub-buffer.
TEST_F(CreateSubBuffer, invalidMemObject) {
  EXPECT_CL(CL_INVALID_MEM_OBJECT, errorOf(sub(parent, 0, 2 * align), 0, 0, align));
  for (const auto& bad : badHandles<cl_mem>(*this))
    EXPECT_CL(CL_INVALID_MEM_OBJECT, errorOf(bad.handle, 0, 0, align)) << "the buffer is " << bad.what;
}

// The sub-buffer asks for a kernel access that its buffer does not allow.
TEST_F(CreateSubBuffer, invalidValueOfKernelAccess) {
  cl_mem writeOnly = buffer(kSize, CL_MEM_WRITE_ONLY);
  EXPECT_CL(CL_INVALID_VALUE, errorOf(writeOnly, CL_MEM_READ_WRITE, 0, align));
  EXPECT_CL(CL_INVALID_VALUE, errorOf(writeOnly, CL_MEM_READ_ONLY, 0, align));
  cl_mem readOnly = buffer(kSize, CL_MEM_READ_ONLY);
  EXPECT_CL(CL_INVALID_VALUE, errorOf(readOnly, CL_MEM_READ_WRITE, 0, align));
  EXPECT_CL(CL_INVALID_VALUE, errorOf(readOnly, CL_MEM_WRITE_ONLY, 0, align));
}

// The sub-buffer asks for a host access that its buffer does not allow.
TEST_F(CreateSubBuffer, invalidValueOfHostAccess) {
  EXPECT_CL(CL_INVALID_VALUE, errorOf(buffer(kSize, CL_MEM_HOST_WRITE_ONLY), CL_MEM_HOST_READ_ONLY, 0, align));
  EXPECT_CL(CL_INVALID_VALUE, errorOf(buffer(kSize, CL_MEM_HOST_READ_ONLY), CL_MEM_HOST_WRITE_ONLY, 0, align));
  cl_mem noAccess = buffer(kSize, CL_MEM_HOST_NO_ACCESS);
  EXPECT_CL(CL_INVALID_VALUE, errorOf(noAccess, CL_MEM_HOST_READ_ONLY, 0, align));
  EXPECT_CL(CL_INVALID_VALUE, errorOf(noAccess, CL_MEM_HOST_WRITE_ONLY, 0, align));
}

// The flags about the host pointer cannot be given; bits that are no flags neither.
TEST_F(CreateSubBuffer, invalidValueOfFlags) {
  EXPECT_CL(CL_INVALID_VALUE, errorOf(parent, CL_MEM_USE_HOST_PTR, 0, align));
  EXPECT_CL(CL_INVALID_VALUE, errorOf(parent, CL_MEM_ALLOC_HOST_PTR, 0, align));
  EXPECT_CL(CL_INVALID_VALUE, errorOf(parent, CL_MEM_COPY_HOST_PTR, 0, align));
  EXPECT_CL(CL_INVALID_VALUE, errorOf(parent, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 0, align));
  EXPECT_CL(CL_INVALID_VALUE, errorOf(parent, cl_mem_flags{1} << 40, 0, align));
}

// An unknown create type, no create info, or a region that leaves the buffer.
TEST_F(CreateSubBuffer, invalidValueOfRegion) {
  const cl_buffer_region region{0, align};
  EXPECT_CL(CL_INVALID_VALUE, errorOfInfo(parent, 0, cl_buffer_create_type{0x1234}, &region));
  EXPECT_CL(CL_INVALID_VALUE, errorOfInfo(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, errorOf(parent, 0, 0, kSize + 1));
  EXPECT_CL(CL_INVALID_VALUE, errorOf(parent, 0, align, kSize));
  EXPECT_CL(CL_INVALID_VALUE, errorOf(parent, 0, kSize, 1));
  // The sum of origin and size does not fit in size_t.
  EXPECT_CL(CL_INVALID_VALUE, errorOf(parent, 0, align, SIZE_MAX));
  EXPECT_CL(CL_INVALID_VALUE, errorOf(parent, 0, SIZE_MAX - align + 1, align));
}

// The region has no bytes.
TEST_F(CreateSubBuffer, invalidBufferSize) { EXPECT_CL(CL_INVALID_BUFFER_SIZE, errorOf(parent, 0, 0, 0)); }

// The origin is not aligned to CL_DEVICE_MEM_BASE_ADDR_ALIGN of any device of the context.
TEST_F(CreateSubBuffer, misalignedSubBufferOffset) {
  EXPECT_CL(CL_MISALIGNED_SUB_BUFFER_OFFSET, errorOf(parent, 0, 1, 16));
  EXPECT_CL(CL_MISALIGNED_SUB_BUFFER_OFFSET, errorOf(parent, 0, align + align / 2, 16));
}

}  // namespace
}  // namespace clarity::test
