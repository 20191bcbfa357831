// SPDX-License-Identifier: Apache-2.0
// This file tests clEnqueueAcquireExternalMemObjectsKHR and memory objects that are made of file descriptors
// (cl_khr_external_memory, cl_khr_external_memory_opaque_fd).
#include "external_memory.h"
#include "watched_child.h"

#include <fcntl.h>
#include <sys/stat.h>

namespace clarity::test {
namespace {

struct AcquireExternalMemObjects : ExternalMemoryTest {
  using Properties = std::vector<cl_mem_properties>;
  cl_mem_properties ofDevice() { return reinterpret_cast<cl_mem_properties>(device); }
  void expectError(cl_int code, const Properties& properties, cl_mem_flags flags = CL_MEM_READ_WRITE,
                   void* host = nullptr, size_t bytes = kBytes) {
    cl_int error = CL_SUCCESS;
    EXPECT_EQ(clCreateBufferWithProperties(context, properties.data(), flags, bytes, host, &error), nullptr);
    EXPECT_CL(code, error);
  }
};

// The kernel's writes are in the file, and those of others there are in the buffer.
TEST_F(AcquireExternalMemObjects, kernelsUseTheFile) {
  cl_mem memory = imported();
  doubleAll(memory);
  for (size_t i = 0; i < kBytes / sizeof(cl_int); ++i) ASSERT_EQ(content[i], cl_int(2 * i));
  content[5] = 50;
  doubleAll(memory);
  EXPECT_EQ(content[5], 100);
  EXPECT_EQ(read<cl_int>(memory, 8)[5], 100);
}

// Two memory objects of one file are distinct and share its bytes.
TEST_F(AcquireExternalMemObjects, importsTwice) {
  cl_mem first = imported(), second = imported(kBytes / 2);
  EXPECT_NE(first, second);
  doubleAll(first);
  EXPECT_EQ(read<cl_int>(second, 4), (std::vector<cl_int>{0, 2, 4, 6}));
}

// The file stays as long as the memory object; the descriptor is the driver's and is closed.
TEST_F(AcquireExternalMemObjects, ownsTheDescriptor) {
  const cl_mem_properties properties[] = {kFd, handle(), 0};
  const int given = static_cast<int>(properties[1]);
  cl_mem memory =
      created([&](cl_int* e) { return clCreateBufferWithProperties(context, properties, 0, kBytes, nullptr, e); });
  EXPECT_EQ(fcntl(given, F_GETFD), -1);
  EXPECT_EQ(infoVectorOf<cl_mem_properties>(clGetMemObjectInfo, memory, CL_MEM_PROPERTIES),
            (Properties{kFd, properties[1], 0}));
  EXPECT_EQ(infoOf<void*>(clGetMemObjectInfo, memory, CL_MEM_HOST_PTR), nullptr);
}

TEST_F(AcquireExternalMemObjects, mapsAndDivides) {
  cl_mem memory = imported();
  const cl_buffer_region region{1024, 1024};
  cl_mem part =
      created([&](cl_int* e) { return clCreateSubBuffer(memory, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, e); });
  ASSERT_SUCCESS(acquire(queue, 1, &memory, 0, nullptr, nullptr));
  cl_int error = CL_SUCCESS;
  auto* const mapped = static_cast<cl_int*>(
      clEnqueueMapBuffer(queue, part, CL_TRUE, CL_MAP_WRITE, 0, 1024, 0, nullptr, nullptr, &error));
  ASSERT_SUCCESS(error);
  EXPECT_EQ(mapped[0], 256);
  mapped[0] = -1;
  ASSERT_SUCCESS(clEnqueueUnmapMemObject(queue, part, mapped, 0, nullptr, nullptr));
  ASSERT_SUCCESS(release(queue, 1, &memory, 0, nullptr, nullptr));
  ASSERT_SUCCESS(clFinish(queue));
  EXPECT_EQ(content[256], -1);
}

// With the pitch of the descriptor.
TEST_F(AcquireExternalMemObjects, images) {
  const cl_mem_properties properties[] = {kFd, handle(), 0};
  const cl_image_format format{CL_R, CL_SIGNED_INT32};
  cl_image_desc desc{};
  desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  desc.image_width = 10;
  desc.image_height = 20;
  desc.image_row_pitch = 64;
  cl_mem image = created([&](cl_int* e) {
    return clCreateImageWithProperties(context, properties, CL_MEM_READ_WRITE, &format, &desc, nullptr, e);
  });
  EXPECT_EQ(infoOf<size_t>(clGetImageInfo, image, CL_IMAGE_ROW_PITCH), 64U);
  ASSERT_SUCCESS(acquire(queue, 1, &image, 0, nullptr, nullptr));
  const size_t origin[] = {3, 4, 0}, region[] = {1, 1, 1};
  cl_int texel = 0;
  ASSERT_SUCCESS(clEnqueueReadImage(queue, image, CL_TRUE, origin, region, 0, 0, &texel, 0, nullptr, nullptr));
  EXPECT_EQ(texel, 4 * 16 + 3);
  texel = 77;
  ASSERT_SUCCESS(clEnqueueWriteImage(queue, image, CL_TRUE, origin, region, 0, 0, &texel, 0, nullptr, nullptr));
  ASSERT_SUCCESS(release(queue, 1, &image, 0, nullptr, nullptr));
  ASSERT_SUCCESS(clFinish(queue));
  EXPECT_EQ(content[4 * 16 + 3], 77);
  // More than the file has.
  const cl_mem_properties again[] = {kFd, handle(), 0};
  desc.image_height = 4000;
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(clCreateImageWithProperties(context, again, CL_MEM_READ_WRITE, &format, &desc, nullptr, &error), nullptr);
  EXPECT_CL(CL_INVALID_PROPERTY, error);
  close(static_cast<int>(again[1]));
}

// The other process imports the same file and computes.
TEST_F(AcquireExternalMemObjects, anotherProcess) {
  if (!outlivesFaults()) GTEST_SKIP() << "a forked process cannot use the device's driver";
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    cl_int error = CL_SUCCESS;
    cl_context own = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
    if (!own) _exit(2);
    cl_command_queue commands = clCreateCommandQueueWithProperties(own, device, nullptr, &error);
    const cl_mem_properties properties[] = {kFd, handle(), 0};
    cl_mem memory = clCreateBufferWithProperties(own, properties, 0, kBytes, nullptr, &error);
    if (!commands || !memory) _exit(3);
    const cl_int value = 4321;
    if (acquire(commands, 1, &memory, 0, nullptr, nullptr) != CL_SUCCESS) _exit(4);
    if (clEnqueueFillBuffer(commands, memory, &value, 4, 0, kBytes, 0, nullptr, nullptr) != CL_SUCCESS) _exit(5);
    if (release(commands, 1, &memory, 0, nullptr, nullptr) != CL_SUCCESS) _exit(6);
    _exit(clFinish(commands) == CL_SUCCESS ? 0 : 7);
  }
  const Ending ending = endingOf(child);
  ASSERT_TRUE(ending.exitedWith(0)) << ending.text();
  EXPECT_EQ(read<cl_int>(imported(), 2), (std::vector<cl_int>{4321, 4321}));
}

// A file that can only be read makes a memory object that nothing writes.
TEST_F(AcquireExternalMemObjects, readOnlyFiles) {
  const std::string path = "/proc/self/fd/" + std::to_string(file);
  const int reading = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_GE(reading, 0);
  expectError(CL_INVALID_PROPERTY, {kFd, static_cast<cl_mem_properties>(reading), 0});
  // A device may have other content than the file's in memory of its own.
  std::vector<cl_mem_flags> every{CL_MEM_IMMUTABLE_EXT};
  if (infoOf<cl_bool>(clGetDeviceInfo, device, CL_DEVICE_HOST_UNIFIED_MEMORY))
    every.push_back(CL_MEM_READ_ONLY | CL_MEM_HOST_READ_ONLY);
  for (const cl_mem_flags flags : every) {
    const cl_mem_properties properties[] = {kFd, static_cast<cl_mem_properties>(dup(reading)), 0};
    cl_mem memory = created(
        [&](cl_int* e) { return clCreateBufferWithProperties(context, properties, flags, kBytes, nullptr, e); });
    EXPECT_EQ(read<cl_int>(memory, 3)[2], 2);
  }
  EXPECT_EQ(close(reading), 0);
}

// The launch of a kernel that accesses what another process has cut off the file ends with an error.
TEST_F(AcquireExternalMemObjects, filesThatAreCut) {
  cl_mem memory = imported();
  ASSERT_EQ(ftruncate(file, 0), 0);
  cl_kernel its = kernel("kernel void twice(global int* p) { p[get_global_id(0)] *= 2; }", "twice");
  ASSERT_SUCCESS(clSetKernelArg(its, 0, sizeof memory, &memory));
  const size_t items = 64;
  cl_event event = nullptr;
  ASSERT_SUCCESS(clEnqueueNDRangeKernel(queue, its, 1, nullptr, &items, nullptr, 0, nullptr, &event));
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &event));
  keep(event);
  ASSERT_EQ(ftruncate(file, kBytes), 0);
}

TEST_F(AcquireExternalMemObjects, takesItsDevices) {
  const cl_mem_properties properties[] = {CL_MEM_DEVICE_HANDLE_LIST_KHR, ofDevice(), 0, kFd, handle(), 0};
  cl_mem memory =
      created([&](cl_int* e) { return clCreateBufferWithProperties(context, properties, 0, kBytes, nullptr, e); });
  EXPECT_SUCCESS(acquire(queue, 1, &memory, 0, nullptr, nullptr));
}

TEST_F(AcquireExternalMemObjects, errors) { checkErrors(acquire, CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR); }

// Errors of creating: names and values, devices, flags and host_ptr.
TEST_F(AcquireExternalMemObjects, invalidProperty) {
  const cl_mem_properties own = handle();
  expectError(CL_INVALID_PROPERTY, {kFd, own, kFd, own, 0});
  expectError(CL_INVALID_PROPERTY, {CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_WIN32_KHR, own, 0});
  expectError(CL_INVALID_PROPERTY, {kFd, static_cast<cl_mem_properties>(-1), 0});
  expectError(CL_INVALID_PROPERTY, {kFd, 1 << 20, 0});
  expectError(CL_INVALID_PROPERTY, {CL_MEM_DEVICE_HANDLE_LIST_KHR, ofDevice(), 0, 0});
  expectError(CL_INVALID_PROPERTY, {CL_MEM_DEVICE_HANDLE_LIST_KHR, 0, kFd, own, 0});
  expectError(CL_INVALID_PROPERTY, {kFd, own, 0}, CL_MEM_READ_WRITE, nullptr, kBytes + 1);
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  expectError(CL_INVALID_PROPERTY, {kFd, static_cast<cl_mem_properties>(ends[0]), 0});
  for (const int each : ends) EXPECT_EQ(close(each), 0);
  EXPECT_EQ(close(static_cast<int>(own)), 0) << "what was not imported is the application's";
}

TEST_F(AcquireExternalMemObjects, invalidDevice) {
  expectError(CL_INVALID_DEVICE, {CL_MEM_DEVICE_HANDLE_LIST_KHR, reinterpret_cast<cl_mem_properties>(context), 0, kFd,
                                  static_cast<cl_mem_properties>(file), 0});
}

TEST_F(AcquireExternalMemObjects, invalidValueAndHostPtr) {
  cl_int host[kBytes / 4] = {};
  const Properties properties{kFd, static_cast<cl_mem_properties>(file), 0};
  expectError(CL_INVALID_VALUE, properties, CL_MEM_USE_HOST_PTR, host);
  expectError(CL_INVALID_VALUE, properties, CL_MEM_COPY_HOST_PTR, host);
  expectError(CL_INVALID_VALUE, properties, CL_MEM_ALLOC_HOST_PTR);
  expectError(CL_INVALID_HOST_PTR, properties, CL_MEM_READ_WRITE, host);
}

}  // namespace
}  // namespace clarity::test
