// SPDX-License-Identifier: Apache-2.0
// This file describes the reductions and scans (kernels/reductions.cl).
#include <algorithm>
#include <numeric>

#include "cases.h"
#include "parallel.h"

namespace bench {
namespace {

constexpr std::size_t groupSize = 256;

std::size_t groupsOf(const Problem& p) { return p.size(40, 8192); }

void shareOut(Problem& p, std::size_t items, double bytesOfItem) {
  p.items(items);
  p.group(groupSize);
  p.needs(static_cast<double>(items) * bytesOfItem, Unit::Bytes);
}

void sumLocal(Problem& p) {
  const std::size_t groups = groupsOf(p);
  const float* in = p.input(randomFloats(groups * groupSize, 1));
  float* sums = p.output<float>(groups, {.absolute = 1e-4});
  p.local<float>(groupSize);
  shareOut(p, groups * groupSize, 4);
  p.host([=] {
    parallelFor(groups, [=](std::size_t group) {
      float lanes[16] = {};  // as additions may not be reordered
      for (std::size_t i = 0; i < groupSize; ++i) lanes[i % 16] += in[group * groupSize + i];
      sums[group] = std::accumulate(lanes, lanes + 16, 0.0F);
    });
  });
}

void maxLocal(Problem& p) {
  const std::size_t groups = groupsOf(p);
  const auto* in = p.input(randomIntegers<std::int32_t>(groups * groupSize, 2, 0, 0x7fffffff));
  auto* maxima = p.output<std::int32_t>(groups);
  p.local<std::int32_t>(groupSize);
  shareOut(p, groups * groupSize, 4);
  p.host([=] {
    parallelFor(groups, [=](std::size_t group) {
      std::int32_t largest = in[group * groupSize];
      for (std::size_t i = 1; i < groupSize; ++i) largest = std::max(largest, in[group * groupSize + i]);
      maxima[group] = largest;
    });
  });
}

void argmaxLocal(Problem& p) {
  const std::size_t groups = groupsOf(p);
  const float* in = p.input(randomFloats(groups * groupSize, 3));
  auto* indices = p.output<std::int32_t>(groups);
  p.local<float>(groupSize);
  p.local<std::int32_t>(groupSize);
  shareOut(p, groups * groupSize, 4);
  p.host([=] {
    parallelFor(groups, [=](std::size_t group) {
      const float* first = in + group * groupSize;
      indices[group] = static_cast<std::int32_t>(std::max_element(first, first + groupSize) - in);
    });
  });
}

void scanHillisSteele(Problem& p) {
  const std::size_t groups = groupsOf(p);
  const auto* in = p.input(randomIntegers<std::int32_t>(groups * groupSize, 4, 0, 1000));
  auto* out = p.output<std::int32_t>(groups * groupSize);
  p.local<std::int32_t>(groupSize);
  p.local<std::int32_t>(groupSize);
  shareOut(p, groups * groupSize, 8);
  p.host([=] {
    parallelFor(groups, [=](std::size_t group) {
      const auto* first = in + group * groupSize;
      std::inclusive_scan(first, first + groupSize, out + group * groupSize);
    });
  });
}

void scanBlelloch(Problem& p) {
  const std::size_t groups = groupsOf(p) / 2, block = 2 * groupSize;
  const auto* in = p.input(randomIntegers<std::int32_t>(groups * block, 5, 0, 1000));
  auto* out = p.output<std::int32_t>(groups * block);
  p.local<std::int32_t>(block);
  shareOut(p, groups * groupSize, 16);
  p.host([=] {
    parallelFor(groups, [=](std::size_t group) {
      const auto* first = in + group * block;
      std::exclusive_scan(first, first + block, out + group * block, 0);
    });
  });
}

void scanSegmented(Problem& p) {
  const std::size_t groups = groupsOf(p), count = groups * groupSize;
  auto begins = randomIntegers<std::uint8_t>(count, 6, 0, 19);
  for (auto& begin : begins) begin = begin == 0;
  const auto* in = p.input(randomIntegers<std::int32_t>(count, 7, 0, 1000));
  const auto* starts = p.input(begins);
  auto* out = p.output<std::int32_t>(count);
  p.local<std::int32_t>(groupSize);
  p.local<std::uint8_t>(groupSize);
  shareOut(p, count, 9);
  p.host([=] {
    parallelFor(groups, [=](std::size_t group) {
      std::int32_t sum = 0;
      for (std::size_t i = group * groupSize; i < (group + 1) * groupSize; ++i)
        out[i] = sum = starts[i] ? in[i] : sum + in[i];
    });
  });
}

void median3(Problem& p) {
  const std::size_t count = p.size(20000, 4000000);
  const float* in = p.input(randomFloats(count, 8));
  float* out = p.output<float>(count);
  p.scalar<std::int32_t>(static_cast<std::int32_t>(count));
  p.items(count);
  p.needs(static_cast<double>(count) * 8, Unit::Bytes);
  p.host([=] {
    out[0] = in[0], out[count - 1] = in[count - 1];
    parallelFor(count - 2, [=](std::size_t i) {
      const float a = in[i], b = in[i + 1], c = in[i + 2];
      out[i + 1] = std::max(std::min(a, b), std::min(std::max(a, b), c));
    });
  });
}

}  // namespace

std::vector<Case> reductionsCases() {
  return {{"reductions", "sum_local", "", sumLocal},
          {"reductions", "max_local", "", maxLocal},
          {"reductions", "argmax_local", "", argmaxLocal},
          {"reductions", "scan_hillis_steele", "", scanHillisSteele},
          {"reductions", "scan_blelloch", "", scanBlelloch},
          {"reductions", "scan_segmented", "", scanSegmented},
          {"reductions", "median3", "", median3}};
}

}  // namespace bench
