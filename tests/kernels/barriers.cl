// SPDX-License-Identifier: Apache-2.0
// Barriers in every kind of control flow. `in` and `out` have an element for each work-item, `n` is uniform.

__kernel void straight(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(int, t, 256);
  const int l = LOCAL_ID, size = LOCAL_COUNT;
  t[l] = in[GLOBAL_ID];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[GLOBAL_ID] = t[size - 1 - l] * n;
}

// One element past the tile when the remainder is taken wrongly.
__kernel void neighbour_wraps(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(int, t, 512);
  const int l = LOCAL_ID;
  for (int i = l; i < 512; i += LOCAL_COUNT) t[i] = in[GLOBAL_ID] + i;
  barrier(CLK_LOCAL_MEM_FENCE);
  int sum = 0;
  for (int i = l; i < 512; i += LOCAL_COUNT) sum += t[(i + 1) % 512] * (i + n);
  out[GLOBAL_ID] = sum;
}

__kernel void in_loop(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(int, t, 256);
  const int l = LOCAL_ID, size = LOCAL_COUNT;
  int mine = in[GLOBAL_ID];
  for (int i = 0; i < n; i++) {
    t[l] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    mine = mine * 3 + t[(l + i) % size];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[GLOBAL_ID] = mine;
}

__kernel void do_while(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(int, t, 256);
  const int l = LOCAL_ID, size = LOCAL_COUNT;
  int mine = in[GLOBAL_ID], i = 0;
  do {
    barrier(CLK_LOCAL_MEM_FENCE);
    t[l] = mine + i;
    barrier(CLK_LOCAL_MEM_FENCE);
    mine ^= t[(l + 1) % size];
  } while (++i < n);
  out[GLOBAL_ID] = mine;
}

__kernel void several_exits(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(int, t, 256);
  const int l = LOCAL_ID, size = LOCAL_COUNT;
  int mine = in[GLOBAL_ID];
  for (int i = 0; i < 20; i++) {
    t[l] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t[0] > 1000 * n) break;
    mine += t[(l + 1) % size];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i == n) { out[GLOBAL_ID] = -mine; return; }
    if (i == n + 1) continue;
    mine += i;
  }
  out[GLOBAL_ID] = mine * 2;
}

__kernel void uniform_if(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(int, t, 256);
  const int l = LOCAL_ID, size = LOCAL_COUNT;
  int mine = in[GLOBAL_ID];
  t[l] = mine;
  if (n > 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    mine += t[(l + 1) % size];
  } else if (n > 1) {
    mine -= 7;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[GLOBAL_ID] = mine + t[size - 1 - l];
}

// The block behind the if is reached from two barriers and from none.
__kernel void reached_from_two_paths(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(int, t, 256);
  const int l = LOCAL_ID, size = LOCAL_COUNT;
  int mine = in[GLOBAL_ID], other = 1;
  t[l] = mine;
  switch (n % 4) {
    case 0: barrier(CLK_LOCAL_MEM_FENCE); other = t[(l + 1) % size]; break;
    case 1: mine *= 5; barrier(CLK_LOCAL_MEM_FENCE); other = t[(l + 2) % size]; barrier(CLK_LOCAL_MEM_FENCE); break;
    case 2: other = 4;  // falls through
    default: mine += 1;
  }
  out[GLOBAL_ID] = mine * other;
}

void exchange(__local int* t, int l, int size, int* mine) {
  t[l] = *mine;
  barrier(CLK_LOCAL_MEM_FENCE);
  *mine = t[(l + 3) % size] - *mine;
  barrier(CLK_LOCAL_MEM_FENCE);
}

__kernel void in_called_function(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(int, t, 256);
  int mine = in[GLOBAL_ID];
  for (int i = 0; i < n; i++) exchange(t, LOCAL_ID, LOCAL_COUNT, &mine);
  exchange(t, LOCAL_ID, LOCAL_COUNT, &mine);
  out[GLOBAL_ID] = mine;
}

__kernel void nested_loops(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(int, t, 256);
  const int l = LOCAL_ID, size = LOCAL_COUNT;
  int mine = in[GLOBAL_ID];
  for (int i = 0; i < n; i++) {
    for (int j = i; j < n; j++) {
      t[l] = mine + j;
      barrier(CLK_LOCAL_MEM_FENCE);
      mine = t[(l + j + 1) % size] - i;
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    mine += i;
  }
  out[GLOBAL_ID] = mine;
}

__kernel void tree(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(int, t, 256);
  const int l = LOCAL_ID, size = LOCAL_COUNT;
  t[l] = in[GLOBAL_ID] * n;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = size / 2; i > 0; i >>= 1) {
    if (l < i) t[l] += t[l + i];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[GLOBAL_ID] = t[0] + l;
}

// An exclusive scan whose levels have loops over their nodes, for more elements than work-items.
__kernel void scan_of_levels(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(int, t, 512);
  const int l = LOCAL_ID, size = LOCAL_COUNT;
  for (int i = l; i < 512; i += size) t[i] = in[GLOBAL_ID] * n + i;
  int distance = 1;
  for (int nodes = 256; nodes > 0; nodes >>= 1, distance <<= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = l; i < nodes; i += size) t[distance * (2 * i + 2) - 1] += t[distance * (2 * i + 1) - 1];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) t[511] = 0;
  distance >>= 1;
  for (int nodes = 1; nodes < 512; nodes <<= 1, distance >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = l; i < nodes; i += size) {
      const int left = distance * (2 * i + 1) - 1, right = distance * (2 * i + 2) - 1, before = t[left];
      t[left] = t[right];
      t[right] += before;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[GLOBAL_ID] = t[l] + t[511 - l];
}

// Some work-items return ahead of the barrier: outside the standard, but GPUs run it and programs do it.
__kernel void early_return(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(int, t, 256);
  const int l = LOCAL_ID, size = LOCAL_COUNT;
  t[l] = in[GLOBAL_ID];
  out[GLOBAL_ID] = -1;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l * n > size) return;
  int mine = t[size - 1 - l];
  barrier(CLK_LOCAL_MEM_FENCE);
  t[l] = mine;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[GLOBAL_ID] = t[0] + mine;
}

// How many turns a work-item takes ahead of the barrier differs from its neighbour's.
__kernel void divergent_loop_between(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(int, t, 256);
  const int l = LOCAL_ID, size = LOCAL_COUNT;
  int mine = in[GLOBAL_ID];
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < l % 5; j++) {
      if (mine % 7 == 3) break;
      mine += j * i;
    }
    t[l] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    mine += t[(l * 3 + 1) % size];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[GLOBAL_ID] = mine;
}

// A loop bound that all work-items read from local memory.
__kernel void bound_in_local_memory(__global const int* in, __global int* out, int n) {
  LOCAL_VARIABLE(int, bound);
  LOCAL_ARRAY(int, t, 256);
  const int l = LOCAL_ID, size = LOCAL_COUNT;
  if (l == 0) bound = n;
  int mine = in[GLOBAL_ID];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < bound; i++) {
    t[l] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    mine += t[(l + 1) % size] * i;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[GLOBAL_ID] = mine;
}

__kernel void flag_ends_loop(__global const int* in, __global int* out, int n) {
  LOCAL_VARIABLE(int, done);
  const int l = LOCAL_ID;
  int mine = in[GLOBAL_ID], turns = 0;
  if (l == 0) done = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  while (!done) {
    turns++;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0 && turns > n) done = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[GLOBAL_ID] = mine * turns;
}

__kernel void jumps(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(int, t, 256);
  const int l = LOCAL_ID, size = LOCAL_COUNT;
  int mine = in[GLOBAL_ID], i = 0;
  if (n & 1) goto middle;
top:
  mine += 1;
  barrier(CLK_LOCAL_MEM_FENCE);
middle:
  t[l] = mine;
  barrier(CLK_LOCAL_MEM_FENCE);
  mine += t[(l + 1) % size];
  if (++i < n) goto top;
  out[GLOBAL_ID] = mine;
}

__kernel void barrier_first_and_last(__global const int* in, __global int* out, int n) {
  barrier(CLK_LOCAL_MEM_FENCE);
  out[GLOBAL_ID] = in[GLOBAL_ID] + n;
  barrier(CLK_GLOBAL_MEM_FENCE);
}

// A counter is the same for all who are still in the loop, and different for those who have left it.
__kernel void counter_across(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(int, t, 256);
  const int l = LOCAL_ID, size = LOCAL_COUNT;
  int last = -1, late = 0;
  for (int i = 0; i < (in[GLOBAL_ID] & 15); i++) {
    last = i * n;
    late = 1;
  }
  t[l] = late;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[GLOBAL_ID] = last * 2 + t[size - 1 - l];
  if (late) out[GLOBAL_ID] ^= 1 << 20;
}

// The same of a loop with two entries.
__kernel void counter_across_jumps(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(int, t, 256);
  const int l = LOCAL_ID, size = LOCAL_COUNT;
  int last = -1, i = 0;
  if (n > 3) goto entry;
again:
  last = i;
entry:
  i += 2;
  if (i < (in[GLOBAL_ID] & 15)) goto again;
  t[l] = last;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[GLOBAL_ID] = last * 100 + i * 2 + t[size - 1 - l];
}

// A guard that no work-item fails, of which the compiler cannot know that: the loops behind are the same for all.
__kernel void loops_in_guard(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(int, t, 256);
  const int l = LOCAL_ID, size = LOCAL_COUNT, count = GLOBAL_COUNT;
  int own[8];
  if ((in[GLOBAL_ID] & 0x7fffffff) >= -n) {
    for (int k = 0; k < 8; k++) own[k] = in[(GLOBAL_ID + k) % count];
    int sum = 0;
    for (int j = 0; j < 3; j++) {
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int k = l; k < size; k += size) t[k] = in[(GLOBAL_ID + j) % count];
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int k = 0; k < n % 8 + size / 2; k++) sum = (sum & 0xffffff) * 3 + (t[k % size] ^ own[k % 8]);
    }
    out[GLOBAL_ID] = sum;
  }
}

// Some work-items leave behind the last barrier that all come to.
__kernel void left_in_last_iteration(__global const int* in, __global int* out, int n) {
  const int l = LOCAL_ID;
  int sum = 0;
  for (int i = 0; i < n; i++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i == n - 1 && l >= 3) break;
    sum += n + i;
  }
  out[GLOBAL_ID] = sum + in[GLOBAL_ID];
}

// Switches without another case, whose defaults are not there.
__kernel void switches_of_every_case(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(int, t, 256);
  const int l = LOCAL_ID;
  int mine = in[GLOBAL_ID], other = l;
  t[l] = mine;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < 4; i++) switch (n & 3) {
      case 0:
      case 1:
      case 2: break;
      case 3:
        if (l & 1) mine ^= n;
    }
  for (int i = 0; i < n; i++) switch (mine & 1) {
      case 0: other += in[GLOBAL_ID] >> 1; break;
      case 1: other ^= i;
    }
  out[GLOBAL_ID] = mine + other + t[LOCAL_COUNT - 1 - l] + (l >= 32 ? 1000 : 0);
}

// Between the barriers all work-items do the same, with an array of their own, and store the same.
__kernel void same_for_all(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(int, t, 256);
  LOCAL_ARRAY(int, found, 4);
  t[LOCAL_ID] = in[GLOBAL_ID] & 0xffff;
  barrier(CLK_LOCAL_MEM_FENCE);
  int ring[4] = {n, 1, 2, 3}, sum = 0;
  for (int i = 0; i < LOCAL_COUNT; i++) {
    ring[(i + n) & 3] += t[i];
    sum = (sum & 0xffffff) * 3 + t[LOCAL_COUNT - 1 - i];
  }
  for (int k = 0; k < 4; k++) found[k] = ring[k] ^ sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[GLOBAL_ID] = found[LOCAL_ID & 3] + sum;
}

// The same, but each work-item goes on with its own array, and counts.
__kernel void same_but_own(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(int, t, 256);
  LOCAL_ARRAY(int, count, 1);
  t[LOCAL_ID] = in[GLOBAL_ID] & 0xffff;
  if (LOCAL_ID == 0) count[0] = n;
  int ring[4] = {n, 1, 2, (int)LOCAL_ID};
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < LOCAL_COUNT; i++) ring[(i + n) & 3] += t[i];
  atomic_add(&count[0], 3);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[GLOBAL_ID] = ring[LOCAL_ID & 3] + ring[3] + count[0];
}
