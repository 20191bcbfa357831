// SPDX-License-Identifier: Apache-2.0
// This file tests copies between the host and a GPU: small ones, those that go through pinned memory in pieces, and
// those of memory that the GPU accesses by itself.
#include "cuda_stub.h"

#include <algorithm>
#include <numeric>

namespace clarity::test {
namespace {

using Bytes = std::vector<unsigned char>;

struct CudaTransfers : CudaStub {
  /// Bytes that do not repeat from piece to piece.
  static Bytes pattern(size_t bytes, unsigned seed = 1) {
    Bytes result(bytes);
    for (size_t i = 0; i < bytes; ++i) result[i] = static_cast<unsigned char>((i + seed) * 0x9E3779B97F4A7C15u >> 56);
    return result;
  }
  void writeAndRead(size_t bytes, size_t offset) {
    SCOPED_TRACE(std::to_string(bytes) + " bytes at " + std::to_string(offset));
    const cl_mem memory = buffer(bytes + offset);
    const Bytes sent = pattern(bytes, unsigned(offset) + 7);
    Bytes received(bytes + 2, 0xEE);
    EXPECT_SUCCESS(clEnqueueWriteBuffer(queue, memory, CL_FALSE, offset, bytes, sent.data(), 0, nullptr, nullptr));
    EXPECT_SUCCESS(
        clEnqueueReadBuffer(queue, memory, CL_FALSE, offset, bytes, received.data() + 1, 0, nullptr, nullptr));
    EXPECT_SUCCESS(clFinish(queue));
    EXPECT_TRUE(std::equal(sent.begin(), sent.end(), received.begin() + 1));
    EXPECT_EQ(received.front(), 0xEE);
    EXPECT_EQ(received.back(), 0xEE);
  }
};

TEST_F(CudaTransfers, ofAllSizes) {
  delay(50);  // a piece that is used again too early would be seen
  for (size_t bytes : {size_t{1}, size_t{63}, size_t{64} << 10, (size_t{64} << 10) + 1, size_t{4} << 20,
                       (size_t{4} << 20) + 1, (size_t{37} << 20) + 5})
    for (size_t offset : {size_t{0}, size_t{3}}) writeAndRead(bytes, offset);
}

// Copies take long: the pieces of a large transfer are filled again only when the GPU has read them.
TEST_F(CudaTransfers, piecesAreUsedAgain) {
  delay(5000);
  writeAndRead((size_t{37} << 20) + 5, 0);
}

// A read fails while parts of it are under way: they reach no memory that something else uses by then.
TEST_F(CudaTransfers, aReadThatFailsHalfway) {
  const size_t bytes = size_t{16} << 20;
  const cl_mem one = buffer(bytes), other = buffer(bytes);
  const Bytes sent = pattern(bytes, 3);
  Bytes received = pattern(bytes);
  EXPECT_SUCCESS(clEnqueueWriteBuffer(queue, one, CL_TRUE, 0, bytes, received.data(), 0, nullptr, nullptr));
  delay(20'000);
  failCall("cuMemcpyDtoHAsync_v2", 2, 1);
  EXPECT_CL(CL_OUT_OF_RESOURCES,
            clEnqueueReadBuffer(queue, one, CL_TRUE, 0, bytes, received.data(), 0, nullptr, nullptr));
  const cl_command_queue another = anotherQueue();
  EXPECT_SUCCESS(clEnqueueWriteBuffer(another, other, CL_TRUE, 0, bytes, sent.data(), 0, nullptr, nullptr));
  EXPECT_SUCCESS(clEnqueueReadBuffer(another, other, CL_TRUE, 0, bytes, received.data(), 0, nullptr, nullptr));
  EXPECT_EQ(received, sent);
}

// Many transfers at once need much pinned memory, of which some is kept afterwards.
TEST_F(CudaTransfers, pinnedMemoryIsGivenBack) {
  constexpr size_t piece = 64 << 10, most = 64, count = 200;
  const cl_mem memory = bufferOf(std::vector<cl_int>(count));
  const cl_kernel one = adder(memory, 1);
  launchOne(queue, one);
  EXPECT_SUCCESS(clFinish(queue));
  const auto before = counts().hostBytes;
  std::vector<cl_int> received(count);
  holdKernels(1);
  launchOne(queue, one);
  for (size_t i = 0; i < count; ++i)
    EXPECT_SUCCESS(clEnqueueReadBuffer(queue, memory, CL_FALSE, i * 4, 4, &received[i], 0, nullptr, nullptr));
  EXPECT_SUCCESS(clFlush(queue));
  holdKernels(0);
  EXPECT_SUCCESS(clFinish(queue));
  EXPECT_EQ(received[0], 2);
  EXPECT_LE(counts().hostBytes, before + most * piece + 128);  // and the two numbers that waits read
}

TEST_F(CudaTransfers, withoutPinnedMemory) {
  // Each piece is asked for, and refused.
  for (size_t bytes : {size_t{100}, size_t{1} << 20}) {
    failCall("cuMemAllocHost_v2", 1, 2);
    const cl_mem memory = bufferOf(pattern(bytes));
    EXPECT_EQ(read<unsigned char>(memory, bytes), pattern(bytes));
    failCall("cuMemAllocHost_v2", 1, 2);
    const Bytes other = pattern(bytes, 99);
    EXPECT_SUCCESS(clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, bytes, other.data(), 0, nullptr, nullptr));
    EXPECT_EQ(read<unsigned char>(memory, bytes), other);
  }
}

// A command that does not block does not wait for the kernel before it.
TEST_F(CudaTransfers, readsDoNotBlock) {
  const cl_mem data = bufferOf(std::vector<cl_int>(1 << 20, 5));
  const cl_kernel one = adder(data, 1);
  launchOne(queue, one);
  EXPECT_SUCCESS(clFinish(queue));
  for (size_t count : {size_t{1}, size_t{1} << 20}) {
    std::vector<cl_int> received(count, 0);
    holdKernels(1);
    launchOne(queue, one);
    cl_event event = nullptr;
    EXPECT_SUCCESS(
        clEnqueueReadBuffer(queue, data, CL_FALSE, 0, count * sizeof(cl_int), received.data(), 0, nullptr, &event));
    EXPECT_NE(infoOf<cl_int>(clGetEventInfo, keep(event), CL_EVENT_COMMAND_EXECUTION_STATUS), CL_COMPLETE);
    EXPECT_EQ(received[0], 0);
    holdKernels(0);
    EXPECT_SUCCESS(clWaitForEvents(1, &event));
    EXPECT_EQ(received[0], count == 1 ? 7 : 8);
    EXPECT_EQ(received.back(), count == 1 ? 7 : 5);
  }
}

TEST_F(CudaTransfers, mapsOfHostMemoryArePinned) {
  const size_t bytes = size_t{9} << 20;
  const auto before = counts().hostBytes;
  const cl_mem memory = buffer(bytes, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR);
  const Bytes sent = pattern(bytes);
  cl_int error = CL_SUCCESS;
  auto* const mapped = static_cast<unsigned char*>(clEnqueueMapBuffer(
      queue, memory, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, 0, bytes, 0, nullptr, nullptr, &error));
  ASSERT_SUCCESS(error);
  EXPECT_GE(counts().hostBytes, before + bytes);
  std::ranges::copy(sent, mapped);
  EXPECT_SUCCESS(clEnqueueUnmapMemObject(queue, memory, mapped, 0, nullptr, nullptr));
  const cl_mem copy = buffer(bytes);
  EXPECT_SUCCESS(clEnqueueCopyBuffer(queue, memory, copy, 0, 0, bytes, 0, nullptr, nullptr));
  EXPECT_EQ(read<unsigned char>(copy, bytes), sent);
  const auto* const again = static_cast<unsigned char*>(
      clEnqueueMapBuffer(queue, memory, CL_TRUE, CL_MAP_READ, 0, bytes, 0, nullptr, nullptr, &error));
  ASSERT_SUCCESS(error);
  EXPECT_TRUE(std::equal(sent.begin(), sent.end(), again));
  // From this memory the GPU copies by itself, at once.
  const auto pieces = counts().hostBytes;
  EXPECT_SUCCESS(clEnqueueWriteBuffer(queue, copy, CL_TRUE, 0, bytes, again, 0, nullptr, nullptr));
  EXPECT_LT(counts().hostBytes, pieces + 4096) << "more than what a wait needs";
  EXPECT_SUCCESS(clEnqueueUnmapMemObject(queue, memory, const_cast<unsigned char*>(again), 0, nullptr, nullptr));
  EXPECT_SUCCESS(clFinish(queue));
}

TEST_F(CudaTransfers, mapsAfterKernels) {
  const cl_mem data = bufferOf(std::vector<cl_int>(50'000, 1));
  const cl_kernel one = adder(data, 1);
  for (int i = 0; i < 10; ++i) {
    for (int n = 0; n < 3; ++n) launchOne(queue, one);
    cl_int error = CL_SUCCESS;
    auto* const mapped = static_cast<cl_int*>(
        clEnqueueMapBuffer(queue, data, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, 200'000, 0, nullptr, nullptr, &error));
    ASSERT_SUCCESS(error);
    EXPECT_EQ(mapped[0], 4 * i + 4);
    EXPECT_EQ(mapped[49'999], i + 1);
    ++mapped[0];
    ++mapped[49'999];
    EXPECT_SUCCESS(clEnqueueUnmapMemObject(queue, data, mapped, 0, nullptr, nullptr));
  }
}

TEST_F(CudaTransfers, rectangles) {
  constexpr size_t width = 61, height = 7, depth = 5;
  const Bytes host = pattern(width * height * depth);
  const cl_mem first = buffer(host.size()), second = buffer(host.size());
  const size_t origin[] = {3, 1, 2}, region[] = {40, 4, 3}, zero[] = {0, 0, 0};
  const Bytes blank(host.size(), 0);
  for (cl_mem each : {first, second})
    EXPECT_SUCCESS(clEnqueueWriteBuffer(queue, each, CL_TRUE, 0, blank.size(), blank.data(), 0, nullptr, nullptr));
  EXPECT_SUCCESS(clEnqueueWriteBufferRect(queue, first, CL_FALSE, origin, origin, region, width, width * height, width,
                                          width * height, host.data(), 0, nullptr, nullptr));
  EXPECT_SUCCESS(clEnqueueCopyBufferRect(queue, first, second, origin, zero, region, width, width * height, width,
                                         width * height, 0, nullptr, nullptr));
  Bytes received(host.size(), 0);
  EXPECT_SUCCESS(clEnqueueReadBufferRect(queue, second, CL_TRUE, zero, origin, region, width, width * height, width,
                                         width * height, received.data(), 0, nullptr, nullptr));
  for (size_t z = 0; z < depth; ++z)
    for (size_t y = 0; y < height; ++y)
      for (size_t x = 0; x < width; ++x) {
        const bool inside = x >= 3 && x < 43 && y >= 1 && y < 5 && z >= 2;
        const size_t at = (z * height + y) * width + x;
        ASSERT_EQ(received[at], inside ? host[at] : 0) << x << ' ' << y << ' ' << z;
      }
}

TEST_F(CudaTransfers, fillsOfEveryPattern) {
  for (size_t size = 1; size <= 128; size *= 2) {
    const Bytes one = pattern(size, unsigned(size));
    Bytes expected(size * 37 + 2 * size, 0);
    const cl_mem memory = bufferOf(expected);
    EXPECT_SUCCESS(clEnqueueFillBuffer(queue, memory, one.data(), size, size, size * 37, 0, nullptr, nullptr));
    for (size_t i = size; i < size * 38; ++i) expected[i] = one[i % size];
    EXPECT_EQ(read<unsigned char>(memory, expected.size()), expected) << size;
  }
}

// A slice takes a few calls of the driver, not some for each row.
TEST_F(CudaTransfers, fillsOfImages) {
  const auto driverCalls = [&] {
    unsigned long long all = 0;
    for (const char* each : {"cuMemsetD2D8Async", "cuMemsetD2D16Async", "cuMemsetD2D32Async", "cuMemsetD8Async",
                             "cuMemsetD16Async", "cuMemsetD32Async", "cuMemcpyHtoDAsync_v2", "cuMemcpy2DAsync_v2"})
      all += calls(each);
    return all;
  };
  const std::pair<cl_image_format, size_t> formats[] = {{{CL_R, CL_UNSIGNED_INT8}, 1},
                                                        {{CL_RG, CL_UNSIGNED_INT8}, 2},
                                                        {{CL_RGBA, CL_UNSIGNED_INT8}, 4},
                                                        {{CL_RGBA, CL_UNSIGNED_INT16}, 8},
                                                        {{CL_RGBA, CL_UNSIGNED_INT32}, 16}};
  for (const auto& [format, bytes] : formats) {
    constexpr size_t width = 12, height = 64, depth = 4;
    cl_image_desc shape{};
    shape.image_type = CL_MEM_OBJECT_IMAGE3D;
    shape.image_width = width, shape.image_height = height, shape.image_depth = depth;
    Bytes expected = pattern(width * height * depth * bytes);
    const cl_mem image = created([&](cl_int* error) {
      return clCreateImage(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, &format, &shape, expected.data(), error);
    });
    const cl_uint colour[] = {1, 2, 3, 4};
    const size_t origin[] = {2, 3, 1}, region[] = {7, 59, 3}, zero[] = {0, 0, 0}, whole[] = {width, height, depth};
    const auto before = driverCalls();
    EXPECT_SUCCESS(clEnqueueFillImage(queue, image, colour, origin, region, 0, nullptr, nullptr));
    EXPECT_SUCCESS(clFinish(queue));
    EXPECT_LE(driverCalls() - before, 3 * 10u) << bytes;
    Bytes received(expected.size());
    EXPECT_SUCCESS(clEnqueueReadImage(queue, image, CL_TRUE, zero, whole, 0, 0, received.data(), 0, nullptr, nullptr));
    const size_t channels = bytes < 4 ? bytes : 4, size = bytes / channels;
    for (size_t z = 1; z < 4; ++z)
      for (size_t y = 3; y < 62; ++y)
        for (size_t x = 2; x < 9; ++x)
          for (size_t c = 0; c < channels; ++c)
            std::memcpy(&expected[((z * height + y) * width + x) * bytes + c * size], &colour[c], size);
    EXPECT_EQ(received, expected) << bytes;
  }
}

// Slices of one row each, and slices that follow each other without a gap, are rows of one call.
TEST_F(CudaTransfers, rectanglesOfFewCalls) {
  constexpr size_t width = 16, height = 8, depth = 6;
  const Bytes host = pattern(width * height * depth);
  const cl_mem data = bufferOf(host);
  const size_t zero[] = {0, 0, 0};
  const size_t regions[][3] = {{9, 1, depth}, {9, height, depth}, {width, height, depth}};
  for (const auto& region : regions) {
    Bytes received(host.size(), 0), expected(host.size(), 0);
    const auto before = calls("cuMemcpy2DAsync_v2");
    EXPECT_SUCCESS(clEnqueueReadBufferRect(queue, data, CL_TRUE, zero, zero, region, width, width * height, width,
                                           width * height, received.data(), 0, nullptr, nullptr));
    EXPECT_LE(calls("cuMemcpy2DAsync_v2"), before + 1);
    for (size_t z = 0; z < region[2]; ++z)
      for (size_t y = 0; y < region[1]; ++y)
        std::memcpy(&expected[(z * height + y) * width], &host[(z * height + y) * width], region[0]);
    EXPECT_EQ(received, expected) << region[0] << ' ' << region[1];
  }
}

TEST_F(CudaTransfers, overlapInUnorderedQueues) {
  const size_t bytes = size_t{12} << 20;
  const cl_command_queue unordered = anotherQueue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  std::vector<Bytes> sent, received(3, Bytes(bytes));
  std::vector<cl_mem> memory;
  for (unsigned i = 0; i < 3; ++i) sent.push_back(pattern(bytes, i)), memory.push_back(buffer(bytes));
  for (size_t i = 0; i < 3; ++i) {
    cl_event written = nullptr;
    EXPECT_SUCCESS(
        clEnqueueWriteBuffer(unordered, memory[i], CL_FALSE, 0, bytes, sent[i].data(), 0, nullptr, &written));
    keep(written);
    EXPECT_SUCCESS(
        clEnqueueReadBuffer(unordered, memory[i], CL_FALSE, 0, bytes, received[i].data(), 1, &written, nullptr));
  }
  EXPECT_SUCCESS(clFinish(unordered));
  EXPECT_EQ(received, sent);
}

TEST_F(CudaTransfers, memoryIsGivenBack) {
  writeAndRead(1000, 0);
  const auto before = counts().deviceBytes;
  for (int i = 0; i < 5; ++i) {
    const cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, 1 << 20, nullptr, nullptr);
    const Bytes sent = pattern(1 << 20);
    EXPECT_SUCCESS(clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, sent.size(), sent.data(), 0, nullptr, nullptr));
    EXPECT_SUCCESS(clReleaseMemObject(memory));
  }
  EXPECT_SUCCESS(clFinish(queue));
  EXPECT_LT(counts().deviceBytes, before + (1 << 20)) << "more than what a stream needs itself";
}

}  // namespace
}  // namespace clarity::test
