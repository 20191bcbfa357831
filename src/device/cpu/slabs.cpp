// SPDX-License-Identifier: Apache-2.0
// This file hands out the places of slabs.
#include "device/cpu/slabs.h"

#include <algorithm>
#include <bit>

namespace clarity::device::cpu {
namespace {

constexpr std::size_t smallestSlab = 64u << 10, largestSlab = 1u << 20;
constexpr std::size_t fewestPlaces = 8;
constexpr std::size_t finestSizes = 8;

/// The index of a size in units of the alignment: 0 to 7 for 1 to 8, then 8 to 11 for 10, 12, 14, 16, then 20, 24, 28,
/// 32, ...
constexpr std::size_t indexOf(std::size_t units) {
  if (units <= finestSizes) return units - 1;
  const auto power = static_cast<std::size_t>(std::bit_width(units - 1)) - 1;  // 2^power < units <= 2^(power + 1)
  const std::size_t quarter = (units - 1 - (std::size_t{1} << power)) >> (power - 2);
  return finestSizes + 4 * (power - 3) + quarter;
}

constexpr std::size_t unitsOf(std::size_t index) {
  if (index < finestSizes) return index + 1;
  const std::size_t power = (index - finestSizes) / 4 + 3, quarter = (index - finestSizes) % 4;
  return (std::size_t{1} << power) + ((quarter + 1) << (power - 2));
}

static_assert(indexOf(9) == 8 && unitsOf(8) == 10 && indexOf(16) == 11 && unitsOf(11) == 16 && indexOf(17) == 12);
static_assert(indexOf(Slabs::largest / Slabs::alignment) == 27 && unitsOf(27) * Slabs::alignment == Slabs::largest);

}  // namespace

struct Slabs::Slab {
  Class* itsClass = nullptr;
  Piece piece;
  std::uint32_t places = 0;
  std::uint32_t touched = 0;        ///< places from here on have never been used
  std::vector<std::uint32_t> free;  ///< places below that are free; room for all
  std::size_t indexInOpen = 0;

  bool isEmpty() const { return free.size() == touched; }
  bool isFull() const { return free.empty() && touched == places; }
};

Slabs::Slabs(DeviceRange& range) : range_(range) {
  for (std::size_t i = 0; i < classCount; ++i) classes_[i].placeBytes = unitsOf(i) * alignment;
}

Slabs::~Slabs() {
  for (Class& each : classes_)
    for (Slab* slab : each.open) {
      range_.release(slab->piece);
      delete slab;
    }
}

Slabs::Class& Slabs::classOf(std::size_t bytes) {
  return classes_[indexOf(std::max<std::size_t>(roundUp(bytes, alignment) / alignment, 1))];
}

std::unique_ptr<Slabs::Slab> Slabs::make(Class& its) {
  const std::size_t wanted =
      std::max(smallestSlab << std::min<std::size_t>(its.slabs, 4), fewestPlaces * its.placeBytes);
  auto slab = std::make_unique<Slab>();
  slab->itsClass = &its;
  slab->places = static_cast<std::uint32_t>(std::min(wanted, largestSlab) / its.placeBytes);
  slab->free.reserve(slab->places);
  its.open.reserve(its.slabs + 1);
  slab->piece = range_.take(slab->places * its.placeBytes);
  if (!slab->piece) return nullptr;
  ++its.slabs;
  return slab;
}

Slabs::Place Slabs::take(std::size_t bytes) {
  Class& its = classOf(bytes);
  const std::lock_guard lock(its.mutex);
  if (its.open.empty()) {
    auto made = make(its);
    if (!made) return {};
    its.open.push_back(made.release());
    its.open.back()->indexInOpen = 0;
  }
  Slab& slab = *its.open.back();
  std::uint32_t place = slab.touched;
  if (slab.free.empty()) {
    ++slab.touched;
  } else {
    place = slab.free.back();
    slab.free.pop_back();
  }
  if (slab.isFull()) its.open.pop_back();
  // Places end where the slab ends, at its guard.
  std::byte* const first = slab.piece.end() - slab.places * its.placeBytes;
  return {first + place * its.placeBytes, &slab};
}

void Slabs::release(const Place& place) {
  Slab& slab = *place.slab;
  Class& its = *slab.itsClass;
  const std::lock_guard lock(its.mutex);
  const std::byte* const first = slab.piece.end() - slab.places * its.placeBytes;
  if (slab.isFull()) {
    slab.indexInOpen = its.open.size();
    its.open.push_back(&slab);
  }
  slab.free.push_back(static_cast<std::uint32_t>(static_cast<std::size_t>(place.begin - first) / its.placeBytes));
  if (!slab.isEmpty() || its.open.size() == 1) return;
  // One slab stays, for the next buffer.
  its.open[slab.indexInOpen] = its.open.back();
  its.open[slab.indexInOpen]->indexInOpen = slab.indexInOpen;
  its.open.pop_back();
  --its.slabs;
  range_.release(slab.piece);
  delete &slab;
}

}  // namespace clarity::device::cpu
