// SPDX-License-Identifier: Apache-2.0
// This file describes the kernels of finance and mathematical functions (kernels/finance.cl).
#include <algorithm>
#include <cmath>

#include "cases.h"
#include "parallel.h"

namespace bench {
namespace {

float normalDistribution(float x) { return 0.5F * (1 + std::erf(x * static_cast<float>(M_SQRT1_2))); }

void blackScholes(Problem& p) {
  const std::size_t count = p.size(5000, 300000);
  const float* prices = p.input(randomFloats(count, 1, 5, 30));
  const float* strikes = p.input(randomFloats(count, 2, 1, 100));
  const float* years = p.input(randomFloats(count, 3, 0.25F, 10));
  float* calls = p.output<float>(count, {.absolute = 5e-5, .relative = 1e-5});
  float* puts = p.output<float>(count, {.absolute = 5e-5, .relative = 1e-5});
  const float interest = p.scalar(0.02F), volatility = p.scalar(0.3F);
  p.items(count);
  p.needs(static_cast<double>(count), Unit::Steps);
  p.host([=] {
    parallelFor(count, [=](std::size_t i) {
      const float root = volatility * std::sqrt(years[i]);
      const float d1 = (std::log(prices[i] / strikes[i]) + (interest + 0.5F * volatility * volatility) * years[i]) /
                       root,
                  d2 = d1 - root;
      const float discounted = strikes[i] * std::exp(-interest * years[i]);
      calls[i] = prices[i] * normalDistribution(d1) - discounted * normalDistribution(d2);
      puts[i] = discounted * normalDistribution(-d2) - prices[i] * normalDistribution(-d1);
    });
  });
}

std::uint32_t nextRandom(std::uint32_t& state) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}

void optionMonteCarlo(Problem& p) {
  const std::size_t items = p.size(256, 4096);
  float* means = p.output<float>(items, {.relative = 1e-4});
  const int pairs = p.scalar<std::int32_t>(128);
  const float price = p.scalar(100.0F), strike = p.scalar(95.0F), drift = p.scalar(0.01F), deviation = p.scalar(0.2F);
  p.items(items);
  p.needs(static_cast<double>(items) * pairs, Unit::Steps);
  p.host([=] {
    parallelFor(items, [=](std::size_t item) {
      std::uint32_t state = static_cast<std::uint32_t>(item) * 747796405U + 2891336453U;
      float sum = 0;
      for (int i = 0; i < pairs; ++i) {
        const float u = static_cast<float>((nextRandom(state) >> 8) + 1) / 16777216.0F,
                    v = static_cast<float>(nextRandom(state) >> 8) / 16777216.0F;
        const float radius = std::sqrt(-2 * std::log(u)), angle = 2 * static_cast<float>(M_PI) * v;
        sum += std::max(price * std::exp(drift + deviation * radius * std::cos(angle)) - strike, 0.0F);
        sum += std::max(price * std::exp(drift + deviation * radius * std::sin(angle)) - strike, 0.0F);
      }
      means[item] = sum / static_cast<float>(2 * pairs);
    });
  });
}

void binomialTree(Problem& p) {
  const std::size_t count = p.size(500, 5000);
  const float* strikes = p.input(randomFloats(count, 4, 50, 150));
  float* values = p.output<float>(count, {.absolute = 1e-3});
  const float price = p.scalar(100.0F), up = p.scalar(1.02F), chance = p.scalar(0.51F), discount = p.scalar(0.9998F);
  p.items(count);
  p.needs(static_cast<double>(count) * 64 * 65 / 2, Unit::Steps);
  p.host([=] {
    parallelFor(count, [=](std::size_t item) {
      float tree[65];
      for (int i = 0; i <= 64; ++i)
        tree[i] = std::max(price * std::pow(up, 2 * static_cast<float>(i) - 64) - strikes[item], 0.0F);
      for (int step = 64; step > 0; --step)
        for (int i = 0; i < step; ++i) tree[i] = discount * (chance * tree[i + 1] + (1 - chance) * tree[i]);
      values[item] = tree[0];
    });
  });
}

void greatCircle(Problem& p) {
  const std::size_t count = p.size(5000, 300000);
  const float* from = p.input(randomFloats(count * 2, 5, -1.5F, 1.5F));
  const float* to = p.input(randomFloats(count * 2, 6, -1.5F, 1.5F));
  float* distances = p.output<float>(count, {.absolute = 0.5});  // kilometres; near the antipode rounding counts most
  p.items(count);
  p.needs(static_cast<double>(count), Unit::Steps);
  p.host([=] {
    parallelFor(count, [=](std::size_t i) {
      const float ax = from[2 * i], ay = from[2 * i + 1], bx = to[2 * i], by = to[2 * i + 1];
      const float halfY = std::sin(0.5F * (by - ay)), halfX = std::sin(0.5F * (bx - ax));
      const float h = halfY * halfY + std::cos(ay) * std::cos(by) * halfX * halfX;
      distances[i] = 2 * 6371 * std::atan2(std::sqrt(h), std::sqrt(1 - h));
    });
  });
}

}  // namespace

std::vector<Case> financeCases() {
  return {{"finance", "black_scholes", "", blackScholes},
          {"finance", "option_monte_carlo", "", optionMonteCarlo},
          {"finance", "binomial_tree", "", binomialTree},
          {"finance", "great_circle", "", greatCircle}};
}

}  // namespace bench
