// SPDX-License-Identifier: Apache-2.0
// This file describes the kernels of pictures of bytes (kernels/images.cl).
#include <algorithm>
#include <cmath>

#include "cases.h"
#include "parallel.h"

namespace bench {
namespace {

// Rounding may fall to either side of a half.
constexpr Tolerance oneLevel = {.absolute = 1};

std::uint8_t saturated(float value) { return static_cast<std::uint8_t>(std::clamp(value, 0.0F, 255.0F)); }
std::uint8_t saturated(int value) { return static_cast<std::uint8_t>(std::clamp(value, 0, 255)); }

void sobelUchar(Problem& p) {
  const std::size_t width = p.size(200, 2000), height = p.size(100, 1500);
  const auto* in = p.input(randomIntegers<std::uint8_t>(width * height, 1, 0, 255));
  auto* out = p.output<std::uint8_t>(width * height);
  p.scalar<std::int32_t>(static_cast<std::int32_t>(width));
  p.scalar<std::int32_t>(static_cast<std::int32_t>(height));
  p.items(width, height);
  p.needs(static_cast<double>(width * height) * 2, Unit::Bytes);
  p.host([=] {
    parallelFor(height, [=](std::size_t y) {
      std::uint8_t* result = out + y * width;
      if (y == 0 || y == height - 1) return static_cast<void>(std::fill_n(result, width, 0));
      result[0] = result[width - 1] = 0;
      const std::uint8_t *b = in + y * width, *a = b - width, *c = b + width;
      for (std::size_t x = 1; x < width - 1; ++x) {
        const int gx = a[x + 1] + 2 * b[x + 1] + c[x + 1] - a[x - 1] - 2 * b[x - 1] - c[x - 1];
        const int gy = c[x - 1] + 2 * c[x] + c[x + 1] - a[x - 1] - 2 * a[x] - a[x + 1];
        result[x] = static_cast<std::uint8_t>(std::min(std::abs(gx) + std::abs(gy), 255));
      }
    });
  });
}

void sobelUchar4(Problem& p) {
  const std::size_t width = p.size(100, 1000), height = p.size(100, 1000), row = 4 * width;
  const auto* in = p.input(randomIntegers<std::uint8_t>(row * height, 2, 0, 255));
  auto* out = p.output<std::uint8_t>(row * height, oneLevel);
  p.scalar<std::int32_t>(static_cast<std::int32_t>(width));
  p.scalar<std::int32_t>(static_cast<std::int32_t>(height));
  p.items(width, height);
  p.needs(static_cast<double>(row * height) * 2, Unit::Bytes);
  p.host([=] {
    parallelFor(height, [=](std::size_t y) {
      std::uint8_t* result = out + y * row;
      if (y == 0 || y == height - 1) return static_cast<void>(std::fill_n(result, row, 0));
      std::fill_n(result, 4, 0);
      std::fill_n(result + row - 4, 4, 0);
      const std::uint8_t *b = in + y * row, *a = b - row, *c = b + row;
      for (std::size_t x = 4; x < row - 4; ++x) {
        const auto gx = static_cast<float>(a[x + 4] + 2 * b[x + 4] + c[x + 4] - a[x - 4] - 2 * b[x - 4] - c[x - 4]);
        const auto gy = static_cast<float>(c[x - 4] + 2 * c[x] + c[x + 4] - a[x - 4] - 2 * a[x] - a[x + 4]);
        result[x] = saturated(std::sqrt(gx * gx + gy * gy));
      }
    });
  });
}

void bilateral(Problem& p) {
  const std::size_t width = p.size(80, 240), height = p.size(60, 180);
  const auto* in = p.input(randomIntegers<std::uint8_t>(width * height, 3, 0, 255));
  auto* out = p.output<std::uint8_t>(width * height, oneLevel);
  const int radius = p.scalar<std::int32_t>(3);
  const float spatial = p.scalar(0.05F), tonal = p.scalar(0.0005F);
  p.items(width, height);
  p.needs(static_cast<double>(width * height * 49), Unit::Steps);
  p.host([=] {
    parallelFor(height, [=](std::size_t y) {
      const int row = static_cast<int>(y), rows = static_cast<int>(height), columns = static_cast<int>(width);
      for (int x = 0; x < columns; ++x) {
        const float centre = in[row * columns + x];
        float sum = 0, weights = 0;
        for (int j = std::max(0, row - radius); j <= std::min(rows - 1, row + radius); ++j) {
          for (int i = std::max(0, x - radius); i <= std::min(columns - 1, x + radius); ++i) {
            const float value = in[j * columns + i], difference = value - centre;
            const auto distance = static_cast<float>((i - x) * (i - x) + (j - row) * (j - row));
            const float weight = std::exp(-distance * spatial - difference * difference * tonal);
            sum += weight * value;
            weights += weight;
          }
        }
        out[row * columns + x] = saturated(sum / weights + 0.5F);
      }
    });
  });
}

void rgbToYuvPacked(Problem& p) {
  const std::size_t pixels = p.size(10000, 2000000);
  const auto* rgb = p.input(randomIntegers<std::uint8_t>(pixels * 3, 4, 0, 255));
  auto* yuv = p.output<std::uint8_t>(pixels * 3, oneLevel);
  p.items(pixels);
  p.needs(static_cast<double>(pixels) * 6, Unit::Bytes);
  p.host([=] {
    parallelFor(pixels, [=](std::size_t i) {
      const float r = rgb[3 * i], g = rgb[3 * i + 1], b = rgb[3 * i + 2];
      yuv[3 * i] = saturated(0.299F * r + 0.587F * g + 0.114F * b + 0.5F);
      yuv[3 * i + 1] = saturated(-0.168736F * r - 0.331264F * g + 0.5F * b + 128.5F);
      yuv[3 * i + 2] = saturated(0.5F * r - 0.418688F * g - 0.081312F * b + 128.5F);
    });
  });
}

void rgbaToYuva(Problem& p) {
  const std::size_t pixels = p.size(10000, 2000000);
  const auto* rgba = p.input(randomIntegers<std::uint8_t>(pixels * 4, 5, 0, 255));
  auto* yuva = p.output<std::uint8_t>(pixels * 4);
  p.items(pixels);
  p.needs(static_cast<double>(pixels) * 8, Unit::Bytes);
  p.host([=] {
    parallelFor(pixels, [=](std::size_t i) {
      const int r = rgba[4 * i], g = rgba[4 * i + 1], b = rgba[4 * i + 2];
      yuva[4 * i] = saturated((77 * r + 150 * g + 29 * b + 128) >> 8);
      yuva[4 * i + 1] = saturated(((-43 * r - 85 * g + 128 * b + 128) >> 8) + 128);
      yuva[4 * i + 2] = saturated(((128 * r - 107 * g - 21 * b + 128) >> 8) + 128);
      yuva[4 * i + 3] = rgba[4 * i + 3];
    });
  });
}

void bilinearResize(Problem& p) {
  const std::size_t width = p.size(64, 640), height = p.size(48, 480), newWidth = p.size(100, 1000),
                    newHeight = p.size(75, 750);
  const auto* in = p.input(randomIntegers<std::uint8_t>(width * height * 4, 6, 0, 255));
  auto* out = p.output<std::uint8_t>(newWidth * newHeight * 4, oneLevel);
  p.scalar<std::int32_t>(static_cast<std::int32_t>(width));
  p.scalar<std::int32_t>(static_cast<std::int32_t>(height));
  const float scaleX = p.scalar(static_cast<float>(width - 1) / static_cast<float>(newWidth));
  const float scaleY = p.scalar(static_cast<float>(height - 1) / static_cast<float>(newHeight));
  p.items(newWidth, newHeight);
  p.needs(static_cast<double>(newWidth * newHeight), Unit::Steps);
  p.host([=] {
    parallelFor(newHeight, [=](std::size_t y) {
      const float fromY = static_cast<float>(y) * scaleY;
      const auto top = static_cast<std::size_t>(fromY), bottom = std::min(top + 1, height - 1);
      for (std::size_t x = 0; x < newWidth; ++x) {
        const float fromX = static_cast<float>(x) * scaleX;
        const auto left = static_cast<std::size_t>(fromX), right = std::min(left + 1, width - 1);
        const float acrossX = fromX - static_cast<float>(left), acrossY = fromY - static_cast<float>(top);
        for (std::size_t c = 0; c < 4; ++c) {
          const auto at = [=](std::size_t row, std::size_t column) {
            return static_cast<float>(in[(row * width + column) * 4 + c]);
          };
          const float upper = at(top, left) + (at(top, right) - at(top, left)) * acrossX;
          const float lower = at(bottom, left) + (at(bottom, right) - at(bottom, left)) * acrossX;
          out[(y * newWidth + x) * 4 + c] = saturated(std::nearbyint(upper + (lower - upper) * acrossY));
        }
      }
    });
  });
}

}  // namespace

std::vector<Case> imagesCases() {
  return {{"images", "sobel_uchar", "", sobelUchar},  {"images", "sobel_uchar4", "", sobelUchar4},
          {"images", "bilateral", "", bilateral},     {"images", "rgb_to_yuv_packed", "", rgbToYuvPacked},
          {"images", "rgba_to_yuva", "", rgbaToYuva}, {"images", "bilinear_resize", "", bilinearResize}};
}

}  // namespace bench
