// SPDX-License-Identifier: Apache-2.0
// This file tests images in contexts of several devices: their content is where a command uses it, by texel, and what a
// device does not support it refuses.
#include "several_devices.h"

#include <algorithm>
#include <cstring>
#include <random>

namespace clarity::test {
namespace {

using Texels = std::vector<cl_uint>;

struct Images : SeveralDevices {
  static constexpr size_t width = 37, height = 23;
  static constexpr cl_image_format format{CL_R, CL_UNSIGNED_INT32};
  static constexpr size_t whole[3] = {width, height, 1}, origin[3] = {0, 0, 0};

  cl_mem image(const Texels* content = nullptr) {
    cl_image_desc desc{};
    desc.image_type = CL_MEM_OBJECT_IMAGE2D;
    desc.image_width = width;
    desc.image_height = height;
    const cl_mem_flags flags = content ? CL_MEM_COPY_HOST_PTR : 0;
    void* const host = content ? const_cast<cl_uint*>(content->data()) : nullptr;
    return created([&](cl_int* e) { return clCreateImage(context, flags, &format, &desc, host, e); });
  }
  Texels readImage(size_t device, cl_mem memory) {
    Texels texels(width * height);
    EXPECT_SUCCESS(
        clEnqueueReadImage(queues[device], memory, CL_TRUE, origin, whole, 0, 0, texels.data(), 0, nullptr, nullptr));
    return texels;
  }
  static Texels counting(cl_uint from) {
    Texels texels(width * height);
    for (size_t i = 0; i < texels.size(); ++i) texels[i] = from + static_cast<cl_uint>(i);
    return texels;
  }
};

/// A region of texels.
struct Part {
  size_t origin[3] = {0, 0, 0}, region[3] = {1, 1, 1};
};

TEST_F(Images, contentGoesFromDeviceToDevice) {
  const Texels content = counting(7);
  cl_mem memory = image(&content);
  for (const size_t device : {first, second, cpu, second, first}) EXPECT_EQ(readImage(device, memory), content);
  const Texels other = counting(5000);
  ASSERT_SUCCESS(
      clEnqueueWriteImage(queues[first], memory, CL_TRUE, origin, whole, 0, 0, other.data(), 0, nullptr, nullptr));
  for (const size_t device : {second, cpu, first}) EXPECT_EQ(readImage(device, memory), other);
}

// Devices write columns beside each other: rows of one lie between rows of the other.
TEST_F(Images, columnsOfSeveralDevices) {
  Texels truth = counting(0);
  cl_mem memory = image(&truth);
  for (cl_uint round = 0; round < 6; ++round)
    for (size_t device = 0; device < 3; ++device) {
      const size_t at[3] = {device * 12, 0, 0}, size[3] = {12, height, 1};
      const cl_uint value = round * 10 + static_cast<cl_uint>(device), colour[4] = {value, 0, 0, 0};
      cl_event event = nullptr;
      ASSERT_SUCCESS(clEnqueueFillImage(queues[device], memory, colour, at, size, 0, nullptr, &event));
      ASSERT_SUCCESS(clWaitForEvents(1, &event));
      keep(event);
      for (size_t y = 0; y < height; ++y) std::fill_n(truth.begin() + y * width + at[0], 12, value);
    }
  for (const size_t device : {cpu, first, second}) EXPECT_EQ(readImage(device, memory), truth) << device;
}

// The host maps a column for writing while a device writes the one beside it: both are there in the end.
TEST_F(Images, aMappedColumnBesideOneThatADeviceWrites) {
  for (const cl_map_flags flags : {cl_map_flags{CL_MAP_WRITE}, cl_map_flags{CL_MAP_WRITE_INVALIDATE_REGION}}) {
    Texels truth = counting(0);
    cl_mem memory = image(&truth);
    const size_t left[3] = {2, 3, 0}, right[3] = {10, 0, 0}, columns[3] = {5, 9, 1}, all[3] = {5, height, 1};
    const cl_uint before[4] = {1, 0, 0, 0}, after[4] = {2, 0, 0, 0};
    ASSERT_SUCCESS(clEnqueueFillImage(queues[first], memory, before, left, columns, 0, nullptr, nullptr));
    ASSERT_SUCCESS(clFinish(queues[first]));
    size_t pitch = 0;
    auto* const mapped = static_cast<unsigned char*>(clEnqueueMapImage(
        queues[second], memory, CL_TRUE, flags, left, columns, &pitch, nullptr, 0, nullptr, nullptr, nullptr));
    ASSERT_NE(mapped, nullptr);
    ASSERT_SUCCESS(clEnqueueFillImage(queues[first], memory, after, right, all, 0, nullptr, nullptr));
    ASSERT_SUCCESS(clFinish(queues[first]));
    for (cl_uint y = 0; y < columns[1]; ++y)
      for (cl_uint x = 0; x < columns[0]; ++x) {
        const cl_uint value = 100 + y * 10 + x;
        std::memcpy(mapped + y * pitch + x * 4, &value, 4);
        truth[(left[1] + y) * width + left[0] + x] = value;
      }
    for (size_t y = 0; y < height; ++y) std::fill_n(truth.begin() + y * width + right[0], 5, 2U);
    ASSERT_SUCCESS(clEnqueueUnmapMemObject(queues[second], memory, mapped, 0, nullptr, nullptr));
    ASSERT_SUCCESS(clFinish(queues[second]));
    for (const size_t device : {first, cpu, second}) EXPECT_EQ(readImage(device, memory), truth) << device;
  }
}

TEST_F(Images, ofAHostPointerWithPitches) {
  std::vector<cl_uint> host(40 * (height - 1) + width);  // ends with the last texel
  for (size_t i = 0; i < host.size(); ++i) host[i] = static_cast<cl_uint>(i);
  cl_image_desc desc{};
  desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  desc.image_width = width;
  desc.image_height = height;
  desc.image_row_pitch = 160;
  cl_mem memory =
      created([&](cl_int* e) { return clCreateImage(context, CL_MEM_USE_HOST_PTR, &format, &desc, host.data(), e); });
  Texels wanted(width * height);
  for (size_t y = 0; y < height; ++y) std::copy_n(host.begin() + y * 40, width, wanted.begin() + y * width);
  EXPECT_EQ(readImage(second, memory), wanted);
  const cl_uint colour[4] = {77, 0, 0, 0};
  ASSERT_SUCCESS(clEnqueueFillImage(queues[first], memory, colour, origin, whole, 0, nullptr, nullptr));
  ASSERT_SUCCESS(clFinish(queues[first]));
  EXPECT_EQ(readImage(second, memory), Texels(width * height, 77));
  size_t pitch = 0;
  void* const mapped = clEnqueueMapImage(queues[cpu], memory, CL_TRUE, CL_MAP_READ, origin, whole, &pitch, nullptr, 0,
                                         nullptr, nullptr, nullptr);
  EXPECT_EQ(mapped, host.data());
  EXPECT_EQ(pitch, 160U);
  for (size_t i = 0; i < host.size(); ++i) EXPECT_EQ(host[i], i % 40 < width ? 77 : i) << i;
  ASSERT_SUCCESS(clEnqueueUnmapMemObject(queues[cpu], memory, mapped, 0, nullptr, nullptr));
  ASSERT_SUCCESS(clFinish(queues[cpu]));
}

// Random commands on two images, one of which is made of a buffer, on all devices, each after the one before it.
TEST_F(Images, randomCommands) {
  constexpr size_t pitch = 64;  // texels; a multiple of what all devices want
  std::mt19937 random(18);
  const auto below = [&](size_t n) { return static_cast<size_t>(random() % n); };
  Texels truth[2] = {counting(0), counting(100000)};
  std::vector<cl_uint> rows(pitch * height);
  for (size_t y = 0; y < height; ++y) std::copy_n(truth[1].begin() + y * width, width, rows.begin() + y * pitch);
  cl_image_desc desc{};
  desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  desc.image_width = width;
  desc.image_height = height;
  desc.image_row_pitch = pitch * 4;
  desc.buffer = bufferOf(rows);
  cl_mem memory[2] = {image(&truth[0]),
                      created([&](cl_int* e) { return clCreateImage(context, 0, &format, &desc, nullptr, e); })};
  cl_mem scratch = buffer(width * height * 4);
  const auto part = [&] {
    Part p;
    for (size_t d = 0; d < 2; ++d) {
      p.origin[d] = below(whole[d]);
      p.region[d] = 1 + below(whole[d] - p.origin[d]);
    }
    return p;
  };
  cl_event last = nullptr;
  for (int step = 0; step < 400; ++step) {
    const cl_command_queue queue = queues[below(3)];
    const size_t i = below(2);
    const Part p = part();
    cl_event event = nullptr;
    const cl_uint waits = last ? 1 : 0;
    const cl_event* list = last ? &last : nullptr;
    const auto each = [&](auto visit) {
      for (size_t y = 0; y < p.region[1]; ++y)
        for (size_t x = 0; x < p.region[0]; ++x)
          visit(truth[i][(p.origin[1] + y) * width + p.origin[0] + x], y * p.region[0] + x, x, y);
    };
    switch (below(6)) {
      case 0: {
        const cl_uint colour[4] = {static_cast<cl_uint>(step), 0, 0, 0};
        ASSERT_SUCCESS(clEnqueueFillImage(queue, memory[i], colour, p.origin, p.region, waits, list, &event));
        each([&](cl_uint& texel, size_t, size_t, size_t) { texel = colour[0]; });
        break;
      }
      case 1: {
        Texels texels(p.region[0] * p.region[1]);
        each([&](cl_uint& texel, size_t at, size_t, size_t) { texel = texels[at] = random(); });
        ASSERT_SUCCESS(clEnqueueWriteImage(queue, memory[i], CL_TRUE, p.origin, p.region, 0, 0, texels.data(), waits,
                                           list, &event));
        break;
      }
      case 2: {
        size_t to[3] = {below(width - p.region[0] + 1), below(height - p.region[1] + 1), 0};
        ASSERT_SUCCESS(
            clEnqueueCopyImage(queue, memory[i], memory[1 - i], p.origin, to, p.region, waits, list, &event));
        each(
            [&](cl_uint& texel, size_t, size_t x, size_t y) { truth[1 - i][(to[1] + y) * width + to[0] + x] = texel; });
        break;
      }
      case 3: {
        cl_event copied = nullptr;
        ASSERT_SUCCESS(
            clEnqueueCopyImageToBuffer(queue, memory[1 - i], scratch, p.origin, p.region, 0, waits, list, &copied));
        keep(copied);
        ASSERT_SUCCESS(clEnqueueCopyBufferToImage(queues[below(3)], scratch, memory[i], 0, p.origin, p.region, 1,
                                                  &copied, &event));
        each([&](cl_uint& texel, size_t, size_t x, size_t y) {
          texel = truth[1 - i][(p.origin[1] + y) * width + p.origin[0] + x];
        });
        break;
      }
      case 4: {
        const cl_map_flags flags = below(2) != 0 ? CL_MAP_WRITE : CL_MAP_WRITE_INVALIDATE_REGION;
        size_t row = 0;
        auto* const mapped = static_cast<unsigned char*>(clEnqueueMapImage(
            queue, memory[i], CL_TRUE, flags, p.origin, p.region, &row, nullptr, waits, list, nullptr, nullptr));
        ASSERT_NE(mapped, nullptr);
        each([&](cl_uint& texel, size_t, size_t x, size_t y) {
          texel = random();
          std::memcpy(mapped + y * row + x * 4, &texel, 4);
        });
        ASSERT_SUCCESS(clEnqueueUnmapMemObject(queue, memory[i], mapped, 0, nullptr, &event));
        break;
      }
      default: {
        Texels texels(p.region[0] * p.region[1]), wanted = texels;
        ASSERT_SUCCESS(clEnqueueReadImage(queue, memory[i], CL_TRUE, p.origin, p.region, 0, 0, texels.data(), waits,
                                          list, &event));
        each([&](cl_uint& texel, size_t at, size_t, size_t) { wanted[at] = texel; });
        ASSERT_EQ(texels, wanted) << "step " << step;
      }
    }
    last = keep(event);
  }
  ASSERT_SUCCESS(clWaitForEvents(1, &last));
  for (size_t i = 0; i < 2; ++i)
    for (const size_t device : {cpu, first, second}) EXPECT_EQ(readImage(device, memory[i]), truth[i]) << i;
}

// An image that one device of the context can have and another cannot.
TEST_F(Images, invalidImageSize) {
  const auto most = [&](size_t device) {
    return infoOf<size_t>(clGetDeviceInfo, devices[device], CL_DEVICE_IMAGE2D_MAX_WIDTH);
  };
  if (!isDiscrete()) GTEST_SKIP() << "other devices may have the CPU's limits";
  ASSERT_GT(most(first), most(cpu));
  cl_image_desc desc{};
  desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  desc.image_width = most(first);
  desc.image_height = 1;
  cl_mem memory = created([&](cl_int* e) { return clCreateImage(context, 0, &format, &desc, nullptr, e); });
  cl_mem small = image(), bytes = buffer(64);
  const size_t one[3] = {1, 1, 1};
  const cl_uint colour[4] = {};
  cl_uint texel = 0;
  size_t row = 0;
  EXPECT_SUCCESS(clEnqueueFillImage(queues[first], memory, colour, origin, one, 0, nullptr, nullptr));
  const cl_command_queue q = queues[cpu];
  EXPECT_CL(CL_INVALID_IMAGE_SIZE, clEnqueueFillImage(q, memory, colour, origin, one, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_IMAGE_SIZE,
            clEnqueueReadImage(q, memory, CL_TRUE, origin, one, 0, 0, &texel, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_IMAGE_SIZE,
            clEnqueueWriteImage(q, memory, CL_TRUE, origin, one, 0, 0, &texel, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_IMAGE_SIZE, clEnqueueCopyImage(q, memory, small, origin, origin, one, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_IMAGE_SIZE, clEnqueueCopyImage(q, small, memory, origin, origin, one, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_IMAGE_SIZE, clEnqueueCopyImageToBuffer(q, memory, bytes, origin, one, 0, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_IMAGE_SIZE, clEnqueueCopyBufferToImage(q, bytes, memory, 0, origin, one, 0, nullptr, nullptr));
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(clEnqueueMapImage(q, memory, CL_TRUE, CL_MAP_READ, origin, one, &row, nullptr, 0, nullptr, nullptr, &error),
            nullptr);
  EXPECT_CL(CL_INVALID_IMAGE_SIZE, error);
  ASSERT_SUCCESS(clFinish(queues[first]));
}

// No memory on the device that a command needs it on: the call that enqueues says so.
TEST_F(Images, memObjectAllocationFailure) {
  if (!isDiscrete()) GTEST_SKIP() << "the allocation cannot be made to fail";
  const Texels content = counting(3);
  cl_mem memory = image(&content);
  const cl_uint colour[4] = {};
  failAllocation(1);
  EXPECT_CL(CL_MEM_OBJECT_ALLOCATION_FAILURE,
            clEnqueueFillImage(queues[second], memory, colour, origin, whole, 0, nullptr, nullptr));
  failAllocation(0);
  EXPECT_EQ(readImage(second, memory), content);
}

}  // namespace
}  // namespace clarity::test
