// SPDX-License-Identifier: Apache-2.0
// This file counts elements in bins: each work-group in local memory, where the bins fit there, and adds these.

kernel void FN(histogram_clear)(global uint* counts) { counts[get_global_id(0)] = 0; }

/// The bin of a number of [low, high); `bins` for others.
static inline uint FN(binOf)(S x, S low, S high, uint bins) {
  if (!(x >= low && x < high)) return bins;
#if IS_REAL
  return min((uint)((x - low) / (high - low) * bins), bins - 1);
#else
  // The quotient by double is at most one too large or too small.
  const ulong product = ((ulong)x - (ulong)low) * bins, range = (ulong)high - (ulong)low;
#ifdef cl_khr_fp64
  const uint near = (uint)((double)product / (double)range);
  const long rest = (long)(product - near * range);
  return rest < 0 ? near - 1 : (ulong)rest >= range ? near + 1 : near;
#else
  return (uint)(product / range);
#endif
#endif
}

#define PART 1024
#define TABLES 4

/// For processors with vectors: a work-group finds the bins of a block in vectors, and one work-item counts them, in
/// several tables, so that an increment need not wait for the one before.
kernel void FN(histogram_lines)(ulong n, const global T* x, S low, S high, uint bins, global uint* counts, uint chunk,
                                local uint* tables) {
  local uint found[PART];
  const uint l = get_local_id(0), width = get_local_size(0), room = bins + 1;
  const ulong begin = get_group_id(0) * (ulong)chunk;
  const uint all = (uint)min(n - begin, (ulong)chunk);
  x += begin;
  for (uint bin = l; bin < TABLES * room; bin += width) tables[bin] = 0;
  for (uint first = 0; first < all; first += PART) {
    const uint count = min((uint)PART, all - first);
    for (uint i = l; i < count; i += width) found[i] = FN(binOf)(LOAD(x, first + i), low, high, bins);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) {
      uint i = 0;
      for (; i + TABLES <= count; i += TABLES) {
        ++tables[found[i]];
        ++tables[room + found[i + 1]];
        ++tables[2 * room + found[i + 2]];
        ++tables[3 * room + found[i + 3]];
      }
      for (; i < count; ++i) ++tables[found[i]];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (uint bin = l; bin < bins; bin += width) {
    const uint sum = tables[bin] + tables[room + bin] + tables[2 * room + bin] + tables[3 * room + bin];
    if (sum) atomic_add(counts + bin, sum);
  }
}

#undef PART
#undef TABLES

kernel void FN(histogram_local)(ulong n, const global T* x, S low, S high, uint bins, global uint* counts,
                                local uint* mine) {
  for (uint bin = get_local_id(0); bin < bins; bin += get_local_size(0)) mine[bin] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (ulong i = get_global_id(0); i < n; i += get_global_size(0)) {
    const uint bin = FN(binOf)(LOAD(x, i), low, high, bins);
    if (bin < bins) atomic_inc(mine + bin);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint bin = get_local_id(0); bin < bins; bin += get_local_size(0))
    if (mine[bin]) atomic_add(counts + bin, mine[bin]);
}

kernel void FN(histogram_global)(const global T* x, S low, S high, uint bins, global uint* counts) {
  const uint bin = FN(binOf)(LOAD(x, get_global_id(0)), low, high, bins);
  if (bin < bins) atomic_inc(counts + bin);
}
