// SPDX-License-Identifier: Apache-2.0
// This file describes the kernels of image objects (kernels/sampling.cl).
#include <algorithm>
#include <array>
#include <cmath>

#include "cases.h"
#include "parallel.h"

namespace bench {
namespace {

using Colour = std::array<float, 4>;
using Type = Picture::Type;

// Texels of either type as an implementation sees them.
class Texels {
public:
  Texels(const void* data, Picture picture) : data_(data), picture_(picture) {}

  // Clamped to the edge.
  Colour at(int x, int y, int z = 0) const {
    const auto inside = [](int i, std::size_t size) {
      return static_cast<std::size_t>(std::clamp(i, 0, static_cast<int>(size) - 1));
    };
    const std::size_t depth = std::max<std::size_t>(picture_.depth, 1);
    const std::size_t index = ((inside(z, depth) * picture_.height + inside(y, picture_.height)) * picture_.width +
                               inside(x, picture_.width)) *
                              4;
    Colour colour;
    for (std::size_t i = 0; i < 4; ++i)
      colour[i] = picture_.type == Type::Float ? static_cast<const float*>(data_)[index + i]
                                               : static_cast<float>(bytes()[index + i]) * (1 / 255.0F);
    return colour;
  }

  // Between texels; coordinates in texels.
  Colour between(std::array<float, 3> at) const {
    std::array<int, 3> first{};
    std::array<float, 3> part{};
    const int dimensions = picture_.depth ? 3 : 2;
    for (int d = 0; d < dimensions; ++d) {
      const float below = std::floor(at[d] - 0.5F);
      first[d] = static_cast<int>(below), part[d] = at[d] - 0.5F - below;
    }
    Colour sum{};
    for (int corner = 0; corner < 1 << dimensions; ++corner) {
      float weight = 1;
      std::array<int, 3> index = first;
      for (int d = 0; d < dimensions; ++d) {
        index[d] += corner >> d & 1;
        weight *= corner >> d & 1 ? part[d] : 1 - part[d];
      }
      const Colour each = this->at(index[0], index[1], index[2]);
      for (std::size_t i = 0; i < 4; ++i) sum[i] += weight * each[i];
    }
    return sum;
  }

private:
  const std::uint8_t* bytes() const { return static_cast<const std::uint8_t*>(data_); }
  const void* data_;
  Picture picture_;
};

void put(std::uint8_t* to, const Colour& colour) {
  for (std::size_t i = 0; i < 4; ++i)
    to[i] = static_cast<std::uint8_t>(std::nearbyint(std::clamp(colour[i], 0.0F, 1.0F) * 255));
}
void put(float* to, const Colour& colour) { std::copy(colour.begin(), colour.end(), to); }

template <typename T>
constexpr Type typeOf = std::is_same_v<T, float> ? Type::Float : Type::UnormInt8;

// Rounding may fall to either side of a half; sums of floats differ by their order.
template <typename T>
constexpr Tolerance bound = std::is_same_v<T, float> ? Tolerance{.absolute = 1e-4} : Tolerance{.absolute = 1};

template <typename T>
std::vector<T> randomTexels(std::size_t count, unsigned seed) {
  if constexpr (std::is_same_v<T, float>)
    return randomFloats(4 * count, seed, 0, 1);
  else
    return randomIntegers<T>(4 * count, seed, 0, 255);
}

// An image of one size in and out; `colour` computes a texel.
template <typename T>
struct Filter {
  Picture picture;
  Texels in;
  T* out;

  Filter(Problem& p, std::size_t width, std::size_t height)
      : picture{typeOf<T>, width, height},
        in(p.inputImage(randomTexels<T>(width * height, 3), picture), picture),
        out(p.outputImage<T>(picture, bound<T>)) {
    p.items(width, height);
    p.needs(static_cast<double>(width * height) * 8 * sizeof(T), Unit::Bytes);
  }

  template <typename F>
  void host(Problem& p, F colour) const {
    p.host([=, *this] {
      parallelFor(picture.height, [=, *this](std::size_t y) {
        for (std::size_t x = 0; x < picture.width; ++x)
          put(out + 4 * (y * picture.width + x), colour(in, static_cast<int>(x), static_cast<int>(y)));
      });
    });
  }
};

void copyBuffer(Problem& p) {
  const std::size_t count = p.size(128, 4096) * p.size(64, 4096);
  const auto* in = p.input(randomIntegers<std::uint32_t>(count, 3, 0, 0xFFFFFFFF));
  auto* out = p.output<std::uint32_t>(count);
  p.items(count);
  p.needs(static_cast<double>(count) * 8, Unit::Bytes);
  p.host([=] { parallelFor(count / 64, [=](std::size_t i) { std::copy_n(in + 64 * i, 64, out + 64 * i); }); });
}

template <typename T>
void copyImage(Problem& p) {
  const Filter<T> filter(p, p.size(128, sizeof(T) == 1 ? 4096 : 2048), p.size(64, sizeof(T) == 1 ? 4096 : 2048));
  filter.host(p, [](const Texels& in, int x, int y) { return in.at(x, y); });
}

Colour weighted(const Texels& in, int x, int y, int radius, const float* weights) {
  Colour sum{};
  for (int dy = -radius; dy <= radius; ++dy)
    for (int dx = -radius; dx <= radius; ++dx) {
      const Colour each = in.at(x + dx, y + dy);
      const float weight = weights[(dy + radius) * (2 * radius + 1) + dx + radius];
      for (std::size_t i = 0; i < 4; ++i) sum[i] += weight * each[i];
    }
  return sum;
}

template <typename T>
void filter3x3(Problem& p) {
  const Filter<T> filter(p, p.size(130, 1920), p.size(70, 1080));
  filter.host(p, [](const Texels& in, int x, int y) {
    static constexpr float weights[] = {1, 2, 1, 2, 4, 2, 1, 2, 1};
    Colour sum = weighted(in, x, y, 1, weights);
    for (float& each : sum) each /= 16;
    return sum;
  });
}

template <typename T>
void filter11x11(Problem& p) {
  const Filter<T> filter(p, p.size(130, 1280), p.size(70, 720));
  const float* weights = p.input(randomFloats(121, 5, 0, 1 / 60.5F));
  filter.host(p, [=](const Texels& in, int x, int y) { return weighted(in, x, y, 5, weights); });
}

template <typename T>
void resize(Problem& p) {
  const Picture from = {typeOf<T>, p.size(97, 1280), p.size(53, 720)},
                to = {typeOf<T>, p.size(130, 1920), p.size(70, 1080)};
  const Texels in(p.inputImage(randomTexels<T>(from.width * from.height, 7), from), from);
  T* out = p.outputImage<T>(to, {.absolute = sizeof(T) == 1 ? 1 : 1e-3});
  p.sampler({.normalised = true, .linear = true});
  p.items(to.width, to.height);
  p.needs(static_cast<double>(to.width * to.height + from.width * from.height) * 4 * sizeof(T), Unit::Bytes);
  p.host([=] {
    parallelFor(to.height, [=](std::size_t y) {
      const auto place = [](std::size_t i, std::size_t size, std::size_t other) {
        return (static_cast<float>(i) + 0.5F) / static_cast<float>(size) * static_cast<float>(other);
      };
      for (std::size_t x = 0; x < to.width; ++x)
        put(out + 4 * (y * to.width + x),
            in.between({place(x, to.width, from.width), place(y, to.height, from.height), 0}));
    });
  });
}

template <typename T>
void boxBlur(Problem& p) {
  const Filter<T> filter(p, p.size(130, 1920), p.size(70, 1080));
  const int radius = p.scalar<std::int32_t>(7);
  filter.host(p, [=](const Texels& in, int x, int y) {
    Colour sum{};
    for (int d = -radius; d <= radius; ++d) {
      const Colour each = in.at(x + d, y);
      for (std::size_t i = 0; i < 4; ++i) sum[i] += each[i];
    }
    for (float& each : sum) each /= static_cast<float>(2 * radius + 1);
    return sum;
  });
}

template <typename T>
void gaussianBlur(Problem& p) {
  const Filter<T> filter(p, p.size(130, 1920), p.size(70, 1080));
  p.sampler({});
  std::vector<float> weights(9);
  for (int i = 0; i < 9; ++i)
    weights[static_cast<std::size_t>(i)] = std::exp(-0.5F * static_cast<float>((i - 4) * (i - 4)) / 4) / 5;
  const float* given = p.input(weights);
  filter.host(p, [=](const Texels& in, int x, int y) {
    Colour sum{};
    for (int d = -4; d <= 4; ++d) {
      const Colour each = in.at(x, y + d);
      for (std::size_t i = 0; i < 4; ++i) sum[i] += given[d + 4] * each[i];
    }
    return sum;
  });
}

void colourLookup(Problem& p) {
  const Picture picture = {Type::UnormInt8, p.size(130, 1920), p.size(70, 1080)};
  const Picture cube = {Type::Float, 33, 33, 33};
  const std::size_t count = picture.width * picture.height;
  const Texels in(p.inputImage(randomTexels<std::uint8_t>(count, 9), picture), picture);
  const Texels table(p.inputImage(randomTexels<float>(33 * 33 * 33, 10), cube), cube);
  auto* out = p.outputImage<std::uint8_t>(picture, {.absolute = 1});
  p.sampler({.normalised = true, .linear = true});
  p.items(picture.width, picture.height);
  p.needs(static_cast<double>(count) * 8, Unit::Bytes);
  p.host([=] {
    parallelFor(picture.height, [=](std::size_t y) {
      for (std::size_t x = 0; x < picture.width; ++x) {
        const Colour colour = in.at(static_cast<int>(x), static_cast<int>(y));
        Colour found = table.between({colour[0] * 32 + 0.5F, colour[1] * 32 + 0.5F, colour[2] * 32 + 0.5F});
        found[3] = colour[3];
        put(out + 4 * (y * picture.width + x), found);
      }
    });
  });
}

}  // namespace

std::vector<Case> samplingCases() {
  std::vector<Case> cases = {{"sampling", "copy_buffer", "", copyBuffer}};
  const auto both = [&](const char* kernel, auto bytes, auto floats) {
    cases.push_back({"sampling", kernel, "RGBA8", bytes});
    cases.push_back({"sampling", kernel, "RGBA float", floats});
  };
  both("copy_image", copyImage<std::uint8_t>, copyImage<float>);
  both("filter_3x3", filter3x3<std::uint8_t>, filter3x3<float>);
  both("filter_11x11", filter11x11<std::uint8_t>, filter11x11<float>);
  both("resize", resize<std::uint8_t>, resize<float>);
  both("box_blur", boxBlur<std::uint8_t>, boxBlur<float>);
  both("gaussian_blur", gaussianBlur<std::uint8_t>, gaussianBlur<float>);
  cases.push_back({"sampling", "colour_lookup", "", colourLookup});
  return cases;
}

}  // namespace bench
