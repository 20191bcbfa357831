// SPDX-License-Identifier: Apache-2.0
// This file describes the kernels that sort and count (kernels/sorting.cl).
#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "cases.h"
#include "parallel.h"

namespace bench {
namespace {

void bitonicStep(Problem& p) {
  const std::size_t count = p.size(1 << 14, 1 << 22);
  auto* elements = p.update(randomIntegers<std::uint32_t>(count, 1, 0, 0xffffffff));
  const std::size_t distance = p.scalar<std::uint32_t>(1 << 6), run = p.scalar<std::uint32_t>(1 << 10);
  p.items(count / 2);
  p.group(256);
  p.needs(static_cast<double>(count) * 8, Unit::Bytes);
  p.host([=] {
    parallelFor(count / (2 * distance), [=](std::size_t pair) {
      std::uint32_t *first = elements + 2 * distance * pair, *second = first + distance;
      const bool ascending = (2 * distance * pair & run) == 0;
      for (std::size_t i = 0; i < distance; ++i) {
        const std::uint32_t low = std::min(first[i], second[i]), high = std::max(first[i], second[i]);
        first[i] = ascending ? low : high;
        second[i] = ascending ? high : low;
      }
    });
  });
}

void bitonicLocal(Problem& p) {
  const std::size_t items = 256, block = 2 * items, count = p.size(8, 400) * block;
  auto* elements = p.update(randomIntegers<std::uint32_t>(count, 2, 0, 0xffffffff));
  p.local<std::uint32_t>(block);
  p.items(count / 2);
  p.group(items);
  p.needs(static_cast<double>(count), Unit::Steps);
  // The host uses another algorithm; the last run of a block of 2 * items is always ascending.
  p.host([=] {
    parallelFor(count / block, [=](std::size_t i) { std::sort(elements + i * block, elements + (i + 1) * block); });
  });
}

constexpr std::size_t radixItems = 128, radixPerItem = 16, radixBlock = radixItems * radixPerItem;
constexpr std::uint32_t radixShift = 8;

std::size_t digitOf(std::uint32_t key) { return key >> radixShift & 255; }

void radixCount(Problem& p) {
  const std::size_t groups = p.size(8, 1024);
  const auto* keys = p.input(randomIntegers<std::uint32_t>(groups * radixBlock, 3, 0, 0xffffffff));
  p.scalar<std::int32_t>(radixPerItem);
  p.scalar<std::int32_t>(radixShift);
  auto* counts = p.output<std::uint32_t>(groups * 256);
  p.items(groups * radixItems);
  p.group(radixItems);
  p.needs(static_cast<double>(groups * radixBlock) * 4, Unit::Bytes);
  p.host([=] {
    parallelFor(groups, [=](std::size_t group) {
      std::array<std::uint32_t, 256> bins{};
      for (std::size_t i = 0; i < radixBlock; ++i) ++bins[digitOf(keys[group * radixBlock + i])];
      std::ranges::copy(bins, counts + group * 256);
    });
  });
}

// For each block of keys and each digit, the position of the first key.
std::vector<std::uint32_t> radixPlaces(const std::vector<std::uint32_t>& keys) {
  const std::size_t groups = keys.size() / radixBlock;
  std::vector<std::uint32_t> places(groups * 256);
  for (std::size_t i = 0; i < keys.size(); ++i) ++places[i / radixBlock * 256 + digitOf(keys[i])];
  std::uint32_t next = 0;
  for (std::size_t digit = 0; digit < 256; ++digit)
    for (std::size_t group = 0; group < groups; ++group) next += std::exchange(places[group * 256 + digit], next);
  return places;
}

void radixScatter(Problem& p) {
  const std::size_t groups = p.size(8, 1024), count = groups * radixBlock;
  const auto unsorted = randomIntegers<std::uint32_t>(count, 4, 0, 0xffffffff);
  const auto places = radixPlaces(unsorted);
  const auto* keys = p.input(unsorted);
  p.scalar<std::int32_t>(radixPerItem);
  p.scalar<std::int32_t>(radixShift);
  const auto* starts = p.input(places);
  auto* sorted = p.output<std::uint32_t>(count);
  // With atomics, the order of keys with the same digit within a work-group is undefined.
  p.canonical<std::uint32_t>([=](std::uint32_t* data) {
    std::vector<std::uint32_t> borders = places;
    borders.push_back(static_cast<std::uint32_t>(count));
    std::ranges::sort(borders);
    for (std::size_t i = 0; i + 1 < borders.size(); ++i) std::sort(data + borders[i], data + borders[i + 1]);
  });
  p.items(groups * radixItems);
  p.group(radixItems);
  p.needs(static_cast<double>(count) * 8, Unit::Bytes);
  p.host([=] {
    parallelFor(groups, [=](std::size_t group) {
      std::array<std::uint32_t, 256> next;
      std::copy_n(starts + group * 256, 256, next.begin());
      for (std::size_t i = 0; i < radixBlock; ++i) {
        const std::uint32_t key = keys[group * radixBlock + i];
        sorted[next[digitOf(key)]++] = key;
      }
    });
  });
}

// Separate bins for each part, added at the end.
void countOnHost(const std::uint8_t* pixels, std::size_t count, std::uint32_t* bins, std::size_t binCount,
                 unsigned shift) {
  const std::size_t parts = std::size_t{4} * hostThreads;
  std::vector<std::array<std::uint32_t, 256>> all(parts);
  auto* counts = all.data();
  parallelFor(parts, [=](std::size_t part) {
    std::array<std::uint32_t, 256> own{};
    for (std::size_t i = count * part / parts; i < count * (part + 1) / parts; ++i) ++own[pixels[i] >> shift];
    counts[part] = own;
  });
  for (std::size_t part = 0; part < parts; ++part)
    for (std::size_t bin = 0; bin < binCount; ++bin) bins[bin] += all[part][bin];
}

void histogramGlobal(Problem& p) {
  const std::size_t count = p.size(1 << 14, 1 << 20);
  const auto* pixels = p.input(randomIntegers<std::uint8_t>(count, 5, 0, 255));
  auto* bins = p.update(std::vector<std::uint32_t>(256));
  p.items(count);
  p.needs(static_cast<double>(count), Unit::Bytes);
  p.host([=] { countOnHost(pixels, count, bins, 256, 0); });
}

void histogramLocal(Problem& p) {
  const std::size_t count = p.size(1 << 15, 1 << 21);
  const auto* pixels = p.input(randomIntegers<std::uint8_t>(count, 6, 0, 255));
  p.scalar<std::int32_t>(static_cast<std::int32_t>(count));
  auto* bins = p.update(std::vector<std::uint32_t>(256));
  p.items(p.size(8, 64) * 128);
  p.group(128);
  p.needs(static_cast<double>(count), Unit::Bytes);
  p.host([=] { countOnHost(pixels, count, bins, 256, 0); });
}

void histogramPrivate(Problem& p) {
  const std::size_t count = p.size(1 << 15, 1 << 21), items = 64;
  const auto* pixels = p.input(randomIntegers<std::uint8_t>(count, 7, 0, 255));
  p.scalar<std::int32_t>(static_cast<std::int32_t>(count));
  auto* bins = p.update(std::vector<std::uint32_t>(32));
  p.local<std::uint32_t>(32 * items);
  p.items(p.size(8, 128) * items);
  p.group(items);
  p.needs(static_cast<double>(count), Unit::Bytes);
  p.host([=] { countOnHost(pixels, count, bins, 32, 3); });
}

}  // namespace

std::vector<Case> sortingCases() {
  return {{"sorting", "bitonic_step", "", bitonicStep},
          {"sorting", "bitonic_local", "", bitonicLocal},
          {"sorting", "radix_count", "", radixCount},
          {"sorting", "radix_scatter", "", radixScatter},
          {"sorting", "histogram_global", "", histogramGlobal},
          {"sorting", "histogram_local", "", histogramLocal},
          {"sorting", "histogram_private", "", histogramPrivate}};
}

}  // namespace bench
