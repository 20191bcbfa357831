// SPDX-License-Identifier: Apache-2.0
// This file compares every sub-group function, for every type, several sub-group sizes and work-group shapes, where all
// work-items come together and where some stay away, with the same computed on the host.
#include "sub_group_launches.h"

#include <bit>
#include <limits>

namespace {

using groups::nameOf;
using groups::SubGroup;
using groups::SubGroupFunctions;
using groups::typed;

template <class T>
class TypedSubGroupFunctions : public SubGroupFunctions {};
TYPED_TEST_SUITE(TypedSubGroupFunctions, groups::SubGroupTypes);

// --- arithmetic ------------------------------------------------------------------------------------------------------

template <class T>
T highest() {
  return std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max();
}
template <class T>
T lowest() {
  return std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::lowest();
}

/// Writes reduction, inclusive and exclusive scan of one operation to three places.
template <class T, class Operation>
void fold(const SubGroup& here, const std::vector<T>& values, std::vector<T>& out, std::size_t each, std::size_t at,
          T begin, Operation operation) {
  T all = begin;
  for (const auto& [lane, item] : here.members) {
    out[item * each + at + 2] = all;
    all = operation(all, values[item]);
    out[item * each + at + 1] = all;
  }
  for (const auto& [lane, item] : here.members) out[item * each + at] = all;
}

TYPED_TEST(TypedSubGroupFunctions, arithmetic) {
  using T = TypeParam;
  const std::string source = R"(
SIZED kernel void test(global const T *in, global T *out) {
  T x = (int)in[ITEM] % 7;
  if (COMES) {
    RESULT(0) = sub_group_reduce_add(x);
    RESULT(1) = sub_group_scan_inclusive_add(x);
    RESULT(2) = sub_group_scan_exclusive_add(x);
    RESULT(3) = sub_group_reduce_min(x);
    RESULT(4) = sub_group_scan_inclusive_min(x);
    RESULT(5) = sub_group_scan_exclusive_min(x);
    RESULT(6) = sub_group_reduce_max(x);
    RESULT(7) = sub_group_scan_inclusive_max(x);
    RESULT(8) = sub_group_scan_exclusive_max(x);
    RESULT(9) = sub_group_non_uniform_reduce_add(x);
    RESULT(10) = sub_group_non_uniform_scan_inclusive_add(x);
    RESULT(11) = sub_group_non_uniform_scan_exclusive_add(x);
    RESULT(12) = sub_group_non_uniform_reduce_min(x);
    RESULT(13) = sub_group_non_uniform_scan_inclusive_min(x);
    RESULT(14) = sub_group_non_uniform_scan_exclusive_min(x);
    RESULT(15) = sub_group_non_uniform_reduce_max(x);
    RESULT(16) = sub_group_non_uniform_scan_inclusive_max(x);
    RESULT(17) = sub_group_non_uniform_scan_exclusive_max(x);
    x = ((int)x & 1) + 1;
    RESULT(18) = sub_group_non_uniform_reduce_mul(x);
    RESULT(19) = sub_group_non_uniform_scan_inclusive_mul(x);
    RESULT(20) = sub_group_non_uniform_scan_exclusive_mul(x);
  }
}
)";
  // Whole numbers, so that every order of operations gives the same.
  this->template compare<T>(
      typed<T>(source), 21, [](const SubGroup& here, const std::vector<T>& in, std::vector<T>& out, std::size_t) {
        std::vector<T> values(in.size()), factors(in.size());
        for (const auto& [lane, item] : here.members) {
          values[item] = static_cast<T>(static_cast<int>(in[item]) % 7);
          factors[item] = static_cast<T>((static_cast<int>(values[item]) & 1) + 1);
        }
        for (const std::size_t at : {0, 9}) {
          fold<T>(here, values, out, 21, at, T(0), [](T a, T b) { return static_cast<T>(a + b); });
          fold<T>(here, values, out, 21, at + 3, highest<T>(), [](T a, T b) { return std::min(a, b); });
          fold<T>(here, values, out, 21, at + 6, lowest<T>(), [](T a, T b) { return std::max(a, b); });
        }
        fold<T>(here, factors, out, 21, 18, T(1), [](T a, T b) { return static_cast<T>(a * b); });
      });
}

TYPED_TEST(TypedSubGroupFunctions, bitwise) {
  using T = TypeParam;
  if constexpr (std::is_integral_v<T>) {
    this->template compare<T>(typed<T>(R"(
SIZED kernel void test(global const T *in, global T *out) {
  T x = in[ITEM];
  if (COMES) {
    RESULT(0) = sub_group_non_uniform_reduce_and(x);
    RESULT(1) = sub_group_non_uniform_scan_inclusive_and(x);
    RESULT(2) = sub_group_non_uniform_scan_exclusive_and(x);
    RESULT(3) = sub_group_non_uniform_reduce_or(x);
    RESULT(4) = sub_group_non_uniform_scan_inclusive_or(x);
    RESULT(5) = sub_group_non_uniform_scan_exclusive_or(x);
    RESULT(6) = sub_group_non_uniform_reduce_xor(x);
    RESULT(7) = sub_group_non_uniform_scan_inclusive_xor(x);
    RESULT(8) = sub_group_non_uniform_scan_exclusive_xor(x);
  }
}
)"),
                              9, [](const SubGroup& here, const std::vector<T>& in, std::vector<T>& out, std::size_t) {
                                fold<T>(here, in, out, 9, 0, static_cast<T>(~T(0)),
                                        [](T a, T b) { return static_cast<T>(a & b); });
                                fold<T>(here, in, out, 9, 3, T(0), [](T a, T b) { return static_cast<T>(a | b); });
                                fold<T>(here, in, out, 9, 6, T(0), [](T a, T b) { return static_cast<T>(a ^ b); });
                              });
  }
}

TYPED_TEST(TypedSubGroupFunctions, clusteredReduce) {
  using T = TypeParam;
  this->template compare<T>(typed<T>(R"(
SIZED kernel void test(global const T *in, global T *out) {
  T x = in[ITEM];
  if (COMES) {
    RESULT(0) = sub_group_clustered_reduce_add(x, 1);
    RESULT(1) = sub_group_clustered_reduce_add(x, 2);
    RESULT(2) = sub_group_clustered_reduce_min(x, 4);
    RESULT(3) = sub_group_clustered_reduce_max(x, 2);
    RESULT(4) = sub_group_clustered_reduce_mul((T)(x > 50 ? 2 : 1), 4);
  }
}
)"),
                            5, [](const SubGroup& here, const std::vector<T>& in, std::vector<T>& out, std::size_t) {
                              for (const auto& [lane, item] : here.members) {
                                T* r = &out[item * 5];
                                r[0] = in[item], r[1] = 0, r[2] = highest<T>(), r[3] = lowest<T>(), r[4] = 1;
                                for (const auto& [other, from] : here.members) {
                                  if (other / 2 == lane / 2)
                                    r[1] = static_cast<T>(r[1] + in[from]), r[3] = std::max(r[3], in[from]);
                                  if (other / 4 == lane / 4)
                                    r[2] = std::min(r[2], in[from]),
                                    r[4] = static_cast<T>(r[4] * (in[from] > 50 ? 2 : 1));
                                }
                              }
                            });
}

// --- exchange --------------------------------------------------------------------------------------------------------

/// The value of a lane, and 77 if it does not come: kernels ask for it only if it does.
template <class T>
T valueIn(const SubGroup& here, const std::vector<T>& in, std::size_t lane) {
  for (const auto& [other, item] : here.members)
    if (other == lane) return in[item];
  return T(77);
}

TYPED_TEST(TypedSubGroupFunctions, exchange) {
  using T = TypeParam;
  this->template compare<T>(typed<T>(R"(
bool present(uint lane, ulong here) { return lane < 64 && here >> (lane & 63) & 1; }
SIZED kernel void test(global const T *in, global T *out) {
  T x = in[ITEM];
  if (COMES) {
    uint4 ballot = sub_group_ballot(1);
    ulong here = (ulong)ballot.y << 32 | ballot.x;
    uint lane = get_sub_group_local_id(), size = get_max_sub_group_size(), last = sub_group_ballot_find_msb(ballot);
    T y;
    y = sub_group_shuffle(x, INDEX % size);          RESULT(0) = present(INDEX % size, here) ? y : (T)77;
    y = sub_group_shuffle_xor(x, 1);                 RESULT(1) = present(lane ^ 1, here) ? y : (T)77;
    y = sub_group_shuffle_xor(x, size / 2);          RESULT(2) = present(lane ^ size / 2, here) ? y : (T)77;
    y = sub_group_shuffle_up(x, 1);                  RESULT(3) = present(lane - 1, here) ? y : (T)77;
    y = sub_group_shuffle_down(x, 3);                RESULT(4) = present(lane + 3, here) ? y : (T)77;
    RESULT(5) = sub_group_broadcast_first(x);
    RESULT(6) = sub_group_broadcast(x, last);
    RESULT(7) = sub_group_non_uniform_broadcast(x, last);
    y = sub_group_rotate(x, 3);                      RESULT(8) = present((lane + 3) % size, here) ? y : (T)77;
    y = sub_group_clustered_rotate(x, 1, 4);
    RESULT(9) = present(lane / 4 * 4 + (lane + 1) % 4, here) ? y : (T)77;
    y = sub_group_rotate(x, -1);                     RESULT(10) = present((lane + size - 1) % size, here) ? y : (T)77;
    y = sub_group_shuffle(x, size - 1 - lane);       RESULT(11) = present(size - 1 - lane, here) ? y : (T)77;
  }
}
)"),
                            12,
                            [](const SubGroup& here, const std::vector<T>& in, std::vector<T>& out, std::size_t size) {
                              for (const auto& [lane, item] : here.members) {
                                const std::size_t from[] = {static_cast<std::size_t>(in[item]) % size,
                                                            lane ^ 1,
                                                            lane ^ size / 2,
                                                            lane - 1,
                                                            lane + 3,
                                                            here.members.front().lane,
                                                            here.members.back().lane,
                                                            here.members.back().lane,
                                                            (lane + 3) % size,
                                                            lane / 4 * 4 + (lane + 1) % 4,
                                                            (lane + size - 1) % size,
                                                            size - 1 - lane};
                                for (std::size_t i = 0; i < std::size(from); ++i)
                                  out[item * 12 + i] = valueIn(here, in, from[i]);
                              }
                            });
}

TYPED_TEST(TypedSubGroupFunctions, broadcastOfVectors) {
  using T = TypeParam;
  this->template compare<T>(typed<T>(std::string("#define T3 ") + nameOf<T>() + "3\n#define T16 " + nameOf<T>() + R"(16
SIZED kernel void test(global const T *in, global T *out) {
  T x = in[ITEM];
  if (COMES) {
    uint last = sub_group_ballot_find_msb(sub_group_ballot(1));
    T3 a = sub_group_broadcast((T3)(x, x + 1, x + 2), last);
    T16 b = sub_group_non_uniform_broadcast((T16)(a, a, a, a, x, x, x, x), last);
    RESULT(0) = a.x;
    RESULT(1) = a.z;
    RESULT(2) = b.s4;
    RESULT(3) = b.sf;
  }
}
)"),
                            4, [](const SubGroup& here, const std::vector<T>& in, std::vector<T>& out, std::size_t) {
                              const T last = in[here.members.back().item];
                              for (const auto& [lane, item] : here.members) {
                                out[item * 4] = last;
                                out[item * 4 + 1] = static_cast<T>(last + 2);
                                out[item * 4 + 2] = static_cast<T>(last + 1);
                                out[item * 4 + 3] = last;
                              }
                            });
}

}  // namespace
