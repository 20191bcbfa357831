// SPDX-License-Identifier: Apache-2.0
// This file divides the NDRange of a launch into parts and grains.
#include "device/cpu/index_space.h"

#include <bit>
#include <new>

namespace clarity::device::cpu {
namespace {

/// One grain of a group-agnostic kernel along x: whole cache lines and vectors of any element type.
constexpr std::uint64_t itemsOfRun = 64;
/// The same where rows stay together.
constexpr std::uint64_t tileWidth = 1024;
/// Neighbouring rows that stay together, so that code which executes several rows at once can.
constexpr std::uint64_t mostRowsOfGrain = 16;
/// Columns that stay together where lanes lie along y.
constexpr std::uint64_t leastColumns = 16;
/// Work-items of a column that stay together where lanes lie along y and a column is executed by itself: columns are
/// runs in memory, and cutting them at 1024 took twice as long (Zen 5, rows of 1600 floats). Where columns are
/// consecutive along x instead, so many cache lines stay in the second cache (512 KiB) until the next columns use their
/// rest.
constexpr std::uint64_t itemsOfColumn = 8192;

/// Sides of boxes whose work-items have enough in common, and of such as there are where units have none otherwise.
constexpr std::uint64_t sideOfGoodBox = 256, leastSideOfBox = 64;

/// All work-items of a launch, or of the part of it that it has.
compiler::Slice itemsOf(const NDRange& range, const GroupBox* part) {
  compiler::Slice box{{0, 0, 0}, {range.global[0], range.global[1], range.global[2]}};
  for (std::size_t d = 0; d < 3 && part; ++d) {
    box.begin[d] = part->first[d] * range.local[d];
    box.end[d] = std::min(box.end[d], (part->first[d] + part->count[d]) * range.local[d]);
  }
  return box;
}

}  // namespace

Part::Part(const compiler::Slice& itsBox, std::array<std::uint64_t, 3> itsGrain, bool isExact)
    : box(itsBox), grain(itsGrain), exact(isExact), widest(~std::uint64_t{0}) {
  for (std::size_t d = 0; d < 3; ++d) grains[d] = divideUp(box.end[d] - box.begin[d], grain[d]);
}

void IndexSpace::add(const compiler::Slice& box, std::array<std::uint64_t, 3> grain, bool exact) {
  const Part& part = *new (&parts[partCount]) Part(box, grain, exact);
  if (part.count() == 0) return;
  ++partCount;
  grains += part.count();
}

IndexSpace IndexSpace::ofBoxes(const NDRange& range, std::uint32_t units, std::array<std::uint32_t, 3> tile,
                               std::uint64_t side, const GroupBox* part) {
  IndexSpace space;
  const compiler::Slice box = itemsOf(range, part);
  std::array<std::uint64_t, 3> grain{side, side, 1};
  const auto boxes = [&] {
    std::uint64_t product = box.end[2] - box.begin[2];
    for (const std::size_t d : {0, 1}) product *= divideUp(box.end[d] - box.begin[d], grain[d]);
    return product;
  };
  const auto divide = [&](std::uint64_t wanted, std::uint64_t least) {
    while (boxes() < wanted && std::max(grain[0], grain[1]) > least) (grain[0] > grain[1] ? grain[0] : grain[1]) /= 2;
  };
  divide(std::uint64_t{4} * units, sideOfGoodBox);
  divide(units, leastSideOfBox);
  for (const std::size_t d : {0, 1}) grain[d] = std::max<std::uint64_t>(grain[d] / tile[d], 1) * tile[d];
  space.add(box, grain, false);
  space.parts[0].widest = 1;
  space.itemsPerGrain = grain[0] * grain[1];
  return space;
}

IndexSpace IndexSpace::ofItems(const NDRange& range, std::uint32_t units, std::array<std::uint32_t, 3> tile,
                               bool separateRows, const GroupBox* part) {
  IndexSpace space;
  const compiler::Slice box = itemsOf(range, part);
  const std::uint64_t columns = box.end[0] - box.begin[0], rows = box.end[1] - box.begin[1],
                      wanted = std::uint64_t{4} * units;
  const std::uint64_t together = separateRows && tile[1] == 1 ? 1 : mostRowsOfGrain;
  const std::uint64_t enough =
      rows < wanted ? 1 : std::clamp<std::uint64_t>(std::bit_floor(rows / wanted | 1), 1, together);
  std::uint64_t rowsOfGrain = rows >= tile[1] ? divideUp(enough, tile[1]) * tile[1] : enough;
  std::uint64_t width = rowsOfGrain > 1 ? tileWidth : itemsOfRun;
  // Higher grains are fewer: narrower ones make up for it.
  if (const std::uint64_t high = divideUp(rows, rowsOfGrain); rowsOfGrain > enough && high < wanted) {
    const std::uint64_t narrow = columns / divideUp(wanted, high);
    const std::uint64_t least = tile[1] > tile[0] ? std::max<std::uint64_t>(tile[0], leastColumns) : itemsOfRun;
    width =
        std::clamp(divideUp(std::max<std::uint64_t>(narrow, 1), tile[0]) * tile[0], least, std::max(least, tileWidth));
  }
  if (tile[1] > 1 && tile[0] == 1 && rows >= tile[1]) {
    width = leastColumns;
    const std::uint64_t shares = divideUp(wanted, divideUp(columns, width));
    const std::uint64_t least = tile[1], most = std::max(itemsOfColumn / least, std::uint64_t{1}) * least;
    rowsOfGrain = std::clamp(divideUp(divideUp(rows, shares), least) * least, least, most);
  }
  space.add(box, {width, rowsOfGrain, 1}, false);
  if (rowsOfGrain > 1) space.parts[0].widest = 1;
  space.itemsPerGrain = width * rowsOfGrain;
  return space;
}

void IndexSpace::addGroups(compiler::Slice box, const GroupBox* part, bool exact) {
  for (std::size_t d = 0; d < 3 && part; ++d) {
    box.begin[d] = std::max<std::uint64_t>(box.begin[d], part->first[d]);
    box.end[d] = std::max(box.begin[d], std::min<std::uint64_t>(box.end[d], part->first[d] + part->count[d]));
  }
  add(box, {1, 1, 1}, exact);
}

IndexSpace IndexSpace::ofGroups(const NDRange& range, bool separateEdges, const GroupBox* part) {
  IndexSpace space;
  std::array<std::uint64_t, 3> full, all;
  for (std::size_t d = 0; d < 3; ++d) {
    full[d] = range.local[d] == 1 ? range.global[d] : range.global[d] / range.local[d];
    all[d] = divideUp(range.global[d], range.local[d]);
  }
  space.itemsPerGrain = range.local[0] * range.local[1] * range.local[2];
  if (!separateEdges) {
    space.addGroups({{0, 0, 0}, {all[0], all[1], all[2]}}, part, full == all);
    return space;
  }
  space.addGroups({{0, 0, 0}, {full[0], full[1], full[2]}}, part, true);
  space.addGroups({{full[0], 0, 0}, {all[0], all[1], all[2]}}, part, false);    // smaller in x, perhaps in y and z
  space.addGroups({{0, full[1], 0}, {full[0], all[1], all[2]}}, part, false);   // full in x, smaller in y
  space.addGroups({{0, 0, full[2]}, {full[0], full[1], all[2]}}, part, false);  // full in x and y, smaller in z
  return space;
}

std::uint64_t IndexSpace::unitOf(std::uint64_t grains) const {
  const std::uint64_t row = parts[0].grains[0], plane = row * parts[0].grains[1];
  return std::max<std::uint64_t>(grains >= plane ? plane : grains >= row ? row : 1, 1);
}

std::uint64_t IndexSpace::roundedChunk(std::uint64_t wanted) const {
  const std::uint64_t unit = unitOf(wanted);
  return std::max<std::uint64_t>(wanted / unit * unit, 1);
}

}  // namespace clarity::device::cpu
