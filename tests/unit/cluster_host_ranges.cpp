// SPDX-License-Identifier: Apache-2.0
// This file tests the ranges of the host's memory that commands of a node write, against a list of them.
#include "device/cluster/host_ranges.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <vector>

namespace clarity::test {
namespace {

using device::cluster::HostRange;
using device::cluster::HostRanges;

TEST(HostRanges, likeAListOfRanges) {
  std::array<std::byte, 200> memory{};
  std::mt19937 random(7);
  const auto anyRange = [&] {
    const std::size_t begin = random() % memory.size(), most = random() % 8 ? 10 : 100;
    return HostRange{&memory[begin], &memory[begin] + std::min<std::size_t>(random() % most, memory.size() - begin)};
  };
  HostRanges ranges;
  std::vector<HostRange> list;
  for (int i = 0; i < 20'000; ++i) {
    if (list.empty() || random() % 30 >= list.size()) {
      list.push_back(anyRange());
      ranges.add(list.back());
    } else {
      const std::size_t which = random() % list.size();
      ranges.remove(list[which]);
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(which));
    }
    const HostRange asked = anyRange();
    const bool overlap = std::ranges::any_of(list, [&](const HostRange& each) {
      return !each.isEmpty() && !asked.isEmpty() && each.begin < asked.end && asked.begin < each.end;
    });
    ASSERT_EQ(ranges.overlap(asked), overlap) << "step " << i;
  }
}

}  // namespace
}  // namespace clarity::test
