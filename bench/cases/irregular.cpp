// SPDX-License-Identifier: Apache-2.0
// This file describes the kernels with divergent control flow (kernels/irregular.cl).
#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

#include "cases.h"
#include "parallel.h"

namespace bench {
namespace {

struct Rows {
  std::vector<std::int32_t> offsets, columns;
};

// Rows of `low` to `high` entries in random columns.
Rows randomRows(std::size_t rows, std::size_t columns, unsigned seed, std::size_t low, std::size_t high) {
  Rows result;
  const auto lengths = randomIntegers<std::int32_t>(rows, seed, low, high);
  result.offsets.resize(rows + 1);
  std::inclusive_scan(lengths.begin(), lengths.end(), result.offsets.begin() + 1);
  result.columns =
      randomIntegers<std::int32_t>(static_cast<std::size_t>(result.offsets.back()), seed + 1, 0, columns - 1);
  return result;
}

void describeCsr(Problem& p, std::size_t rows, const Rows& matrix) {
  const auto* offsets = p.input(matrix.offsets);
  const auto* columns = p.input(matrix.columns);
  const float* values = p.input(randomFloats(matrix.columns.size(), 3));
  const float* x = p.input(randomFloats(rows, 4));
  float* y = p.output<float>(rows, {.absolute = 1e-4, .relative = 1e-5});
  p.needs(static_cast<double>(matrix.columns.size()) * 8 + static_cast<double>(rows) * 12, Unit::Bytes);
  p.host([=] {
    parallelFor(rows, [=](std::size_t row) {
      float sum = 0;
      for (std::int32_t i = offsets[row]; i < offsets[row + 1]; ++i) sum += values[i] * x[columns[i]];
      y[row] = sum;
    });
  });
}

void spmvCsrScalar(Problem& p) {
  const std::size_t rows = p.size(5000, 400000);
  describeCsr(p, rows, randomRows(rows, rows, 1, 0, 32));
  p.scalar<std::int32_t>(static_cast<std::int32_t>(rows));
  p.items((rows + 63) / 64 * 64);
  p.group(64);
}

void spmvCsrVector(Problem& p) {
  const std::size_t rows = p.size(300, 30000), lanes = 32;
  describeCsr(p, rows, randomRows(rows, rows, 1, 0, 400));
  p.local<float>(lanes);
  p.items(rows * lanes);
  p.group(lanes);
}

void spmvEll(Problem& p) {
  const std::size_t rows = p.size(5000, 400000), width = 16;
  const auto* columns = p.input(randomIntegers<std::int32_t>(rows * width, 5, 0, rows - 1));
  const float* values = p.input(randomFloats(rows * width, 6));
  const float* x = p.input(randomFloats(rows, 7));
  float* y = p.output<float>(rows, {.absolute = 1e-5, .relative = 1e-5});
  p.scalar<std::int32_t>(static_cast<std::int32_t>(rows));
  p.scalar<std::int32_t>(static_cast<std::int32_t>(width));
  p.items((rows + 63) / 64 * 64);
  p.group(64);
  p.needs(static_cast<double>(rows * (width + 1)) * 8, Unit::Bytes);
  p.host([=] {
    parallelFor(rows, [=](std::size_t row) {
      float sum = 0;
      for (std::size_t i = 0; i < width; ++i) sum += values[i * rows + row] * x[columns[i * rows + row]];
      y[row] = sum;
    });
  });
}

// Levels of the vertices whose distance from vertex 0 is at most `last`; -1: farther.
std::vector<std::int32_t> levelsUpTo(const Rows& graph, std::int32_t last) {
  std::vector<std::int32_t> levels(graph.offsets.size() - 1, -1);
  levels[0] = 0;
  for (std::int32_t level = 0; level < last; ++level)
    for (std::size_t vertex = 0; vertex < levels.size(); ++vertex)
      if (levels[vertex] == level)
        for (std::int32_t i = graph.offsets[vertex]; i < graph.offsets[vertex + 1]; ++i)
          if (auto& other = levels[static_cast<std::size_t>(graph.columns[i])]; other == -1) other = level + 1;
  return levels;
}

void bfsStep(Problem& p) {
  const std::size_t vertices = p.size(20000, 500000);
  const std::int32_t level = p.size(4, 6);
  const Rows graph = randomRows(vertices, vertices, 8, 0, 16);
  const auto* offsets = p.input(graph.offsets);
  const auto* neighbours = p.input(graph.columns);
  auto* levels = p.update(levelsUpTo(graph, level));
  p.scalar(level);
  p.scalar<std::int32_t>(static_cast<std::int32_t>(vertices));
  p.items((vertices + 63) / 64 * 64);
  p.group(64);
  p.needs(static_cast<double>(vertices), Unit::Steps);
  p.host([=] {
    parallelForUneven(vertices, [=](std::size_t vertex) {
      // Several threads may write the same level to the same vertex.
      const auto levelOf = [=](std::size_t v) { return std::atomic_ref(levels[v]); };
      if (levelOf(vertex).load(std::memory_order_relaxed) != level) return;
      for (std::int32_t i = offsets[vertex]; i < offsets[vertex + 1]; ++i) {
        const auto other = levelOf(static_cast<std::size_t>(neighbours[i]));
        if (other.load(std::memory_order_relaxed) == -1) other.store(level + 1, std::memory_order_relaxed);
      }
    });
  });
}

void binarySearch(Problem& p) {
  const std::size_t count = p.size(20000, 1000000), queries = p.size(10000, 200000);
  auto elements = randomIntegers<std::uint32_t>(count, 9, 0, 0xffffffff);
  std::ranges::sort(elements);
  const auto* sorted = p.input(elements);
  p.scalar<std::int32_t>(static_cast<std::int32_t>(count));
  const auto* keys = p.input(randomIntegers<std::uint32_t>(queries, 10, 0, 0xffffffff));
  auto* found = p.output<std::int32_t>(queries);
  p.items(queries);
  p.needs(static_cast<double>(queries), Unit::Steps);
  p.host([=] {
    parallelFor(queries, [=](std::size_t item) {
      found[item] = static_cast<std::int32_t>(std::lower_bound(sorted, sorted + count, keys[item]) - sorted);
    });
  });
}

std::uint32_t hashOf(std::uint32_t key) {
  key ^= key >> 16;
  key *= 0x7feb352dU;
  key ^= key >> 15;
  key *= 0x846ca68bU;
  return key ^ (key >> 16);
}

// Slots of a key and a value; half of them are empty (key 0).
std::vector<std::uint32_t> hashTable(std::size_t slots, std::uint32_t highest) {
  std::vector<std::uint32_t> table(2 * slots, 0);
  for (const std::uint32_t key : randomIntegers<std::uint32_t>(slots / 2, 11, 1, highest)) {
    std::size_t slot = hashOf(key) & (slots - 1);
    while (table[2 * slot] != 0 && table[2 * slot] != key) slot = (slot + 1) & (slots - 1);
    table[2 * slot] = key;
    table[2 * slot + 1] = key * 3 + 1;
  }
  return table;
}

void hashProbe(Problem& p) {
  const std::size_t slots = p.size(1 << 12, 1 << 20), queries = p.size(10000, 1000000);
  const auto highest = static_cast<std::uint32_t>(slots);  // about half of the keys are found
  const auto* table = p.input(hashTable(slots, highest));
  const auto mask = p.scalar<std::uint32_t>(static_cast<std::uint32_t>(slots - 1));
  const auto* keys = p.input(randomIntegers<std::uint32_t>(queries, 12, 1, highest));
  auto* values = p.output<std::uint32_t>(queries);
  p.items(queries);
  p.needs(static_cast<double>(queries), Unit::Steps);
  p.host([=] {
    parallelFor(queries, [=](std::size_t item) {
      const std::uint32_t key = keys[item];
      std::uint32_t slot = hashOf(key) & mask;
      while (table[2 * slot] != 0 && table[2 * slot] != key) slot = (slot + 1) & mask;
      values[item] = table[2 * slot] == key ? table[2 * slot + 1] : 0xffffffffU;
    });
  });
}

struct Vector {
  float x, y, z;
  friend Vector operator+(Vector a, Vector b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend Vector operator-(Vector a, Vector b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend Vector operator*(float s, Vector a) { return {s * a.x, s * a.y, s * a.z}; }
};
float dot(Vector a, Vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Vector normalized(Vector a) { return (1 / std::sqrt(dot(a, a))) * a; }

// Index of the nearest sphere in this direction, or -1.
int nearestSphere(const float* spheres, int count, Vector origin, Vector direction, float& nearest) {
  int hit = -1;
  for (int i = 0; i < count; ++i) {
    const float* sphere = spheres + 8 * i;
    const Vector to = Vector{sphere[0], sphere[1], sphere[2]} - origin;
    const float along = dot(to, direction), square = along * along - dot(to, to) + sphere[3] * sphere[3];
    if (square < 0) continue;
    const float distance = along - std::sqrt(square);
    if (distance > 1e-3F && distance < nearest) nearest = distance, hit = i;
  }
  return hit;
}

Vector traceRay(const float* spheres, int count, int bounces, Vector direction) {
  Vector origin = {0, 0, -8}, colour = {0, 0, 0};
  const Vector light = normalized({1, 1, -1});
  float weight = 1;
  for (int bounce = 0; bounce < bounces; ++bounce) {
    float nearest = 1e30F;
    const int hit = nearestSphere(spheres, count, origin, direction, nearest);
    if (hit < 0) return colour + weight * (1 + direction.y) * Vector{0.2F, 0.3F, 0.5F};
    const float* sphere = spheres + 8 * hit;
    origin = origin + nearest * direction;
    const Vector normal = (1 / sphere[3]) * (origin - Vector{sphere[0], sphere[1], sphere[2]});
    colour = colour +
             weight * (1 - sphere[7]) * std::fmax(0.1F, dot(normal, light)) * Vector{sphere[4], sphere[5], sphere[6]};
    weight *= sphere[7];
    if (weight < 0.01F) break;
    direction = direction - 2 * dot(direction, normal) * normal;
  }
  return colour;
}

void raySpheres(Problem& p) {
  const std::size_t width = p.size(64, 640), height = p.size(48, 480);
  const int count = 16;
  auto scene = randomFloats(8 * count, 13, 0, 1);
  for (int i = 0; i < count; ++i) {
    for (int axis = 0; axis < 3; ++axis) scene[8 * i + axis] = 6 * scene[8 * i + axis] - 3;
    scene[8 * i + 3] = 0.4F + 0.8F * scene[8 * i + 3];
  }
  const float* spheres = p.input(scene);
  p.scalar<std::int32_t>(count);
  const int bounces = p.scalar<std::int32_t>(5);
  // Rounding decides whether a ray touches an edge, and reflections magnify it.
  auto* picture = p.output<float>(width * height * 4, {.absolute = 2e-3, .share = 0.02});
  p.items(width, height);
  p.needs(static_cast<double>(width * height), Unit::Steps);
  p.host([=] {
    parallelForUneven(height, [=](std::size_t y) {
      for (std::size_t x = 0; x < width; ++x) {
        const auto w = static_cast<float>(width), h = static_cast<float>(height);
        const Vector direction =
            normalized({(static_cast<float>(x) - 0.5F * w) / w, (static_cast<float>(y) - 0.5F * h) / w, 1});
        const Vector colour = traceRay(spheres, count, bounces, direction);
        float* pixel = picture + 4 * (y * width + x);
        pixel[0] = colour.x, pixel[1] = colour.y, pixel[2] = colour.z, pixel[3] = 1;
      }
    });
  });
}

void collatz(Problem& p) {
  const std::size_t count = p.size(10000, 200000);
  auto* lengths = p.output<std::int32_t>(count);
  p.items(count);
  p.needs(static_cast<double>(count), Unit::Steps);
  p.host([=] {
    parallelForUneven(count, [=](std::size_t item) {
      std::int32_t length = 0;
      for (std::uint64_t number = item + 1; number != 1; ++length) number = number % 2 ? 3 * number + 1 : number / 2;
      lengths[item] = length;
    });
  });
}

std::int32_t countQueens(std::uint32_t all, std::uint32_t columns, std::uint32_t left, std::uint32_t right) {
  if (columns == all) return 1;
  std::int32_t found = 0;
  for (std::uint32_t open = all & ~(columns | left | right); open; open &= open - 1) {
    const std::uint32_t queen = open & (~open + 1);
    found += countQueens(all, columns | queen, (left | queen) << 1 & all, (right | queen) >> 1);
  }
  return found;
}

void queens(Problem& p) {
  const std::size_t side = p.size(8, 12);
  p.scalar<std::int32_t>(static_cast<std::int32_t>(side));
  auto* solutions = p.output<std::int32_t>(side * side);
  p.items(side * side);
  p.needs(static_cast<double>(side * side), Unit::Steps);
  p.host([=] {
    parallelForUneven(side * side, [=](std::size_t item) {
      const std::uint32_t all = (1U << side) - 1, first = 1U << (item / side), second = 1U << (item % side);
      const bool attacked = ((first | first << 1 | first >> 1) & second) != 0;
      solutions[item] =
          attacked ? 0 : countQueens(all, first | second, (first << 2 | second << 1) & all, first >> 2 | second >> 1);
    });
  });
}

void mandelbrot(Problem& p) {
  const std::size_t width = p.size(128, 640), height = p.size(96, 480);
  // Rounding changes the boundary of the set.
  auto* counts = p.output<std::int32_t>(width * height, {.share = 0.02});
  const float left = p.scalar(-2.2F), top = p.scalar(-1.2F), step = p.scalar(3.2F / static_cast<float>(width));
  const auto limit = p.scalar<std::int32_t>(256);
  p.items(width, height);
  p.needs(static_cast<double>(width * height), Unit::Steps);
  p.host([=] {
    parallelForUneven(height, [=](std::size_t y) {
      for (std::size_t x = 0; x < width; ++x) {
        const float real = left + static_cast<float>(x) * step, imaginary = top + static_cast<float>(y) * step;
        float re = 0, im = 0;
        std::int32_t count = 0;
        for (; count < limit; ++count) {
          const float re2 = re * re, im2 = im * im;
          if (re2 + im2 > 4) break;
          im = 2 * re * im + imaginary;
          re = re2 - im2 + real;
        }
        counts[y * width + x] = count;
      }
    });
  });
}

void pointInPolygon(Problem& p) {
  const std::size_t corners = 64, points = p.size(5000, 300000);
  std::vector<float> star;
  for (std::size_t i = 0; i < corners; ++i) {
    const double angle = 2 * M_PI * static_cast<double>(i) / corners, radius = i % 2 ? 0.4 : 0.9;
    star.insert(star.end(),
                {static_cast<float>(radius * std::cos(angle)), static_cast<float>(radius * std::sin(angle))});
  }
  const float* polygon = p.input(star);
  const int count = p.scalar<std::int32_t>(corners);
  const float* where = p.input(randomFloats(2 * points, 14));
  auto* inside = p.output<std::uint8_t>(points, {.share = 1e-4});  // points on an edge
  p.items(points);
  p.needs(static_cast<double>(points * corners), Unit::Steps);
  p.host([=] {
    parallelFor(points, [=](std::size_t item) {
      const float x = where[2 * item], y = where[2 * item + 1];
      bool isInside = false;
      for (int i = 0, j = count - 1; i < count; j = i++) {
        const float *a = polygon + 2 * i, *b = polygon + 2 * j;
        if ((a[1] > y) != (b[1] > y) && x < (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]) + a[0]) isInside = !isInside;
      }
      inside[item] = isInside;
    });
  });
}

}  // namespace

std::vector<Case> irregularCases() {
  return {{"irregular", "spmv_csr_scalar", "", spmvCsrScalar},
          {"irregular", "spmv_ell", "", spmvEll},
          {"irregular", "spmv_csr_vector", "", spmvCsrVector},
          {"irregular", "bfs_step", "", bfsStep},
          {"irregular", "binary_search", "", binarySearch},
          {"irregular", "hash_probe", "", hashProbe},
          {"irregular", "ray_spheres", "", raySpheres},
          {"irregular", "collatz", "", collatz},
          {"irregular", "queens", "", queens},
          {"irregular", "mandelbrot", "", mandelbrot},
          {"irregular", "point_in_polygon", "", pointInPolygon}};
}

}  // namespace bench
