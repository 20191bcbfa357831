// SPDX-License-Identifier: Apache-2.0
// This file describes the kernels of signal processing (kernels/signal.cl).
#include <algorithm>
#include <array>
#include <cmath>

#include "cases.h"
#include "parallel.h"

namespace bench {
namespace {

constexpr std::size_t points = 256;
struct Twiddles {
  std::array<float, points / 2> cosines, sines;
};

Twiddles twiddles() {
  Twiddles result;
  for (std::size_t i = 0; i < points / 2; ++i) {
    const double angle = -2 * M_PI * static_cast<double>(i) / points;
    result.cosines[i] = static_cast<float>(std::cos(angle));
    result.sines[i] = static_cast<float>(std::sin(angle));
  }
  return result;
}

std::size_t reversedBits(std::size_t i) {
  std::size_t reversed = 0;
  for (std::size_t bit = 1; bit < points; bit *= 2, i /= 2) reversed = reversed * 2 + i % 2;
  return reversed;
}

// Cooley and Tukey's, in place after a permutation, with a table of factors.
void fftOnHost(const Twiddles& factors, const float* in, float* out) {
  float re[points], im[points];
  for (std::size_t i = 0; i < points; ++i) re[i] = in[2 * reversedBits(i)], im[i] = in[2 * reversedBits(i) + 1];
  for (std::size_t run = 1; run < points; run *= 2) {
    const std::size_t stride = points / (2 * run);
    for (std::size_t start = 0; start < points; start += 2 * run) {
      for (std::size_t i = 0; i < run; ++i) {
        const std::size_t a = start + i, b = a + run;
        const float c = factors.cosines[i * stride], s = factors.sines[i * stride];
        const float turnedRe = re[b] * c - im[b] * s, turnedIm = re[b] * s + im[b] * c;
        re[b] = re[a] - turnedRe, im[b] = im[a] - turnedIm;
        re[a] += turnedRe, im[a] += turnedIm;
      }
    }
  }
  for (std::size_t i = 0; i < points; ++i) out[2 * i] = re[i], out[2 * i + 1] = im[i];
}

void fftLocal(Problem& p) {
  const std::size_t signals = p.size(16, 1500);
  const float* in = p.input(randomFloats(signals * points * 2, 1));
  float* out = p.output<float>(signals * points * 2, {.absolute = 1e-4});
  p.items(signals * points / 2);
  p.group(points / 2);
  p.needs(static_cast<double>(signals * points) * 5 * 8, Unit::Flops);
  p.host([=] {
    const Twiddles factors = twiddles();
    parallelFor(signals,
                [=](std::size_t signal) { fftOnHost(factors, in + signal * points * 2, out + signal * points * 2); });
  });
}

void dct8x8Local(Problem& p) {
  const std::size_t width = p.size(128, 1024), height = p.size(64, 1024);
  std::vector<float> matrix(64);
  for (std::size_t y = 0; y < 8; ++y)
    for (std::size_t x = 0; x < 8; ++x)
      matrix[y * 8 + x] =
          static_cast<float>(std::sqrt(y ? 0.25 : 0.125) *
                             std::cos((2.0 * static_cast<double>(x) + 1) * static_cast<double>(y) * M_PI / 16));
  const float* in = p.input(randomFloats(width * height, 2));
  const float* cosines = p.input(matrix);
  float* out = p.output<float>(width * height, {.absolute = 1e-5});
  p.scalar<std::int32_t>(static_cast<std::int32_t>(width));
  p.items(width, height);
  p.group(8, 8);
  p.needs(static_cast<double>(width * height) * 32, Unit::Flops);
  p.host([=] {
    parallelFor(width * height / 64, [=](std::size_t block) {
      const std::size_t start = block / (width / 8) * 8 * width + block % (width / 8) * 8;
      float rows[64];
      for (std::size_t y = 0; y < 8; ++y)
        for (std::size_t x = 0; x < 8; ++x) {
          float sum = 0;
          for (std::size_t k = 0; k < 8; ++k) sum += in[start + y * width + k] * cosines[x * 8 + k];
          rows[y * 8 + x] = sum;
        }
      for (std::size_t y = 0; y < 8; ++y) {
        float sums[8] = {};
        for (std::size_t k = 0; k < 8; ++k)
          for (std::size_t x = 0; x < 8; ++x) sums[x] += cosines[y * 8 + k] * rows[k * 8 + x];
        std::copy_n(sums, 8, out + start + y * width);
      }
    });
  });
}

void fir(Problem& p) {
  const std::size_t samples = p.size(10000, 1000000), count = 64;
  const float* in = p.input(randomFloats(samples + count, 3));
  const float* taps = p.input(randomFloats(count, 4));
  p.scalar<std::int32_t>(static_cast<std::int32_t>(count));
  float* out = p.output<float>(samples, {.absolute = 1e-4});
  p.items(samples);
  p.needs(static_cast<double>(samples * count) * 2, Unit::Flops);
  p.host([=] {
    const std::size_t block = 80;  // stays in registers during the loop over the taps
    parallelFor((samples + block - 1) / block, [=](std::size_t i) {
      const std::size_t start = i * block, length = std::min(block, samples - start);
      float sums[block] = {};
      for (std::size_t tap = 0; tap < count; ++tap)
        for (std::size_t j = 0; j < length; ++j) sums[j] += taps[tap] * in[start + j + tap];
      std::copy_n(sums, length, out + start);
    });
  });
}

void goertzel(Problem& p) {
  const std::size_t count = p.size(200, 2000), items = p.size(500, 4000);
  const float* samples = p.input(randomFloats(count, 5));
  p.scalar<std::int32_t>(static_cast<std::int32_t>(count));
  const float* frequencies = p.input(randomFloats(items, 6, 0.05F, 0.45F));
  // The filter does not damp rounding errors.
  float* powers = p.output<float>(items, {.absolute = 0.5, .relative = 1e-2});
  p.items(items);
  p.needs(static_cast<double>(count * items) * 3, Unit::Flops);
  p.host([=] {
    const std::size_t lanes = 16;
    parallelFor(items / lanes + (items % lanes != 0), [=](std::size_t block) {
      const std::size_t start = block * lanes, length = std::min(lanes, items - start);
      float coefficients[lanes] = {}, last[lanes] = {}, before[lanes] = {};
      for (std::size_t i = 0; i < length; ++i)
        coefficients[i] = 2 * std::cos(2 * static_cast<float>(M_PI) * frequencies[start + i]);
      for (std::size_t sample = 0; sample < count; ++sample)
        for (std::size_t i = 0; i < lanes; ++i) {
          const float next = samples[sample] + coefficients[i] * last[i] - before[i];
          before[i] = last[i], last[i] = next;
        }
      for (std::size_t i = 0; i < length; ++i)
        powers[start + i] = last[i] * last[i] + before[i] * before[i] - coefficients[i] * last[i] * before[i];
    });
  });
}

void biquadChannels(Problem& p) {
  const std::size_t channels = p.size(256, 4096), samples = p.size(100, 500);
  auto filters = randomFloats(channels * 5, 7, -0.4F, 0.4F);  // stable
  const float* in = p.input(randomFloats(channels * samples, 8));
  const float* coefficients = p.input(filters);
  float* out = p.output<float>(channels * samples, {.absolute = 1e-5});
  p.scalar<std::int32_t>(static_cast<std::int32_t>(samples));
  p.items(channels);
  p.needs(static_cast<double>(channels * samples) * 8, Unit::Bytes);
  p.host([=] {
    const std::size_t lanes = 64;
    parallelFor(channels / lanes, [=](std::size_t block) {
      float s1[lanes] = {}, s2[lanes] = {}, own[5][lanes];
      for (std::size_t i = 0; i < lanes; ++i)
        for (std::size_t k = 0; k < 5; ++k) own[k][i] = coefficients[(block * lanes + i) * 5 + k];
      for (std::size_t sample = 0; sample < samples; ++sample) {
        const float* from = in + sample * channels + block * lanes;
        float* to = out + sample * channels + block * lanes;
        for (std::size_t i = 0; i < lanes; ++i) {
          const float x = from[i], y = own[0][i] * x + s1[i];
          s1[i] = own[1][i] * x - own[3][i] * y + s2[i];
          s2[i] = own[2][i] * x - own[4][i] * y;
          to[i] = y;
        }
      }
    });
  });
}

}  // namespace

std::vector<Case> signalCases() {
  return {{"signal", "fft_local", "", fftLocal},
          {"signal", "dct8x8_local", "", dct8x8Local},
          {"signal", "fir", "", fir},
          {"signal", "goertzel", "", goertzel},
          {"signal", "biquad_channels", "", biquadChannels}};
}

}  // namespace bench
