// SPDX-License-Identifier: Apache-2.0
// This file is the record of where the content of one buffer is valid, for contexts whose devices do not all share one
// memory that the host accesses too. It moves nothing: sched/placement.h does.
#pragma once

#include <cstddef>
#include <vector>

namespace clarity::core {

/// A half-open range of bytes of a buffer.
struct ByteRange {
  std::size_t begin = 0, end = 0;
  bool operator==(const ByteRange&) const = default;
};

/// Which bytes of a buffer are valid in which place. Places are numbers: 0 is memory that the host accesses, the others
/// are the memory pools of the context (Context::placeOf). Every byte is valid in at least one place. In the beginning
/// all bytes are valid everywhere, because nothing has been written yet. Not thread-safe: Memory's lock guards it.
class Residency {
public:
  using Place = unsigned;
  /// What is to be copied to make bytes valid where they are not.
  struct Transfer {
    Place from = 0;
    ByteRange range;
    bool operator==(const Transfer&) const = default;
  };

  Residency(std::size_t bytes, Place places);

  bool isValid(Place, ByteRange) const;
  /// The transfers after which the range is valid at the place: sorted, without overlap, as few as there can be, from
  /// the host where it has the bytes. Empty if nothing is missing.
  std::vector<Transfer> missing(Place, ByteRange) const;
  /// A transfer has ended: these bytes are valid there too.
  void arrived(Place, ByteRange);
  /// A command writes these bytes there: they are valid nowhere else.
  void written(Place, ByteRange);

private:
  std::vector<std::vector<ByteRange>> valid_;  ///< for each place: sorted, without overlap, not touching
  std::size_t bytes_;
};

}  // namespace clarity::core
