// SPDX-License-Identifier: Apache-2.0
// This file compares every work-group collective function, for every type, several work-group shapes and build options,
// with the same computed on the host.
#include "group_launches.h"

#include <limits>

namespace {

using groups::Group;
using groups::Range;

const char* const buildOptions[] = {"",
                                    "-cl-clarity-packet-width=1",
                                    "-cl-clarity-packet-width=4",
                                    "-cl-clarity-packet-width=8",
                                    "-cl-clarity-packet-width=16",
                                    "-cl-opt-disable",
                                    "-cl-fast-relaxed-math -cl-clarity-packet-width=8"};

class WorkGroupFunctions : public groups::Launches {};

// --- arithmetic ------------------------------------------------------------------------------------------------------

constexpr unsigned arithmeticResults = 9;
constexpr char arithmetic[] = R"(
kernel void arithmetic(global const T *in, global T *out) {
  T x = in[ITEM];
  RESULT(0) = work_group_reduce_add(x);
  RESULT(1) = work_group_reduce_min(x);
  RESULT(2) = work_group_reduce_max(x);
  RESULT(3) = work_group_scan_inclusive_add(x);
  RESULT(4) = work_group_scan_inclusive_min(x);
  RESULT(5) = work_group_scan_inclusive_max(x);
  RESULT(6) = work_group_scan_exclusive_add(x);
  RESULT(7) = work_group_scan_exclusive_min(x);
  RESULT(8) = work_group_scan_exclusive_max(x);
}
)";

template <class T>
T highest() {
  return std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max();
}
template <class T>
T lowest() {
  return std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::lowest();
}

template <class T>
std::vector<T> expectedArithmetic(const Range& range, const std::vector<T>& in) {
  std::vector<T> out(in.size() * arithmeticResults);
  for (const Group& group : groups::groupsOf(range)) {
    T sum = 0, least = highest<T>(), most = lowest<T>();
    for (const std::size_t item : group.items) {
      T* r = &out[item * arithmeticResults];
      r[6] = sum, r[7] = least, r[8] = most;
      sum = static_cast<T>(sum + in[item]), least = std::min(least, in[item]), most = std::max(most, in[item]);
      r[3] = sum, r[4] = least, r[5] = most;
    }
    for (const std::size_t item : group.items) {
      T* r = &out[item * arithmeticResults];
      r[0] = sum, r[1] = least, r[2] = most;
    }
  }
  return out;
}

template <class T>
class TypedWorkGroupFunctions : public groups::Launches {};
TYPED_TEST_SUITE(TypedWorkGroupFunctions, groups::WorkGroupTypes);

TYPED_TEST(TypedWorkGroupFunctions, reduceAndScan) {
  for (std::size_t turn = 0; const char* options : buildOptions) {
    if (!this->changeCode(options)) continue;
    this->build("typedef " + groups::nameOf<TypeParam>() + " T;\n" + arithmetic, options);
    for (const Range& range : groups::rangesForType<TypeParam>(turn++)) {
      if (this->HasFailure()) return;
      // Whole numbers, so that every order of additions gives the same; some negative ones or, without a sign, some
      // large.
      auto in = this->template numbers<TypeParam>(range.items(), 100);
      for (std::size_t i = 0; i < in.size(); i += 3) in[i] = static_cast<TypeParam>(TypeParam(0) - in[i]);
      if (std::is_floating_point_v<TypeParam>) {
        for (std::size_t i = 0; i < in.size(); i += 2) in[i] /= 4;
      }
      EXPECT_EQ((this->template run<TypeParam>("arithmetic", range, in, arithmeticResults)),
                expectedArithmetic(range, in))
          << groups::text(range) << ", options '" << options << "'";
    }
  }
}

constexpr char broadcasts[] = R"(
kernel void broadcasts(global const T *in, global T *out) {
  T x = in[ITEM];
  size_t x0 = get_local_size(0) / 2, y0 = get_local_size(1) / 2, z0 = get_local_size(2) / 2;
  RESULT(0) = work_group_broadcast(x, x0);
  RESULT(1) = work_group_broadcast(x, x0, y0);
  RESULT(2) = work_group_broadcast(x, x0, y0, z0);
  // The same in all work-items, though the compiler cannot prove it.
  size_t unproven = get_local_size(0) - 1 + (in[ITEM] > 1000 ? 1 : 0);
  RESULT(3) = work_group_broadcast(x, unproven, get_local_size(1) - 1, get_local_size(2) - 1);
}
)";

TYPED_TEST(TypedWorkGroupFunctions, broadcast) {
  for (std::size_t turn = 0; const char* options : buildOptions) {
    if (!this->changeCode(options)) continue;
    this->build("typedef " + groups::nameOf<TypeParam>() + " T;\n" + broadcasts, options);
    for (const Range& range : groups::rangesForType<TypeParam>(turn++)) {
      if (this->HasFailure()) return;
      const auto in = this->template numbers<TypeParam>(range.items(), 100);
      std::vector<TypeParam> expected(in.size() * 4);
      for (const Group& group : groups::groupsOf(range)) {
        const std::size_t x = group.size[0] / 2, y = group.size[1] / 2, z = group.size[2] / 2;
        for (const std::size_t item : group.items) {
          expected[item * 4] = in[group.items[x]];
          expected[item * 4 + 1] = in[group.items[y * group.size[0] + x]];
          expected[item * 4 + 2] = in[group.items[(z * group.size[1] + y) * group.size[0] + x]];
          expected[item * 4 + 3] = in[group.items.back()];
        }
      }
      EXPECT_EQ((this->template run<TypeParam>("broadcasts", range, in, 4)), expected)
          << groups::text(range) << ", options '" << options << "'";
    }
  }
}

// --- votes -----------------------------------------------------------------------------------------------------------

TEST_F(WorkGroupFunctions, allAndAny) {
  for (std::size_t turn = 0; const char* options : buildOptions) {
    if (!this->changeCode(options)) continue;
    build(R"(
kernel void votes(global const int *in, global int *out) {
  int x = in[ITEM];
  RESULT(0) = work_group_all(x) != 0;
  RESULT(1) = work_group_any(x) != 0;
  RESULT(2) = work_group_all(x < 256 ? 256 : 0) != 0;
  RESULT(3) = work_group_any(x > 1000) != 0;
}
)",
          options);
    for (const Range& range : groups::rangesFor(turn++))
      for (const int zeros : {0, 1, 2}) {  // none, some, all
        if (HasFailure()) return;
        auto in = numbers<cl_int>(range.items(), 5);
        for (cl_int& x : in) x = zeros == 0 ? x + 1 : zeros == 2 ? 0 : x == 3 ? 0x100 : 0;
        std::vector<cl_int> expected(in.size() * 4);
        for (const Group& group : groups::groupsOf(range)) {
          const auto holds = [&](auto predicate) {
            return std::pair(std::ranges::all_of(group.items, predicate), std::ranges::any_of(group.items, predicate));
          };
          const auto [all, any] = holds([&](std::size_t item) { return in[item] != 0; });
          const auto [small, someSmall] = holds([&](std::size_t item) { return in[item] < 256; });
          for (const std::size_t item : group.items) {
            expected[item * 4] = all;
            expected[item * 4 + 1] = any;
            expected[item * 4 + 2] = small;
          }
        }
        EXPECT_EQ(run<cl_int>("votes", range, in, 4), expected)
            << groups::text(range) << ", options '" << options << "'";
      }
  }
}

// --- between other code ----------------------------------------------------------------------------------------------

/// A loop around collectives that ends when they say so, values that live across them, and work-items that part before.
TEST_F(WorkGroupFunctions, inLoopsAndBehindBranches) {
  for (std::size_t turn = 0; const char* options : buildOptions) {
    if (!this->changeCode(options)) continue;
    build(R"(
kernel void steps(global const int *in, global int *out) {
  int x = in[ITEM], kept = x * 3 + 1, turns = 0, sum = 0;
  while (work_group_any(x > 0)) {
    if (x > 0) {
      x -= 1 + (int)(get_local_id(0) & 1);
      for (int i = 0; i < x; ++i) sum += i;   // work-items leave in different turns
    }
    sum += work_group_scan_exclusive_add(x > 0 ? 1 : 0);
    if (++turns > 50) break;
  }
  int most = work_group_reduce_max(sum);
  if (most > 10)                              // the same for all
    sum += work_group_broadcast(kept, 0) + work_group_reduce_add(kept);
  RESULT(0) = sum;
  RESULT(1) = turns;
  RESULT(2) = kept;
}
)",
          options);
    for (const Range& range : groups::rangesFor(turn++)) {
      if (HasFailure()) return;
      const auto in = numbers<cl_int>(range.items(), 9);
      std::vector<cl_int> expected(in.size() * 3);
      for (const Group& group : groups::groupsOf(range)) {
        const std::size_t count = group.items.size();
        std::vector<int> x(count), kept(count), sum(count);
        int turns = 0;
        for (std::size_t i = 0; i < count; ++i) x[i] = in[group.items[i]], kept[i] = x[i] * 3 + 1;
        while (std::ranges::any_of(x, [](int each) { return each > 0; })) {
          int before = 0;
          for (std::size_t i = 0; i < count; ++i) {
            if (x[i] > 0) {
              x[i] -= 1 + static_cast<int>(i % group.size[0] & 1);
              for (int k = 0; k < x[i]; ++k) sum[i] += k;
            }
            sum[i] += before;
            before += x[i] > 0;
          }
          if (++turns > 50) break;
        }
        int total = 0;
        for (const int each : kept) total += each;
        if (*std::ranges::max_element(sum) > 10)
          for (int& each : sum) each += kept[0] + total;
        for (std::size_t i = 0; i < count; ++i) {
          expected[group.items[i] * 3] = sum[i];
          expected[group.items[i] * 3 + 1] = turns;
          expected[group.items[i] * 3 + 2] = kept[i];
        }
      }
      EXPECT_EQ(run<cl_int>("steps", range, in, 3), expected) << groups::text(range) << ", options '" << options << "'";
    }
  }
}

/// Sums of floating-point numbers go by the order of the work-items, whatever the width.
TEST_F(WorkGroupFunctions, sumsInOrder) {
  if (!onProcessor()) GTEST_SKIP() << "a GPU adds in another order";
  for (std::size_t turn = 0;
       const char* options : {"", "-cl-clarity-packet-width=1", "-cl-clarity-packet-width=8", "-cl-opt-disable"}) {
    build(R"(
kernel void sums(global const float *in, global float *out) {
  RESULT(0) = work_group_reduce_add(in[ITEM]);
  RESULT(1) = work_group_scan_inclusive_add(in[ITEM]);
}
)",
          options);
    for (const Range& range : groups::rangesFor(turn++)) {
      auto in = numbers<float>(range.items(), 1000);
      for (float& x : in) x = 1 / (x + 3);
      std::vector<float> expected(in.size() * 2);
      for (const Group& group : groups::groupsOf(range)) {
        float sum = 0;
        for (const std::size_t item : group.items) expected[item * 2 + 1] = sum += in[item];
        for (const std::size_t item : group.items) expected[item * 2] = sum;
      }
      EXPECT_EQ(run<float>("sums", range, in, 2), expected) << groups::text(range) << ", options '" << options << "'";
    }
  }
}

}  // namespace
