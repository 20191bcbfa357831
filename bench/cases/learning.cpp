// SPDX-License-Identifier: Apache-2.0
// This file describes the kernels of machine learning (kernels/learning.cl).
#include <algorithm>
#include <cfloat>
#include <cmath>

#include "cases.h"
#include "parallel.h"

namespace bench {
namespace {

// The sum of function(i) in lanes, because additions may not be reordered; `count` is a multiple of 16.
template <typename Function>
float sumInLanes(std::size_t count, Function function) {
  float lanes[16] = {};
  for (std::size_t i = 0; i < count; i += 16)
    for (std::size_t lane = 0; lane < 16; ++lane) lanes[lane] += function(i + lane);
  float sum = 0;
  for (const float lane : lanes) sum += lane;
  return sum;
}

void softmaxRows(Problem& p) {
  const std::size_t rows = p.size(50, 4000), columns = 512, items = 64;
  const float* in = p.input(randomFloats(rows * columns, 1, -8, 8));
  float* out = p.output<float>(rows * columns, {.absolute = 1e-7, .relative = 1e-5});
  p.scalar<std::int32_t>(static_cast<std::int32_t>(columns));
  p.local<float>(items);
  p.items(rows * items);
  p.group(items);
  p.needs(static_cast<double>(rows * columns) * 8, Unit::Bytes);
  p.host([=] {
    parallelFor(rows, [=](std::size_t row) {
      const float* from = in + row * columns;
      float* to = out + row * columns;
      const float largest = *std::max_element(from, from + columns);
      for (std::size_t i = 0; i < columns; ++i) to[i] = std::exp(from[i] - largest);
      const float scale = 1 / sumInLanes(columns, [=](std::size_t i) { return to[i]; });
      for (std::size_t i = 0; i < columns; ++i) to[i] *= scale;
    });
  });
}

void layernormRows(Problem& p) {
  const std::size_t rows = p.size(50, 4000), columns = 512, items = 64;
  const float* in = p.input(randomFloats(rows * columns, 2));
  const float* gains = p.input(randomFloats(columns, 3));
  const float* offsets = p.input(randomFloats(columns, 4));
  float* out = p.output<float>(rows * columns, {.absolute = 1e-5});
  p.scalar<std::int32_t>(static_cast<std::int32_t>(columns));
  p.local<float>(items);
  p.items(rows * items);
  p.group(items);
  p.needs(static_cast<double>(rows * columns) * 8, Unit::Bytes);
  p.host([=] {
    parallelFor(rows, [=](std::size_t row) {
      const float* from = in + row * columns;
      const float mean = sumInLanes(columns, [=](std::size_t i) { return from[i]; }) / static_cast<float>(columns);
      const float squares = sumInLanes(columns, [=](std::size_t i) { return (from[i] - mean) * (from[i] - mean); });
      const float scale = 1 / std::sqrt(squares / static_cast<float>(columns) + 1e-5F);
      for (std::size_t i = 0; i < columns; ++i)
        out[row * columns + i] = (from[i] - mean) * scale * gains[i] + offsets[i];
    });
  });
}

void kmeansAssign(Problem& p) {
  const std::size_t points = p.size(5000, 200000);
  const float* data = p.input(randomFloats(points * 8, 5));
  const float* centres = p.input(randomFloats(std::size_t{16} * 8, 6));
  const int clusters = p.scalar<std::int32_t>(16), dimensions = p.scalar<std::int32_t>(8);
  auto* nearest = p.output<std::int32_t>(points, {.share = 1e-4});  // points between two centres
  p.items(points);
  p.needs(static_cast<double>(points) * clusters * dimensions * 3, Unit::Flops);
  p.host([=] {
    parallelFor(points, [=](std::size_t item) {
      float smallest = FLT_MAX;
      std::int32_t best = 0;
      for (int cluster = 0; cluster < clusters; ++cluster) {
        float sum = 0;
        for (int i = 0; i < dimensions; ++i) {
          const float difference =
              data[static_cast<std::size_t>(i) * points + item] - centres[cluster * dimensions + i];
          sum += difference * difference;
        }
        best = sum < smallest ? cluster : best;
        smallest = std::min(sum, smallest);
      }
      nearest[item] = best;
    });
  });
}

void nearestNeighbours(Problem& p) {
  const std::size_t references = p.size(300, 3000), queries = p.size(300, 3000), neighbours = 4;
  const float* known = p.input(randomFloats(references * 4, 7));
  p.scalar<std::int32_t>(static_cast<std::int32_t>(references));
  const float* asked = p.input(randomFloats(queries * 4, 8));
  float* distances = p.output<float>(queries * neighbours, {.absolute = 1e-5});
  p.items(queries);
  p.needs(static_cast<double>(references * queries), Unit::Steps);
  p.host([=] {
    parallelFor(queries, [=](std::size_t item) {
      float* nearest = distances + item * neighbours;
      std::fill_n(nearest, neighbours, FLT_MAX);
      for (std::size_t i = 0; i < references; ++i) {
        float distance = 0;
        for (std::size_t axis = 0; axis < 4; ++axis) {
          const float difference = known[i * 4 + axis] - asked[item * 4 + axis];
          distance += difference * difference;
        }
        if (distance >= nearest[neighbours - 1]) continue;
        std::size_t place = neighbours - 1;
        for (; place > 0 && nearest[place - 1] > distance; --place) nearest[place] = nearest[place - 1];
        nearest[place] = distance;
      }
      for (std::size_t i = 0; i < neighbours; ++i) nearest[i] = std::sqrt(nearest[i]);
    });
  });
}

void denseRelu(Problem& p) {
  const std::size_t width = p.size(64, 512), neurons = p.size(96, 768), samples = p.size(8, 128);
  const float* inputs = p.input(randomFloats(samples * width, 9));
  const float* weights = p.input(randomFloats(width * neurons, 10));
  const float* biases = p.input(randomFloats(neurons, 11));
  float* outputs = p.output<float>(samples * neurons, {.absolute = 1e-3});
  p.scalar<std::int32_t>(static_cast<std::int32_t>(width));
  p.items(neurons, samples);
  p.needs(2.0 * static_cast<double>(width * neurons * samples), Unit::Flops);
  p.host([=] {
    parallelFor(samples, [=](std::size_t sample) {
      float* result = outputs + sample * neurons;
      std::copy_n(biases, neurons, result);
      for (std::size_t i = 0; i < width; ++i)
        for (std::size_t neuron = 0; neuron < neurons; ++neuron)
          result[neuron] += inputs[sample * width + i] * weights[i * neurons + neuron];
      for (std::size_t neuron = 0; neuron < neurons; ++neuron) result[neuron] = std::max(result[neuron], 0.0F);
    });
  });
}

}  // namespace

std::vector<Case> learningCases() {
  return {{"learning", "softmax_rows", "", softmaxRows},
          {"learning", "layernorm_rows", "", layernormRows},
          {"learning", "kmeans_assign", "", kmeansAssign},
          {"learning", "nearest_neighbours", "", nearestNeighbours},
          {"learning", "dense_relu", "", denseRelu}};
}

}  // namespace bench
