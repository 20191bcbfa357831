// SPDX-License-Identifier: Apache-2.0
// This file compares every function of cl_khr_work_group_uniform_arithmetic, for every type, several work-group shapes
// and build options, with the same computed on the host.
#include "group_launches.h"

namespace {

using groups::Group;
using groups::nameOf;
using groups::Range;

const char* const buildOptions[] = {"", "-cl-clarity-packet-width=1", "-cl-clarity-packet-width=4",
                                    "-cl-clarity-packet-width=16", "-cl-opt-disable"};

template <class T>
class UniformArithmetic : public groups::Launches {};
TYPED_TEST_SUITE(UniformArithmetic, groups::WorkGroupTypes);

/// Reduction, inclusive and exclusive scan of one operation, at three places of the results.
template <class T, class Value, class Operation>
void fold(const Group& group, std::vector<T>& out, std::size_t each, std::size_t at, T begin, Value value,
          Operation operation) {
  T all = begin;
  for (const std::size_t item : group.items) {
    out[item * each + at + 2] = all;
    all = static_cast<T>(operation(all, value(item)));
    out[item * each + at + 1] = all;
  }
  for (const std::size_t item : group.items) out[item * each + at] = all;
}

/// Integers wrap.
template <class T>
T productOf(T a, T b) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
  else
    return a * b;
}

constexpr char source[] = R"(
#define FORMS(at, OPERATION, x)                             \
  RESULT(at) = work_group_reduce_##OPERATION(x);            \
  RESULT(at + 1) = work_group_scan_inclusive_##OPERATION(x); \
  RESULT(at + 2) = work_group_scan_exclusive_##OPERATION(x);
kernel void test(global const T *in, global T *out) {
  T x = in[ITEM];
  T factor = (int)x % 5 ? (T)1 : (T)2;
  FORMS(0, mul, factor)
#ifdef INTEGERS
  FORMS(3, and, x)
  FORMS(6, or, x)
  FORMS(9, xor, x)
#endif
}
kernel void logical(global const int *in, global int *out) {
  int x = in[ITEM] % 3;
#define LOGICAL(at, OPERATION)                                                  \
  RESULT(at) = work_group_reduce_logical_##OPERATION(x * 256) != 0;             \
  RESULT(at + 1) = work_group_scan_inclusive_logical_##OPERATION(x * 256) != 0; \
  RESULT(at + 2) = work_group_scan_exclusive_logical_##OPERATION(x * 256) != 0;
  LOGICAL(0, and)
  LOGICAL(3, or)
  LOGICAL(6, xor)
}
)";

TYPED_TEST(UniformArithmetic, reduceAndScan) {
  using T = TypeParam;
  constexpr std::size_t each = std::is_integral_v<T> ? 12 : 3;
  for (std::size_t turn = 0; const char* options : buildOptions) {
    if (!this->changeCode(options)) continue;
    this->build("typedef " + nameOf<T>() + " T;\n" + (each > 3 ? "#define INTEGERS\n" : "") + source, options);
    for (const Range& range : groups::rangesForType<TypeParam>(turn++)) {
      if (this->HasFailure()) return;
      const auto in = this->template numbers<T>(range.items(), 1000);
      std::vector<T> expected(in.size() * each);
      for (const Group& group : groups::groupsOf(range)) {
        const auto factor = [&](std::size_t item) { return static_cast<int>(in[item]) % 5 ? T(1) : T(2); };
        fold<T>(group, expected, each, 0, T(1), factor, productOf<T>);
        if constexpr (each > 3) {
          const auto value = [&](std::size_t item) { return in[item]; };
          fold<T>(group, expected, each, 3, static_cast<T>(~T(0)), value, [](T a, T b) { return a & b; });
          fold<T>(group, expected, each, 6, T(0), value, [](T a, T b) { return a | b; });
          fold<T>(group, expected, each, 9, T(0), value, [](T a, T b) { return a ^ b; });
        }
      }
      EXPECT_EQ((this->template run<T>("test", range, in, each)), expected)
          << groups::text(range) << ", options '" << options << "'";
    }
  }
}

class LogicalArithmetic : public groups::Launches {};

TEST_F(LogicalArithmetic, reduceAndScan) {
  for (std::size_t turn = 0; const char* options : buildOptions) {
    if (!this->changeCode(options)) continue;
    build(std::string("typedef int T;\n") + source, options);
    for (const Range& range : groups::rangesFor(turn++)) {
      if (HasFailure()) return;
      const auto in = numbers<cl_int>(range.items(), 1000, static_cast<unsigned>(turn));
      std::vector<cl_int> expected(in.size() * 9);
      const auto value = [&](std::size_t item) { return in[item] % 3 != 0; };
      for (const Group& group : groups::groupsOf(range)) {
        fold<cl_int>(group, expected, 9, 0, 1, value, [](bool a, bool b) { return a && b; });
        fold<cl_int>(group, expected, 9, 3, 0, value, [](bool a, bool b) { return a || b; });
        fold<cl_int>(group, expected, 9, 6, 0, value, [](bool a, bool b) { return a != b; });
      }
      EXPECT_EQ((run<cl_int>("logical", range, in, 9)), expected)
          << groups::text(range) << ", options '" << options << "'";
    }
  }
}

}  // namespace
