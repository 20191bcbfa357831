// SPDX-License-Identifier: Apache-2.0
// Private memory of a work-item: across barriers, in arrays, in structures, behind pointers.

__kernel void array_across(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(int, t, 256);
  int mine[7];
  const int l = LOCAL_ID, size = LOCAL_COUNT;
  for (int i = 0; i < 7; i++) mine[i] = in[GLOBAL_ID] + i * l;
  t[l] = mine[n % 7];
  barrier(CLK_LOCAL_MEM_FENCE);
  mine[l % 7] += t[(l + 1) % size];
  barrier(CLK_LOCAL_MEM_FENCE);
  int sum = 0;
  for (int i = 0; i < 7; i++) sum = sum * 3 + mine[i];
  out[GLOBAL_ID] = sum;
}

__kernel void array_in_loop(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(int, t, 256);
  int mine[4] = {1, 2, 3, 4};
  const int l = LOCAL_ID, size = LOCAL_COUNT;
  for (int i = 0; i < n; i++) {
    mine[(i + l) & 3] += in[GLOBAL_ID];
    t[l] = mine[i & 3];
    barrier(CLK_LOCAL_MEM_FENCE);
    mine[l & 3] ^= t[(l + 1) % size];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[GLOBAL_ID] = mine[0] + mine[1] * 3 + mine[2] * 5 + mine[3] * 7;
}

typedef struct {
  int a;
  uchar b;
  ulong c;
  int d[3];
} Record;

__kernel void structure_across(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(int, t, 256);
  const int l = LOCAL_ID, size = LOCAL_COUNT;
  Record r;
  r.a = in[GLOBAL_ID], r.b = (uchar)l, r.c = 1000000007ul * l, r.d[0] = 1, r.d[1] = n, r.d[2] = l;
  t[l] = r.a;
  barrier(CLK_LOCAL_MEM_FENCE);
  r.d[(l + n) % 3] += t[(l + 1) % size];
  Record copy = r;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[GLOBAL_ID] = copy.a + copy.b + (int)(copy.c >> 3) + copy.d[0] * copy.d[1] - copy.d[2];
}

__kernel void pointer_across(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(int, t, 256);
  const int l = LOCAL_ID, size = LOCAL_COUNT;
  int a = in[GLOBAL_ID], b = l;
  int* p = (l + n) % 3 ? &a : &b;
  t[l] = a;
  barrier(CLK_LOCAL_MEM_FENCE);
  *p += t[(l + 1) % size];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[GLOBAL_ID] = a * 3 + b;
}

// Written only by some, read by all in the next turn.
__kernel void conditionally_written(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(int, t, 256);
  const int l = LOCAL_ID, size = LOCAL_COUNT;
  int last = -1, mine = in[GLOBAL_ID];
  for (int i = 0; i < n; i++) {
    t[l] = mine + i;
    barrier(CLK_LOCAL_MEM_FENCE);
    if ((l + i) % 3 == 0) last = t[(l + 1) % size];
    barrier(CLK_LOCAL_MEM_FENCE);
    mine += last;
  }
  out[GLOBAL_ID] = mine;
}

__kernel void many_values(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(int, t, 256);
  const int l = LOCAL_ID, size = LOCAL_COUNT;
  const int v = in[GLOBAL_ID];
  int a = v / 3, b = v % 5, c = v * v, d = v ^ l, e = v / (l + 1), f = v % (n + 1), g = c / (n + 2), h = d % 11;
  float x = v / 7.0f, y = x * x, z = y - x;
  t[l] = a;
  barrier(CLK_LOCAL_MEM_FENCE);
  const int w = t[(l + 1) % size];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[GLOBAL_ID] = a + b * 2 + c * 3 + d * 5 + e * 7 + f * 11 + g * 13 + h * 17 + w + (int)(x + y + z);
}

__kernel void pointer_chosen(__global const int* in, __global int* out, int n) {
  // All choose the same element, but of each eight neighbours the first four do not ask.
  int sum = 0;
  for (int k = 0; k < (int)(GLOBAL_ID / 4 % 2) * (in[GLOBAL_ID] % 5); k++) {
    int a[2];
    for (int i = 0; i < 2; i++) a[i] = k + i + (int)GLOBAL_ID;
    const int* at = a;
    if (in[0] < n * 100) at = a + (in[1] & 1);
    sum += *at;
    a[1] -= *at;
    sum ^= a[1];
  }
  out[GLOBAL_ID] = sum;
}

// All choose the same variable, but each has its own.
__kernel void pointer_chosen_across(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(int, t, 256);
  const int l = LOCAL_ID, size = LOCAL_COUNT;
  int a = in[GLOBAL_ID], b = l;
  int* p = (n * n - 1) % 5 > 2 ? &a : &b;
  t[l] = a;
  barrier(CLK_LOCAL_MEM_FENCE);
  *p += t[(l + 1) % size];
  barrier(CLK_LOCAL_MEM_FENCE);
  b ^= *p;
  *p &= 7;
  out[GLOBAL_ID] = a * 3 + b;
}

__kernel void pointer_around_loop(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(int, t, 256);
  const int l = LOCAL_ID, size = LOCAL_COUNT;
  int a = in[GLOBAL_ID], b = l;
  int* p = &a;
  for (int i = 0; i < n; i++) {
    t[l] = *p;
    barrier(CLK_LOCAL_MEM_FENCE);
    *p ^= t[(l + 1) % size] + i;
    barrier(CLK_LOCAL_MEM_FENCE);
    p = i & 1 ? &b : &a;
  }
  out[GLOBAL_ID] = a * 3 + b;
}

__kernel void address_as_number(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(int, t, 256);
  const int l = LOCAL_ID, size = LOCAL_COUNT;
  int a[5] = {1, 2, 3, 4, 5};
  const ulong place = (ulong)&a[n % 4] + 4, same = place / (n + 1) * (n + 1) + place % (n + 1);
  t[l] = in[GLOBAL_ID];
  barrier(CLK_LOCAL_MEM_FENCE);
  *(int*)same += t[(l + 1) % size];
  barrier(CLK_LOCAL_MEM_FENCE);
  *(int*)same ^= l;
  out[GLOBAL_ID] = a[0] + a[1] * 3 + a[2] * 5 + a[3] * 7 + a[4] * 11;
}

// Loops over arrays with counters for indices: the arrays' elements become values of their own.
__kernel void register_tile(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(int, t, 256);
  const int l = LOCAL_ID, size = LOCAL_COUNT;
  int sums[4][3], row[3];
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 3; j++) sums[i][j] = i * j;
  for (int k = 0; k < n; k++) {
    t[l] = in[GLOBAL_ID] + k;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < 3; j++) row[j] = t[(l + j) % size];
    for (int i = 0; i < 4; i++) {
      const int factor = t[(l + 2 * i) % size] & 255;
      for (int j = 0; j < 3; j++) sums[i][j] += factor * (row[j] & 255);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  int all = 0;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 3; j++) all = (all & 0xffffff) * 3 + (sums[i][j] & 0xffff);
  out[GLOBAL_ID] = all;
}

// The same where some leave a loop earlier, one element is indexed by what only the launch knows, and another array is
// not.
__kernel void array_left_early(__global const int* in, __global int* out, int n) {
  const int a = in[GLOBAL_ID];
  int kept[6], seen[6], all = 0;
  for (int i = 0; i < 6; i++) kept[i] = (a >> i) & 15;
  for (int i = 5; i >= 0; i--) seen[i] = kept[5 - i] + i;
  for (int i = 0; i < 6; i++) {
    if (seen[i] > 16) break;
    all += seen[i] * (i + 1) + kept[(n + i) % 6];
  }
  out[GLOBAL_ID] = all;
}

// Structures with arrays are copied as a whole, through local memory too; their arrays are indexed by counters, and the
// last by what differs between work-items.
typedef struct {
  int p[3], v[3];
  int m;
} Particle;

__kernel void structure_by_counters(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(Particle, t, 256);
  const int l = LOCAL_ID, size = LOCAL_COUNT;
  Particle q;
  q.m = in[GLOBAL_ID];
  for (int k = 0; k < 3; k++) q.p[k] = q.m + k, q.v[k] = (q.m >> k) & 7;
  t[l] = q;
  barrier(CLK_LOCAL_MEM_FENCE);
  Particle other = t[(l + 1) % size];
  for (int k = 0; k < 3; k++) {
    q.v[k] += other.m & 3;
    q.p[k] += q.v[k];
    if (q.p[k] & 1) q.p[k] ^= other.p[2 - k];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  t[l] = q;
  barrier(CLK_LOCAL_MEM_FENCE);
  Particle last = t[(l + n) % size];
  last.p[l % 3] += n;
  const Particle again = last;
  out[GLOBAL_ID] = again.p[0] + again.p[1] * 3 + again.p[2] * 5 + again.v[n % 3] * 7;
}

// Records of two sizes of members, and a short array that is filled at once.
typedef struct {
  ushort a[2];
  int b;
} Pair;

__kernel void structures_in_array(__global const int* in, __global int* out, int n) {
  const int l = LOCAL_ID, value = in[GLOBAL_ID];
  Pair pairs[4];
  uchar seen[8] = {0};
  for (int i = 0; i < 4; i++) {
    Pair next;
    next.a[0] = (ushort)(value + i), next.a[1] = (ushort)(value >> i), next.b = l * i;
    pairs[(i + n) % 4] = next;
    seen[(l + i) % 8] += (uchar)(i + 1);
  }
  const Pair chosen = pairs[(l + n) % 4];
  pairs[l % 4] = chosen;
  int all = 0;
  for (int i = 0; i < 4; i++) all = all * 3 + pairs[i].a[i % 2] + pairs[i].b;
  for (int i = 0; i < 8; i++) all = all * 2 + seen[i];
  out[GLOBAL_ID] = all;
}

// Sorting: the inner loop begins where the outer one is, and the counter of the elements runs through both loops.
__kernel void sorted_neighbours(__global const int* in, __global int* out, int n) {
  int v[9], count = 0;
  for (int j = -1; j <= 1; j++)
    for (int i = -1; i <= 1; i++) v[count++] = in[(GLOBAL_ID + 3 * j + i + 2 * GLOBAL_COUNT) % GLOBAL_COUNT] % 16;
  for (int a = 0; a < 8; a++)
    for (int b = a + 1; b < 9; b++)
      if (v[b] < v[a]) {
        const int t = v[a];
        v[a] = v[b];
        v[b] = t;
      }
  int all = 0;
  for (int a = 0; a < 9; a++)
    for (int b = 8; b > a; b--) all = all * 3 + v[b] - v[a];
  out[GLOBAL_ID] = all + v[4] * n;
}

// Arrays of one type, of which each way writes to another at the same index.
__kernel void arrays_by_ways(__global const int* in, __global int* out, int n) {
  const int value = in[GLOBAL_ID];
  int low[8], high[8], other[8];
  for (int i = 0; i < 8; i++) low[i] = high[i] = other[i] = i;
  if (value % 3 == 0)
    low[value & 7] = n;
  else
    high[value & 7] = n + 1;
  switch ((value >> 3) % 4) {
    case 0: low[(value + n) & 7] = value; break;
    case 1: high[(value + n) & 7] = value ^ 2; break;
    case 2: other[(value + n) & 7] = value ^ 3; break;
    default: break;
  }
  uint all = 0;
  for (int i = 0; i < 8; i++) all = all * 3 + (uint)low[i] * 5 + (uint)high[i] * 7 + (uint)other[i];
  out[GLOBAL_ID] = (int)all;
}

// Lists that are filled one value after the other, and structures of which one is written.
__kernel void lists_by_ways(__global const int* in, __global int* out, int n) {
  int even[8], odd[8], evens = 0, odds = 0;
  Particle left, right;
  for (int k = 0; k < 3; k++) left.p[k] = left.v[k] = right.p[k] = right.v[k] = k;
  for (int i = 0; i < 8; i++) {
    const int value = in[(GLOBAL_ID + i) % GLOBAL_COUNT];
    if (value & 1)
      odd[odds++] = value;
    else
      even[evens++] = value;
    if (value & 4)
      left.v[value & 1] = n + i;
    else
      right.v[value & 1] = n - i;
  }
  uint all = (uint)(left.v[0] * 3 + left.v[1] * 5 + left.v[2] - right.v[0] - right.v[1] * 9 + right.v[2] * 4);
  for (int i = 0; i < evens; i++) all = all * 3 + (uint)even[i];
  for (int i = 0; i < odds; i++) all = all * 5 + (uint)odd[i];
  out[GLOBAL_ID] = (int)all;
}

// Elements of private arrays that the outer loop or the data choose, each updated by an inner loop that may be empty.
__kernel void chosen_elements(__global const int* in, __global int* out, int n) {
  uint sums[6], bins[8];
  const int times = n & 7;
  const uint a = (uint)in[GLOBAL_ID];
  for (int i = 0; i < 8; i++) bins[i] = (uint)i;
  for (int j = 0; j < 6; j++) {
    sums[j] = a + (uint)j;
    for (int k = 0; k < times; k++) sums[j] = sums[j] * 3 + (uint)k;
    const uint bin = (a + (uint)(j * n)) & 7;
    for (int k = j; k < times; k++) {
      bins[bin] = bins[bin] * 5 + (uint)k;
      if (bins[bin] & 1) bins[bin] += a;
    }
    for (int k = 0; k < 2; k++) {
      sums[j] += bins[k];
      bins[bin] ^= sums[j];
    }
  }
  uint all = 0;
  for (int j = 0; j < 6; j++) all = all * 3 + sums[j];
  if (all & 1) all += (uint)n;
  for (int i = 0; i < 8; i++) all = all * 2 + bins[i];
  out[GLOBAL_ID] = (int)all;
}

// Long chains in an inner loop beside a branch of its own in the loop around it.
__kernel void chains_beside_branch(__global const int* in, __global int* out, int n) {
  uint found = 0;
  for (int k = 0; k < 4; k++) {
    uint values[4];
    for (int j = 0; j < 4; j++) {
      values[j] = (uint)in[(GLOBAL_ID + j * 5 + k) % GLOBAL_COUNT];
      for (int i = 0; i < 24; i++) values[j] = values[j] * values[j] + (uint)n;
    }
    uint sum = 0;
    for (int j = 0; j < 4; j += 2) sum += values[j] * values[j + 1];
    if (sum & 4) found += sum ^ (uint)k;
  }
  out[GLOBAL_ID] = (int)found;
}

// Small arrays with indices that only the work-item knows, which select-elements keeps in registers.

__kernel void nearest_list(__global const int* in, __global int* out, int n) {
  int nearest[3] = {0x7fffffff, 0x7fffffff, 0x7fffffff};
  const int own = in[GLOBAL_ID];
  for (int i = 0; i < 3 * n; i++) {
    const int far = abs(in[(GLOBAL_ID + i * 7) % GLOBAL_COUNT] - own);
    int place = 0;
    while (place < 3 && far > nearest[place]) place++;
    if (place < 3) {
      for (int k = 2; k > place; k--) nearest[k] = nearest[k - 1];
      nearest[place] = far;
    }
  }
  out[GLOBAL_ID] = nearest[0] + nearest[1] * 3 + nearest[(own & 0xff) % 3] * 5;
}

__kernel void marching_axis(__global const int* in, __global int* out, int n) {
  uint next[3] = {1, 1, 1};
  uint step[3] = {(uint)in[GLOBAL_ID] & 15u, 3u + (uint)GLOBAL_ID % 5u, (uint)in[(GLOBAL_ID + 1) % GLOBAL_COUNT] & 7u};
  int sum = 0;
  for (int i = 0; i < n * 5; i++) {
    const int axis = next[0] < next[1] ? (next[0] < next[2] ? 0 : 2) : (next[1] < next[2] ? 1 : 2);
    next[axis] += step[axis] + 1;
    sum += axis * i;
  }
  out[GLOBAL_ID] = sum + (int)(next[0] ^ next[1] ^ next[2]);
}

typedef struct {
  int key;
  float value;
} Weighted;

__kernel void pairs_by_index(__global const int* in, __global int* out, int n) {
  Weighted pairs[3];
  for (int i = 0; i < 3; i++) pairs[i].key = in[GLOBAL_ID] + i, pairs[i].value = (float)i;
  for (int i = 0; i < n; i++) {
    const uint at = (uint)(in[(GLOBAL_ID + i) % GLOBAL_COUNT]) % 3u;
    pairs[at].key = pairs[(at + 1) % 3].key * 3 + i;
    pairs[2 - at].value += 1.0f;
  }
  out[GLOBAL_ID] = pairs[0].key ^ pairs[1].key ^ pairs[2].key ^ (int)pairs[in[GLOBAL_ID] & 1].value;
}

__kernel void chained_indices(__global const int* in, __global int* out, int n) {
  int order[4] = {2, 0, 3, 1};
  int values[4] = {in[GLOBAL_ID], n, (int)GLOBAL_ID, 7};
  int at = (int)GLOBAL_ID & 3;
  for (int i = 0; i < n; i++) {
    at = order[order[at]];
    values[at] += values[(at + i) & 3];
    order[(at + in[GLOBAL_ID]) & 3] = (at + 1) & 3;
  }
  out[GLOBAL_ID] = values[0] + values[1] * 3 + values[2] * 5 + values[3] * 7;
}

// A function of some size that gets private arrays by their addresses, called from several places, in part by few
// work-items.
#define MIX_STEP(i) v[(i) & 7] += (v[((i) + 3) & 7] ^ v[((i) + 5) & 7]) * (v[((i) + 1) & 7] | 1u) + (i);
#define MIX_STEPS4(i) MIX_STEP(i) MIX_STEP(i + 1) MIX_STEP(i + 2) MIX_STEP(i + 3)
#define MIX_STEPS16(i) MIX_STEPS4(i) MIX_STEPS4(i + 4) MIX_STEPS4(i + 8) MIX_STEPS4(i + 12)
#define MIX_STEPS64(i) MIX_STEPS16(i) MIX_STEPS16(i + 16) MIX_STEPS16(i + 32) MIX_STEPS16(i + 48)
void mix_words(uint* v) { MIX_STEPS64(0) MIX_STEPS64(64) }

__kernel void arrays_of_functions(__global const int* in, __global int* out, int n) {
  uint state[8], other[8];
  for (int i = 0; i < 8; i++) state[i] = (uint)(in[GLOBAL_ID] + i), other[i] = (uint)(n * i);
  if ((in[GLOBAL_ID] & 3) == 1) mix_words(other);
  for (int i = 0; i < (in[GLOBAL_ID] & 3); i++) {
    mix_words(i & 1 ? other : state);
    state[i] += other[7 - i];
  }
  uint sum = 0;
  for (int i = 0; i < 8; i++) sum = sum * 31u + (state[i] ^ other[i]);
  out[GLOBAL_ID] = (int)sum;
}

// Loops over private arrays that are left early, and use their counters behind it.
__kernel void insertion_sort(__global const int* in, __global int* out, int n) {
  int v[6];
  for (int i = 0; i < 6; i++) v[i] = in[(GLOBAL_ID + i * 7) % GLOBAL_COUNT] + n;
  for (int i = 1; i < 6; i++) {
    const int key = v[i];
    int j = i - 1;
    while (j >= 0 && v[j] > key) {
      v[j + 1] = v[j];
      j--;
    }
    v[j + 1] = key;
  }
  out[GLOBAL_ID] = ((v[0] * 31 + v[1]) * 31 + v[2]) * 31 + (v[3] ^ v[4]) * 7 + v[5];
}

// A list of the least values, in which the work-item's own loop finds the place; a search that breaks off.
__kernel void least_values(__global const int* in, __global int* out, int n) {
  int best[4];
  for (int i = 0; i < 4; i++) best[i] = INT_MAX;
  for (int k = 0; k < (n & 15); k++) {
    const int value = in[(GLOBAL_ID * 5 + k) % GLOBAL_COUNT] ^ (k & 3);
    if (value >= best[3]) continue;
    int j = 3;
    for (; j > 0 && best[j - 1] > value; j--) best[j] = best[j - 1];
    best[j] = value;
  }
  int at = 4;
  for (int i = 0; i < 4; i++)
    if (best[i] > in[GLOBAL_ID]) {
      at = i;
      break;
    }
  out[GLOBAL_ID] = best[0] + best[1] * 3 + best[2] * 5 + best[3] * 7 + at;
}

// The middle of a window around the work-item, whose bounds are counted from its id.
__kernel void middle_of_window(__global const int* in, __global int* out, int n) {
  int v[5], count = 0;
  const int x = (int)GLOBAL_ID;
  for (int i = x - 2; i <= x + 2; i++) v[count++] = in[clamp(i, 0, (int)GLOBAL_COUNT - 1)];
  for (int last = 4; last > 0; last--) {
    bool changed = false;
    for (int i = 0; i < last; i++)
      if (v[i] > v[i + 1]) {
        const int value = v[i];
        v[i] = v[i + 1];
        v[i + 1] = value;
        changed = true;
      }
    if (!changed) break;
  }
  out[GLOBAL_ID] = v[2] * n + v[0] + v[4];
}
