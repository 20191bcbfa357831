// SPDX-License-Identifier: Apache-2.0
// This file tests barriers and functions of sub-groups and work-groups that all work-items come to, on ways that the
// optimiser leads there separately: it knows on one of them what is tested ahead of the call.
#include "group_launches.h"

#include <cstdint>

namespace {

using groups::Group;
using groups::Range;

class JoinedWays : public groups::Launches {
protected:
  /// Results 0 and 1 are sums of the sub-group, the others of the work-group.
  void compare(const std::string& source) {
    std::size_t turn = 0;
    for (const char* options : {"", "-cl-clarity-tile=1x1", "-cl-opt-disable"}) {
      build(source, options);
      const std::size_t size = subGroupSize(0);
      for (const Range& range : groups::rangesFor(turn++)) {
        if (HasFailure()) return;
        SCOPED_TRACE(groups::text(range) + ", options '" + options + "'");
        auto in = numbers<cl_uint>(range.items(), 40);
        std::vector<cl_uint> expected(range.items() * 3);
        for (const Group& group : groups::groupsOf(range)) {
          cl_uint ofGroup = 0;
          for (std::size_t first = 0; first < group.items.size(); first += size) {
            cl_uint ofSubGroup = 0;
            const std::size_t end = std::min(first + size, group.items.size());
            for (std::size_t i = first; i < end; ++i) ofSubGroup += in[group.items[i]];
            for (std::size_t i = first; i < end; ++i)
              expected[group.items[i] * 3] = expected[group.items[i] * 3 + 1] = ofSubGroup;
            ofGroup += ofSubGroup;
          }
          for (const std::size_t item : group.items) expected[item * 3 + 2] = ofGroup;
        }
        EXPECT_EQ(run<cl_uint>("test", range, in, 3), expected);
      }
    }
  }
};

// Odd numbers need no look at the condition, which holds for all.
TEST_F(JoinedWays, pastATest) {
  compare(R"(
kernel void test(global const uint *in, global uint *out) {
  const uint x = in[ITEM];
  const bool holds = in[0] < 1000;
  bool go = holds, again = holds, all = holds;
  uint y = x;
  if (x & 1) {
    for (uint k = 0; k < x; ++k) y = y * 3 + in[0];
    go = true;
  }
  if (go) RESULT(0) = sub_group_reduce_add(x);
  if (x % 3 == 0) {
    for (uint k = 0; k < x; ++k) y = y * 5 + in[0];
    again = true;
  }
  if (again) {
    const uint own = sub_group_scan_inclusive_add(x) - sub_group_scan_exclusive_add(x);
    RESULT(1) = sub_group_reduce_add(x) + own - x;
  }
  if (x % 5 == 0) {
    for (uint k = 0; k < x; ++k) y = y * 7 + in[0];
    all = true;
  }
  if (all) RESULT(2) = work_group_reduce_add(x);
  if (y == 12345678) RESULT(0) = 0;
}
)");
}

// Returns and ends of loops that are there, but not taken.
TEST_F(JoinedWays, pastReturnsAndEndsOfLoops) {
  compare(R"(
kernel void test(global const uint *in, global uint *out) {
  const uint x = in[ITEM], far = in[0] + 1000;
  uint y = x;
  if (x & 1) {
    for (uint k = 0; k < x; ++k) y = y * 3 + in[0];
    if (far < 7) return;
  }
  RESULT(0) = sub_group_reduce_add(x);
  for (uint turn = 0; turn < 3; ++turn) {
    RESULT(1) = sub_group_reduce_add(x) + turn;
    if (x & 2) {
      for (uint k = 0; k < x; ++k) y = y * 5 + in[0];
      if (far < 7 + turn) break;
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    RESULT(2) = work_group_reduce_add(x);
  }
  RESULT(1) -= 2;
  if (y == 12345678) RESULT(0) = 0;
}
)");
}

}  // namespace
