// SPDX-License-Identifier: Apache-2.0
// This file tests cl_khr_external_memory_dma_buf: that it is reported where the system has dma-bufs and nowhere else,
// and memory objects that are made of one where the system makes them of files in memory (/dev/udmabuf).
#include "external_memory.h"

#include <fcntl.h>
#include <linux/udmabuf.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <filesystem>
#include <set>

namespace clarity::test {
namespace {

constexpr cl_mem_properties kDmaBuffer = CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR;

struct AcquireDmaBuffers : ExternalMemoryTest {
  static bool systemHasThem() {
    const std::filesystem::path devices = "/dev";
    return std::ranges::any_of(std::set<std::string>{"udmabuf", "dma_heap", "dri"},
                               [&](const std::string& name) { return exists(devices / name); });
  }
  cl_int errorOf(cl_mem_properties type, cl_mem_properties handle, size_t bytes = kBytes) {
    const cl_mem_properties properties[] = {type, handle, 0};
    cl_int error = CL_SUCCESS;
    cl_mem made = clCreateBufferWithProperties(context, properties, CL_MEM_READ_WRITE, bytes, nullptr, &error);
    if (made) clReleaseMemObject(made);
    return error;
  }
};

// All queries that tell of it give the same.
TEST_F(AcquireDmaBuffers, areReportedWhereThereAreAny) {
  using Type = cl_external_memory_handle_type_khr;
  std::vector<Type> types{CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR};
  if (systemHasThem()) types.push_back(CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR);
  EXPECT_EQ(infoVectorOf<Type>(clGetDeviceInfo, device, CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR), types);
  EXPECT_EQ(infoVectorOf<Type>(clGetDeviceInfo, device,
                               CL_DEVICE_EXTERNAL_MEMORY_IMPORT_ASSUME_LINEAR_IMAGES_HANDLE_TYPES_KHR),
            types);
  EXPECT_EQ(infoVectorOf<Type>(clGetPlatformInfo, platform, CL_PLATFORM_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR),
            types);
  const std::string names = " " + infoStringOf(clGetDeviceInfo, device, CL_DEVICE_EXTENSIONS) + " ";
  EXPECT_EQ(names.find(" cl_khr_external_memory_dma_buf ") != std::string::npos, systemHasThem()) << names;
}

// Where there are none, the property is none of the driver's; where there are, a file in memory is no dma-buf.
TEST_F(AcquireDmaBuffers, invalidProperty) {
  const cl_mem_properties given = handle();
  EXPECT_CL(CL_INVALID_PROPERTY, errorOf(kDmaBuffer, given));
  EXPECT_TRUE(wasNotified(systemHasThem() ? "not that of a dma-buf" : "not supported")) << allNotified();
  EXPECT_CL(CL_INVALID_PROPERTY, errorOf(kDmaBuffer, static_cast<cl_mem_properties>(-1)));
  EXPECT_EQ(close(static_cast<int>(given)), 0) << "what was not imported is the application's";
}

// Kernels compute in it between acquiring and releasing, and the process sees that in its own mapping.
TEST_F(AcquireDmaBuffers, kernelsUseThem) {
  const int maker = open("/dev/udmabuf", O_RDWR | O_CLOEXEC);
  if (maker < 0) GTEST_SKIP() << "the system makes no dma-bufs of files in memory (/dev/udmabuf)";
  atEnd([maker] { close(maker); });
  const int sealed = memfd_create("sealed", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  ASSERT_GE(sealed, 0);
  atEnd([sealed] { close(sealed); });
  ASSERT_EQ(ftruncate(sealed, kBytes), 0);
  ASSERT_EQ(fcntl(sealed, F_ADD_SEALS, F_SEAL_SHRINK), 0);
  void* const mapped = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, sealed, 0);
  ASSERT_NE(mapped, MAP_FAILED);
  auto* const its = static_cast<cl_int*>(mapped);
  atEnd([its] { munmap(its, kBytes); });
  udmabuf_create request{};
  request.memfd = static_cast<unsigned>(sealed);
  request.flags = UDMABUF_FLAGS_CLOEXEC;
  request.size = kBytes;
  const int made = ioctl(maker, UDMABUF_CREATE, &request);
  ASSERT_GE(made, 0);
  const auto buffer = static_cast<cl_mem_properties>(made);
  its[7] = 21;
  EXPECT_CL(CL_INVALID_PROPERTY, errorOf(kDmaBuffer, buffer, kBytes + 1));
  EXPECT_CL(CL_INVALID_PROPERTY, errorOf(kFd, buffer)) << "a dma-buf is no opaque file descriptor";
  const cl_mem_properties properties[] = {kDmaBuffer, buffer, 0};
  cl_mem memory =
      created([&](cl_int* e) { return clCreateBufferWithProperties(context, properties, 0, kBytes, nullptr, e); });
  doubleAll(memory);
  EXPECT_EQ(its[7], 42);
  EXPECT_EQ(read<cl_int>(memory, 8)[7], 42);
}

}  // namespace
}  // namespace clarity::test
