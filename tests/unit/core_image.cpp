// SPDX-License-Identifier: Apache-2.0
// This file tests where the texels of images lie, what kernels know of images and samplers, colours as texels, and
// what devices support.
#include "core/image_support.h"
#include "core/memory.h"
#include "core/sampler.h"
#include "core/texel.h"
#include "core_fake_device.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace clarity::test {
namespace {

using compiler::SamplerBits;
using core::ImageDescription;
using core::Rectangle;

const core::ImageFormat& format(cl_channel_order order, cl_channel_type type) {
  return *core::findImageFormat({order, type});
}

ImageDescription plane(std::size_t width, std::size_t height) {
  ImageDescription image;
  image.format = &format(CL_RGBA, CL_UNORM_INT8);
  image.width = width;
  image.height = height;
  image.rowPitch = width * 4;
  image.slicePitch = image.rowPitch * height;
  return image;
}

struct CoreImage : FakeContext {
  void support() {
    device::ImageProperties& images = fake.changeableProperties().images;
    images.supported = images.depth = true;
    images.maxWidth2D = images.maxHeight2D = 100;
    images.maxWidth3D = images.maxHeight3D = images.maxDepth3D = 50;
    images.maxBufferTexels = 1000;
    images.maxArraySize = 20;
  }
};

TEST_F(CoreImage, LevelsLieBehindEachOther) {
  ImageDescription image = plane(13, 5);
  image.mipLevels = 4;
  EXPECT_EQ(image.level(0).offset, 0U);
  EXPECT_EQ(image.level(1).offset, 13U * 5 * 4);
  EXPECT_EQ(image.level(1).width, 6U);
  EXPECT_EQ(image.level(1).rowPitch, 24U);
  EXPECT_EQ(image.level(2).offset, (13U * 5 + 6 * 2) * 4);
  EXPECT_EQ(image.level(3).offset, (13U * 5 + 6 * 2 + 3 * 1) * 4);
  EXPECT_EQ(image.level(3).width, 1U);
  EXPECT_EQ(image.level(3).height, 1U);
  EXPECT_EQ(image.bytes(), (13U * 5 + 6 * 2 + 3 + 1) * 4);
  EXPECT_EQ(image.extent(), image.bytes());
  const compiler::ImageDescriptor descriptor = image.descriptor();
  EXPECT_EQ(descriptor.levels, 4U);
  for (cl_uint n = 0; n < 4; ++n) EXPECT_EQ(descriptor.levelOffsets[n], image.level(n).offset) << n;
  // All layers of a level before the next level.
  image.type = CL_MEM_OBJECT_IMAGE2D_ARRAY;
  image.layers = 3;
  EXPECT_EQ(image.level(1).offset, 3U * 13 * 5 * 4);
  EXPECT_EQ(image.level(2).offset, 3U * (13 * 5 + 6 * 2) * 4);
}

TEST_F(CoreImage, TheExtentEndsWithTheLastTexel) {
  ImageDescription image = plane(3, 4);
  image.rowPitch = 32;
  image.slicePitch = 128;
  EXPECT_EQ(image.bytes(), 128U);
  EXPECT_EQ(image.extent(), 3U * 32 + 12);
  image.type = CL_MEM_OBJECT_IMAGE3D;
  image.depth = 2;
  image.slicePitch = 160;
  EXPECT_EQ(image.bytes(), 320U);
  EXPECT_EQ(image.extent(), 160U + 3 * 32 + 12);
}

TEST_F(CoreImage, DescriptorsOfAllTypes) {
  ImageDescription image = plane(13, 5);
  compiler::ImageDescriptor descriptor = image.descriptor();
  EXPECT_EQ(descriptor.width, 13U);
  EXPECT_EQ(descriptor.height, 5U);
  EXPECT_EQ(descriptor.depth, 1U);
  EXPECT_EQ(descriptor.layers, 1U);
  EXPECT_EQ(descriptor.rowPitch, 52U);
  EXPECT_EQ(descriptor.slicePitch, 0U);
  EXPECT_EQ(descriptor.texelBytes, 4U);
  EXPECT_EQ(descriptor.order, cl_uint{CL_RGBA});
  EXPECT_EQ(descriptor.type, cl_uint{CL_UNORM_INT8});
  EXPECT_EQ(descriptor.levels, 1U);
  EXPECT_EQ(descriptor.reserved, 0U);
  image.type = CL_MEM_OBJECT_IMAGE1D_ARRAY;
  image.height = 1;
  image.layers = 7;
  image.slicePitch = image.rowPitch;
  descriptor = image.descriptor();
  EXPECT_EQ(descriptor.layers, 7U);
  EXPECT_EQ(descriptor.rowPitch, 0U);
  EXPECT_EQ(descriptor.slicePitch, 52U);
  image.type = CL_MEM_OBJECT_IMAGE3D;
  image.height = 5;
  image.layers = 1;
  image.depth = 4;
  image.slicePitch = 300;
  descriptor = image.descriptor();
  EXPECT_EQ(descriptor.depth, 4U);
  EXPECT_EQ(descriptor.rowPitch, 52U);
  EXPECT_EQ(descriptor.slicePitch, 300U);
}

TEST_F(CoreImage, RectanglesThatOverlap) {
  const Rectangle left{.begin = 0, .size = {4, 3, 1}, .rowPitch = 8, .slicePitch = 24};
  Rectangle right = left;
  right.begin = 4;
  EXPECT_FALSE(support::overlap(left, right));
  EXPECT_FALSE(support::overlap(right, left));
  right.begin = 3;
  EXPECT_TRUE(support::overlap(left, right));
  EXPECT_TRUE(support::overlap(left, left));
  const Rectangle row{.begin = 20, .size = {1, 1, 1}};
  EXPECT_FALSE(support::overlap(left, row));
  const Rectangle wide{.begin = 19, .size = {20, 1, 1}};
  EXPECT_TRUE(support::overlap(left, wide));
  EXPECT_TRUE(support::overlap(wide, left));
  EXPECT_FALSE(left.isContiguous());
  EXPECT_TRUE(row.isContiguous());
  EXPECT_TRUE((Rectangle{.begin = 5, .size = {8, 3, 2}, .rowPitch = 8, .slicePitch = 24}.isContiguous()));
  EXPECT_TRUE((Rectangle{.begin = 5, .size = {4, 1, 1}, .rowPitch = 8, .slicePitch = 24}.isContiguous()));
}

TEST_F(CoreImage, BitsOfSamplers) {
  const auto bits = [&](const core::Sampling& sampling) {
    auto* const sampler = new core::Sampler(*context, sampling, {});
    const std::uint64_t result = sampler->bits();
    sampler->release();
    return result;
  };
  constexpr std::uint64_t noLimit = std::uint64_t{0xFFFF} << SamplerBits::lodMaxShift;
  EXPECT_EQ(bits({}), SamplerBits::normalised | 4 | SamplerBits::nearest | noLimit);
  core::Sampling other;
  other.normalised = false;
  other.filter = CL_FILTER_LINEAR;
  const cl_addressing_mode modes[] = {CL_ADDRESS_NONE, CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_CLAMP, CL_ADDRESS_REPEAT,
                                      CL_ADDRESS_MIRRORED_REPEAT};
  for (std::uint64_t i = 0; i < 5; ++i) {
    other.addressing = modes[i];
    EXPECT_EQ(bits(other), 2 * i | SamplerBits::linear | noLimit) << i;
  }
  other.mipFilter = CL_FILTER_LINEAR;
  other.lodMin = 1.5F;
  other.lodMax = 3.25F;
  EXPECT_EQ(bits(other), 8 | SamplerBits::linear | SamplerBits::mipLinear |
                             std::uint64_t{384} << SamplerBits::lodMinShift |
                             std::uint64_t{832} << SamplerBits::lodMaxShift);
  other.lodMin = -5;
  other.lodMax = std::numeric_limits<float>::infinity();
  EXPECT_EQ(bits(other), 8 | SamplerBits::linear | SamplerBits::mipLinear | noLimit);
}

// Halves of every exponent against the processor's conversion.
TEST_F(CoreImage, HalvesAreRoundedToNearestEven) {
  const core::ImageFormat& half = format(CL_R, CL_HALF_FLOAT);
  for (std::uint64_t bits = 0; bits < 0x100000000; bits += 0x1FF3) {
    const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    const core::Texel texel = core::texelOf(half, std::array<float, 4>{value, 0, 0, 0}.data());
    std::uint16_t got = 0;
    std::memcpy(&got, texel.data(), sizeof got);
    if (std::isnan(value)) {
      ASSERT_EQ(got & 0x7C00, 0x7C00) << bits;
      ASSERT_NE(got & 0x3FF, 0) << bits;
    } else {
      ASSERT_EQ(got, std::bit_cast<std::uint16_t>(static_cast<_Float16>(value))) << value;
    }
  }
}

TEST_F(CoreImage, FormatsHaveTexelsOfAPowerOfTwo) {
  for (const core::ImageFormat& each : core::imageFormats()) {
    EXPECT_TRUE(core::isValidImageFormat(each.format));
    EXPECT_EQ(core::findImageFormat(each.format), &each) << "the format is there twice";
    EXPECT_TRUE(std::has_single_bit(each.texelBytes) && each.texelBytes <= 16) << each.texelBytes;
    EXPECT_TRUE(each.allows(CL_MEM_OBJECT_IMAGE2D));
  }
  EXPECT_EQ(core::findImageFormat({CL_RGB, CL_UNORM_INT8}), nullptr);
}

// The limits that a command needs of the device that runs it.
TEST_F(CoreImage, DevicesSupportImagesUpToTheirLimits) {
  const ImageDescription image = plane(100, 100);
  EXPECT_FALSE(core::supportsImages(*context));
  expectError(CL_INVALID_OPERATION, "'fake' does not support images", [&] { core::requireSupport(device, image); });
  support();
  EXPECT_TRUE(core::supportsImages(*context));
  core::requireSupport(device, image);
  expectError(CL_INVALID_IMAGE_SIZE, "101 x 100", [&] { core::requireSupport(device, plane(101, 100)); });
  expectError(CL_INVALID_IMAGE_SIZE, "100 x 101", [&] { core::requireSupport(device, plane(100, 101)); });
  ImageDescription other = plane(50, 50);
  other.type = CL_MEM_OBJECT_IMAGE2D_ARRAY;
  other.layers = 21;
  expectError(CL_INVALID_IMAGE_SIZE, "21 layers", [&] { core::requireSupport(device, other); });
  other.type = CL_MEM_OBJECT_IMAGE3D;
  other.layers = 1;
  other.depth = 51;
  expectError(CL_INVALID_IMAGE_SIZE, "50 x 50 x 51", [&] { core::requireSupport(device, other); });
  other.type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
  other.width = 1001;
  other.height = other.depth = 1;
  expectError(CL_INVALID_IMAGE_SIZE, "1001", [&] { core::requireSupport(device, other); });
  other = image;
  other.format = &format(CL_DEPTH, CL_FLOAT);
  core::requireSupport(device, other);
  fake.changeableProperties().images.depth = false;
  expectError(CL_IMAGE_FORMAT_NOT_SUPPORTED, "CL_DEPTH", [&] { core::requireSupport(device, other); });
}

// An image of a part of a buffer begins where the part begins, and its maps are those of the buffer.
TEST_F(CoreImage, ImagesOfPartsOfBuffers) {
  using core::Memory;
  auto* const buffer = new Memory(*context, CL_MEM_READ_WRITE, 1024, nullptr, {});
  auto* const part = new Memory(*buffer, CL_MEM_READ_WRITE, 256, 512);
  auto* const image = new Memory(*part, CL_MEM_READ_WRITE, plane(8, 8), {});
  auto* const view = new Memory(*image, CL_MEM_READ_WRITE, plane(8, 8), {});
  EXPECT_EQ(&view->root(), buffer);
  EXPECT_EQ(view->origin(), 256U);
  EXPECT_EQ(view->at(0).hostAddress(), buffer->at(256).hostAddress());
  EXPECT_EQ(view->parent(), image);
  EXPECT_FALSE(view->isSubBuffer());
  EXPECT_TRUE(part->isSubBuffer());
  void* const mapped = view->map({.begin = 0, .size = {8, 1, 1}}, CL_MAP_WRITE);
  expectError(CL_INVALID_OPERATION, "mapped for writing",
              [&] { buffer->map({.begin = 260, .size = {1, 1, 1}}, CL_MAP_WRITE); });
  EXPECT_FALSE(buffer->unmap(mapped));
  EXPECT_EQ(view->mapCount(), 1U);
  EXPECT_EQ(buffer->mapCount(), 0U);
  const auto unmapped = view->unmap(mapped);
  ASSERT_TRUE(unmapped);
  EXPECT_EQ(unmapped->region.begin, 0U);
  for (Memory* each : {buffer, part, image, view}) each->release();
  EXPECT_EQ(pool.allocations, 0);
}

}  // namespace
}  // namespace clarity::test
