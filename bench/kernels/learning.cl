// SPDX-License-Identifier: Apache-2.0
// This file has kernels of machine learning: rows that are normalized, one by each work-group, and nearest neighbours.

// All work-items call it; the result is in shared[0] for all of them.
void add_up(__local float* shared, int item, int items) {
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int distance = items / 2; distance > 0; distance /= 2) {
    if (item < distance) shared[item] += shared[item + distance];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

__kernel void softmax_rows(__global const float* in, __global float* out, int columns, __local float* shared) {
  int item = get_local_id(0), items = get_local_size(0), start = get_group_id(0) * columns;
  float largest = -INFINITY;
  for (int i = item; i < columns; i += items) largest = fmax(largest, in[start + i]);
  shared[item] = largest;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int distance = items / 2; distance > 0; distance /= 2) {
    if (item < distance) shared[item] = fmax(shared[item], shared[item + distance]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  largest = shared[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0.0f;
  for (int i = item; i < columns; i += items) {
    float power = exp(in[start + i] - largest);
    out[start + i] = power;
    sum += power;
  }
  shared[item] = sum;
  add_up(shared, item, items);
  float scale = 1.0f / shared[0];
  for (int i = item; i < columns; i += items) out[start + i] *= scale;
}

__kernel void layernorm_rows(__global const float* in, __global const float* gains, __global const float* offsets,
                             __global float* out, int columns, __local float* shared) {
  int item = get_local_id(0), items = get_local_size(0), start = get_group_id(0) * columns;
  float sum = 0.0f;
  for (int i = item; i < columns; i += items) sum += in[start + i];
  shared[item] = sum;
  add_up(shared, item, items);
  float mean = shared[0] / columns;
  barrier(CLK_LOCAL_MEM_FENCE);
  float squares = 0.0f;
  for (int i = item; i < columns; i += items) squares += (in[start + i] - mean) * (in[start + i] - mean);
  shared[item] = squares;
  add_up(shared, item, items);
  float scale = rsqrt(shared[0] / columns + 1e-5f);
  for (int i = item; i < columns; i += items) out[start + i] = (in[start + i] - mean) * scale * gains[i] + offsets[i];
}

// The nearest of the centres for each point of `dimensions` coordinates.
__kernel void kmeans_assign(__global const float* points, __constant float* centres, int clusters, int dimensions,
                            __global int* nearest) {
  int item = get_global_id(0), count = get_global_size(0);
  float smallest = FLT_MAX;
  int best = 0;
  for (int cluster = 0; cluster < clusters; ++cluster) {
    float sum = 0.0f;
    for (int i = 0; i < dimensions; ++i) {
      float difference = points[i * count + item] - centres[cluster * dimensions + i];
      sum += difference * difference;
    }
    if (sum < smallest) {
      smallest = sum;
      best = cluster;
    }
  }
  nearest[item] = best;
}

#define NEIGHBOURS 4

__kernel void nearest_neighbours(__global const float4* references, int count, __global const float4* queries,
                                 __global float* distances) {
  int item = get_global_id(0);
  float4 query = queries[item];
  float nearest[NEIGHBOURS];
  for (int i = 0; i < NEIGHBOURS; ++i) nearest[i] = FLT_MAX;
  for (int i = 0; i < count; ++i) {
    float4 difference = references[i] - query;
    float distance = dot(difference, difference);
    if (distance >= nearest[NEIGHBOURS - 1]) continue;
    int place = NEIGHBOURS - 1;
    while (place > 0 && nearest[place - 1] > distance) {
      nearest[place] = nearest[place - 1];
      --place;
    }
    nearest[place] = distance;
  }
  for (int i = 0; i < NEIGHBOURS; ++i) distances[item * NEIGHBOURS + i] = sqrt(nearest[i]);
}

// One neuron for each work-item, for one of many inputs in the second dimension.
__kernel void dense_relu(__global const float* inputs, __global const float* weights, __global const float* biases,
                         __global float* outputs, int width) {
  int neuron = get_global_id(0), sample = get_global_id(1), neurons = get_global_size(0);
  float sum = biases[neuron];
  for (int i = 0; i < width; ++i) sum += inputs[sample * width + i] * weights[i * neurons + neuron];
  outputs[sample * neurons + neuron] = fmax(sum, 0.0f);
}
