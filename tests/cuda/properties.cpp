// SPDX-License-Identifier: Apache-2.0
// This file tests what a GPU says of itself, where the CUDA driver is what it comes from.
#include "cuda_stub.h"

#include <dlfcn.h>

#include <cstdlib>

namespace clarity::test {
namespace {

struct CudaProperties : CudaStub {};

// cl_khr_pci_bus_info.
TEST_F(CudaProperties, placeOnTheBus) {
  const std::string names = " " + infoStringOf(clGetDeviceInfo, device, CL_DEVICE_EXTENSIONS) + " ";
  EXPECT_NE(names.find(" cl_khr_pci_bus_info "), std::string::npos) << names;
  const auto bus = infoOf<cl_device_pci_bus_info_khr>(clGetDeviceInfo, device, CL_DEVICE_PCI_BUS_INFO_KHR);
  EXPECT_EQ(bus.pci_domain, 3U);
  EXPECT_EQ(bus.pci_bus, 0x1bU);
  EXPECT_EQ(bus.pci_device, 2U);
  EXPECT_EQ(bus.pci_function, 0U);
}

// By default GPUs come after the CPU, and the CUDA driver, which needs a quarter of a second to start, is not opened
// for programs that ask for the CPU only.
TEST(CudaByDefault, gpusAreLookedForWhenTheyAreWanted) {
  const auto isOpen = [] { return dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD) != nullptr; };
  if (isOpen()) GTEST_SKIP() << "another test of this process has used the driver";
  ASSERT_EQ(setenv("CLARITY_DEVICES", "auto", 1), 0);  // which the driver has not read yet
  cl_platform_id platform = nullptr;
  ASSERT_SUCCESS(clGetPlatformIDs(1, &platform, nullptr));
  cl_device_id cpu = nullptr, byDefault = nullptr, all[4] = {};
  ASSERT_SUCCESS(clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &cpu, nullptr));
  ASSERT_SUCCESS(clGetDeviceIDs(platform, CL_DEVICE_TYPE_DEFAULT, 1, &byDefault, nullptr));
  EXPECT_EQ(byDefault, cpu);
  cl_int error = CL_SUCCESS;
  cl_context context = clCreateContext(nullptr, 1, &cpu, nullptr, nullptr, &error);
  ASSERT_SUCCESS(error);
  EXPECT_SUCCESS(clReleaseContext(context));
  EXPECT_FALSE(isOpen());
  cl_uint count = 0;
  ASSERT_SUCCESS(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 4, all, &count));
  EXPECT_TRUE(isOpen());
  ASSERT_EQ(count, 3U) << "the CPU and two GPUs";
  EXPECT_EQ(all[0], cpu);
  cl_device_id gpus[2] = {};
  ASSERT_SUCCESS(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 2, gpus, &count));
  ASSERT_EQ(count, 2U);
  EXPECT_EQ(gpus[0], all[1]);
  EXPECT_EQ(gpus[1], all[2]);
}

}  // namespace
}  // namespace clarity::test
