// SPDX-License-Identifier: Apache-2.0
// This file chooses work-group sizes.
#include "device/host/local_size.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace clarity::device::host {
namespace {

using Size = std::array<std::size_t, 3>;

constexpr std::size_t goodTotal = 256;
constexpr std::size_t goodRow = 64;
/// Bytes that the private values of a work-group may use when they are spilled across a barrier: they should stay in
/// cache.
constexpr std::uint64_t spillBudget = 256u << 10;

std::size_t total(const Size& size) { return size[0] * size[1] * size[2]; }

bool divides(const Size& local, const Size& global) {
  for (std::size_t d = 0; d < 3; ++d)
    if (global[d] % local[d] != 0) return false;
  return true;
}

bool fits(const Size& local, const Properties& device) {
  for (std::size_t d = 0; d < 3; ++d)
    if (local[d] == 0 || local[d] > device.maxWorkItemSizes[d]) return false;
  return total(local) <= device.maxWorkGroupSize;
}

/// The largest power of two that is above neither.
std::size_t powerOfTwoWithin(std::size_t n, std::size_t most) {
  return std::bit_floor(std::max<std::size_t>(std::min(n, most), 1));
}

/// A size of powers of two, long in x. Does not always divide the global size.
Size plainSize(const Size& global, std::size_t most, const Properties& device) {
  const bool row = global[1] == 1 && global[2] == 1;
  const std::size_t wanted[3] = {row ? most : std::min(most, goodRow), most, most};
  Size local{1, 1, 1};
  for (std::size_t d = 0; d < 3; ++d)
    local[d] = powerOfTwoWithin(global[d], std::min({wanted[d], most / total(local), device.maxWorkItemSizes[d]}));
  return local;
}

std::vector<std::size_t> divisors(std::size_t n, std::size_t most) {
  std::vector<std::size_t> found;
  for (std::size_t d = 1; d <= std::min(n, most); ++d)
    if (n % d == 0) found.push_back(d);
  return found;
}

/// How long a launch takes with this work-group size, in packets of work-items: the last round of groups may leave
/// compute units idle, a packet that is not full costs as much as a full one, and a group costs something itself.
double cost(const Size& local, const Size& global, const Properties& device) {
  const double lanes = device.preferredWorkGroupMultiple;
  const auto groupsOf = [&](std::size_t d) { return double(global[d] / local[d]); };
  const double groups = groupsOf(0) * groupsOf(1) * groupsOf(2);
  const double packets = std::ceil(double(local[0]) / lanes) * double(local[1] * local[2]);
  const double rounds = std::max(groups / device.computeUnits, 1.0);
  const double tooLarge = total(local) > goodTotal ? 1.0 + 0.02 * double(total(local)) / goodTotal : 1.0;
  return rounds * (packets + 2.0) * tooLarge;
}

/// The best size that divides the global size, by trying them all.
Size searchDividingSize(const Size& global, std::size_t most, const Properties& device) {
  Size best{1, 1, 1};
  double least = std::numeric_limits<double>::infinity();
  const auto ys = divisors(global[1], std::min(most, goodTotal)), zs = divisors(global[2], std::min(most, goodTotal));
  for (std::size_t x : divisors(global[0], most))
    for (std::size_t y : ys) {
      if (x * y > most) break;
      for (std::size_t z : zs) {
        const Size local{x, y, z};
        if (total(local) > most) break;
        if (!fits(local, device)) continue;
        const double now = cost(local, global, device);
        if (now < least) least = now, best = local;
      }
    }
  return best;
}

/// The same; remembers the last answer of a thread, as applications launch the same again and again.
Size dividingSize(const Size& global, std::size_t most, const Properties& device) {
  struct Question {
    Size global{0, 0, 0};
    std::size_t most = 0;
    Size limits{0, 0, 0};
    std::size_t limit = 0;
    std::uint32_t units = 0, multiple = 0;
    bool operator==(const Question&) const = default;
  };
  thread_local Question last;
  thread_local Size answer;
  const auto& limits = device.maxWorkItemSizes;
  const Question now{global,
                     most,
                     {limits[0], limits[1], limits[2]},
                     device.maxWorkGroupSize,
                     device.computeUnits,
                     device.preferredWorkGroupMultiple};
  if (now != last) {
    answer = searchDividingSize(global, most, device);
    last = now;
  }
  return answer;
}

/// So many sub-groups along x, if possible of a size that divides the global size.
Size sizeForSubGroups(const compiler::KernelInfo& info, const NDRange& range) {
  const std::size_t size = std::max(info.subGroupSize, 1u), most = size * info.requiredSubGroups;
  for (std::size_t items = most; items > most - size; --items)
    if (range.global[0] % items == 0) return {items, 1, 1};
  return {most, 1, 1};
}

}  // namespace

void chooseLocalSize(const compiler::KernelInfo& info, const Properties& device, NDRange& range) {
  const auto asSize = [](const std::array<std::uint32_t, 3>& from) { return Size{from[0], from[1], from[2]}; };
  if (info.requiredLocalSize[0] != 0) {
    range.local = asSize(info.requiredLocalSize);
    return;
  }
  if (info.requiredSubGroups != 0) {
    range.local = sizeForSubGroups(info, range);
    return;
  }
  const bool mustDivide = info.uniformWorkGroups || !device.nonUniformWorkGroups;
  const auto acceptable = [&](const Size& local) {
    return fits(local, device) && (!mustDivide || divides(local, range.global));
  };
  if (const Size hint = asSize(info.localSizeHint); acceptable(hint)) {
    range.local = hint;
    return;
  }
  std::size_t most = std::min(goodTotal, device.maxWorkGroupSize);
  if (info.hasBarrier && info.privateBytes > 0)
    most = std::clamp<std::size_t>(spillBudget / info.privateBytes, std::min<std::size_t>(16, most), most);
  const Size plain = plainSize(range.global, most, device);
  // A group-agnostic kernel is divided without regard to its work-groups; smaller groups at the edges then cost
  // nothing.
  if (divides(plain, range.global) || (!mustDivide && info.groupAgnostic)) {
    range.local = plain;
    return;
  }
  // The longest work-groups that there may be come into question: a prime number of work-items in one group is better
  // than as many groups of one.
  const Size dividing = dividingSize(range.global, most < goodTotal ? most : device.maxWorkGroupSize, device);
  range.local = !mustDivide && total(dividing) < goodRow / 2 ? plain : dividing;
}

}  // namespace clarity::device::host
