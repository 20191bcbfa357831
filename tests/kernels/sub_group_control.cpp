// SPDX-License-Identifier: Apache-2.0
// This file tests sub-groups amid control flow, and what the queries and ballots of OpenCL C say about them, against
// the same computed on the host.
#include "group_launches.h"

#include <bit>
#include <cstdint>

namespace {

using groups::Group;
using groups::Range;

struct Width {
  const char* options;
  std::size_t size;  ///< 0: the device's own
};
const Width widths[] = {{"", 0},
                        {"-cl-clarity-packet-width=1", 0},
                        {"-cl-clarity-packet-width=4", 4},
                        {"-cl-clarity-packet-width=8", 8},
                        {"-cl-clarity-packet-width=16", 16},
                        {"-cl-clarity-packet-width=64", 64},
                        {"-cl-opt-disable", 0}};

class SubGroups : public groups::Launches {
protected:
  /// Builds for every width and calls `check(size of a sub-group, range)`: for every range with the device's own, for a
  /// third of them with others.
  template <class Check>
  void forEachWidth(const std::string& source, Check check) {
    for (std::size_t turn = 0; turn < std::size(widths); ++turn) {
      const Width& width = widths[turn];
      if (!changeCode(width.options)) continue;
      build(source, width.options);
      const std::size_t size = subGroupSize(width.size);
      for (const Range& range : groups::rangesFor(turn)) {
        if (HasFailure()) return;
        SCOPED_TRACE(groups::text(range) + ", options '" + width.options + "'");
        check(size, range);
      }
    }
  }
};

/// The work-items of a work-group by sub-group and lane.
std::vector<std::vector<std::size_t>> subGroupsOf(const Group& group, std::size_t size) {
  std::vector<std::vector<std::size_t>> result;
  for (std::size_t first = 0; first < group.items.size(); first += size)
    result.emplace_back(group.items.begin() + static_cast<std::ptrdiff_t>(first),
                        group.items.begin() + static_cast<std::ptrdiff_t>(std::min(first + size, group.items.size())));
  return result;
}

TEST_F(SubGroups, queries) {
  forEachWidth(R"(
kernel void test(global const uint *in, global uint *out) {
  RESULT(0) = get_sub_group_size();
  RESULT(1) = get_max_sub_group_size();
  RESULT(2) = get_num_sub_groups();
  RESULT(3) = get_enqueued_num_sub_groups();
  RESULT(4) = get_sub_group_id();
  RESULT(5) = get_sub_group_local_id();
  RESULT(6) = get_local_id(0) + 100 * get_local_id(1) + 10000 * get_local_id(2);
}
)",
               [&](std::size_t size, const Range& range) {
                 std::vector<cl_uint> in(range.items()), expected(range.items() * 7);
                 const std::size_t enqueued = range.local[0] * range.local[1] * range.local[2];
                 for (const Group& group : groups::groupsOf(range)) {
                   const auto all = subGroupsOf(group, size);
                   for (std::size_t id = 0; id < all.size(); ++id)
                     for (std::size_t lane = 0; lane < all[id].size(); ++lane) {
                       const std::size_t linear = id * size + lane;
                       const std::size_t values[] = {all[id].size(),
                                                     size,
                                                     all.size(),
                                                     (enqueued + size - 1) / size,
                                                     id,
                                                     lane,
                                                     linear % group.size[0] +
                                                         100 * (linear / group.size[0] % group.size[1]) +
                                                         10000 * (linear / group.size[0] / group.size[1])};
                       for (std::size_t i = 0; i < std::size(values); ++i)
                         expected[all[id][lane] * 7 + i] = static_cast<cl_uint>(values[i]);
                     }
                 }
                 EXPECT_EQ(run<cl_uint>("test", range, in, 7), expected);
               });
}

TEST_F(SubGroups, votesAndBallots) {
  forEachWidth(R"(
kernel void test(global const uint *in, global uint *out) {
  uint x = in[ITEM];
  for (int i = 0; i < 40; ++i) RESULT(i) = 77;
  RESULT(0) = sub_group_all(x != 3) != 0;
  RESULT(1) = sub_group_any(x == 3) != 0;
  if (x % 3) {
    RESULT(2) = sub_group_elect() != 0;
    RESULT(3) = sub_group_non_uniform_all(x > 1) != 0;
    RESULT(4) = sub_group_non_uniform_any(x > 8) != 0;
    RESULT(5) = sub_group_non_uniform_all_equal(x) != 0;
    RESULT(6) = sub_group_non_uniform_all_equal((float)(x % 3 + 1) * 0) != 0;
    uint4 b = sub_group_ballot(x & 1);
    RESULT(7) = b.x, RESULT(8) = b.y, RESULT(9) = b.z | b.w;
    RESULT(10) = sub_group_inverse_ballot(b) != 0;
    RESULT(11) = sub_group_ballot_bit_extract(b, 2) != 0;
    RESULT(12) = sub_group_ballot_bit_count(b);
    RESULT(13) = sub_group_ballot_inclusive_scan(b);
    RESULT(14) = sub_group_ballot_exclusive_scan(b);
    b |= sub_group_ballot(1);
    RESULT(15) = sub_group_ballot_find_lsb(b);
    RESULT(16) = sub_group_ballot_find_msb(b) + 100 * sub_group_ballot_find_msb((uint4)0xffffffff);
    RESULT(17) = sub_group_ballot_bit_count((uint4)0xffffffff);
    RESULT(18) = sub_group_non_uniform_reduce_logical_and(x > 1);
    RESULT(19) = sub_group_non_uniform_reduce_logical_or(x > 8);
    RESULT(20) = sub_group_non_uniform_reduce_logical_xor(x & 4);
    RESULT(21) = sub_group_non_uniform_scan_inclusive_logical_and(x > 1);
    RESULT(22) = sub_group_non_uniform_scan_inclusive_logical_or(x > 8);
    RESULT(23) = sub_group_non_uniform_scan_inclusive_logical_xor(x & 4);
    RESULT(24) = sub_group_non_uniform_scan_exclusive_logical_and(x > 1);
    RESULT(25) = sub_group_non_uniform_scan_exclusive_logical_or(x > 8);
    RESULT(26) = sub_group_non_uniform_scan_exclusive_logical_xor(x & 4);
    RESULT(27) = sub_group_clustered_reduce_logical_and(x > 1, 4);
    RESULT(28) = sub_group_clustered_reduce_logical_or(x > 8, 4);
    RESULT(29) = sub_group_clustered_reduce_logical_xor(x & 4, 4);
  }
  RESULT(30) = get_sub_group_eq_mask().x, RESULT(31) = get_sub_group_eq_mask().y;
  RESULT(32) = get_sub_group_ge_mask().x, RESULT(33) = get_sub_group_ge_mask().y;
  RESULT(34) = get_sub_group_gt_mask().x, RESULT(35) = get_sub_group_gt_mask().y;
  RESULT(36) = get_sub_group_le_mask().x, RESULT(37) = get_sub_group_le_mask().y;
  RESULT(38) = get_sub_group_lt_mask().x, RESULT(39) = get_sub_group_lt_mask().y;
}
)",
               [&](std::size_t size, const Range& range) {
                 const auto in = numbers<cl_uint>(range.items(), 9);
                 std::vector<cl_uint> expected(range.items() * 40, 77);
                 for (const Group& group : groups::groupsOf(range))
                   for (const auto& items : subGroupsOf(group, size)) {
                     // Masks have a bit for every work-item of the largest sub-group, also in a smaller one.
                     const std::uint64_t all = ~std::uint64_t{0} >> (64 - size);
                     std::uint64_t here = 0, odd = 0, few = 0, many = 0, fours = 0;
                     bool threes = false;
                     for (std::size_t lane = 0; lane < items.size(); ++lane) {
                       const cl_uint x = in[items[lane]];
                       const std::uint64_t bit = std::uint64_t{1} << lane;
                       threes |= x == 3;
                       if (x % 3 == 0) continue;
                       here |= bit;
                       if (x & 1) odd |= bit;
                       if (x <= 1) few |= bit;
                       if (x > 8) many |= bit;
                       if (x & 4) fours |= bit;
                     }
                     for (std::size_t lane = 0; lane < items.size(); ++lane) {
                       cl_uint* r = &expected[items[lane] * 40];
                       const std::uint64_t own = std::uint64_t{1} << lane, below = own - 1, upTo = own | below;
                       const std::uint64_t cluster = std::uint64_t{15} << lane / 4 * 4;
                       const auto count = [](std::uint64_t bits) { return static_cast<cl_uint>(std::popcount(bits)); };
                       r[0] = !threes, r[1] = threes;
                       if (here & own) {
                         bool equal = true;
                         for (std::size_t other = 0; other < items.size(); ++other)
                           if (here >> other & 1) equal &= in[items[other]] == in[items[lane]];
                         r[2] = (here & below) == 0, r[3] = few == 0, r[4] = many != 0, r[5] = equal, r[6] = 1;
                         r[7] = static_cast<cl_uint>(odd), r[8] = static_cast<cl_uint>(odd >> 32), r[9] = 0;
                         r[10] = (odd & own) != 0, r[11] = odd >> 2 & 1, r[12] = count(odd), r[13] = count(odd & upTo),
                         r[14] = count(odd & below);
                         r[15] = static_cast<cl_uint>(std::countr_zero(here));
                         r[16] = static_cast<cl_uint>(63 - std::countl_zero(here) + 100 * (size - 1));
                         r[17] = static_cast<cl_uint>(size);
                         const std::uint64_t among[] = {~std::uint64_t{0}, upTo, below, cluster};
                         for (std::size_t i = 0; i < 4; ++i) {
                           r[18 + 3 * i] = (few & among[i]) == 0;
                           r[19 + 3 * i] = (many & among[i]) != 0;
                           r[20 + 3 * i] = count(fours & among[i]) & 1;
                         }
                       }
                       const std::uint64_t masks[] = {own, all & ~below, all & ~upTo, upTo, below};
                       for (std::size_t i = 0; i < 5; ++i) {
                         r[30 + 2 * i] = static_cast<cl_uint>(masks[i]);
                         r[31 + 2 * i] = static_cast<cl_uint>(masks[i] >> 32);
                       }
                     }
                   }
                 EXPECT_EQ(run<cl_uint>("test", range, in, 40), expected);
               });
}

/// Loops that work-items leave in different turns, with sub-group functions in every turn; a switch; early returns.
TEST_F(SubGroups, loopsBranchesAndReturns) {
  if (!onProcessor()) GTEST_SKIP() << "which work-items of a GPU meet again after a branch is up to it";
  forEachWidth(R"(
kernel void test(global const int *in, global int *out) {
  int x = in[ITEM], sum = 0;
  RESULT(0) = -1;
  if (x == 9) return;
  for (int i = 0; i < x; ++i) {
    sum += sub_group_non_uniform_reduce_add(i + x);      // of those that are still here
    if ((i ^ x) % 4 == 3) continue;
    switch (x & 3) {
      case 0: sum += sub_group_non_uniform_reduce_max(x); break;
      case 1: sum += sub_group_ballot_bit_count(sub_group_ballot(1));  // and on
      case 2: sum += 1000 * sub_group_non_uniform_scan_exclusive_add(1); break;
      default: if (sub_group_elect()) sum += 1;
    }
    if (sum > 5000 && (x & 4)) break;
  }
  RESULT(0) = sum + 10 * sub_group_non_uniform_reduce_min(x);
}
)",
               [&](std::size_t size, const Range& range) {
                 const auto in = numbers<cl_int>(range.items(), 9);
                 std::vector<cl_int> expected(range.items(), -1);
                 for (const Group& group : groups::groupsOf(range))
                   for (const auto& items : subGroupsOf(group, size)) {
                     std::vector<std::size_t> alive;
                     for (const std::size_t item : items)
                       if (in[item] != 9) alive.push_back(item);
                     std::vector<std::size_t> looping = alive;
                     std::vector<int> sum(in.size());
                     for (int i = 0; !looping.empty(); ++i) {
                       std::erase_if(looping, [&](std::size_t item) { return i >= in[item]; });
                       int all = 0;
                       for (const std::size_t item : looping) all += i + in[item];
                       std::vector<std::size_t> ways[4], scanning, next;
                       for (const std::size_t item : looping) {
                         sum[item] += all;
                         if ((i ^ in[item]) % 4 == 3)
                           next.push_back(item);
                         else
                           ways[in[item] & 3].push_back(item);
                       }
                       int most = 0;
                       for (const std::size_t item : ways[0]) most = std::max(most, in[item]);
                       for (const std::size_t item : ways[0]) sum[item] += most;
                       for (const std::size_t item : ways[1]) sum[item] += static_cast<int>(ways[1].size());
                       for (const std::size_t item : items)  // those of cases 1 and 2, in order
                         if (std::ranges::count(ways[1], item) || std::ranges::count(ways[2], item)) {
                           sum[item] += 1000 * static_cast<int>(scanning.size());
                           scanning.push_back(item);
                         }
                       if (!ways[3].empty()) sum[ways[3].front()] += 1;
                       for (const auto& way : ways)
                         for (const std::size_t item : way)
                           if (!(sum[item] > 5000 && (in[item] & 4))) next.push_back(item);
                       std::ranges::sort(next);
                       looping = next;
                     }
                     int least = 1 << 20;
                     for (const std::size_t item : alive) least = std::min(least, in[item]);
                     for (const std::size_t item : alive) expected[item] = sum[item] + 10 * least;
                   }
                 EXPECT_EQ(run<cl_int>("test", range, in, 1), expected);
               });
}

/// Parts of an array that its end cuts off: those who have whole ones and the others are in every turn together.
TEST_F(SubGroups, ownPartsAreCutOff) {
  if (!onProcessor()) GTEST_SKIP() << "which work-items of a GPU meet again after a branch is up to it";
  forEachWidth(R"(
kernel void test(global const int *in, global int *out) {
  int each = in[0], all = each * (int)get_global_size(0) / 2 + 1, first = (int)get_global_id(0) * each, sum = 0;
  for (int i = first; i < min(first + each, all); ++i) sum = sum * 3 + sub_group_non_uniform_reduce_add(i % 7);
  for (int k = each - 1, scale = 1, turn; k >= 0; --k)
    if (turn = sub_group_reduce_add(first + k < all ? (first + k) % 7 : 0), first + k < all)
      sum -= turn * scale, scale *= 3;
  RESULT(0) = sum;
})",
               [&](std::size_t, const Range& range) {
                 const std::vector<cl_int> in(range.items(), 5);
                 EXPECT_EQ(run<cl_int>("test", range, in, 1), std::vector<cl_int>(range.items()));
               });
}

/// Sub-groups, collectives of the work-group and barriers in one kernel: the usual two-step reduction.
TEST_F(SubGroups, betweenBarriers) {
  forEachWidth(R"(
kernel void test(global const int *in, global int *out) {
  local int partial[1024], row[4096];
  int lid = get_local_linear_id(), x = in[ITEM];
  int own = sub_group_reduce_add(x), before = sub_group_scan_exclusive_add(x);
  if (get_sub_group_local_id() == 0) partial[get_sub_group_id()] = own;
  row[lid] = x;
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  // A neighbour of the same sub-group, without a barrier of the work-group.
  int neighbour = row[lid - get_sub_group_local_id() + (get_sub_group_local_id() + 1) % get_sub_group_size()];
  barrier(CLK_LOCAL_MEM_FENCE);
  int base = 0, all = 0;
  for (uint i = 0; i < get_num_sub_groups(); ++i) {
    if (i < get_sub_group_id()) base += partial[i];
    all += partial[i];
  }
  RESULT(0) = base + before;
  RESULT(1) = all;
  RESULT(2) = neighbour;
  RESULT(3) = work_group_scan_inclusive_add(x) + sub_group_broadcast(x, 0);
}
)",
               [&](std::size_t size, const Range& range) {
                 const auto in = numbers<cl_int>(range.items(), 1000);
                 std::vector<cl_int> expected(range.items() * 4);
                 for (const Group& group : groups::groupsOf(range)) {
                   int sum = 0, all = 0;
                   for (const std::size_t item : group.items) all += in[item];
                   for (const auto& items : subGroupsOf(group, size))
                     for (std::size_t lane = 0; lane < items.size(); ++lane) {
                       cl_int* r = &expected[items[lane] * 4];
                       r[0] = sum;
                       sum += in[items[lane]];
                       r[1] = all;
                       r[2] = in[items[(lane + 1) % items.size()]];
                       r[3] = sum + in[items[0]];
                     }
                 }
                 EXPECT_EQ(run<cl_int>("test", range, in, 4), expected);
               });
}

/// A function that is not inlined elsewhere, ids in all dimensions, and guards that would restrict the range.
TEST_F(SubGroups, guardsAndFunctions) {
  forEachWidth(R"(
__attribute__((noinline)) int together(int x) { return sub_group_non_uniform_reduce_add(x); }
__attribute__((noinline)) int twice(int x) { return together(x) + together(x * x); }
kernel void test(global const int *in, global int *out) {
  if (get_local_linear_id() >= 3) {
    int x = in[ITEM];
    RESULT(0) = twice(x);
    if (get_local_id(0) < get_local_size(0) / 2 + 1) RESULT(1) = sub_group_non_uniform_scan_inclusive_max(x);
  }
}
)",
               [&](std::size_t size, const Range& range) {
                 const auto in = numbers<cl_int>(range.items(), 1000);
                 std::vector<cl_int> expected(range.items() * 2, 77);
                 for (const Group& group : groups::groupsOf(range)) {
                   const auto all = subGroupsOf(group, size);
                   for (std::size_t id = 0; id < all.size(); ++id) {
                     int sum = 0, most = -1;
                     for (std::size_t lane = 0; lane < all[id].size(); ++lane)
                       if (id * size + lane >= 3) sum += in[all[id][lane]] + in[all[id][lane]] * in[all[id][lane]];
                     for (std::size_t lane = 0; lane < all[id].size(); ++lane) {
                       if (id * size + lane < 3) continue;
                       expected[all[id][lane] * 2] = sum;
                       if ((id * size + lane) % group.size[0] >= group.size[0] / 2 + 1) continue;
                       most = std::max(most, in[all[id][lane]]);
                       expected[all[id][lane] * 2 + 1] = most;
                     }
                   }
                 }
                 EXPECT_EQ(run<cl_int>("test", range, in, 2), expected);
               });
}

// LLVM joins what two compare-and-exchanges give, and looks at it where it is used.
TEST_F(SubGroups, besideCompareAndExchange) {
  forEachWidth(R"(
kernel void test(global const int *in, global int *out) {
  int x = in[ITEM], old;
  RESULT(0) = x & 3;
  if (sub_group_any(get_sub_group_local_id() == 0 && (x & 4))) old = atomic_cmpxchg(&RESULT(0), 2, 50);
  else old = atomic_cmpxchg(&RESULT(1), 77, x);
  for (int i = 0; i < x % 5; ++i) RESULT(0) += i;
  if (x % 3) RESULT(1) += old + 7;
}
)",
               [&](std::size_t size, const Range& range) {
                 const auto in = numbers<cl_int>(range.items(), 1000);
                 std::vector<cl_int> expected(range.items() * 2, 77);
                 for (const Group& group : groups::groupsOf(range))
                   for (const auto& items : subGroupsOf(group, size))
                     for (const std::size_t item : items) {
                       const cl_int x = in[item], low = x & 3;
                       cl_int &first = expected[item * 2], &second = expected[item * 2 + 1];
                       const bool exchangesFirst = (in[items.front()] & 4) != 0;
                       first = exchangesFirst && low == 2 ? 50 : low;
                       if (!exchangesFirst) second = x;
                       for (int i = 0; i < x % 5; ++i) first += i;
                       if (x % 3) second += (exchangesFirst ? low : 77) + 7;
                     }
                 EXPECT_EQ(run<cl_int>("test", range, in, 2), expected);
               });
}

TEST_F(SubGroups, refusesSizesThatThereAreNot) {
  const char* text =
      "__attribute__((intel_reqd_sub_group_size(7))) kernel void test(global int *out) { out[0] = "
      "get_sub_group_size(); }";
  cl_context silent = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, nullptr);
  cl_program program = clCreateProgramWithSource(silent, 1, &text, nullptr, nullptr);
  EXPECT_EQ(clBuildProgram(program, 1, &device_, "-cl-std=CL3.0", nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE);
  std::string log(1000, '\0');
  clGetProgramBuildInfo(program, device_, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
  EXPECT_NE(log.find("requires sub-groups of 7 work-items"), std::string::npos) << log.c_str();
  clReleaseProgram(program);
  clReleaseContext(silent);
}

}  // namespace
