// SPDX-License-Identifier: Apache-2.0
// This file defines the votes of sub-groups (OpenCL C 3.0, 6.15.19; cl_khr_subgroup_non_uniform_vote) and the functions
// of cl_khr_subgroup_ballot that work on masks. A mask has 128 bits, of which a sub-group needs no more than 64.

#include "sub_group/primitives.clh"

CONVERGENT int sub_group_all(int predicate) {
  return __clarity_sub_group_whole_ballot(predicate == 0) == 0;
}
CONVERGENT int sub_group_any(int predicate) {
  return __clarity_sub_group_whole_ballot(predicate) != 0;
}
CONVERGENT int sub_group_non_uniform_all(int predicate) { return __clarity_sub_group_ballot(predicate == 0) == 0; }
CONVERGENT int sub_group_non_uniform_any(int predicate) { return __clarity_sub_group_ballot(predicate) != 0; }

CONVERGENT int sub_group_elect(void) {
  return __clarity_sub_group_local_id() == (uint)__builtin_ctzl(__clarity_sub_group_ballot(1));
}

#define ALL_EQUAL(T)                                                                                                   \
  CONVERGENT int sub_group_non_uniform_all_equal(T x) {                                                                \
    T first = __clarity_sub_group_broadcast_##T(x, (uint)__builtin_ctzl(__clarity_sub_group_ballot(1)));               \
    return __clarity_sub_group_ballot(!(x == first)) == 0;                                                             \
  }
EACH_SCALAR(ALL_EQUAL)

// ---- masks ----------------------------------------------------------------------------------------------------------

HELPER uint4 mask(ulong bits) { return (uint4)((uint)bits, (uint)(bits >> 32), 0, 0); }
HELPER ulong bitsOf(uint4 mask) { return (ulong)mask.y << 32 | mask.x; }

CONVERGENT uint4 sub_group_ballot(int predicate) { return mask(__clarity_sub_group_ballot(predicate)); }

BUILTIN int sub_group_inverse_ballot(uint4 value) { return bitsOf(value) >> __clarity_sub_group_local_id() & 1; }
BUILTIN int sub_group_ballot_bit_extract(uint4 value, uint index) {
  return index < 64 ? bitsOf(value) >> (index & 63) & 1 : 0;
}
BUILTIN uint sub_group_ballot_bit_count(uint4 value) { return __builtin_popcountl(bitsOf(value) & allOfLargest()); }
BUILTIN uint sub_group_ballot_inclusive_scan(uint4 value) { return __builtin_popcountl(bitsOf(value) & upToThis()); }
BUILTIN uint sub_group_ballot_exclusive_scan(uint4 value) { return __builtin_popcountl(bitsOf(value) & belowThis()); }
BUILTIN uint sub_group_ballot_find_lsb(uint4 value) {
  ulong bits = bitsOf(value) & allOfLargest();
  return bits ? __builtin_ctzl(bits) : 0;
}
BUILTIN uint sub_group_ballot_find_msb(uint4 value) {
  ulong bits = bitsOf(value) & allOfLargest();
  return bits ? 63 - __builtin_clzl(bits) : 0;
}

BUILTIN uint4 get_sub_group_eq_mask(void) { return mask(1ul << __clarity_sub_group_local_id()); }
BUILTIN uint4 get_sub_group_ge_mask(void) { return mask(allOfLargest() & ~belowThis()); }
BUILTIN uint4 get_sub_group_gt_mask(void) { return mask(allOfLargest() & ~upToThis()); }
BUILTIN uint4 get_sub_group_le_mask(void) { return mask(upToThis()); }
BUILTIN uint4 get_sub_group_lt_mask(void) { return mask(belowThis()); }
