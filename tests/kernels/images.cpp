// SPDX-License-Identifier: Apache-2.0
// This file compares kernels of images in packets with their scalar builds and with the code for any format, bit by
// bit: formats, samplers of the host and of the program, images that go through functions, boundaries, writes outside.
// The results of image functions are tested against references in tests/builtins.
#include "device_test.h"

#include <cstdint>
#include <cstring>
#include <random>
#include <span>
#include <string>
#include <tuple>
#include <vector>

namespace {

constexpr const char* source = R"(
const sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
const sampler_t border = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
const sampler_t between = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;

// Neighbours, those outside included; writes outside are ignored: more work-items than texels.
kernel void neighbours(read_only image2d_t in, write_only image2d_t out, sampler_t given, global float4* sums, int n) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1)) - 3;
  float4 sum = 0;
  for (int y = -n; y <= n; ++y)
    for (int x = -n; x <= n; ++x)
      sum += read_imagef(in, edge, at + (int2)(x, y)) * (x + 7) + read_imagef(in, border, at + (int2)(x, y)) * (y + 5) +
             read_imagef(in, given, convert_float2(at + (int2)(y, x)) + 0.5f) + read_imagef(in, at + (int2)(x, y));
  write_imagef(out, at, sum / ((2 * n + 1) * (2 * n + 1) * 24));
  sums[get_global_id(1) * get_global_size(0) + get_global_id(0)] = sum;
}

// A line across the image at an angle, through a sampler of the host.
kernel void sampled(read_only image2d_t in, sampler_t given, global float4* sums, float scale) {
  const size_t item = get_global_id(1) * get_global_size(0) + get_global_id(0);
  const float2 id = (float2)(get_global_id(0), get_global_id(1));
  const float2 at = (float2)(id.x * 0.7f - id.y * 0.4f - 3.3f, id.x * 0.3f + id.y * 0.9f - 4.1f);
  sums[item] = read_imagef(in, given, at * scale) + read_imagef(in, between, id * 0.37f - 2.0f);
}

kernel void volume(read_only image3d_t in, sampler_t given, global float4* sums, float scale) {
  const size_t item = get_global_id(1) * get_global_size(0) + get_global_id(0);
  sums[item] = read_imagef(in, given, (float4)(get_global_id(0) * 0.31f - 1, get_global_id(1) * 0.43f - 2,
                                               item % 7 - 0.9f, 0) * scale);
}

kernel void layers(read_only image2d_array_t in, sampler_t given, global float4* sums, float scale) {
  const size_t item = get_global_id(1) * get_global_size(0) + get_global_id(0);
  sums[item] = read_imagef(in, given, (float4)((get_global_id(0) * 0.31f - 1) * scale,
                                               (get_global_id(1) * 0.43f - 2) * scale, item % 7 - 1.6f, 0));
}

// An image as a parameter of functions that stay functions, and a sampler that is one of two.
__attribute__((noinline)) float4 through(read_only image2d_t image, sampler_t sampler, float2 at) {
  return read_imagef(image, sampler, at) * 2;
}
kernel void functions(read_only image2d_t in, sampler_t given, global float4* sums, float scale) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  const float4 one = at.x & 1 ? through(in, given, convert_float2(at) * scale) : through(in, edge, convert_float2(at));
  sums[get_global_id(1) * get_global_size(0) + get_global_id(0)] =
      one + read_imagef(in, given, convert_float2(at) * scale);
}

// Between barriers, through local memory.
kernel __attribute__((reqd_work_group_size(16, 2, 1))) void staged(read_only image2d_t in, sampler_t given,
                                                                  global float4* sums, float scale) {
  local float4 stage[2][16];
  const int x = get_local_id(0), y = get_local_id(1);
  stage[y][x] = read_imagef(in, given, (float2)(get_global_id(0), get_global_id(1)) * scale);
  barrier(CLK_LOCAL_MEM_FENCE);
  sums[get_global_id(1) * get_global_size(0) + get_global_id(0)] =
      stage[y][15 - x] + read_imagef(in, edge, (int2)(get_global_id(0), get_global_id(1))) * get_image_width(in);
}

kernel void integers(read_only image2d_t in, write_only image2d_t out) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1)) - 2;
  write_imagei(out, at, read_imagei(in, edge, at + (int2)(1, -1)) * 3 - read_imagei(in, border, at - 1));
}
kernel void unsigned_integers(read_only image2d_t in, write_only image2d_t out) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1)) - 2;
  write_imageui(out, at, read_imageui(in, edge, at + (int2)(1, -1)) * 3 + read_imageui(in, border, at - 1));
}

kernel void raw(read_only image2d_t in, global uint4* texels) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1)) - 2;
  texels[get_global_id(1) * get_global_size(0) + get_global_id(0)] =
      read_imageui(in, border, at) + (uint4)(0, get_image_channel_data_type(in) == CLK_UNSIGNED_INT_RAW10_EXT,
                                             get_image_channel_data_type(in) == CLK_UNSIGNED_INT_RAW12_EXT, 0);
}

// Reads and writes of one image by the same work-item.
kernel void in_place(read_write image2d_t image, int n) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  for (int i = 0; i < n; ++i) {
    write_imagef(image, at, read_imagef(image, at).yzwx * 0.5f);
    atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item);
  }
}

kernel void asked(read_only image2d_t in, write_only image2d_t out, global int* answers) {
  answers[get_global_id(0)] = get_image_width(in) + get_image_height(out) * 1000 + get_image_channel_order(in) +
                              get_image_channel_data_type(out) * (int)get_global_id(0);
}
)";

struct Sampling {
  cl_bool normalised;
  cl_addressing_mode addressing;
  cl_filter_mode filter;
};

/// How a program is compiled; all ways must give the same bits.
constexpr const char* ways[] = {"", "-cl-clarity-packet-width=1", "-cl-clarity-disable=specialize-images",
                                "-cl-opt-disable", "-cl-clarity-disable=split-interior,fold-guards,narrow-indices"};

class Images : public DeviceTest {
protected:
  static constexpr std::size_t width = 61, height = 37;

  void TearDown() override {
    for (const cl_mem object : memory_) clReleaseMemObject(object);
    for (const cl_sampler object : samplers_) clReleaseSampler(object);
    DeviceTest::TearDown();
  }

  static std::size_t texelBytes(cl_image_format format) {
    const std::size_t channels = format.image_channel_order == CL_R || format.image_channel_order == CL_A ? 1
                                 : format.image_channel_order == CL_RG                                    ? 2
                                                                                                          : 4;
    switch (format.image_channel_data_type) {
      case CL_UNORM_INT8:
      case CL_SNORM_INT8:
      case CL_SIGNED_INT8:
      case CL_UNSIGNED_INT8: return channels;
      case CL_FLOAT:
      case CL_SIGNED_INT32:
      case CL_UNSIGNED_INT32: return 4 * channels;
      case CL_UNORM_INT_101010_2: return 4;
      default: return 2 * channels;
    }
  }

  cl_mem image(cl_image_format format, bool filled, cl_mem_object_type type = CL_MEM_OBJECT_IMAGE2D) {
    cl_image_desc desc = {};
    desc.image_type = type, desc.image_width = width, desc.image_height = height;
    const bool is3D = type == CL_MEM_OBJECT_IMAGE3D, isArray = type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
    desc.image_depth = is3D ? 5 : 0, desc.image_array_size = isArray ? 5 : 0;
    std::vector<unsigned char> bytes(texelBytes(format) * width * height * (is3D || isArray ? 5 : 1));
    std::mt19937 random(3);
    if (filled && format.image_channel_data_type == CL_FLOAT) {
      for (std::size_t i = 0; i < bytes.size() / 4; ++i)
        reinterpret_cast<float*>(bytes.data())[i] = static_cast<float>(random() % 1000) / 500 - 1;
    } else if (filled && format.image_channel_data_type == CL_HALF_FLOAT) {
      for (std::size_t i = 0; i < bytes.size() / 2; ++i)
        reinterpret_cast<std::uint16_t*>(bytes.data())[i] = static_cast<std::uint16_t>(0x3000 + random() % 0xC00);
    } else if (filled) {
      for (unsigned char& byte : bytes) byte = static_cast<unsigned char>(random());
    }
    cl_int code = CL_SUCCESS;
    memory_.push_back(
        clCreateImage(context_, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, &format, &desc, bytes.data(), &code));
    EXPECT_EQ(code, CL_SUCCESS) << std::hex << format.image_channel_order << " " << format.image_channel_data_type;
    return memory_.back();
  }

  cl_mem buffer(std::size_t bytes) {
    memory_.push_back(clCreateBuffer(context_, CL_MEM_READ_WRITE, bytes, nullptr, nullptr));
    return memory_.back();
  }

  cl_sampler sampler(const Sampling& it) {
    const cl_sampler_properties properties[] = {CL_SAMPLER_NORMALIZED_COORDS,
                                                it.normalised,
                                                CL_SAMPLER_ADDRESSING_MODE,
                                                it.addressing,
                                                CL_SAMPLER_FILTER_MODE,
                                                it.filter,
                                                0};
    cl_int code = CL_SUCCESS;
    samplers_.push_back(clCreateSamplerWithProperties(context_, properties, &code));
    EXPECT_EQ(code, CL_SUCCESS);
    return samplers_.back();
  }

  template <class... Arguments>
  void run(const char* name, std::size_t x, std::size_t y, Arguments... arguments) {
    const cl_kernel kernel = clCreateKernel(program_, name, nullptr);
    cl_uint index = 0;
    const auto set = [&](auto value) {
      EXPECT_EQ(clSetKernelArg(kernel, index++, sizeof value, &value), CL_SUCCESS) << name;
    };
    (set(arguments), ...);
    const std::size_t global[] = {x, y};
    EXPECT_EQ(clEnqueueNDRangeKernel(queue_, kernel, 2, nullptr, global, nullptr, 0, nullptr, nullptr), CL_SUCCESS)
        << name;
    EXPECT_EQ(clFinish(queue_), CL_SUCCESS) << name;
    clReleaseKernel(kernel);
  }

  std::vector<unsigned char> contents(cl_mem object, bool isImage = false, std::size_t texel = 0) {
    std::size_t bytes = isImage ? texel * width * height : 0;
    if (!isImage) clGetMemObjectInfo(object, CL_MEM_SIZE, sizeof bytes, &bytes, nullptr);
    std::vector<unsigned char> result(bytes);
    const std::size_t origin[3] = {}, region[3] = {width, height, 1};
    const cl_int code =
        isImage ? clEnqueueReadImage(queue_, object, CL_TRUE, origin, region, 0, 0, result.data(), 0, nullptr, nullptr)
                : clEnqueueReadBuffer(queue_, object, CL_TRUE, 0, bytes, result.data(), 0, nullptr, nullptr);
    EXPECT_EQ(code, CL_SUCCESS);
    return result;
  }

  /// `launch(way)` returns what the kernel wrote.
  template <class Launch>
  void same(const std::string& what, Launch launch, std::span<const char* const> tried = ways) {
    std::vector<unsigned char> expected;
    for (const char* way : tried) {
      if (!changeCode(way)) continue;
      ASSERT_NO_FATAL_FAILURE(build(source, std::string("-cl-std=CL3.0 ") + way));
      const std::vector<unsigned char> got = launch();
      if (expected.empty()) expected = got;
      std::size_t different = 0;
      for (std::size_t i = 0; i < got.size(); ++i) different += got[i] != expected[i];
      EXPECT_EQ(different, 0u) << what << " with '" << way << "'";
    }
    EXPECT_NE(std::vector<unsigned char>(expected.size(), expected[0]), expected) << what << " writes one value only";
  }

  std::vector<cl_mem> memory_;
  std::vector<cl_sampler> samplers_;
};

constexpr Sampling samplings[] = {
    {CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST}, {CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR},
    {CL_TRUE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR},   {CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST},
    {CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_NEAREST},         {CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_LINEAR},
    {CL_TRUE, CL_ADDRESS_MIRRORED_REPEAT, CL_FILTER_LINEAR}, {CL_TRUE, CL_ADDRESS_MIRRORED_REPEAT, CL_FILTER_NEAREST}};

TEST_F(Images, NeighboursInEveryFormat) {
  const cl_channel_type types[] = {CL_UNORM_INT8,  CL_SNORM_INT8, CL_UNORM_INT16,
                                   CL_SNORM_INT16, CL_HALF_FLOAT, CL_FLOAT};
  const cl_sampler given = sampler(samplings[1]);
  std::vector<cl_image_format> formats = {{CL_BGRA, CL_UNORM_INT8},
                                          {CL_RGBA, CL_UNORM_INT_101010_2},
                                          {CL_A, CL_UNORM_INT8},
                                          {CL_RGBA, 0x10E1 /* CL_UNORM_INT10X6_EXT */},
                                          {CL_RG, 0x10EA /* CL_UNORM_INT14X2_EXT */}};
  for (const cl_channel_order order : {CL_R, CL_RG, CL_RGBA})
    for (const cl_channel_type type : types) formats.push_back({static_cast<cl_channel_order>(order), type});
  for (const cl_image_format format : formats) {
    const std::string what = "neighbours, order " + std::to_string(format.image_channel_order) + " type " +
                             std::to_string(format.image_channel_data_type);
    same(
        what,
        [&] {
          const cl_mem in = image(format, true), out = image(format, false), sums = buffer(70 * 44 * 16);
          run("neighbours", 70, 44, in, out, given, sums, 1);
          std::vector<unsigned char> all = contents(sums);
          const std::vector<unsigned char> texels = contents(out, true, texelBytes(format));
          all.insert(all.end(), texels.begin(), texels.end());
          return all;
        },
        std::span(ways).first(format.image_channel_order == CL_BGRA ? std::size(ways) : 2));
  }
}

// With each sampler every second kernel reads one format, and the others the other one. In packets, one work-item at a
// time, and in one of the other ways, which each kernel and each sampler have all of.
TEST_F(Images, EverySampler) {
  bool isFloat = false;
  std::size_t turn = 0;
  for (const char* kernel : {"sampled", "functions", "staged", "volume", "layers"}) {
    isFloat = !isFloat;
    for (const Sampling& sampling : samplings) {
      const cl_sampler given = sampler(sampling);
      const cl_mem_object_type type = std::string(kernel) == "volume"   ? CL_MEM_OBJECT_IMAGE3D
                                      : std::string(kernel) == "layers" ? CL_MEM_OBJECT_IMAGE2D_ARRAY
                                                                        : CL_MEM_OBJECT_IMAGE2D;
      isFloat = !isFloat;
      const cl_channel_type channel = isFloat ? CL_FLOAT : CL_UNORM_INT8;
      const char* const tried[] = {ways[0], ways[1], ways[2 + turn++ % (std::size(ways) - 2)]};
      same(
          std::string(kernel) + " " + std::to_string(sampling.addressing),
          [&] {
            const cl_mem in = image({CL_RGBA, channel}, true, type), sums = buffer(96 * 40 * 16);
            run(kernel, 96, 40, in, given, sums, sampling.normalised ? 0.041f : 1.0f);
            return contents(sums);
          },
          tried);
    }
  }
}

TEST_F(Images, Integers) {
  for (const auto& [kernel, types] :
       {std::pair<const char*, std::vector<cl_channel_type>>{"integers",
                                                             {CL_SIGNED_INT8, CL_SIGNED_INT16, CL_SIGNED_INT32}},
        {"unsigned_integers",
         {CL_UNSIGNED_INT8, CL_UNSIGNED_INT16, CL_UNSIGNED_INT32, 0x10E7 /* CL_UNSIGNED_INT12X4_EXT */}}})
    for (const cl_channel_type type : types)
      for (const cl_channel_order order : {CL_R, CL_RGBA})
        same(kernel, [&, name = kernel] {
          const cl_image_format format = {static_cast<cl_channel_order>(order), type};
          const cl_mem in = image(format, true), out = image(format, false);
          run(name, 70, 44, in, out);
          return contents(out, true, texelBytes(format));
        });
}

// cl_ext_image_raw10_raw12: 4 texels of 10 bits in 5 bytes, 2 of 12 in 3; the border is 0.
TEST_F(Images, RawFormats) {
  for (const auto& [type, texels, bits] : {std::tuple<cl_channel_type, int, int>{0x10E3, 4, 10}, {0x10E4, 2, 12}}) {
    const std::size_t blocks = 9, rows = 11, columns = blocks * static_cast<std::size_t>(texels);
    std::vector<unsigned char> bytes(rows * blocks * static_cast<std::size_t>(texels + 1));
    std::mt19937 random(7);
    for (unsigned char& byte : bytes) byte = static_cast<unsigned char>(random());
    const cl_image_format format{CL_R, type};
    cl_image_desc desc = {};
    desc.image_type = CL_MEM_OBJECT_IMAGE2D, desc.image_width = columns, desc.image_height = rows;
    std::vector<unsigned char> got;
    same("raw", [&, type = type] {
      cl_int code = CL_SUCCESS;
      memory_.push_back(
          clCreateImage(context_, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format, &desc, bytes.data(), &code));
      EXPECT_EQ(code, CL_SUCCESS) << type;
      const cl_mem in = memory_.back(), out = buffer((columns + 4) * (rows + 4) * 16);
      run("raw", columns + 4, rows + 4, in, out);
      return got = contents(out);
    });
    for (std::size_t y = 0; y < rows + 4; ++y)
      for (std::size_t x = 0; x < columns + 4; ++x) {
        std::uint32_t value[4], wanted = 0;
        std::memcpy(value, &got[(y * (columns + 4) + x) * 16], 16);
        if (x >= 2 && x < columns + 2 && y >= 2 && y < rows + 2) {
          const auto many = static_cast<std::size_t>(texels), low = static_cast<std::size_t>(bits - 8), at = x - 2;
          const unsigned char* const block = &bytes[((y - 2) * blocks + at / many) * (many + 1)];
          wanted = static_cast<std::uint32_t>(block[at % many]) << low |
                   ((block[many] >> low * (at % many)) & ((1U << low) - 1));
        }
        ASSERT_EQ(value[0], wanted) << bits << " bits at " << x << ", " << y;
        ASSERT_EQ(value[1], bits == 10 ? 1u : 0u);
        ASSERT_EQ(value[2], bits == 12 ? 1u : 0u);
        ASSERT_EQ(value[3], 1u);
      }
  }
}

TEST_F(Images, InPlace) {
  for (const cl_channel_type type : {CL_UNORM_INT8, CL_FLOAT})
    same("in place", [&] {
      const cl_mem it = image({CL_RGBA, type}, true);
      run("in_place", 64, 40, it, 3);
      return contents(it, true, texelBytes({CL_RGBA, type}));
    });
}

TEST_F(Images, Queries) {
  same("queries", [&] {
    const cl_mem in = image({CL_RG, CL_FLOAT}, true), out = image({CL_RGBA, CL_UNORM_INT8}, false),
                 answers = buffer(64 * 4);
    run("asked", 64, 1, in, out, answers);
    const std::vector<unsigned char> bytes = contents(answers);
    const auto* numbers = reinterpret_cast<const cl_int*>(bytes.data());
    for (int i = 0; i < 64; ++i)
      EXPECT_EQ(numbers[i], static_cast<int>(width + height * 1000 + CL_RG + CL_UNORM_INT8 * i));
    return bytes;
  });
}

}  // namespace
