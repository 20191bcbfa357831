// SPDX-License-Identifier: Apache-2.0
// This file tests clEnqueueFillImage (OpenCL 3.0, section 5.3.4; conversions: OpenCL C, section 8.3).
#include "image_transfer.h"

#include <cstdint>
#include <limits>

namespace clarity::test {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

struct EnqueueFillImage : ImageTest {
  const cl_float colour[4] = {0.25F, 0.5F, 0.75F, 1};
  cl_mem plane = nullptr;  ///< 8 x 4 texels
  Enqueue enqueue = [this](cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) {
    const Triple region{2, 2, 1};
    return driver->clEnqueueFillImage(q, plane, colour, zero.data(), region.data(), n, list, event);
  };
  Call simple = [this](cl_mem image, const size_t* origin, const size_t* region) {
    return driver->clEnqueueFillImage(queue, image, colour, origin, region, 0, nullptr, nullptr);
  };

  void SetUp() override {
    OpenCL::SetUp();
    if (!HasFatalFailure()) plane = imageOf({"2D", CL_MEM_OBJECT_IMAGE2D, {8, 4, 1}}, Box({8, 4, 1}, 4));
  }
  /// The texel that a fill with a colour stores, as elements of type T.
  template <class T, class Component>
  std::vector<T> texel(cl_channel_order order, cl_channel_type type, const std::array<Component, 4>& value) {
    cl_mem made = image2D(3, 2, CL_MEM_READ_WRITE, nullptr, {order, type});
    const Triple whole{3, 2, 1};
    EXPECT_SUCCESS(
        driver->clEnqueueFillImage(queue, made, value.data(), zero.data(), whole.data(), 0, nullptr, nullptr));
    const auto bytes = infoOf<size_t>(clGetImageInfo, made, CL_IMAGE_ELEMENT_SIZE);
    const Box content = contentOf(made, whole, bytes);
    for (size_t i = bytes; i < content.bytes.size(); ++i)
      EXPECT_EQ(content.bytes[i], content.bytes[i - bytes]) << "texels differ";
    std::vector<T> result(bytes / sizeof(T));
    std::memcpy(result.data(), content.bytes.data(), bytes);
    return result;
  }
  using F4 = std::array<cl_float, 4>;
  using I4 = std::array<cl_int, 4>;
  using U4 = std::array<cl_uint, 4>;
  template <class T>
  using Texel = std::vector<T>;
};

TEST_F(EnqueueFillImage, everyTypeAndRegion) {
  for (const ImageShape& shape : imageShapes()) {
    Box content(shape.extent, 16, 17);
    cl_mem made = imageOf(shape, content, {CL_RGBA, CL_SIGNED_INT32});
    cl_int value = 5;
    for (const auto& [origin, region] : regionsOf(shape.extent)) {
      SCOPED_TRACE(std::string(shape.what) + ", region " + std::to_string(region[0]));
      const cl_int colours[4] = {value, -value, value * 1000, -value * 1000};
      ++value;
      content.rows(origin, region, [&](unsigned char* row, size_t, size_t) {
        for (size_t x = 0; x < region[0]; ++x) std::memcpy(row + x * 16, colours, 16);
      });
      EXPECT_SUCCESS(
          driver->clEnqueueFillImage(queue, made, colours, origin.data(), region.data(), 0, nullptr, nullptr));
      EXPECT_TRUE(contentOf(made, shape.extent, 16) == content);
    }
  }
}

TEST_F(EnqueueFillImage, oneLevelOfAMipmap) {
  cl_image_desc desc = describe(CL_MEM_OBJECT_IMAGE2D, {4, 4, 1});
  desc.num_mip_levels = 3;
  cl_mem made = image(desc);
  for (size_t level = 0; level < 3; ++level) {
    const size_t origin[3] = {0, 0, level}, region[3] = {size_t{4} >> level, size_t{4} >> level, 1};
    const cl_float grey = static_cast<cl_float>(level + 1) / 255, value[4] = {grey, grey, grey, grey};
    ASSERT_SUCCESS(driver->clEnqueueFillImage(queue, made, value, origin, region, 0, nullptr, nullptr));
  }
  for (size_t level = 0; level < 3; ++level) {
    const size_t origin[3] = {0, 0, level}, side = size_t{4} >> level, region[3] = {side, side, 1};
    std::vector<unsigned char> read(side * side * 4);
    ASSERT_SUCCESS(clEnqueueReadImage(queue, made, CL_TRUE, origin, region, 0, 0, read.data(), 0, nullptr, nullptr));
    EXPECT_EQ(read, std::vector<unsigned char>(read.size(), static_cast<unsigned char>(level + 1))) << level;
  }
}

// Where the channels of each order lie.
TEST_F(EnqueueFillImage, ordersOfChannels) {
  const U4 c{1, 2, 3, 4};
  const auto stored = [&](cl_channel_order order) { return texel<uint8_t>(order, CL_UNSIGNED_INT8, c); };
  EXPECT_EQ(stored(CL_R), (Texel<uint8_t>{1}));
  EXPECT_EQ(stored(CL_A), (Texel<uint8_t>{4}));
  EXPECT_EQ(stored(CL_RG), (Texel<uint8_t>{1, 2}));
  EXPECT_EQ(stored(CL_RA), (Texel<uint8_t>{1, 4}));
  EXPECT_EQ(stored(CL_RGBA), (Texel<uint8_t>{1, 2, 3, 4}));
  EXPECT_EQ(stored(CL_BGRA), (Texel<uint8_t>{3, 2, 1, 4}));
  EXPECT_EQ(stored(CL_ARGB), (Texel<uint8_t>{4, 1, 2, 3}));
  EXPECT_EQ(stored(CL_ABGR), (Texel<uint8_t>{4, 3, 2, 1}));
  const F4 f{0.5F, 0.25F, 0.125F, 1};
  EXPECT_EQ(texel<float>(CL_INTENSITY, CL_FLOAT, f), (Texel<float>{0.5F}));
  EXPECT_EQ(texel<float>(CL_LUMINANCE, CL_FLOAT, f), (Texel<float>{0.5F}));
  EXPECT_EQ(texel<float>(CL_DEPTH, CL_FLOAT, f), (Texel<float>{0.5F}));
  EXPECT_EQ(texel<uint8_t>(CL_sBGRA, CL_UNORM_INT8, F4{1, 0, 0, 0.5F}), (Texel<uint8_t>{0, 0, 255, 128}));
}

// Integers saturate.
TEST_F(EnqueueFillImage, integers) {
  const I4 i{-40000, 40000, INT32_MIN, -5};
  EXPECT_EQ(texel<int8_t>(CL_RGBA, CL_SIGNED_INT8, i), (Texel<int8_t>{-128, 127, -128, -5}));
  EXPECT_EQ(texel<int16_t>(CL_RGBA, CL_SIGNED_INT16, i), (Texel<int16_t>{-32768, 32767, -32768, -5}));
  EXPECT_EQ(texel<int32_t>(CL_RGBA, CL_SIGNED_INT32, i), (Texel<int32_t>{-40000, 40000, INT32_MIN, -5}));
  const U4 u{300, 70000, UINT32_MAX, 7};
  EXPECT_EQ(texel<uint8_t>(CL_RGBA, CL_UNSIGNED_INT8, u), (Texel<uint8_t>{255, 255, 255, 7}));
  EXPECT_EQ(texel<uint16_t>(CL_RGBA, CL_UNSIGNED_INT16, u), (Texel<uint16_t>{300, 65535, 65535, 7}));
  EXPECT_EQ(texel<uint32_t>(CL_RGBA, CL_UNSIGNED_INT32, u), (Texel<uint32_t>{300, 70000, UINT32_MAX, 7}));
}

// Normalised values saturate and round to nearest even.
TEST_F(EnqueueFillImage, normalisedValues) {
  EXPECT_EQ(texel<uint8_t>(CL_RGBA, CL_UNORM_INT8, F4{0.5F, -1, 2, kNaN}), (Texel<uint8_t>{128, 0, 255, 0}));
  EXPECT_EQ(texel<uint8_t>(CL_RGBA, CL_UNORM_INT8, F4{1.4F / 255, 1.6F / 255, kInfinity, -kInfinity}),
            (Texel<uint8_t>{1, 2, 255, 0}));
  EXPECT_EQ(texel<uint16_t>(CL_RGBA, CL_UNORM_INT16, F4{0.5F, 1, -2, 100.0F / 65535}),
            (Texel<uint16_t>{32768, 65535, 0, 100}));
  EXPECT_EQ(texel<int8_t>(CL_RGBA, CL_SNORM_INT8, F4{-1, 1, -5, 0.5F}), (Texel<int8_t>{-127, 127, -127, 64}));
  EXPECT_EQ(texel<int16_t>(CL_RGBA, CL_SNORM_INT16, F4{-1, 1, -0.5F, 0.5F}),
            (Texel<int16_t>{-32767, 32767, -16384, 16384}));
  EXPECT_EQ(texel<uint16_t>(CL_DEPTH, CL_UNORM_INT16, F4{0.25F, 0, 0, 0}), (Texel<uint16_t>{16384}));
}

TEST_F(EnqueueFillImage, packedFormats) {
  const F4 c{1, 0, 0.5F, 1};
  EXPECT_EQ(texel<uint16_t>(CL_RGB, CL_UNORM_SHORT_565, c), (Texel<uint16_t>{31 << 11 | 16}));
  EXPECT_EQ(texel<uint16_t>(CL_RGB, CL_UNORM_SHORT_555, c), (Texel<uint16_t>{31 << 10 | 16}));
  EXPECT_EQ(texel<uint32_t>(CL_RGB, CL_UNORM_INT_101010, c), (Texel<uint32_t>{1023U << 20 | 512}));
  EXPECT_EQ(texel<uint32_t>(CL_RGBA, CL_UNORM_INT_101010_2, c), (Texel<uint32_t>{1023U << 22 | 512U << 2 | 3}));
  constexpr cl_channel_type unormInt2_101010 = 0x10E5;  // CL_UNORM_INT_2_101010_EXT
  EXPECT_EQ(texel<uint32_t>(CL_ABGR, unormInt2_101010, c), (Texel<uint32_t>{3U << 30 | 512U << 20 | 1023}));
}

// cl_ext_image_unsigned_10x6_12x4_14x2: the upper bits of 16.
TEST_F(EnqueueFillImage, upperBits) {
  constexpr cl_channel_type unorm10 = 0x10E1, unorm12 = 0x10E9, unorm14 = 0x10EA;
  constexpr cl_channel_type unsigned10 = 0x10E6, unsigned12 = 0x10E7, unsigned14 = 0x10E8;
  const F4 c{1, 0.5F, -1, 0.25F};
  EXPECT_EQ(texel<uint16_t>(CL_RGBA, unorm10, c), (Texel<uint16_t>{1023U << 6, 512U << 6, 0, 256U << 6}));
  EXPECT_EQ(texel<uint16_t>(CL_RGBA, unorm12, c), (Texel<uint16_t>{4095U << 4, 2048U << 4, 0, 1024U << 4}));
  EXPECT_EQ(texel<uint16_t>(CL_RG, unorm14, c), (Texel<uint16_t>{16383U << 2, 8192U << 2}));
  const U4 u{1000, 4000, 16000, UINT32_MAX};
  EXPECT_EQ(texel<uint16_t>(CL_RGBA, unsigned10, u), (Texel<uint16_t>{1000U << 6, 1023U << 6, 1023U << 6, 1023U << 6}));
  EXPECT_EQ(texel<uint16_t>(CL_RG, unsigned12, u), (Texel<uint16_t>{1000U << 4, 4000U << 4}));
  EXPECT_EQ(texel<uint16_t>(CL_RGBA, unsigned14, u),
            (Texel<uint16_t>{1000U << 2, 4000U << 2, 16000U << 2, 16383U << 2}));
}

// cl_ext_image_raw10_raw12: blocks of equal texels; what is beside the region stays.
TEST_F(EnqueueFillImage, rawFormats) {
  const U4 colour{0x2A7, 0, 0, 0}, large{UINT32_MAX, 0, 0, 0};
  const auto filled = [&](const cl_image_format& format, size_t texels, size_t bytes, const U4& value) {
    std::vector<unsigned char> content(4 * bytes, 0x11);
    cl_image_desc desc = describe(CL_MEM_OBJECT_IMAGE2D, {2 * texels, 2, 1});
    cl_mem made = image(desc, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, content.data(), format);
    const Triple origin{texels, 0, 0}, region{texels, 2, 1}, whole{2 * texels, 2, 1};
    EXPECT_SUCCESS(
        driver->clEnqueueFillImage(queue, made, value.data(), origin.data(), region.data(), 0, nullptr, nullptr));
    EXPECT_SUCCESS(
        clEnqueueReadImage(queue, made, CL_TRUE, zero.data(), whole.data(), 0, 0, content.data(), 0, nullptr, nullptr));
    return content;
  };
  using Bytes = std::vector<unsigned char>;
  EXPECT_EQ(filled(raw10, 4, 5, colour), (Bytes{0x11, 0x11, 0x11, 0x11, 0x11, 0xA9, 0xA9, 0xA9, 0xA9, 0xFF,  //
                                                0x11, 0x11, 0x11, 0x11, 0x11, 0xA9, 0xA9, 0xA9, 0xA9, 0xFF}));
  EXPECT_EQ(filled(raw12, 2, 3, colour),
            (Bytes{0x11, 0x11, 0x11, 0x2A, 0x2A, 0x77, 0x11, 0x11, 0x11, 0x2A, 0x2A, 0x77}));
  EXPECT_EQ(filled(raw12, 2, 3, large),
            (Bytes{0x11, 0x11, 0x11, 0xFF, 0xFF, 0xFF, 0x11, 0x11, 0x11, 0xFF, 0xFF, 0xFF}));
}

TEST_F(EnqueueFillImage, halves) {
  EXPECT_EQ(texel<uint16_t>(CL_RGBA, CL_HALF_FLOAT, F4{1, -2, 65504, 65519.9F}),
            (Texel<uint16_t>{0x3C00, 0xC000, 0x7BFF, 0x7BFF}));
  EXPECT_EQ(texel<uint16_t>(CL_RGBA, CL_HALF_FLOAT, F4{65520, -kInfinity, 5.9604645e-8F, 2.9802322e-8F}),
            (Texel<uint16_t>{0x7C00, 0xFC00, 1, 0}));
  EXPECT_EQ(texel<uint16_t>(CL_RGBA, CL_HALF_FLOAT, F4{2.9802326e-8F, 6.1035156e-5F, 6.0975552e-5F, -0.0F}),
            (Texel<uint16_t>{1, 0x0400, 0x03FF, 0x8000}));
  // Half way between two: to the even one.
  EXPECT_EQ(texel<uint16_t>(CL_RGBA, CL_HALF_FLOAT, F4{1.00048828125F, 1.00146484375F, 2047.5F, 2049}),
            (Texel<uint16_t>{0x3C00, 0x3C02, 0x6800, 0x6800}));
  EXPECT_EQ(texel<uint16_t>(CL_R, CL_HALF_FLOAT, F4{kNaN, 0, 0, 0})[0] & 0x7E00, 0x7E00);
}

// Red, green and blue become sRGB, alpha stays.
TEST_F(EnqueueFillImage, srgb) {
  EXPECT_EQ(texel<uint8_t>(CL_sRGBA, CL_UNORM_INT8, F4{0, 1, 0.2158605F, 0.5F}), (Texel<uint8_t>{0, 255, 128, 128}));
  EXPECT_EQ(texel<uint8_t>(CL_sRGBA, CL_UNORM_INT8, F4{0.001F, -1, 2, kNaN}), (Texel<uint8_t>{3, 0, 255, 0}));
}

TEST_F(EnqueueFillImage, waitsForItsList) { expectWaitsForItsList(*this, enqueue, CL_COMMAND_FILL_IMAGE); }
TEST_F(EnqueueFillImage, anErrorInItsListEndsIt) {
  expectErrorReachesIt(*this, enqueue);
  EXPECT_TRUE(contentOf(plane, {8, 4, 1}) == Box({8, 4, 1}, 4));
}
TEST_F(EnqueueFillImage, invalidCommandQueue) { expectQueueChecked(*this, enqueue); }
TEST_F(EnqueueFillImage, invalidEventWaitList) { expectWaitListChecked(*this, enqueue); }
// The image is none, or of another context.
TEST_F(EnqueueFillImage, invalidMemObjectAndContext) { expectImageChecked(simple); }
// Origin and region are null, 0 or outside.
TEST_F(EnqueueFillImage, invalidValueOfRegion) { expectRegionChecked(simple); }
TEST_F(EnqueueFillImage, invalidValueOfBlocks) { expectBlocksChecked(simple); }
TEST_F(EnqueueFillImage, invalidMipLevel) { expectLevelsChecked(simple); }

TEST_F(EnqueueFillImage, invalidValueOfColour) {
  const Triple region{2, 2, 1};
  EXPECT_CL(CL_INVALID_VALUE,
            driver->clEnqueueFillImage(queue, plane, nullptr, zero.data(), region.data(), 0, nullptr, nullptr));
}

// The access of kernels and of the host to the image is ignored.
TEST_F(EnqueueFillImage, whateverTheFlags) {
  const Triple region{2, 2, 1};
  EXPECT_SUCCESS(simple(image2D(4, 4, CL_MEM_READ_ONLY | CL_MEM_HOST_NO_ACCESS), zero.data(), region.data()));
}

}  // namespace
}  // namespace clarity::test
