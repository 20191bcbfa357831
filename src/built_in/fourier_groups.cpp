// SPDX-License-Identifier: Apache-2.0
// This file plans Fourier transforms in local memory where work-items run in step.
#include "built_in/fourier_groups.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string>

namespace clarity::built_in {
namespace {

/// A length that has code of its own, as in fft_groups.cl: work-items of a transform, and transforms of a work-group
/// where they lie one after the other and where they lie side by side.
struct Own {
  std::uint64_t n, items, inRows, inColumns;
};
constexpr Own own[] = {{64, 8, 32, 32},  {128, 8, 32, 32},  {256, 16, 16, 16}, {512, 64, 4, 8},
                       {1024, 64, 4, 8}, {2048, 128, 2, 4}, {4096, 256, 1, 4}};

constexpr std::uint64_t longest = 4096, itemsOfAny = 256;  // of fft_group

std::uint32_t narrow(std::uint64_t number) { return static_cast<std::uint32_t>(number); }

std::uint64_t bytesOfNumber(const Builder& it) { return 2 * it.type().bytes; }

/// Bytes of local memory; one number is left out after 16, or after each row of lanes that lie side by side.
std::uint64_t bytesOf(const Builder& it, const Own& code, std::uint64_t lanes) {
  const std::uint64_t turned = lanes == code.inColumns ? code.n * (lanes + 1) : 0;
  return std::max((code.n + code.n / 16) * lanes, turned) * bytesOfNumber(it);
}

/// Whether the work-group fits the device.
bool fits(const Builder& it, const Own& code, std::uint64_t lanes) {
  return bytesOf(it, code, lanes) <= it.device().localMemBytes && code.items * lanes <= it.device().maxWorkGroupSize;
}

void addRows(Builder& it, const GroupPass& pass, const Own& code) {
  it.pass(it.function("fft_rows" + std::to_string(pass.n)),
          groups(divideUp(pass.lanes, code.inRows), code.items * code.inRows), pass.lanes,
          std::uint32_t{pass.isInverse}, pass.from, pass.to, Local{bytesOf(it, code, code.inRows)});
}

void addColumns(Builder& it, const GroupPass& pass, const Own& code) {
  const auto& [n, radices, isInverse, lanes, blocks, period, in, out, whole, inner, from, to] = pass;
  it.pass(it.function("fft_columns" + std::to_string(n)),
          groups(divideUp(lanes, code.inColumns), code.items * code.inColumns, blocks), std::uint32_t{isInverse},
          narrow(lanes), narrow(period), in.step, in.periods, in.apart, in.block, in.begin, out.step, out.periods,
          out.apart, out.block, out.begin, narrow(whole), narrow(inner), from, to,
          Local{bytesOf(it, code, code.inColumns)});
}

void addAny(Builder& it, const GroupPass& pass) {
  const auto& [n, radices, isInverse, lanes, blocks, period, in, out, whole, inner, from, to] = pass;
  // So many lanes that there is work for all work-items, and that neighbours' numbers are a part of memory.
  constexpr std::uint64_t numbers = 2048, mostLanes = 32, leastColumns = 4;
  const bool isColumns = in.apart != 1 || out.apart != 1;
  const auto roomFor = [&](std::uint64_t some) { return (2 * some + 1) * n * bytesOfNumber(it); };
  std::uint64_t some = std::bit_floor(std::clamp<std::uint64_t>(numbers / n, isColumns ? leastColumns : 1, mostLanes));
  some = std::min(some, std::bit_ceil(lanes));
  while (some > 1 && roomFor(some) > it.device().localMemBytes) some /= 2;
  const std::uint64_t across = std::min(std::bit_ceil(n), itemsOfAny);
  it.pass(it.function("fft_group"), groups(divideUp(lanes, some), itemsOfAny, blocks), narrow(n), radices,
          narrow(std::bit_width(some) - 1), narrow(std::bit_width(across) - 1), std::uint32_t{isInverse}, narrow(lanes),
          narrow(period), in.step, in.periods, in.apart, in.block, in.begin, out.step, out.periods, out.apart,
          out.block, out.begin, narrow(whole), narrow(inner), from, to, Local{roomFor(some)});
}

/// Radices that fft_mixed.cl has code for, and the most passes.
constexpr std::uint64_t mixed[] = {16, 15, 12, 10, 9, 8, 7, 6, 5, 4, 3, 2};
constexpr std::size_t mostPasses = 12;
struct Radices {
  std::array<std::uint64_t, mostPasses> of{};
  std::size_t count = 0;
  /// Work-items of a transform: the least radix has the most combinations.
  std::uint64_t items(std::uint64_t n) const { return n / *std::min_element(of.begin(), of.begin() + count); }
};

/// The fewest radices whose product is n, and of those the ones that are nearest to each other. `last`: they do not
/// grow.
void findRadices(std::uint64_t n, std::uint64_t last, Radices& found, Radices& best) {
  if (n == 1) {
    const auto least = [](const Radices& each) { return each.count ? each.of[each.count - 1] : 0; };
    if (best.count == 0 || found.count < best.count || (found.count == best.count && least(found) > least(best)))
      best = found;
    return;
  }
  if (found.count == mostPasses || (best.count && found.count >= best.count)) return;
  for (const std::uint64_t radix : mixed) {
    if (radix > last || n % radix != 0) continue;
    found.of[found.count++] = radix;
    findRadices(n / radix, radix, found, best);
    --found.count;
  }
}

/// False if the length has other factors, or the device no room.
bool addMixed(Builder& it, const GroupPass& pass) {
  const auto& [n, unused, isInverse, lanes, blocks, period, in, out, whole, inner, from, to] = pass;
  Radices found, radices;
  findRadices(n, mixed[0], found, radices);
  constexpr std::uint64_t wanted = 320;  // work-items
  const std::uint64_t items = radices.count ? radices.items(n) : 0, most = it.device().maxWorkGroupSize;
  if (radices.count == 0 || radices.count > 64 / 5 || items > most) return false;
  const bool isColumns = in.apart != 1 || out.apart != 1;
  const std::uint64_t pitch = (n + n / 16) | 1, bytes = bytesOfNumber(it);
  // Lanes side by side are a part of memory.
  constexpr std::uint64_t columnsAtOnce = 8;
  std::uint64_t each = std::max<std::uint64_t>(wanted / items, isColumns ? columnsAtOnce : 1);
  each = std::min({each, most / items, it.device().localMemBytes / (pitch * bytes), lanes});
  if (each == 0) return false;
  std::uint64_t packed = 0;
  for (std::size_t i = 0; i < radices.count; ++i) packed |= radices.of[i] << 5 * i;
  it.pass(it.function("fft_mixed"), groups(divideUp(lanes, each), roundUp(items * each, 32), blocks), narrow(n), packed,
          narrow(each), std::uint32_t{isInverse}, narrow(lanes), narrow(period), in.step, in.periods, in.apart,
          in.block, in.begin, out.step, out.periods, out.apart, out.block, out.begin, narrow(whole), narrow(inner),
          from, to, Local{each * pitch * bytes});
  return true;
}

}  // namespace

std::uint64_t longestInGroup(const Builder& it) {
  if (it.device().maxWorkGroupSize < itemsOfAny) return 0;
  return std::min(longest, it.device().localMemBytes / (3 * bytesOfNumber(it)));
}

void addGroupPass(Builder& it, const GroupPass& pass) {
  const auto* const code = std::ranges::find(own, pass.n, &Own::n);
  if (code != std::end(own)) {
    const bool isRows = pass.in.apart == 1 && pass.out.apart == 1 && pass.blocks == 1 && pass.in.step == pass.n &&
                        pass.out.step == pass.n && pass.period >= pass.lanes && !pass.whole;
    if (isRows && fits(it, *code, code->inRows)) return addRows(it, pass, *code);
    if (!isRows && fits(it, *code, code->inColumns)) return addColumns(it, pass, *code);
  }
  if (!addMixed(it, pass)) addAny(it, pass);
}

}  // namespace clarity::built_in
