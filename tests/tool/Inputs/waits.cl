// SPDX-License-Identifier: Apache-2.0
// Loops with atomic functions and volatile accesses, in which work-groups wait for each other, or not.
#ifdef WAITS
kernel void meets(volatile global int *count, global int *out) {
  if (get_local_id(0) == 0) {
    atomic_inc(count);
    while (atomic_add(count, 0) < get_num_groups(0)) ;
  }
  out[get_global_id(0)] = 1;
}
kernel void sees(volatile global int *flag, global int *out) {
  while (*flag != 1) ;
  out[get_global_id(0)] = 1;
}
kernel void locks(volatile global int *lock, global int *out) {
  bool done = false;
  while (!done)
    if (atomic_cmpxchg(lock, 0, 1) == 0) {
      *out += 1;
      atomic_xchg(lock, 0);
      done = true;
    }
}
kernel void takesTurns(volatile global int *turn, global int *out) {
  const int mine = get_group_id(0);
  while (atomic_cmpxchg(turn, mine, mine + 1) != mine) ;
  *out += 1;
}
kernel void looksBack(volatile global int *state, global int *out) {
  int at = get_group_id(0) - 1, sum = 0;
  while (at >= 0) {
    const int seen = state[at];
    if (seen == 0) continue;
    sum += seen >> 1;
    if (seen & 1) break;
    --at;
  }
  out[get_global_id(0)] = sum;
}
#else
kernel void adds(volatile global int *sum, global const float *in) {
  int before, after;
  do {
    before = *sum;
    after = as_int(as_float(before) + in[get_global_id(0)]);
  } while (atomic_cmpxchg(sum, before, after) != before);
}
kernel void addsAgain(volatile global int *sum, global const float *in) {
  int before = *sum, expected;
  do {
    expected = before;
    before = atomic_cmpxchg(sum, expected, as_int(as_float(expected) + in[get_global_id(0)]));
  } while (before != expected);
}
kernel void takesWork(volatile global int *next, global int *out, int count) {
  for (int i = atomic_inc(next); i < count; i = atomic_inc(next)) out[i] = i;
}
kernel void walks(volatile global int *next, global int *out) {
  int length = 0;
  for (int at = next[get_global_id(0)]; at != -1; at = next[at]) ++length;
  out[get_global_id(0)] = length;
}
kernel void counts(volatile global int *bins, global const int *in, int each) {
  for (int i = 0; i < each; ++i) atomic_inc(bins + in[get_global_id(0) * each + i]);
}
#endif
