// SPDX-License-Identifier: Apache-2.0
// This file has kernels of signal processing.

#define FFT_POINTS 256

// Each work-group of half as many work-items as points transforms its own signal (Stockham: no bit reversal).
__kernel void fft_local(__global const float2* in, __global float2* out) {
  __local float2 buffers[2][FFT_POINTS];
  int item = get_local_id(0), start = get_group_id(0) * FFT_POINTS, from = 0;
  buffers[0][item] = in[start + item];
  buffers[0][item + FFT_POINTS / 2] = in[start + item + FFT_POINTS / 2];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int run = 1; run < FFT_POINTS; run *= 2) {
    int place = item & (run - 1);
    float angle = -M_PI_F * place / run;
    float c, s = sincos(angle, &c);
    float2 a = buffers[from][item], b = buffers[from][item + FFT_POINTS / 2];
    float2 turned = (float2)(b.x * c - b.y * s, b.x * s + b.y * c);
    int to = (item - place) * 2 + place;
    buffers[1 - from][to] = a + turned;
    buffers[1 - from][to + run] = a - turned;
    from = 1 - from;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[start + item] = buffers[from][item];
  out[start + item + FFT_POINTS / 2] = buffers[from][item + FFT_POINTS / 2];
}

// A block of 8x8 for each work-group: cosines * block * transposed cosines.
__kernel void dct8x8_local(__global const float* in, __constant float* cosines, __global float* out, int width) {
  __local float block[8][8], rows[8][8];
  int x = get_local_id(0), y = get_local_id(1), i = get_global_id(1) * width + get_global_id(0);
  block[y][x] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0.0f;
  for (int k = 0; k < 8; ++k) sum += block[y][k] * cosines[x * 8 + k];
  rows[y][x] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  sum = 0.0f;
  for (int k = 0; k < 8; ++k) sum += cosines[y * 8 + k] * rows[k][x];
  out[i] = sum;
}

__kernel void fir(__global const float* in, __constant float* taps, int count, __global float* out) {
  int item = get_global_id(0);
  float sum = 0.0f;
  for (int i = 0; i < count; ++i) sum += taps[i] * in[item + i];
  out[item] = sum;
}

// The strength of one frequency for each work-item.
__kernel void goertzel(__global const float* samples, int count, __global const float* frequencies,
                       __global float* powers) {
  int item = get_global_id(0);
  float coefficient = 2.0f * cos(2.0f * M_PI_F * frequencies[item]);
  float last = 0.0f, before = 0.0f;
  for (int i = 0; i < count; ++i) {
    float next = samples[i] + coefficient * last - before;
    before = last;
    last = next;
  }
  powers[item] = last * last + before * before - coefficient * last * before;
}

// A filter of second order for each channel; the samples of all channels are interleaved.
__kernel void biquad_channels(__global const float* in, __global const float* coefficients, __global float* out,
                              int samples) {
  int channel = get_global_id(0), channels = get_global_size(0);
  float b0 = coefficients[channel * 5], b1 = coefficients[channel * 5 + 1], b2 = coefficients[channel * 5 + 2];
  float a1 = coefficients[channel * 5 + 3], a2 = coefficients[channel * 5 + 4];
  float s1 = 0.0f, s2 = 0.0f;
  for (int i = 0; i < samples; ++i) {
    float x = in[i * channels + channel];
    float y = b0 * x + s1;
    s1 = b1 * x - a1 * y + s2;
    s2 = b2 * x - a2 * y;
    out[i * channels + channel] = y;
  }
}
