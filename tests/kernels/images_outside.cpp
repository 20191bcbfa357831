// SPDX-License-Identifier: Apache-2.0
// This file tests coordinates outside of images (OpenCL C 3.0, sections 6.15.15.2 to 6.15.15.4) where nothing but the
// image is accessible: images of every type lie between two pages without access. Reads give what the addressing mode
// says, in packets and in the scalar build, and writes change nothing.
#include "device_test.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace {

// TYPE, WIDE (the colour), SUFFIX (f, i, ui) and AT(p) (the coordinate of p) come with the build options.
constexpr const char* source = R"(
#ifdef DEPTH
#define SEEN(v) (float4)(v, 0, 0, 0)
#define COLOUR(v) (float)(v)
#else
#define SEEN(v) convert_float4(v)
#define COLOUR(v) (WIDE)((v), (v) + 1, (v) + 2, (v) + 3)
#endif
#define CONCAT_(a, b) a##b
#define CONCAT(a, b) CONCAT_(a, b)
#define READ CONCAT(read_image, SUFFIX)
#define WRITE CONCAT(write_image, SUFFIX)

size_t item() {
  return (get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0);
}
int4 cell(int4 low) { return (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0) + low; }

#ifdef SAMPLED
// Neighbouring work-items, neighbouring texels.
kernel void near(read_only TYPE in, sampler_t how, global float4* out, int4 low, float4 centre, float4 scale) {
  const float4 p = (convert_float4(cell(low)) + centre) * scale;
  out[item()] = SEEN(READ(in, how, AT(p)));
}
kernel void far(read_only TYPE in, sampler_t how, global float4* out, global const float4* at) {
  const float4 p = at[item()];
  out[item()] = SEEN(READ(in, how, AT(p)));
}
constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant sampler_t border = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
kernel void whole_numbers(read_only TYPE in, global float4* out, int4 low) {
  const int4 p = cell(low);
  out[item() * 2] = SEEN(READ(in, edge, AT(p)));
  out[item() * 2 + 1] = SEEN(READ(in, border, AT(p)));
}
#endif
// Undefined outside: the colour is of no interest.
kernel void bare(read_only TYPE in, global float4* out, global const int4* at, int4 low) {
  int4 p = at[item()];
  float4 sum = SEEN(READ(in, AT(p)));
  p = cell(low);
  out[item()] = sum + SEEN(READ(in, AT(p)));
}
kernel void store(write_only TYPE to, int4 low) {
  const int4 p = cell(low);
  WRITE(to, AT(p), COLOUR(p.x + 20 * p.y + 40 * p.z));
}
kernel void scatter(write_only TYPE to, global const int4* at) {
  const int4 p = at[item()];
  WRITE(to, AT(p), COLOUR(99));
}
kernel void shared(read_write TYPE to, int4 low) {
  const int4 p = cell(low);
  WRITE(to, AT(p), COLOUR(p.x + 20 * p.y + 40 * p.z));
}
)";

struct Type {
  const char* name;
  cl_mem_object_type type;
  int dimensions;  ///< dimensions of the coordinate, its layer included
  bool array, depth;
  const char* coordinate;
};
constexpr Type types[] = {
    {"image1d_t", CL_MEM_OBJECT_IMAGE1D, 1, false, false, "p.x"},
    {"image1d_buffer_t", CL_MEM_OBJECT_IMAGE1D_BUFFER, 1, false, false, "p.x"},
    {"image1d_array_t", CL_MEM_OBJECT_IMAGE1D_ARRAY, 2, true, false, "p.xy"},
    {"image2d_t", CL_MEM_OBJECT_IMAGE2D, 2, false, false, "p.xy"},
    {"image2d_array_t", CL_MEM_OBJECT_IMAGE2D_ARRAY, 3, true, false, "p"},
    {"image3d_t", CL_MEM_OBJECT_IMAGE3D, 3, false, false, "p"},
    {"image2d_depth_t", CL_MEM_OBJECT_IMAGE2D, 2, false, true, "p.xy"},
    {"image2d_array_depth_t", CL_MEM_OBJECT_IMAGE2D_ARRAY, 3, true, true, "p"},
};
struct Format {
  cl_channel_type type;
  const char *suffix, *wide;
  std::size_t bytes;  ///< bytes of a channel
};
constexpr Format formats[] = {{CL_FLOAT, "f", "float4", 4},
                              {CL_UNORM_INT8, "f", "float4", 1},
                              {CL_SIGNED_INT16, "i", "int4", 2},
                              {CL_UNSIGNED_INT32, "ui", "uint4", 4}};
constexpr int extents[] = {13, 5, 3};

/// Bytes with an inaccessible page at one end, and at the other as near as a page allows.
class Guarded {
public:
  Guarded(std::size_t bytes, bool atBegin)
      : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))), inner_((bytes + page_ - 1) / page_ * page_) {
    base_ =
        static_cast<unsigned char*>(mmap(nullptr, inner_ + 2 * page_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    EXPECT_EQ(mprotect(base_ + page_, inner_, PROT_READ | PROT_WRITE), 0);
    std::memset(base_ + page_, 0xA5, inner_);
    data = base_ + page_ + (atBegin ? 0 : inner_ - bytes);
    size_ = bytes;
  }
  ~Guarded() { munmap(base_, inner_ + 2 * page_); }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;
  /// Whether the accessible bytes that are not the image's are as they were.
  bool isUntouchedBeside() const {
    for (const unsigned char* at = base_ + page_; at < base_ + page_ + inner_; ++at)
      if ((at < data || at >= data + size_) && *at != 0xA5) return false;
    return true;
  }
  unsigned char* data = nullptr;

private:
  std::size_t page_, inner_, size_ = 0;
  unsigned char* base_ = nullptr;
};

class ImagesOutside : public DeviceTest {
protected:
  void TearDown() override {
    drop();
    for (const cl_sampler it : samplers_) clReleaseSampler(it);
    DeviceTest::TearDown();
  }

  int extent(int d) const { return d < type_.dimensions ? extents[d] : 1; }
  int texels() const { return extent(0) * extent(1) * extent(2); }
  int channels() const { return type_.depth ? 1 : 4; }
  bool isLayer(int d) const { return type_.array && d == type_.dimensions - 1; }
  /// The value of a channel of a texel before a kernel writes, as it is read.
  double content(int texel, int channel) const {
    const int value = (texel * 7 + channel * 3 + 1) % 251;
    return format_.type == CL_UNORM_INT8 ? value / 255.0 : value;
  }

  /// Builds the program for images of a type and format.
  void compile(const Type& type, const Format& format, const std::string& way) {
    type_ = type, format_ = format;
    std::string options = std::string("-cl-std=CL3.0 ") + way + " -DTYPE=" + type.name + " -DSUFFIX=" + format.suffix +
                          " -DWIDE=" + format.wide + " -DAT(p)=(" + type.coordinate + ")";
    if (type.depth) options += " -DDEPTH";
    if (type.type != CL_MEM_OBJECT_IMAGE1D_BUFFER) options += " -DSAMPLED";
    build(source, options);
  }
  /// Makes the image at one end of a page.
  void make(bool atBegin) {
    drop();
    const Type& type = type_;
    const std::size_t bytes = static_cast<std::size_t>(texels() * channels()) * format_.bytes;
    memory_ = std::make_unique<Guarded>(bytes, atBegin);
    for (int i = 0; i < texels(); ++i)
      for (int c = 0; c < channels(); ++c) put(i * channels() + c, (i * 7 + c * 3 + 1) % 251);
    const cl_image_format layout{type.depth ? cl_channel_order(CL_DEPTH) : cl_channel_order(CL_RGBA), format_.type};
    cl_image_desc desc{};
    desc.image_type = type.type;
    desc.image_width = extents[0], desc.image_height = static_cast<std::size_t>(extent(1));
    desc.image_depth = static_cast<std::size_t>(extent(2));
    desc.image_array_size = static_cast<std::size_t>(extent(type.dimensions - 1));
    void* host = memory_->data;
    if (type.type == CL_MEM_OBJECT_IMAGE1D_BUFFER) {
      desc.buffer = clCreateBuffer(context_, CL_MEM_USE_HOST_PTR, bytes, host, nullptr);
      host = nullptr;
    }
    cl_int error = CL_SUCCESS;
    image_ = clCreateImage(context_, host ? CL_MEM_USE_HOST_PTR : 0, &layout, &desc, host, &error);
    if (desc.buffer) clReleaseMemObject(desc.buffer);
    ASSERT_EQ(error, CL_SUCCESS);
  }
  void put(int channel, int value) {
    unsigned char* const at = memory_->data + static_cast<std::size_t>(channel) * format_.bytes;
    const auto number = static_cast<float>(value);
    if (format_.type == CL_FLOAT)
      std::memcpy(at, &number, 4);
    else
      std::memcpy(at, &value, format_.bytes);
  }
  void drop() {
    if (image_) clReleaseMemObject(image_);
    image_ = nullptr;
    memory_.reset();
  }

  cl_sampler sampler(bool normalised, cl_addressing_mode addressing, cl_filter_mode filter) {
    const cl_sampler_properties properties[] = {CL_SAMPLER_NORMALIZED_COORDS,
                                                static_cast<cl_sampler_properties>(normalised),
                                                CL_SAMPLER_ADDRESSING_MODE,
                                                addressing,
                                                CL_SAMPLER_FILTER_MODE,
                                                filter,
                                                0};
    cl_int error = CL_SUCCESS;
    samplers_.push_back(clCreateSamplerWithProperties(context_, properties, &error));
    EXPECT_EQ(error, CL_SUCCESS);
    return samplers_.back();
  }

  /// The work-items of a box that exceeds the image by three texels on every side.
  std::vector<std::size_t> around() const {
    std::vector<std::size_t> size(3, 1);
    for (int d = 0; d < type_.dimensions; ++d)
      size[static_cast<std::size_t>(d)] = static_cast<std::size_t>(extents[d]) + 6;
    return size;
  }
  cl_int4 low() const { return {{-3, type_.dimensions > 1 ? -3 : 0, type_.dimensions > 2 ? -3 : 0, 0}}; }

  /// The texel that a nearest read of the texel `at` gives, and -1 for the border.
  int texelOf(cl_addressing_mode addressing, std::array<double, 3> at) const {
    int result = 0;
    for (int d = 2; d >= 0; --d) {
      const int n = extent(d);
      double index = at[static_cast<std::size_t>(d)];
      if (isLayer(d) || addressing == CL_ADDRESS_CLAMP_TO_EDGE)
        index = std::clamp(index, 0.0, n - 1.0);
      else if (addressing == CL_ADDRESS_REPEAT)
        index -= n * std::floor(index / n);
      else if (addressing == CL_ADDRESS_MIRRORED_REPEAT) {
        index -= 2 * n * std::floor(index / (2 * n));
        if (index >= n) index = 2 * n - 1 - index;
      }
      if (index < 0 || index >= n) return -1;
      result = result * n + static_cast<int>(index);
    }
    return result;
  }
  void expectTexel(const cl_float4& got, int texel, const std::string& where) const {
    for (int c = 0; c < channels(); ++c)
      ASSERT_NEAR(got.s[c], texel < 0 ? 0 : content(texel, c), 1e-6) << where << ", channel " << c;
  }
  /// Calls with images of every type, of 2D images in every format, at either end of a page; in packets, and 2D and 3D
  /// images in the scalar build too.
  template <class Test>
  void forAll(Test test) {
    for (const Type& type : types)
      for (const Format& format : formats) {
        const bool is2D = type.type == CL_MEM_OBJECT_IMAGE2D && !type.depth;
        if (format.type != CL_FLOAT && !is2D) continue;
        for (const char* way : {"", "-cl-clarity-packet-width=1"}) {
          if (!changeCode(way)) continue;
          if (*way && !(is2D || type.type == CL_MEM_OBJECT_IMAGE3D)) continue;
          if (*way && format.type != CL_FLOAT) continue;
          SCOPED_TRACE(std::string(type.name) + ", type " + std::to_string(format.type) + " " + way);
          ASSERT_NO_FATAL_FAILURE(compile(type, format, way));
          for (const bool atBegin : {false, true}) {
            ASSERT_NO_FATAL_FAILURE(make(atBegin));
            ASSERT_NO_FATAL_FAILURE(test());
            ASSERT_EQ(clFinish(queue_), CL_SUCCESS);
            EXPECT_TRUE(memory_->isUntouchedBeside()) << (atBegin ? "at the begin" : "at the end");
          }
        }
      }
  }
  std::vector<cl_float4> read(const char* kernel, const std::vector<std::size_t>& size, cl_sampler how, auto... rest) {
    std::vector<cl_float4> out(size[0] * size[1] * size[2]);
    const cl_mem to = bufferOf(out);
    launch(kernel, size, {}, image_, how, to, rest...);
    take(to, out);
    return out;
  }
  void near(bool normalised, cl_addressing_mode addressing);
  void far(bool normalised, cl_addressing_mode addressing, cl_filter_mode filter);

  Type type_{};
  Format format_{};
  std::unique_ptr<Guarded> memory_;
  cl_mem image_ = nullptr;
  std::vector<cl_sampler> samplers_;
};

void ImagesOutside::near(bool normalised, cl_addressing_mode addressing) {
  cl_float4 centre{}, scale{};
  for (int d = 0; d < 3; ++d) {
    centre.s[d] = isLayer(d) ? 0 : 0.5f;
    scale.s[d] = normalised && !isLayer(d) ? 1 / static_cast<float>(extent(d)) : 1;
  }
  const std::vector<std::size_t> size = around();
  const std::vector<cl_float4> out =
      read("near", size, sampler(normalised, addressing, CL_FILTER_NEAREST), low(), centre, scale);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::size_t ids[] = {i % size[0], i / size[0] % size[1], i / size[0] / size[1]};
    std::array<double, 3> at{};
    for (std::size_t d = 0; d < 3; ++d) at[d] = static_cast<double>(ids[d]) + low().s[d];
    ASSERT_NO_FATAL_FAILURE(expectTexel(out[i], texelOf(addressing, at),
                                        "mode " + std::to_string(addressing) + ", item " + std::to_string(i)));
  }
}

void ImagesOutside::far(bool normalised, cl_addressing_mode addressing, cl_filter_mode filter) {
  constexpr float values[] = {-1e9f, 3e9f, 1e30f, -1e30f, 100.5f, -0.75f, 1.5f, INFINITY, -INFINITY, NAN};
  constexpr std::size_t count = std::size(values);
  std::vector<cl_float4> at(count * count * count);
  for (std::size_t i = 0; i < at.size(); ++i)
    at[i] = {{values[i % count], values[i / count % count], values[i / count / count], 0}};
  const cl_mem places = bufferOf(at);
  const std::vector<cl_float4> out = read("far", {at.size(), 1, 1}, sampler(normalised, addressing, filter), places);
  clReleaseMemObject(places);
  if (normalised || filter != CL_FILTER_NEAREST) return;
  for (std::size_t i = 0; i < at.size(); ++i) {
    std::array<double, 3> texel{};
    bool isNumber = true;
    for (int d = 0; d < type_.dimensions; ++d) {
      isNumber &= std::isfinite(at[i].s[d]);
      texel[static_cast<std::size_t>(d)] = isLayer(d) ? std::rint(at[i].s[d]) : std::floor(at[i].s[d]);
    }
    if (isNumber)
      ASSERT_NO_FATAL_FAILURE(expectTexel(out[i], texelOf(addressing, texel), "far, item " + std::to_string(i)));
  }
}

TEST_F(ImagesOutside, readsGiveWhatTheAddressingModeSays) {
  forAll([&] {
    if (type_.type == CL_MEM_OBJECT_IMAGE1D_BUFFER) return;
    for (const cl_addressing_mode addressing : {CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_CLAMP}) near(false, addressing);
    for (const cl_addressing_mode addressing :
         {CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_CLAMP, CL_ADDRESS_REPEAT, CL_ADDRESS_MIRRORED_REPEAT})
      near(true, addressing);
    std::vector<cl_float4> out(around()[0] * around()[1] * around()[2] * 2);
    const cl_mem to = bufferOf(out);
    launch("whole_numbers", around(), {}, image_, to, low());
    take(to, out);
    for (std::size_t i = 0; i < out.size(); ++i) {
      const std::size_t item = i / 2, x = around()[0], y = around()[1];
      std::array<double, 3> at{static_cast<double>(item % x), static_cast<double>(item / x % y),
                               static_cast<double>(item / x / y)};
      for (std::size_t d = 0; d < 3; ++d) at[d] += low().s[d];
      const cl_addressing_mode addressing = i % 2 ? CL_ADDRESS_CLAMP : CL_ADDRESS_CLAMP_TO_EDGE;
      ASSERT_NO_FATAL_FAILURE(expectTexel(out[i], texelOf(addressing, at), "whole, item " + std::to_string(item)));
    }
  });
}

// Far away, and with coordinates that are no numbers, of which the colour is undefined but no memory is missing.
TEST_F(ImagesOutside, farReads) {
  forAll([&] {
    if (type_.type == CL_MEM_OBJECT_IMAGE1D_BUFFER) return;
    const bool isInteger = format_.suffix[0] != 'f';
    for (const cl_filter_mode filter : {CL_FILTER_NEAREST, CL_FILTER_LINEAR}) {
      if (filter == CL_FILTER_LINEAR && isInteger) continue;
      for (const cl_addressing_mode addressing : {CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_CLAMP, CL_ADDRESS_NONE})
        far(false, addressing, filter);
      for (const cl_addressing_mode addressing : {CL_ADDRESS_REPEAT, CL_ADDRESS_MIRRORED_REPEAT})
        far(true, addressing, filter);
    }
  });
}

std::vector<cl_int4> farTexels() {
  constexpr cl_int values[] = {-1, 13, 1000, INT32_MAX, INT32_MIN, 1 << 30, -4096, 7};
  constexpr std::size_t count = std::size(values);
  std::vector<cl_int4> at(count * count * count);
  for (std::size_t i = 0; i < at.size(); ++i)
    at[i] = {{values[i % count], values[i / count % count], values[i / count / count], 0}};
  return at;
}

TEST_F(ImagesOutside, readsWithoutSamplerTouchNothingElse) {
  forAll([&] {
    const std::vector<cl_int4> at = farTexels();
    std::vector<cl_float4> out(at.size());
    const cl_mem to = bufferOf(out), places = bufferOf(at);
    launch("bare", {at.size(), 1, 1}, {}, image_, to, places, low());
    take(to, out);
    clReleaseMemObject(places);
  });
}

TEST_F(ImagesOutside, writesAreIgnored) {
  forAll([&] {
    for (const char* kernel : {"store", "shared"}) {
      launch(kernel, around(), {}, image_, low());
      const std::vector<cl_int4> at = farTexels();
      std::vector<cl_int4> outside;
      for (const cl_int4& p : at) {
        bool isInside = true;
        for (int d = 0; d < type_.dimensions; ++d) isInside &= p.s[d] >= 0 && p.s[d] < extent(d);
        if (!isInside) outside.push_back(p);
      }
      const cl_mem places = bufferOf(outside);
      launch("scatter", {outside.size(), 1, 1}, {}, image_, places);
      ASSERT_EQ(clFinish(queue_), CL_SUCCESS);
      clReleaseMemObject(places);
      const std::size_t origin[3] = {};
      std::size_t region[3] = {1, 1, 1};
      for (int d = 0; d < type_.dimensions; ++d) region[d] = static_cast<std::size_t>(extents[d]);
      std::vector<unsigned char> got(static_cast<std::size_t>(texels() * channels()) * format_.bytes);
      ASSERT_EQ(clEnqueueReadImage(queue_, image_, CL_TRUE, origin, region, 0, 0, got.data(), 0, nullptr, nullptr),
                CL_SUCCESS);
      for (int i = 0; i < texels(); ++i)
        for (int c = 0; c < channels(); ++c) {
          const int x = i % extent(0), y = i / extent(0) % extent(1), z = i / extent(0) / extent(1);
          const int value = x + 20 * y + 40 * z + c;
          unsigned char wanted[4] = {};
          const auto number = static_cast<float>(value);
          const int stored = format_.type == CL_UNORM_INT8 ? (value > 0 ? 255 : 0) : value;
          std::memcpy(wanted, format_.type == CL_FLOAT ? static_cast<const void*>(&number) : &stored, 4);
          ASSERT_EQ(
              std::memcmp(wanted, &got[static_cast<std::size_t>(i * channels() + c) * format_.bytes], format_.bytes), 0)
              << kernel << ", texel " << x << ", " << y << ", " << z << ", channel " << c;
        }
    }
  });
}

}  // namespace
