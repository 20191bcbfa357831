// SPDX-License-Identifier: Apache-2.0
// This file describes the stencils (kernels/stencils.cl).
#include <algorithm>

#include "cases.h"
#include "parallel.h"

namespace bench {
namespace {

constexpr Tolerance rounding = {.absolute = 1e-5, .relative = 1e-5};

// Two pictures of floats, the first arguments of most of these kernels, and the host's function for each row.
struct Pictures {
  std::size_t width, height;
  const float* in;
  float* out;
};

Pictures pictures(Problem& p, std::size_t width, std::size_t height) {
  const float* in = p.input(randomFloats(width * height, 1));
  p.needs(static_cast<double>(width * height) * 8, Unit::Bytes);
  return {width, height, in, p.output<float>(width * height, rounding)};
}

void sizes(Problem& p, const Pictures& pictures) {
  p.scalar<std::int32_t>(static_cast<std::int32_t>(pictures.width));
  p.scalar<std::int32_t>(static_cast<std::int32_t>(pictures.height));
}

std::ptrdiff_t inside(std::ptrdiff_t position, std::size_t count) {
  return std::clamp<std::ptrdiff_t>(position, 0, static_cast<std::ptrdiff_t>(count) - 1);
}

void stencil5(Problem& p) {
  const auto pair = pictures(p, p.size(250, 2000), p.size(130, 2000));
  sizes(p, pair);
  const auto [width, height, in, out] = pair;
  p.items((width + 15) / 16 * 16, (height + 15) / 16 * 16);
  p.group(16, 16);
  p.host([=] {
    parallelFor(height, [=](std::size_t y) {
      const float* row = in + y * width;
      float* result = out + y * width;
      if (y == 0 || y == height - 1) return static_cast<void>(std::copy_n(row, width, result));
      result[0] = row[0], result[width - 1] = row[width - 1];
      for (std::size_t x = 1; x < width - 1; ++x)
        result[x] =
            0.5F * row[x] + 0.125F * (row[x - 1] + row[x + 1] + in[(y - 1) * width + x] + in[(y + 1) * width + x]);
    });
  });
}

void stencil7(Problem& p) {
  const std::size_t side = p.size(32, 160);
  const auto [width, height, in, out] = pictures(p, side, side * side);
  p.scalar<std::int32_t>(static_cast<std::int32_t>(side));
  p.items(side, side, side);
  p.host([=] {
    parallelFor(side * side, [=](std::size_t row) {
      const std::size_t y = row % side, z = row / side;
      const float* middle = in + row * side;
      const auto at = [=](const float* line, bool exists, std::size_t x) { return exists ? line[x] : 0.0F; };
      for (std::size_t x = 0; x < side; ++x) {
        float sum = middle[x];
        sum += x > 0 ? middle[x - 1] : 0;
        sum += x < side - 1 ? middle[x + 1] : 0;
        sum += at(middle - side, y > 0, x) + at(middle + side, y < side - 1, x);
        sum += at(middle - side * side, z > 0, x) + at(middle + side * side, z < side - 1, x);
        out[row * side + x] = sum / 7;
      }
    });
  });
}

// A convolution on the host: the boundary separately, so that the interior needs no clamping.
void convolveOnHost(const Pictures& pictures, const float* weights, int radius) {
  const auto [width, height, in, out] = pictures;
  const auto edge = static_cast<std::size_t>(2 * radius + 1);
  parallelFor(height, [=](std::size_t y) {
    const auto sum = [=](std::size_t x, auto columnOf) {
      float total = 0;
      for (std::size_t dy = 0; dy < edge; ++dy) {
        const float* row =
            in + inside(static_cast<std::ptrdiff_t>(y + dy) - radius, height) * static_cast<std::ptrdiff_t>(width);
        for (std::size_t dx = 0; dx < edge; ++dx)
          total += weights[dy * edge + dx] * row[columnOf(static_cast<std::ptrdiff_t>(x + dx) - radius)];
      }
      return total;
    };
    const auto clamped = [=](std::ptrdiff_t column) { return inside(column, width); };
    const auto plain = [](std::ptrdiff_t column) { return column; };
    const auto border = static_cast<std::size_t>(radius);
    for (std::size_t x = 0; x < border; ++x) out[y * width + x] = sum(x, clamped);
    for (std::size_t x = border; x < width - border; ++x) out[y * width + x] = sum(x, plain);
    for (std::size_t x = width - border; x < width; ++x) out[y * width + x] = sum(x, clamped);
  });
}

void convolution3(Problem& p) {
  const auto pair = pictures(p, p.size(200, 1600), p.size(100, 1200));
  const float* weights = p.input(randomFloats(9, 2));
  sizes(p, pair);
  p.items(pair.width, pair.height);
  p.group(8, 4);
  p.host([=] { convolveOnHost(pair, weights, 1); });
}

void convolution5(Problem& p) {
  const auto pair = pictures(p, p.size(200, 1200), p.size(100, 1000));
  const float* weights = p.input(randomFloats(25, 3));
  p.scalar<std::int32_t>(2);
  sizes(p, pair);
  p.items(pair.width, pair.height);
  p.host([=] { convolveOnHost(pair, weights, 2); });
}

constexpr float gaussian[9] = {0.028532F, 0.067234F, 0.124009F, 0.179044F, 0.202362F,
                               0.179044F, 0.124009F, 0.067234F, 0.028532F};

void gaussianRows(Problem& p) {
  const auto [width, height, in, out] = pictures(p, p.size(256, 1600), p.size(64, 1200));
  p.scalar<std::int32_t>(static_cast<std::int32_t>(width));
  p.items(width, height);
  p.host([=] {
    parallelFor(height, [=](std::size_t y) {
      const float* row = in + y * width;
      for (std::size_t x = 0; x < width; ++x) {
        float sum = 0;
        for (int i = -4; i <= 4; ++i) sum += gaussian[i + 4] * row[inside(static_cast<std::ptrdiff_t>(x) + i, width)];
        out[y * width + x] = sum;
      }
    });
  });
}

void gaussianColumns(Problem& p) {
  const auto [width, height, in, out] = pictures(p, p.size(256, 1600), p.size(64, 1200));
  p.scalar<std::int32_t>(static_cast<std::int32_t>(height));
  p.items(width, height);
  p.host([=] {
    parallelFor(height, [=](std::size_t y) {
      for (std::size_t x = 0; x < width; ++x) {
        float sum = 0;
        for (int i = -4; i <= 4; ++i)
          sum += gaussian[i + 4] *
                 in[inside(static_cast<std::ptrdiff_t>(y) + i, height) * static_cast<std::ptrdiff_t>(width) +
                    static_cast<std::ptrdiff_t>(x)];
        out[y * width + x] = sum;
      }
    });
  });
}

void boxFilterLocal(Problem& p) {
  const auto pair = pictures(p, p.size(150, 1500), p.size(70, 1100));
  sizes(p, pair);
  const auto [width, height, in, out] = pair;
  p.items((width + 15) / 16 * 16, (height + 15) / 16 * 16);
  p.group(16, 16);
  p.host([=] {
    parallelFor(height, [=](std::size_t y) {
      for (std::size_t x = 0; x < width; ++x) {
        const std::size_t top = y < 2 ? 0 : y - 2, left = x < 2 ? 0 : x - 2;
        float sum = 0;
        for (std::size_t row = top; row < std::min(y + 3, height); ++row)
          for (std::size_t column = left; column < std::min(x + 3, width); ++column) sum += in[row * width + column];
        out[y * width + x] = sum / 25;
      }
    });
  });
}

void life(Problem& p) {
  const std::size_t width = p.size(160, 1600), height = p.size(120, 1200);
  const auto* in = p.input(randomIntegers<std::uint8_t>(width * height, 4, 0, 1));
  auto* out = p.output<std::uint8_t>(width * height);
  p.items(width, height);
  p.needs(static_cast<double>(width * height) * 2, Unit::Bytes);
  p.host([=] {
    parallelFor(height, [=](std::size_t y) {
      const std::uint8_t *middle = in + y * width, *above = in + (y + height - 1) % height * width,
                         *below = in + (y + 1) % height * width;
      const auto next = [=](std::size_t left, std::size_t x, std::size_t right) {
        const int sum = above[left] + above[x] + above[right] + middle[left] + middle[right] + below[left] + below[x] +
                        below[right];
        return static_cast<std::uint8_t>(sum == 3 || (sum == 2 && middle[x]));
      };
      out[y * width] = next(width - 1, 0, 1);
      for (std::size_t x = 1; x < width - 1; ++x) out[y * width + x] = next(x - 1, x, x + 1);
      out[y * width + width - 1] = next(width - 2, width - 1, 0);
    });
  });
}

}  // namespace

std::vector<Case> stencilsCases() {
  return {{"stencils", "stencil5", "", stencil5},
          {"stencils", "stencil7", "", stencil7},
          {"stencils", "convolution3", "", convolution3},
          {"stencils", "convolution", "5x5", convolution5},
          {"stencils", "gaussian_rows", "", gaussianRows},
          {"stencils", "gaussian_columns", "", gaussianColumns},
          {"stencils", "box_filter_local", "", boxFilterLocal},
          {"stencils", "life", "", life}};
}

}  // namespace bench
