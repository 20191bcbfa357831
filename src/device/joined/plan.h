// SPDX-License-Identifier: Apache-2.0
// This file turns an operation of a joined device into operations of its parts, and says which memory these need.
#pragma once

#include "device/joined/executable.h"
#include "device/stream.h"

#include <vector>

namespace clarity::device::joined {

/// A range of memory that an operation of a part uses.
struct Need {
  JoinedAllocation* allocation = nullptr;
  PartIndex part = 0;
  support::Interval range;
  bool content = true;  ///< it reads the range, or leaves some of it as it is
  bool isWrite = false;
  bool isOwn = false;  ///< the launch is divided, and the part will use the range again
};

/// An operation of a part.
struct PartOperation {
  PartIndex part = 0;
  Operation operation;
  double items = 0;  ///< work-items of a launch whose time is to be learned
};

/// The operations of parts that together are one of the joined device. They may run at the same time.
struct Plan {
  std::vector<Need> needs;  ///< none where the parts share their memory
  std::vector<PartOperation> operations;
  JoinedKernel* kernel = nullptr;  ///< that learns from them
  Result result;                   ///< a failure: the operation is impossible
};

Plan planOf(const Operation&, Parts&);

}  // namespace clarity::device::joined
