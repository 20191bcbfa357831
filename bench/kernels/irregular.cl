// SPDX-License-Identifier: Apache-2.0
// This file has kernels with divergent control flow: sparse matrices, searches, rays, counting.

__kernel void spmv_csr_scalar(__global const int* offsets, __global const int* columns, __global const float* values,
                              __global const float* x, __global float* y, int rows) {
  int row = get_global_id(0);
  if (row >= rows) return;
  float sum = 0.0f;
  for (int i = offsets[row]; i < offsets[row + 1]; ++i) sum += values[i] * x[columns[i]];
  y[row] = sum;
}

// Column-major: the entries of neighbouring rows lie side by side; padding has the value 0.
__kernel void spmv_ell(__global const int* columns, __global const float* values, __global const float* x,
                       __global float* y, int rows, int width) {
  int row = get_global_id(0);
  if (row >= rows) return;
  float sum = 0.0f;
  for (int i = 0; i < width; ++i) sum += values[i * rows + row] * x[columns[i * rows + row]];
  y[row] = sum;
}

__kernel void spmv_csr_vector(__global const int* offsets, __global const int* columns, __global const float* values,
                              __global const float* x, __global float* y, __local float* partial) {
  int row = get_group_id(0), lane = get_local_id(0), lanes = get_local_size(0);
  float sum = 0.0f;
  for (int i = offsets[row] + lane; i < offsets[row + 1]; i += lanes) sum += values[i] * x[columns[i]];
  partial[lane] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int half_size = lanes / 2; half_size > 0; half_size /= 2) {
    if (lane < half_size) partial[lane] += partial[lane + half_size];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lane == 0) y[row] = partial[0];
}

__kernel void bfs_step(__global const int* offsets, __global const int* neighbours, __global int* levels, int level,
                       int vertices) {
  int vertex = get_global_id(0);
  if (vertex >= vertices || levels[vertex] != level) return;
  for (int i = offsets[vertex]; i < offsets[vertex + 1]; ++i) {
    int other = neighbours[i];
    if (levels[other] == -1) levels[other] = level + 1;
  }
}

// The first element that is not smaller than the key.
__kernel void binary_search(__global const uint* sorted, int count, __global const uint* keys, __global int* found) {
  int item = get_global_id(0);
  uint key = keys[item];
  int low = 0, high = count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (sorted[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  found[item] = low;
}

uint hash_of(uint key) {
  key ^= key >> 16;
  key *= 0x7feb352dU;
  key ^= key >> 15;
  key *= 0x846ca68bU;
  return key ^ (key >> 16);
}

// Linear probing; an empty slot has the key 0.
__kernel void hash_probe(__global const uint2* slots, uint mask, __global const uint* keys, __global uint* values) {
  int item = get_global_id(0);
  uint key = keys[item];
  uint slot = hash_of(key) & mask;
  uint value = 0xffffffffU;
  while (slots[slot].x != 0) {
    if (slots[slot].x == key) {
      value = slots[slot].y;
      break;
    }
    slot = (slot + 1) & mask;
  }
  values[item] = value;
}

typedef struct {
  float4 centre;  // w: radius
  float4 colour;  // w: how much it reflects
} Sphere;

__kernel void ray_spheres(__constant Sphere* spheres, int count, int bounces, __global float4* picture) {
  int x = get_global_id(0), y = get_global_id(1), width = get_global_size(0), height = get_global_size(1);
  float3 origin = (float3)(0.0f, 0.0f, -8.0f);
  float3 direction = normalize((float3)((x - 0.5f * width) / width, (y - 0.5f * height) / width, 1.0f));
  float3 light = normalize((float3)(1.0f, 1.0f, -1.0f));
  float3 colour = (float3)(0.0f);
  float weight = 1.0f;
  for (int bounce = 0; bounce < bounces; ++bounce) {
    float nearest = 1e30f;
    int hit = -1;
    for (int i = 0; i < count; ++i) {
      float3 to = spheres[i].centre.xyz - origin;
      float along = dot(to, direction);
      float square = along * along - dot(to, to) + spheres[i].centre.w * spheres[i].centre.w;
      if (square < 0.0f) continue;
      float distance = along - sqrt(square);
      if (distance > 1e-3f && distance < nearest) {
        nearest = distance;
        hit = i;
      }
    }
    if (hit < 0) {
      colour += weight * (float3)(0.2f, 0.3f, 0.5f) * (1.0f + direction.y);
      break;
    }
    origin += nearest * direction;
    float3 normal = (origin - spheres[hit].centre.xyz) / spheres[hit].centre.w;
    colour += weight * (1.0f - spheres[hit].colour.w) * spheres[hit].colour.xyz * fmax(0.1f, dot(normal, light));
    weight *= spheres[hit].colour.w;
    if (weight < 0.01f) break;
    direction -= 2.0f * dot(direction, normal) * normal;
  }
  picture[y * width + x] = (float4)(colour, 1.0f);
}

__kernel void collatz(__global int* lengths) {
  ulong number = get_global_id(0) + 1;
  int length = 0;
  while (number != 1) {
    if (number & 1)
      number = 3 * number + 1;
    else
      number /= 2;
    ++length;
  }
  lengths[get_global_id(0)] = length;
}

// Solutions with the first two queens where the work-item says.
__kernel void queens(int size, __global int* solutions) {
  int item = get_global_id(0);
  uint all = (1u << size) - 1;
  uint columns[32], left[32], right[32], open[32];
  uint first = 1u << (item / size), second = 1u << (item % size);
  int found = 0;
  if (((first | first << 1 | first >> 1) & second) == 0) {
    int row = 2;
    columns[row] = first | second;
    left[row] = (first << 2 | second << 1) & all;
    right[row] = first >> 2 | second >> 1;
    open[row] = all & ~(columns[row] | left[row] | right[row]);
    while (row >= 2) {
      if (open[row] == 0) {
        --row;
        continue;
      }
      uint queen = open[row] & -open[row];
      open[row] ^= queen;
      if (row + 1 == size) {
        ++found;
        continue;
      }
      columns[row + 1] = columns[row] | queen;
      left[row + 1] = (left[row] | queen) << 1 & all;
      right[row + 1] = (right[row] | queen) >> 1;
      ++row;
      open[row] = all & ~(columns[row] | left[row] | right[row]);
    }
  }
  solutions[item] = found;
}

__kernel void mandelbrot(__global int* counts, float left, float top, float step, int limit) {
  int x = get_global_id(0), y = get_global_id(1);
  float c_re = left + x * step, c_im = top + y * step;
  float re = 0.0f, im = 0.0f;
  int count = 0;
  for (; count < limit; ++count) {
    float re2 = re * re, im2 = im * im;
    if (re2 + im2 > 4.0f) break;
    im = 2.0f * re * im + c_im;
    re = re2 - im2 + c_re;
  }
  counts[y * get_global_size(0) + x] = count;
}

__kernel void point_in_polygon(__global const float2* corners, int count, __global const float2* points,
                               __global uchar* inside) {
  int item = get_global_id(0);
  float2 point = points[item];
  bool is_inside = false;
  for (int i = 0, j = count - 1; i < count; j = i++) {
    float2 a = corners[i], b = corners[j];
    if ((a.y > point.y) != (b.y > point.y) && point.x < (b.x - a.x) * (point.y - a.y) / (b.y - a.y) + a.x)
      is_inside = !is_inside;
  }
  inside[item] = is_inside;
}
