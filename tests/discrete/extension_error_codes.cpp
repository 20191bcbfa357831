// SPDX-License-Identifier: Apache-2.0
// This file provokes the error codes of extensions that only contexts of several devices give, or of a device that does
// not have an extension (see error_codes.cpp).
#include "api/entry_points.h"
#include "driver_functions.h"
#include "several_devices.h"

#include <sys/mman.h>
#include <unistd.h>

namespace clarity::test {
namespace {

struct ExtensionErrorCodes : DiscreteDevices {};

// Features that no device of a context has: unified shared memory and addresses of buffers.
TEST_F(ExtensionErrorCodes, invalidOperationWithoutSharedMemory) {
  cl_context its =
      created([&](cl_int* e) { return clCreateContext(nullptr, 1, &devices[first], nullptr, nullptr, e); });
  const auto host = driverFunction<api::cl_api_clHostMemAllocINTEL>(*this, "clHostMemAllocINTEL");
  const auto device = driverFunction<api::cl_api_clDeviceMemAllocINTEL>(*this, "clDeviceMemAllocINTEL");
  const auto shared = driverFunction<api::cl_api_clSharedMemAllocINTEL>(*this, "clSharedMemAllocINTEL");
  const auto setAddress =
      driverFunction<api::cl_api_clSetKernelArgDevicePointerEXT>(*this, "clSetKernelArgDevicePointerEXT");
  const auto setPointer =
      driverFunction<api::cl_api_clSetKernelArgMemPointerINTEL>(*this, "clSetKernelArgMemPointerINTEL");
  ASSERT_FALSE(HasFailure());
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(host(its, nullptr, 64, 0, &error), nullptr);
  EXPECT_CL(CL_INVALID_OPERATION, error);
  EXPECT_EQ(device(its, devices[first], nullptr, 64, 0, &(error = CL_SUCCESS)), nullptr);
  EXPECT_CL(CL_INVALID_OPERATION, error);
  for (const cl_device_id of : {devices[first], cl_device_id{nullptr}}) {
    EXPECT_EQ(shared(its, of, nullptr, 64, 0, &(error = CL_SUCCESS)), nullptr);
    EXPECT_CL(CL_INVALID_OPERATION, error);
  }
  const char* text = "kernel void none(global int* p) { *p = 1; }";
  cl_program program = keep(clCreateProgramWithSource(its, 1, &text, nullptr, nullptr));
  ASSERT_SUCCESS(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr));
  cl_kernel none = kernel(program, "none");
  EXPECT_CL(CL_INVALID_OPERATION, setAddress(none, 0, 4096));
  EXPECT_CL(CL_INVALID_OPERATION, setPointer(none, 0, &error));
  const cl_mem_properties address[] = {CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_TRUE, 0};
  expectFails(CL_INVALID_OPERATION,
              [&](cl_int* e) { return clCreateBufferWithProperties(its, address, 0, 64, nullptr, e); });
}

// Memory of other APIs for a device that cannot import it.
TEST_F(ExtensionErrorCodes, invalidDeviceOfExternalMemory) {
  const cl_mem_properties list[] = {CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR, 0, 0};
  const cl_image_format format{CL_R, CL_UNSIGNED_INT32};
  cl_image_desc desc{};
  desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  desc.image_width = desc.image_height = 4;
  expectFails(CL_INVALID_DEVICE,
              [&](cl_int* e) { return clCreateBufferWithProperties(context, list, 0, 64, nullptr, e); });
  expectFails(CL_INVALID_DEVICE,
              [&](cl_int* e) { return clCreateImageWithProperties(context, list, 0, &format, &desc, nullptr, e); });
}

// Semaphores are of one device, which must be named where the context has several.
TEST_F(ExtensionErrorCodes, semaphoresOfAnotherDevice) {
  const auto create =
      driverFunction<api::cl_api_clCreateSemaphoreWithPropertiesKHR>(*this, "clCreateSemaphoreWithPropertiesKHR");
  const auto release = driverFunction<api::cl_api_clReleaseSemaphoreKHR>(*this, "clReleaseSemaphoreKHR");
  const auto signal = driverFunction<api::cl_api_clEnqueueSignalSemaphoresKHR>(*this, "clEnqueueSignalSemaphoresKHR");
  const auto wait = driverFunction<api::cl_api_clEnqueueWaitSemaphoresKHR>(*this, "clEnqueueWaitSemaphoresKHR");
  const auto handleOf =
      driverFunction<api::cl_api_clGetSemaphoreHandleForTypeKHR>(*this, "clGetSemaphoreHandleForTypeKHR");
  ASSERT_FALSE(HasFailure());
  const cl_semaphore_properties_khr none[] = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, 0};
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(create(context, none, &error), nullptr);
  EXPECT_CL(CL_INVALID_PROPERTY, error);
  const cl_semaphore_properties_khr ofFirst[] = {CL_SEMAPHORE_TYPE_KHR,
                                                 CL_SEMAPHORE_TYPE_BINARY_KHR,
                                                 CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR,
                                                 reinterpret_cast<cl_semaphore_properties_khr>(devices[first]),
                                                 0,
                                                 CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR,
                                                 CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR,
                                                 0,
                                                 0};
  cl_semaphore_khr its = create(context, ofFirst, &error);
  ASSERT_SUCCESS(error);
  EXPECT_CL(CL_INVALID_COMMAND_QUEUE, signal(queues[second], 1, &its, nullptr, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_COMMAND_QUEUE, wait(queues[cpu], 1, &its, nullptr, 0, nullptr, nullptr));
  int descriptor = -1;
  EXPECT_CL(CL_INVALID_DEVICE,
            handleOf(its, devices[second], CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, sizeof descriptor, &descriptor, nullptr));
  EXPECT_SUCCESS(signal(queues[first], 1, &its, nullptr, 0, nullptr, nullptr));
  EXPECT_SUCCESS(wait(queues[first], 1, &its, nullptr, 0, nullptr, nullptr));
  EXPECT_SUCCESS(clFinish(queues[first]));
  EXPECT_SUCCESS(release(its));
}

// Memory of other APIs is handed over on the devices that it was imported for.
TEST_F(ExtensionErrorCodes, externalMemoryOfAnotherDevice) {
  const auto acquire =
      driverFunction<api::cl_api_clEnqueueAcquireExternalMemObjectsKHR>(*this, "clEnqueueAcquireExternalMemObjectsKHR");
  const auto handBack =
      driverFunction<api::cl_api_clEnqueueReleaseExternalMemObjectsKHR>(*this, "clEnqueueReleaseExternalMemObjectsKHR");
  ASSERT_FALSE(HasFailure());
  const int file = memfd_create("test", MFD_CLOEXEC);
  ASSERT_GE(file, 0);
  ASSERT_EQ(ftruncate(file, 4096), 0);
  const cl_mem_properties list[] = {CL_MEM_DEVICE_HANDLE_LIST_KHR,
                                    reinterpret_cast<cl_mem_properties>(devices[cpu]),
                                    0,
                                    CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR,
                                    static_cast<cl_mem_properties>(file),
                                    0};
  cl_mem memory = created([&](cl_int* e) { return clCreateBufferWithProperties(context, list, 0, 4096, nullptr, e); });
  EXPECT_CL(CL_INVALID_COMMAND_QUEUE, acquire(queues[first], 1, &memory, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_COMMAND_QUEUE, handBack(queues[second], 1, &memory, 0, nullptr, nullptr));
  EXPECT_SUCCESS(acquire(queues[cpu], 1, &memory, 0, nullptr, nullptr));
  EXPECT_SUCCESS(handBack(queues[cpu], 1, &memory, 0, nullptr, nullptr));
  EXPECT_SUCCESS(clFinish(queues[cpu]));
}

// A command-buffer for devices that synchronise themselves, of devices that do not.
TEST_F(ExtensionErrorCodes, incompatibleCommandQueue) {
  const auto create = driverFunction<api::cl_api_clCreateCommandBufferKHR>(*this, "clCreateCommandBufferKHR");
  ASSERT_NE(create, nullptr);
  const cl_command_buffer_properties_khr properties[] = {CL_COMMAND_BUFFER_FLAGS_KHR,
                                                         CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR, 0};
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(create(2, queues.data(), properties, &error), nullptr);
  EXPECT_CL(CL_INCOMPATIBLE_COMMAND_QUEUE_KHR, error);
}

}  // namespace
}  // namespace clarity::test
