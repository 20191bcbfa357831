// SPDX-License-Identifier: Apache-2.0
// This file tests the functions of images: every format, every value of a channel; every addressing mode and filter of
// every type of image against image_reference.h; reads and writes outside of images that end at inaccessible pages.
#include "library/image_reference.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <bit>
#include <random>
#include <string>
#include <tuple>
#include <vector>

namespace {

using namespace image_reference;
using Image = const ImageDescriptor*;
using Float4 = std::array<float, 4>;
using Int4 = std::array<std::int32_t, 4>;
using Uint4 = std::array<std::uint32_t, 4>;

template <class T>
struct alignas(16) Aligned : std::array<T, 4> {};

}  // namespace

extern "C" {
#define READ_SAMPLED(IMAGE, S)                                             \
  void at_##IMAGE##_##S(Image, std::uint64_t, const std::int32_t*, void*); \
  void sample_##IMAGE##_##S(Image, std::uint64_t, const float*, void*);
#define READ_BARE(IMAGE, S)                                   \
  void bare_##IMAGE##_##S(Image, const std::int32_t*, void*); \
  void shared_##IMAGE##_##S(Image, const std::int32_t*, void*);
#define READ_LEVELS(IMAGE, S)                                               \
  void lod_##IMAGE##_##S(Image, std::uint64_t, const float*, float, void*); \
  void gradient_##IMAGE##_##S(Image, std::uint64_t, const float*, const float*, void*);
#define WRITE(IMAGE, S) void write_##IMAGE##_##S(Image, const std::int32_t*, const void*);
#define WRITE_LEVEL(IMAGE, S) void write_level_##IMAGE##_##S(Image, const std::int32_t*, int, const void*);
#define ALL(IMAGE, S) \
  READ_SAMPLED(IMAGE, S) READ_BARE(IMAGE, S) READ_LEVELS(IMAGE, S) WRITE(IMAGE, S) WRITE_LEVEL(IMAGE, S)
#define EACH(IMAGE) \
  ALL(IMAGE, f) ALL(IMAGE, i) ALL(IMAGE, ui) READ_SAMPLED(IMAGE, h) READ_BARE(IMAGE, h) WRITE(IMAGE, h)
EACH(image1d_t)
EACH(image1d_array_t)
EACH(image2d_t)
EACH(image2d_array_t)
EACH(image3d_t)
READ_SAMPLED(image2d_depth_t, f)
READ_BARE(image2d_depth_t, f)
READ_LEVELS(image2d_depth_t, f)
WRITE(image2d_depth_t, f)
READ_SAMPLED(image2d_array_depth_t, f)
READ_BARE(image2d_array_depth_t, f)
READ_LEVELS(image2d_array_depth_t, f)
WRITE(image2d_array_depth_t, f)
READ_BARE(image1d_buffer_t, f)
WRITE(image1d_buffer_t, f)
READ_BARE(image1d_buffer_t, i)
WRITE(image1d_buffer_t, i)
READ_BARE(image1d_buffer_t, ui)
WRITE(image1d_buffer_t, ui)
void query_1d(Image, Image, Image, std::uint64_t*);
void query_2d(Image, Image, Image, std::uint64_t*);
void query_3d(Image, std::uint64_t*);
}

namespace {

enum Kind { Image1D, Image1DArray, Image2D, Image2DArray, Image3D, Depth2D, Depth2DArray, kinds };

struct Functions {
  const char* name;
  int dimensions;
  bool array;
  void (*at)(Image, std::uint64_t, const std::int32_t*, void*);
  void (*sample)(Image, std::uint64_t, const float*, void*);
  void (*bare)(Image, const std::int32_t*, void*);
  void (*shared)(Image, const std::int32_t*, void*);
  void (*lod)(Image, std::uint64_t, const float*, float, void*);
  void (*gradient)(Image, std::uint64_t, const float*, const float*, void*);
  void (*write)(Image, const std::int32_t*, const void*);
};
#define FUNCTIONS(IMAGE, D, ARRAY)                                                                               \
  Functions {                                                                                                    \
    #IMAGE, D, ARRAY, at_##IMAGE##_f, sample_##IMAGE##_f, bare_##IMAGE##_f, shared_##IMAGE##_f, lod_##IMAGE##_f, \
        gradient_##IMAGE##_f, write_##IMAGE##_f                                                                  \
  }
const Functions functions[kinds] = {FUNCTIONS(image1d_t, 1, false),           FUNCTIONS(image1d_array_t, 1, true),
                                    FUNCTIONS(image2d_t, 2, false),           FUNCTIONS(image2d_array_t, 2, true),
                                    FUNCTIONS(image3d_t, 3, false),           FUNCTIONS(image2d_depth_t, 2, false),
                                    FUNCTIONS(image2d_array_depth_t, 2, true)};

/// Bytes that end where an inaccessible page begins, and begin behind one with `atBegin`.
class Guarded {
public:
  Guarded(std::size_t bytes, bool atBegin) : whole_((bytes + page - 1) / page * page + 2 * page) {
    base_ =
        static_cast<unsigned char*>(mmap(nullptr, whole_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(base_, page, PROT_NONE);
    mprotect(base_ + whole_ - page, page, PROT_NONE);
    data = atBegin ? base_ + page : base_ + whole_ - page - bytes;
  }
  ~Guarded() { munmap(base_, whole_); }
  Guarded(const Guarded&) = delete;

  unsigned char* data;

private:
  static constexpr std::size_t page = 4096;
  std::size_t whole_;
  unsigned char* base_;
};

/// An image with random texels between two inaccessible pages.
class TestImage {
public:
  TestImage(Format format, int dimensions, bool array, std::array<std::uint32_t, 3> size, std::uint32_t layers,
            bool atBegin = false, unsigned levels = 1, std::uint32_t padding = 0)
      : memory_(bytesIn(format, dimensions, array, size, layers, levels, padding), atBegin) {
    fill(format, dimensions, array, size, layers, levels, padding);
  }

  Picture picture;
  std::size_t bytes = 0;
  unsigned char* data() const { return memory_.data; }

private:
  static std::size_t bytesIn(Format format, int dimensions, bool array, std::array<std::uint32_t, 3> size,
                             std::uint32_t layers, unsigned levels, std::uint32_t padding) {
    std::size_t bytes = 0;
    for (unsigned level = 0; level < levels; ++level) {
      std::size_t texels = std::max(1u, size[0] >> level) + (levels == 1 ? padding : 0);
      for (int d = 1; d < dimensions; ++d) texels *= std::max(1u, size[d] >> level);
      bytes += texels * (array ? layers : 1) * bytesOf(format);
    }
    return bytes - (levels == 1 ? padding * bytesOf(format) : 0);  // nothing behind the last row
  }

  void fill(Format format, int dimensions, bool array, std::array<std::uint32_t, 3> size, std::uint32_t layers,
            unsigned levels, std::uint32_t padding) {
    bytes = bytesIn(format, dimensions, array, size, layers, levels, padding);
    picture = {.format = format, .dimensions = dimensions, .array = array, .descriptor = {}, .bytes = memory_.data};
    ImageDescriptor& it = picture.descriptor;
    it.texels = reinterpret_cast<std::uint64_t>(memory_.data);
    it.texelBytes = bytesOf(format);
    it.width = size[0], it.height = dimensions > 1 ? size[1] : 1, it.depth = dimensions > 2 ? size[2] : 1;
    it.rowPitch = (size[0] + padding) * it.texelBytes;
    it.slicePitch = std::uint64_t(it.rowPitch) * it.height;
    it.layers = array ? layers : 1;
    it.order = format.order, it.type = format.type, it.levels = levels;
    std::size_t offset = 0;
    for (unsigned level = 0; level < levels; ++level) {
      it.levelOffsets[level] = offset;
      offset +=
          bytesIn(format, dimensions, array,
                  {std::max(1u, size[0] >> level), std::max(1u, size[1] >> level), std::max(1u, size[2] >> level)},
                  layers, 1, 0);
    }
    std::mt19937 random(7);
    for (std::size_t i = 0; i < bytes; ++i) memory_.data[i] = static_cast<unsigned char>(random());
    if (format.type == CL_FLOAT)
      for (std::size_t i = 0; i + 4 <= bytes; i += 4) {
        const float value = static_cast<float>(random() % 2001) / 1000.0f - 1.0f;
        std::memcpy(memory_.data + i, &value, 4);
      }
  }

  Guarded memory_;
};

Format formatFor(Kind kind) {
  return {kind >= Depth2D ? cl_channel_order(CL_DEPTH) : cl_channel_order(CL_RGBA), CL_FLOAT};
}

std::string text(const Colour& c) {
  return std::to_string(c[0]) + " " + std::to_string(c[1]) + " " + std::to_string(c[2]) + " " + std::to_string(c[3]);
}

void expectNear(const Aligned<float>& got, const Colour& expected, double bound, const std::string& where) {
  for (int i = 0; i < 4; ++i)
    ASSERT_LE(std::fabs(got[i] - expected[i]), bound * std::max(1.0, std::fabs(expected[i])))
        << where << ": component " << i << " is " << got[i] << ", expected " << text(expected);
}

// A read of a depth image is a number.
Colour seen(Kind kind, Colour c) { return kind >= Depth2D ? Colour{c[0], 0, 0, 0} : c; }

TEST(Images, AddressingAndFilters) {
  const float values[] = {0, 0.25f, 0.5f,  0.74f, 1,      1.5f, 2.49f, 2.5f,   3,      4.75f, 5.5f,  6.99f,
                          7, 8.25f, -0.1f, -0.5f, -0.51f, -1,   -1.5f, -2.25f, -7.75f, 100,   -1e9f, 3e9f};
  for (int kind = 0; kind < kinds; ++kind) {
    const Functions& f = functions[kind];
    const TestImage image(formatFor(Kind(kind)), f.dimensions, f.array, {7, 5, 3}, 4, kind % 2 == 0, 1, 2);
    std::mt19937 random(11);
    for (std::uint64_t mode = 0; mode <= 8; mode += 2)
      for (const std::uint64_t filter : {SamplerBits::nearest, SamplerBits::linear})
        for (const std::uint64_t normalised : {std::uint64_t{0}, SamplerBits::normalised}) {
          const std::uint64_t sampler = mode | filter | normalised;
          for (int round = 0; round < 2000; ++round) {
            Aligned<float> at, got{};
            for (float& c : at) c = values[random() % std::size(values)] / (normalised ? 4.0f : 1.0f);
            if (normalised && f.array) at[f.dimensions] *= 4;
            f.sample(&image.picture.descriptor, sampler, at.data(), got.data());
            const Colour expected = seen(Kind(kind), sample(image.picture, sampler, at, 0));
            ASSERT_NO_FATAL_FAILURE(expectNear(got, expected, 4e-6,
                                               std::string(f.name) + " sampler " + std::to_string(sampler) + " at " +
                                                   text({at[0], at[1], at[2], at[3]})));
          }
        }
  }
}

TEST(Images, CoordinatesWithoutValueStayInside) {
  const float values[] = {NAN, INFINITY, -INFINITY, 3e38f, -3e38f, 1e-40f, 0.5f};
  for (int kind = 0; kind < kinds; ++kind) {
    const Functions& f = functions[kind];
    for (const bool atBegin : {false, true}) {
      const TestImage image(formatFor(Kind(kind)), f.dimensions, f.array, {7, 5, 3}, 4, atBegin);
      for (std::uint64_t sampler = 0; sampler < 64; ++sampler)
        for (int i = 0; i < 7 * 7 * 7; ++i) {
          const Aligned<float> at{{{values[i % 7], values[i / 7 % 7], values[i / 49], 0}}};
          Aligned<float> got;
          f.sample(&image.picture.descriptor, sampler, at.data(), got.data());
          f.lod(&image.picture.descriptor, sampler, at.data(), values[i % 7], got.data());
        }
    }
  }
}

TEST(Images, IntegerCoordinates) {
  const std::int32_t values[] = {0, 1, 2, 3, 4, 5, 6, 7, -1, -2, 1000, INT32_MAX, INT32_MIN, 1 << 30};
  for (int kind = 0; kind < kinds; ++kind) {
    const Functions& f = functions[kind];
    for (const bool atBegin : {false, true}) {
      const TestImage image(formatFor(Kind(kind)), f.dimensions, f.array, {7, 5, 3}, 4, atBegin, 1, 1);
      const Picture& picture = image.picture;
      std::mt19937 random(5);
      for (int round = 0; round < 4000; ++round) {
        Aligned<std::int32_t> at;
        for (std::int32_t& c : at) c = values[random() % std::size(values)];
        const int layer = f.array ? std::clamp(at[f.dimensions], 0, 3) : 0;
        std::array<int, 3> edge{}, index{at[0], at[1], at[2]};
        for (int d = 0; d < f.dimensions; ++d) edge[d] = std::clamp(at[d], 0, picture.size(d, 0) - 1);
        const std::string where = std::string(f.name) + text({double(at[0]), double(at[1]), double(at[2]), 0});
        for (const std::uint64_t mode : {2, 4}) {
          Aligned<float> got;
          f.at(&picture.descriptor, mode | SamplerBits::nearest, at.data(), got.data());
          const Colour expected = seen(Kind(kind), picture.at(mode == 2 ? edge : index, layer, 0));
          ASSERT_NO_FATAL_FAILURE(expectNear(got, expected, 0, where));
        }
        // Texels outside are undefined then; here they are the border.
        for (const auto read : {f.bare, f.shared}) {
          Aligned<float> got;
          read(&picture.descriptor, at.data(), got.data());
          ASSERT_NO_FATAL_FAILURE(expectNear(got, seen(Kind(kind), picture.at(index, layer, 0)), 0, where));
        }
      }
    }
  }
}

TEST(Images, WritesOutsideAreIgnored) {
  const std::int32_t values[] = {0, 1, 2, 3, 4, 5, 6, 7, -1, -2, 1000, INT32_MAX, INT32_MIN, 1 << 30};
  for (int kind = 0; kind < kinds; ++kind) {
    const Functions& f = functions[kind];
    for (const bool atBegin : {false, true}) {
      const TestImage image(formatFor(Kind(kind)), f.dimensions, f.array, {7, 5, 3}, 4, atBegin, 1, 1);
      const Picture& picture = image.picture;
      std::mt19937 random(5);
      for (int round = 0; round < 2000; ++round) {
        Aligned<std::int32_t> at;
        for (std::int32_t& c : at) c = values[random() % std::size(values)];
        const Aligned<float> colour{{{float(round), 1, 2, 3}}};
        const std::vector<unsigned char> before(image.data(), image.data() + image.bytes);
        f.write(&picture.descriptor, at.data(), colour.data());
        bool inside = true;
        for (int d = 0; d < f.dimensions; ++d) inside &= at[d] >= 0 && at[d] < picture.size(d, 0);
        if (f.array) inside &= at[f.dimensions] >= 0 && at[f.dimensions] < 4;
        const std::vector<unsigned char> after(image.data(), image.data() + image.bytes);
        if (!inside) {
          ASSERT_EQ(before, after) << f.name;
          continue;
        }
        Aligned<float> got;
        f.bare(&picture.descriptor, at.data(), got.data());
        ASSERT_NO_FATAL_FAILURE(expectNear(got, seen(Kind(kind), {float(round), 1, 2, 3}), 0, f.name));
        std::size_t changed = 0;
        for (std::size_t i = 0; i < before.size(); ++i) changed += before[i] != after[i];
        ASSERT_LE(changed, picture.descriptor.texelBytes);
      }
    }
  }
}

constexpr cl_channel_order orders[] = {CL_R,         CL_A,         CL_RG,    CL_RA,    CL_RGBA, CL_BGRA,
                                       CL_ARGB,      CL_ABGR,      CL_Rx,    CL_RGx,   CL_RGB,  CL_RGBx,
                                       CL_INTENSITY, CL_LUMINANCE, CL_sRGBA, CL_sBGRA, CL_sRGB, CL_sRGBx};
constexpr cl_channel_type floatTypes[] = {CL_UNORM_INT8,  CL_SNORM_INT8, CL_UNORM_INT16,
                                          CL_SNORM_INT16, CL_HALF_FLOAT, CL_FLOAT};

/// Every value of 8 and 16 bits in every channel.
TEST(Images, EveryValueIsRead) {
  for (const cl_channel_order order : orders)
    for (const cl_channel_type type : floatTypes) {
      if (isStandardRgb(order) && type != CL_UNORM_INT8) continue;
      const unsigned values = type == CL_UNORM_INT8 || type == CL_SNORM_INT8 ? 256 : 65536;
      TestImage image({order, type}, 1, false, {4, 1, 1}, 1);
      const unsigned bytes = bytesOf({order, type});
      for (unsigned v = 0; v < values; v += values > 256 && order != CL_RGBA ? 251 : 1) {
        for (unsigned i = 0; i < bytes / (values == 256 ? 1 : 2); ++i) {
          const unsigned value = (v + 77 * i) % values;
          std::memcpy(image.data() + 2 * bytes + i * (values == 256 ? 1 : 2), &value, values == 256 ? 1 : 2);
        }
        const Aligned<std::int32_t> at{{{2, 0, 0, 0}}};
        const Colour expected = texel(image.data() + 2 * bytes, image.picture.format);
        Aligned<float> got, half;
        bare_image1d_t_f(&image.picture.descriptor, at.data(), got.data());
        bare_image1d_t_h(&image.picture.descriptor, at.data(), half.data());
        for (int i = 0; i < 4; ++i) {
          const bool isStandard = isStandardRgb(order) && i < 3;
          const double bound = std::fabs(expected[i]) * (isStandard ? 1e-6 : 0x1p-23);
          ASSERT_TRUE(std::isnan(expected[i]) ? std::isnan(got[i])
                                              : got[i] == expected[i] || std::fabs(got[i] - expected[i]) <= bound)
              << std::hex << order << " " << type << " " << v << ": " << got[i] << " for " << expected[i];
          const bool isExtreme = std::fabs(expected[i]) == 1 || expected[i] == 0;
          ASSERT_TRUE(!isExtreme || got[i] == expected[i]) << v;
          ASSERT_TRUE(std::isnan(expected[i]) || std::fabs(expected[i]) > 65504 ||
                      std::fabs(half[i] - expected[i]) <= std::fabs(expected[i]) * 0x1.1p-11 + 0x1p-25)
              << std::hex << order << " " << type << " " << v << ": " << half[i] << " for " << expected[i];
        }
      }
    }
}

TEST(Images, EveryPackedValueIsRead) {
  for (const auto [order, type] :
       {Format{CL_RGB, CL_UNORM_SHORT_565}, Format{CL_RGB, CL_UNORM_SHORT_555}, Format{CL_RGBx, CL_UNORM_INT_101010},
        Format{CL_RGBA, CL_UNORM_INT_101010_2}, Format{CL_ABGR, unormInt2_101010}}) {
    TestImage image({order, type}, 1, false, {3, 1, 1}, 1);
    const unsigned bytes = bytesOf({order, type});
    std::mt19937 random(3);
    for (std::uint32_t v = 0; v < 65536; ++v) {
      const std::uint32_t word = bytes == 2 ? v : random();
      std::memcpy(image.data() + 2 * bytes, &word, bytes);
      const Aligned<std::int32_t> at{{{2, 0, 0, 0}}};
      Aligned<float> got;
      bare_image1d_t_f(&image.picture.descriptor, at.data(), got.data());
      const Colour expected = texel(image.data() + 2 * bytes, image.picture.format);
      for (int i = 0; i < 4; ++i)
        ASSERT_TRUE(std::fabs(got[i] - expected[i]) <= expected[i] * 0x1p-23 && (expected[i] != 1 || got[i] == 1)) << v;
      // The texel that was read is written as it was, but for a bit that means nothing.
      const std::uint32_t mask = type == CL_UNORM_SHORT_555 ? 0x7FFF : type == CL_UNORM_INT_101010 ? 0x3FFFFFFF : ~0u;
      write_image1d_t_f(&image.picture.descriptor, at.data(), got.data());
      std::uint32_t after = 0;
      std::memcpy(&after, image.data() + 2 * bytes, bytes);
      ASSERT_EQ(after, word & mask) << std::hex << type;
    }
  }
}

/// The lower bits are not read, and are written as 0.
TEST(Images, EveryValueOfTheUpperBits) {
  constexpr std::tuple<cl_channel_type, unsigned> types[] = {{unormInt10x6, 10},    {unormInt12x4, 12},
                                                             {unormInt14x2, 14},    {unsignedInt10x6, 10},
                                                             {unsignedInt12x4, 12}, {unsignedInt14x2, 14}};
  const Aligned<std::int32_t> at{{{2, 0, 0, 0}}};
  for (const auto& [type, bits] : types)
    for (const cl_channel_order order : {CL_R, CL_RG, CL_RGBA}) {
      const Format format{order, type};
      const bool isFloat = type == unormInt10x6 || type == unormInt12x4 || type == unormInt14x2;
      TestImage image(format, 1, false, {4, 1, 1}, 1);
      const unsigned bytes = bytesOf(format);
      unsigned char* const place = image.data() + 2 * bytes;
      for (unsigned v = 0; v < 65536; v += order == CL_R ? 1 : 37) {
        for (unsigned i = 0; i < bytes / 2; ++i) {
          const auto value = static_cast<std::uint16_t>(v + 7001 * i);
          std::memcpy(place + 2 * i, &value, 2);
        }
        const Colour expected = texel(place, format);
        Aligned<float> got;
        Aligned<std::uint32_t> whole;
        if (isFloat) {
          bare_image1d_t_f(&image.picture.descriptor, at.data(), got.data());
        } else {
          bare_image1d_t_ui(&image.picture.descriptor, at.data(), whole.data());
          for (int i = 0; i < 4; ++i) got[i] = static_cast<float>(whole[i]);
        }
        for (int i = 0; i < 4; ++i)
          ASSERT_TRUE(std::fabs(got[i] - expected[i]) <= expected[i] * 0x1p-23 && (expected[i] != 1 || got[i] == 1))
              << std::hex << type << " " << v << ": " << got[i] << " for " << expected[i];
        std::vector<std::uint16_t> wanted(bytes / 2), after(bytes / 2);
        std::memcpy(wanted.data(), place, bytes);
        for (std::uint16_t& each : wanted) each = static_cast<std::uint16_t>(each & 0xFFFFu << (16 - bits));
        std::memset(place, 0x5A, bytes);
        if (isFloat)
          write_image1d_t_f(&image.picture.descriptor, at.data(), got.data());
        else
          write_image1d_t_ui(&image.picture.descriptor, at.data(), whole.data());
        std::memcpy(after.data(), place, bytes);
        ASSERT_EQ(after, wanted) << std::hex << type;
      }
    }
}

/// cl_ext_image_raw10_raw12: 4 texels of 10 bits in 5 bytes, 2 of 12 in 3, in all places of a block.
TEST(Images, RawTexels) {
  for (const auto& [type, texels, bits] : {std::tuple{unsignedIntRaw10, 4, 10}, std::tuple{unsignedIntRaw12, 2, 12}}) {
    // As long as its rows are, so that a read behind the last block is noticed.
    std::vector<unsigned char> bytes(static_cast<std::size_t>(3 * 2 * (texels + 1)));
    std::mt19937 random(5);
    for (unsigned char& each : bytes) each = static_cast<unsigned char>(random());
    ImageDescriptor image{};
    image.texels = std::bit_cast<std::uint64_t>(bytes.data());
    image.width = static_cast<std::uint32_t>(2 * texels), image.height = 3, image.depth = image.layers = 1;
    image.levels = 1, image.order = CL_R, image.type = type;
    image.texelBytes = static_cast<std::uint32_t>(texels + 1), image.rowPitch = 2 * image.texelBytes;
    for (int y = -1; y < 4; ++y)
      for (int x = -1; x < 2 * texels + 1; ++x) {
        std::uint32_t wanted = 0;
        const bool inside = y >= 0 && y < 3 && x >= 0 && x < 2 * texels;
        if (inside) {
          const unsigned char* const block = &bytes[static_cast<std::size_t>((y * 2 + x / texels) * (texels + 1))];
          const int low = bits - 8;
          wanted = static_cast<std::uint32_t>(block[x % texels] << low |
                                              (block[texels] >> low * (x % texels) & ((1 << low) - 1)));
        }
        const Aligned<std::int32_t> at{{{x, y, 0, 0}}};
        Aligned<std::uint32_t> got;
        at_image2d_t_ui(&image, SamplerBits::nearest | 4, at.data(), got.data());
        ASSERT_EQ(got[0], wanted) << bits << " bits, " << x << ", " << y;
        ASSERT_EQ(got[1] | got[2], 0u);
        ASSERT_EQ(got[3], 1u);
      }
  }
}

/// Saturated, rounded to nearest even; what was read is written as it was.
TEST(Images, EveryValueIsWritten) {
  for (const cl_channel_order order : orders)
    for (const cl_channel_type type : floatTypes) {
      if (isStandardRgb(order) && type != CL_UNORM_INT8) continue;
      const bool isByte = type == CL_UNORM_INT8 || type == CL_SNORM_INT8;
      const unsigned values = isByte ? 256 : 65536, bytes = bytesOf({order, type});
      TestImage image({order, type}, 1, false, {3, 1, 1}, 1);
      for (unsigned v = 0; v < values; v += isByte ? 1 : 17) {
        const Aligned<std::int32_t> at{{{2, 0, 0, 0}}};
        unsigned char* const place = image.data() + 2 * bytes;
        for (unsigned i = 0; i < bytes / (isByte ? 1 : 2); ++i) {
          const unsigned value = (v + 3 * i) % values;
          std::memcpy(place + i * (isByte ? 1 : 2), &value, isByte ? 1 : 2);
        }
        const std::vector<unsigned char> before(place, place + bytes);
        const Colour then = texel(place, image.picture.format);
        Aligned<float> colour;
        bare_image1d_t_f(&image.picture.descriptor, at.data(), colour.data());
        std::memset(place, 0x5A, bytes);
        write_image1d_t_f(&image.picture.descriptor, at.data(), colour.data());
        const Colour now = texel(place, image.picture.format);
        for (int i = 0; i < 4; ++i)
          ASSERT_TRUE(now[i] == then[i] || (std::isnan(now[i]) && std::isnan(then[i])))
              << std::hex << order << " " << type << " " << v << ": " << now[i] << " for " << then[i];
      }
    }
}

TEST(Images, WritesSaturateAndRound) {
  struct Case {
    cl_channel_type type;
    float in;
    std::int64_t out;
  };
  const float third = 1 / 3.0f;
  const Case cases[] = {{CL_UNORM_INT8, 2, 255},
                        {CL_UNORM_INT8, -1, 0},
                        {CL_UNORM_INT8, NAN, 0},
                        {CL_UNORM_INT8, 0.5f, 128},
                        {CL_UNORM_INT8, third, 85},
                        {CL_UNORM_INT8, INFINITY, 255},
                        {CL_UNORM_INT8, 0.4f / 255, 0},
                        {CL_UNORM_INT8, 1.6f / 255, 2},
                        {CL_SNORM_INT8, -1, -127},
                        {CL_SNORM_INT8, -5, -127},
                        {CL_SNORM_INT8, 5, 127},
                        {CL_SNORM_INT8, 0.5f, 64},
                        {CL_SNORM_INT8, NAN, 0},
                        {CL_SNORM_INT8, -0.5f, -64},
                        {CL_UNORM_INT16, 0.5f, 32768},
                        {CL_UNORM_INT16, 7, 65535},
                        {CL_UNORM_INT16, -INFINITY, 0},
                        {CL_SNORM_INT16, -1, -32767},
                        {CL_SNORM_INT16, 0.25f, 8192},
                        {CL_SNORM_INT16, 1, 32767},
                        {unormInt10x6, 0.5f, 512 << 6},
                        {unormInt10x6, 2, 1023 << 6},
                        {unormInt12x4, NAN, 0},
                        {unormInt12x4, 0.25f, 1024 << 4},
                        {unormInt14x2, 0.5f, 8192 << 2},
                        {unormInt14x2, -3, 0},
                        {CL_HALF_FLOAT, 1, 0x3C00},
                        {CL_HALF_FLOAT, 70000, 0x7C00},
                        {CL_HALF_FLOAT, 1e-8f, 0},
                        {CL_HALF_FLOAT, 1 + 0x1p-11f, 0x3C00},
                        {CL_HALF_FLOAT, 1 + 3 * 0x1p-11f, 0x3C02}};
  for (const auto& [type, in, out] : cases) {
    const TestImage image({CL_R, type}, 1, false, {3, 1, 1}, 1);
    const Aligned<std::int32_t> at{{{1, 0, 0, 0}}};
    const Aligned<float> colour{{{in, 9, 9, 9}}};
    write_image1d_t_f(&image.picture.descriptor, at.data(), colour.data());
    std::int64_t got = 0;
    const unsigned bytes = image.picture.descriptor.texelBytes;
    std::memcpy(&got, image.data() + bytes, bytes);
    const std::int64_t mask = bytes == 1 ? 0xFF : 0xFFFF;
    EXPECT_EQ(got, out & mask) << std::hex << type << " " << in;
  }
}

TEST(Images, StandardRgbIsWrittenWithinTheBound) {
  const TestImage image({CL_sRGBA, CL_UNORM_INT8}, 1, false, {3, 1, 1}, 1);
  for (int i = -100; i < 1200; ++i) {
    const float in = static_cast<float>(i) / 1000;
    const Aligned<std::int32_t> at{{{1, 0, 0, 0}}};
    const Aligned<float> colour{{{in, in, in, in}}};
    write_image1d_t_f(&image.picture.descriptor, at.data(), colour.data());
    const double linear = std::clamp(in, 0.0f, 1.0f);
    for (int c = 0; c < 3; ++c) ASSERT_LE(std::fabs(image.data()[4 + c] - 255 * toStandardRgb(linear)), 0.6) << in;
    ASSERT_LE(std::fabs(image.data()[7] - 255 * linear), 0.5001) << in;
  }
}

template <class T, class Read, class Write>
void checkIntegers(Read read, Write write, cl_channel_type type, std::int64_t low, std::int64_t high) {
  for (const cl_channel_order order : {CL_R, CL_A, CL_RG, CL_RA, CL_RGBA, CL_BGRA, CL_ARGB, CL_ABGR}) {
    const Format format{static_cast<cl_channel_order>(order), type};
    TestImage image(format, 1, false, {4, 1, 1}, 1);
    for (const std::int64_t value :
         {low, low - 1, low + 1, std::int64_t{0}, high, high - 1, high + 1, std::int64_t{77}}) {
      if (value < std::numeric_limits<T>::min() || value > std::numeric_limits<T>::max()) continue;
      const Aligned<std::int32_t> at{{{3, 0, 0, 0}}}, outside{{{4, 0, 0, 0}}};
      const Aligned<T> colour{{{static_cast<T>(value), 1, 2, 3}}};
      write(&image.picture.descriptor, outside.data(), colour.data());
      write(&image.picture.descriptor, at.data(), colour.data());
      Aligned<T> got, beyond;
      read(&image.picture.descriptor, at.data(), got.data());
      read(&image.picture.descriptor, outside.data(), beyond.data());
      const Colour expected = texel(image.data() + 3 * bytesOf(format), format), edge = border(format.order);
      for (int i = 0; i < 4; ++i) {
        ASSERT_EQ(double(got[i]), expected[i]) << std::hex << order << " " << type;
        ASSERT_EQ(double(beyond[i]), edge[i]) << std::hex << order << " " << type;
      }
      const int first = order == CL_A ? 3 : 0;
      ASSERT_EQ(double(got[first]), first == 3 ? 3 : double(std::clamp(value, low, high)));
    }
  }
}

TEST(Images, Integers) {
  checkIntegers<std::int32_t>(bare_image1d_t_i, write_image1d_t_i, CL_SIGNED_INT8, -128, 127);
  checkIntegers<std::int32_t>(bare_image1d_t_i, write_image1d_t_i, CL_SIGNED_INT16, -32768, 32767);
  checkIntegers<std::int32_t>(bare_image1d_t_i, write_image1d_t_i, CL_SIGNED_INT32, INT32_MIN, INT32_MAX);
  checkIntegers<std::uint32_t>(bare_image1d_t_ui, write_image1d_t_ui, CL_UNSIGNED_INT8, 0, 255);
  checkIntegers<std::uint32_t>(bare_image1d_t_ui, write_image1d_t_ui, CL_UNSIGNED_INT16, 0, 65535);
  for (const auto& [type, most] : {std::pair{unsignedInt10x6, 1023}, {unsignedInt12x4, 4095}, {unsignedInt14x2, 16383}})
    checkIntegers<std::uint32_t>(bare_image1d_t_ui, write_image1d_t_ui, type, 0, most);
  checkIntegers<std::uint32_t>(bare_image1d_buffer_t_ui, write_image1d_buffer_t_ui, CL_UNSIGNED_INT32, 0, UINT32_MAX);
}

TEST(Images, BorderOfEveryOrder) {
  for (const cl_channel_order order : orders) {
    const TestImage image({order, CL_UNORM_INT8}, 2, false, {3, 2, 1}, 1);
    for (const std::uint64_t filter : {SamplerBits::nearest, SamplerBits::linear}) {
      const Aligned<float> at{{{-7, 1, 0, 0}}};
      Aligned<float> got;
      sample_image2d_t_f(&image.picture.descriptor, 4 | filter, at.data(), got.data());
      ASSERT_NO_FATAL_FAILURE(expectNear(got, border(order), 0, std::to_string(order)));
    }
  }
}

TEST(Images, Levels) {
  for (int kind = 0; kind < kinds; ++kind) {
    const Functions& f = functions[kind];
    const TestImage image(formatFor(Kind(kind)), f.dimensions, f.array, {13, 6, 5}, 3, false, 4);
    const Picture& picture = image.picture;
    std::mt19937 random(2);
    const auto chance = [&] { return static_cast<float>(random() % 1000) / 700 - 0.2f; };
    for (int round = 0; round < 3000; ++round) {
      const std::uint64_t mode = 2 + 2 * (random() % 4),
                          filter = random() % 2 ? SamplerBits::nearest : SamplerBits::linear;
      const std::uint64_t mip = random() % 2 ? SamplerBits::mipLinear : 0, least = random() % 2 ? 256 : 0;
      const std::uint64_t most = random() % 2 ? 0xFFFF : 512;
      const std::uint64_t sampler = SamplerBits::normalised | mode | filter | mip | least << SamplerBits::lodMinShift |
                                    most << SamplerBits::lodMaxShift;
      const Aligned<float> at{{{chance(), chance(), chance(), 0}}};
      const float lod = 5 * chance() - 1;
      const double limited =
          std::min(std::max(double(lod), least / 256.0), std::min(3.0, most == 0xFFFF ? 3.0 : most / 256.0));
      Colour expected;
      if (mip) {
        const unsigned fine = static_cast<unsigned>(limited);
        const double part = limited - fine;
        expected = sample(picture, sampler, at, fine);
        const Colour coarse = sample(picture, sampler, at, std::min(3u, fine + 1));
        for (int i = 0; i < 4; ++i) expected[i] = (1 - part) * expected[i] + part * coarse[i];
      } else {
        expected = sample(picture, sampler, at, static_cast<unsigned>(std::max(0.0, std::ceil(limited - 0.5))));
      }
      Aligned<float> got;
      f.lod(&picture.descriptor, sampler, at.data(), lod, got.data());
      ASSERT_NO_FATAL_FAILURE(
          expectNear(got, seen(Kind(kind), expected), 1e-5,
                     std::string(f.name) + " lod " + std::to_string(lod) + " sampler " + std::to_string(sampler)));
      // The gradient of a level: 2^level texels along x.
      const int level = static_cast<int>(random() % 4);
      Aligned<float> d[2]{};
      d[random() % 2][0] = static_cast<float>(1 << level) / 13;
      const std::uint64_t plain =
          SamplerBits::normalised | mode | filter | std::uint64_t{0xFFFF} << SamplerBits::lodMaxShift;
      f.gradient(&picture.descriptor, plain, at.data(), d[0].data(), got.data());
      expected = sample(picture, plain, at, static_cast<unsigned>(level));
      ASSERT_NO_FATAL_FAILURE(expectNear(got, seen(Kind(kind), expected), 1e-5, std::string(f.name) + " gradient"));
    }
  }
}

TEST(Images, WritesToLevels) {
  const TestImage image({CL_RGBA, CL_FLOAT}, 2, false, {13, 6, 1}, 1, false, 4);
  const Aligned<float> colour{{{5, 6, 7, 8}}};
  const auto bytes = [&] { return std::vector<unsigned char>(image.data(), image.data() + image.bytes); };
  for (int level = -1; level < 6; ++level)
    for (const int x : {0, 2, 3, 6, 13}) {
      const Aligned<std::int32_t> at{{{x, 0, 0, 0}}};
      const auto before = bytes();
      write_level_image2d_t_f(&image.picture.descriptor, at.data(), level, colour.data());
      if (level < 0 || level > 3 || x >= image.picture.size(0, static_cast<unsigned>(level)))
        ASSERT_EQ(before, bytes()) << level << " " << x;
      else
        ASSERT_EQ(image.picture.at({x, 0, 0}, 0, static_cast<unsigned>(level)), (Colour{5, 6, 7, 8}))
            << level << " " << x;
    }
}

TEST(Images, Queries) {
  const TestImage line({CL_RG, CL_FLOAT}, 1, false, {9, 1, 1}, 1), lines({CL_R, CL_FLOAT}, 1, true, {8, 1, 1}, 5);
  const TestImage plane({CL_RGBA, CL_UNORM_INT8}, 2, false, {7, 4, 1}, 1, false, 3);
  const TestImage planes({CL_RGBA, CL_UNORM_INT8}, 2, true, {6, 3, 1}, 2),
      body({CL_BGRA, CL_UNORM_INT8}, 3, false, {5, 4, 3}, 1);
  std::uint64_t out[8];
  query_1d(&line.picture.descriptor, &lines.picture.descriptor, &line.picture.descriptor, out);
  EXPECT_EQ((std::vector<std::uint64_t>(out, out + 7)), (std::vector<std::uint64_t>{9, 8, 5, 9, CL_RG, CL_FLOAT, 1}));
  query_2d(&plane.picture.descriptor, &planes.picture.descriptor, &plane.picture.descriptor, out);
  EXPECT_EQ((std::vector<std::uint64_t>(out, out + 6)), (std::vector<std::uint64_t>{7, 4, 3, 2, 7, 3}));
  query_3d(&body.picture.descriptor, out);
  EXPECT_EQ((std::vector<std::uint64_t>(out, out + 6)), (std::vector<std::uint64_t>{5, 4, 3, 3, 0, CL_BGRA}));
}

}  // namespace
