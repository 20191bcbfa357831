// SPDX-License-Identifier: Apache-2.0
// This file tests what a GPU says of itself, where the CUDA driver is what it comes from.
#include "cuda_stub.h"

#include <dlfcn.h>

#include <cstdlib>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <utility>

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

/// Ten times the compute capability of the stub's GPUs.
int capabilityOfTheStub() {
  const auto number = [](const char* variable, int standard) {
    const char* text = std::getenv(variable);
    return text ? std::atoi(text) : standard;
  };
  return 10 * number("CLARITY_TEST_CUDA_MAJOR", 9) + number("CLARITY_TEST_CUDA_MINOR", 0);
}

/// The words of a list.
std::set<std::string> wordsOf(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

// A GPU has every extension that the CPU has, but for memory that Linux hands over between devices.
TEST_F(CudaProperties, extensionsOfTheCpu) {
  const std::set<std::string> platforms = wordsOf(infoStringOf(clGetPlatformInfo, platform, CL_PLATFORM_EXTENSIONS));
  const std::set<std::string> its = wordsOf(infoStringOf(clGetDeviceInfo, device, CL_DEVICE_EXTENSIONS));
  EXPECT_GT(platforms.size(), 50U);
  for (const std::string& each : platforms)
    EXPECT_TRUE(its.contains(each) || each == "cl_khr_external_memory_dma_buf") << each;
  EXPECT_TRUE(its.contains("cl_nv_device_attribute_query"));
}

TEST_F(CudaProperties, versions) {
  EXPECT_NE(infoStringOf(clGetDeviceInfo, device, CL_DRIVER_VERSION).find(" (CUDA 13.0)"), std::string::npos);
  const auto all = infoVectorOf<cl_name_version>(clGetDeviceInfo, device, CL_DEVICE_OPENCL_C_ALL_VERSIONS);
  ASSERT_EQ(all.size(), 6U);
  EXPECT_EQ(all.back().version, cl_version{CL_MAKE_VERSION(3, 1, 0)});
  EXPECT_SUCCESS(clBuildProgram(source("kernel void k(global int* a) { *a = __OPENCL_C_VERSION__; }"), 1, &device,
                                "-cl-std=CL3.1", nullptr, nullptr));
}

TEST_F(CudaProperties, dotProducts) {
  for (const cl_device_info query : {CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR,
                                     CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR}) {
    const auto its = infoOf<cl_device_integer_dot_product_acceleration_properties_khr>(clGetDeviceInfo, device, query);
    EXPECT_TRUE(its.signed_accelerated && its.unsigned_accelerated && its.mixed_signedness_accelerated);
    EXPECT_FALSE(its.accumulating_saturating_signed_accelerated);
  }
}

// cl_nv_device_attribute_query.
TEST_F(CudaProperties, attributesOfNvidia) {
  const auto capability = static_cast<cl_uint>(capabilityOfTheStub());
  const std::pair<cl_device_info, cl_uint> expected[] = {{CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV, capability / 10},
                                                         {CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV, capability % 10},
                                                         {CL_DEVICE_REGISTERS_PER_BLOCK_NV, 65536},
                                                         {CL_DEVICE_WARP_SIZE_NV, 32},
                                                         {CL_DEVICE_GPU_OVERLAP_NV, CL_TRUE},
                                                         {CL_DEVICE_KERNEL_EXEC_TIMEOUT_NV, CL_FALSE},
                                                         {CL_DEVICE_INTEGRATED_MEMORY_NV, CL_FALSE},
                                                         {0x4007, 3},
                                                         {0x4008, 0x1b},
                                                         {0x4009, 2 << 3},
                                                         {0x400A, 3}};
  for (const auto& [query, value] : expected) EXPECT_EQ(infoOf<cl_uint>(clGetDeviceInfo, device, query), value);
}

// Properties that depend on the compute capability: run with several (cuda.capability.*).
TEST_F(CudaProperties, followTheComputeCapability) {
  const int capability = capabilityOfTheStub();
  const bool hasSystemScope = capability >= 60, hasDotProducts = capability >= 61, hasLargeShared = capability >= 70;
  for (const cl_device_info which : {CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, CL_DEVICE_ATOMIC_FENCE_CAPABILITIES}) {
    const auto atomics = infoOf<cl_device_atomic_capabilities>(clGetDeviceInfo, device, which);
    EXPECT_EQ((atomics & CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES) != 0, hasSystemScope);
    EXPECT_NE(atomics & CL_DEVICE_ATOMIC_SCOPE_DEVICE, 0U);
  }
  cl_name_version versions[8] = {};
  size_t bytes = 0;
  ASSERT_SUCCESS(clGetDeviceInfo(device, CL_DEVICE_OPENCL_C_ALL_VERSIONS, sizeof versions, versions, &bytes));
  EXPECT_EQ(bytes / sizeof versions[0], hasSystemScope ? 6U : 5U) << "2.0 has the scope in any case";
  const auto shared = infoOf<cl_device_svm_capabilities>(clGetDeviceInfo, device, CL_DEVICE_SVM_CAPABILITIES);
  EXPECT_EQ((shared & CL_DEVICE_SVM_ATOMICS) != 0, hasSystemScope);
  EXPECT_NE(shared & CL_DEVICE_SVM_FINE_GRAIN_BUFFER, 0U);
  for (const cl_device_info which : {CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR,
                                     CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR}) {
    const auto fast = infoOf<cl_device_integer_dot_product_acceleration_properties_khr>(clGetDeviceInfo, device, which);
    EXPECT_EQ(fast.signed_accelerated, static_cast<cl_bool>(hasDotProducts));
    EXPECT_EQ(fast.mixed_signedness_accelerated, static_cast<cl_bool>(hasDotProducts));
    EXPECT_FALSE(fast.accumulating_saturating_unsigned_accelerated);
  }
  const auto local = infoOf<cl_ulong>(clGetDeviceInfo, device, CL_DEVICE_LOCAL_MEM_SIZE);
  EXPECT_EQ(local, (hasLargeShared ? 232448U : 49152U) - 1024U);
  EXPECT_EQ(infoOf<cl_bool>(clGetDeviceInfo, device, CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS), CL_TRUE);
  const std::string extensions = " " + infoStringOf(clGetDeviceInfo, device, CL_DEVICE_EXTENSIONS) + " ";
  EXPECT_NE(extensions.find(" cl_khr_fp16 "), std::string::npos);
  EXPECT_NE(extensions.find(" cl_khr_subgroups "), std::string::npos);
}

// Macros of programs say the same, and kernels become code that the driver's compiler takes for the GPU.
TEST_F(CudaProperties, programsAreForTheComputeCapability) {
  const int capability = capabilityOfTheStub();
  const std::string options = "-cl-std=CL3.0 -D SYSTEM_SCOPE=" + std::to_string(capability >= 60) +
                              " -D HALVES=" + std::to_string(capability >= 53);
  const cl_kernel made = kernel(build("#if defined(__opencl_c_atomic_scope_all_devices) != (SYSTEM_SCOPE)\n"
                                      "#error scope\n#endif\n"
                                      "#if defined(FP_FAST_FMA_HALF) != (HALVES)\n#error half\n#endif\n"
                                      "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
                                      "kernel void of_capability(global int* a, global half* h) {\n"
                                      "  a[0] = sub_group_reduce_add(a[0]);\n"
                                      "  h[0] = fma(h[0], h[1], h[2]);\n}",
                                      options.c_str()),
                                "of_capability");
  defineKernel("of_capability", [](const ClarityCudaLaunch* launch) { at<cl_int>(launch, 0) = 77; });
  const cl_mem ints = bufferOf(std::vector<cl_int>{1}), halves = bufferOf(std::vector<cl_short>{1, 2, 3});
  ASSERT_SUCCESS(clSetKernelArg(made, 0, sizeof ints, &ints));
  ASSERT_SUCCESS(clSetKernelArg(made, 1, sizeof halves, &halves));
  launchOne(queue, made);
  EXPECT_EQ(read<cl_int>(ints, 1)[0], 77);
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
