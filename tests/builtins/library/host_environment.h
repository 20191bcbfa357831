// SPDX-License-Identifier: Apache-2.0
// This file is the one work-item that a test of the library runs as: what its queries answer and what it called.
#pragma once

#include <array>
#include <cstddef>
#include <set>
#include <vector>

struct NDRange {
  using Sizes = std::array<std::size_t, 3>;
  Sizes globalId{};
  Sizes localId{};
  Sizes groupId{};
  Sizes globalSize{1, 1, 1};
  Sizes localSize{1, 1, 1};
  Sizes enqueuedLocalSize{1, 1, 1};
  Sizes numGroups{1, 1, 1};
  Sizes globalOffset{};
  unsigned workDim = 1;
  const void* localPointer = nullptr;
  const void* privatePointer = nullptr;
  std::vector<unsigned> barriers;          ///< the flags of every barrier passed
  std::set<std::array<int, 3>> atomics;    ///< calls of atomic functions: the order, that of failure, the scope
  std::vector<std::array<int, 2>> fences;  ///< the order and the scope of every fence
};

extern NDRange ndRange;
