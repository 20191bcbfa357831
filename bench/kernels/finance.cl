// SPDX-License-Identifier: Apache-2.0
// This file has kernels of finance, and of mathematical functions in general.

float normal_distribution(float x) { return 0.5f * (1.0f + erf(x * M_SQRT1_2_F)); }

__kernel void black_scholes(__global const float* prices, __global const float* strikes, __global const float* years,
                            __global float* calls, __global float* puts, float interest, float volatility) {
  int i = get_global_id(0);
  float root = volatility * sqrt(years[i]);
  float d1 = (log(prices[i] / strikes[i]) + (interest + 0.5f * volatility * volatility) * years[i]) / root;
  float d2 = d1 - root;
  float discounted = strikes[i] * exp(-interest * years[i]);
  calls[i] = prices[i] * normal_distribution(d1) - discounted * normal_distribution(d2);
  puts[i] = discounted * normal_distribution(-d2) - prices[i] * normal_distribution(-d1);
}

uint next_random(uint* state) {
  *state ^= *state << 13;
  *state ^= *state >> 17;
  *state ^= *state << 5;
  return *state;
}

// The mean value of a call over some paths; Box and Muller's normal numbers.
__kernel void option_monte_carlo(__global float* means, int pairs, float price, float strike, float drift,
                                 float deviation) {
  uint state = get_global_id(0) * 747796405U + 2891336453U;
  float sum = 0.0f;
  for (int i = 0; i < pairs; ++i) {
    float u = ((next_random(&state) >> 8) + 1) / 16777216.0f, v = (next_random(&state) >> 8) / 16777216.0f;
    float radius = sqrt(-2.0f * log(u)), angle = 2.0f * M_PI_F * v;
    float first = price * exp(drift + deviation * radius * cos(angle)),
          second = price * exp(drift + deviation * radius * sin(angle));
    sum += fmax(first - strike, 0.0f) + fmax(second - strike, 0.0f);
  }
  means[get_global_id(0)] = sum / (2 * pairs);
}

__kernel void binomial_tree(__global const float* strikes, __global float* values, float price, float up, float chance,
                            float discount) {
  float strike = strikes[get_global_id(0)];
  float tree[65];
  for (int i = 0; i <= 64; ++i) tree[i] = fmax(price * pow(up, 2.0f * i - 64.0f) - strike, 0.0f);
  for (int step = 64; step > 0; --step)
    for (int i = 0; i < step; ++i) tree[i] = discount * (chance * tree[i + 1] + (1.0f - chance) * tree[i]);
  values[get_global_id(0)] = tree[0];
}

__kernel void great_circle(__global const float2* from, __global const float2* to, __global float* distances) {
  int i = get_global_id(0);
  float2 a = from[i], b = to[i];
  float half_y = sin(0.5f * (b.y - a.y)), half_x = sin(0.5f * (b.x - a.x));
  float h = half_y * half_y + cos(a.y) * cos(b.y) * half_x * half_x;
  distances[i] = 2.0f * 6371.0f * atan2(sqrt(h), sqrt(1.0f - h));
}
