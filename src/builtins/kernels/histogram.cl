// SPDX-License-Identifier: Apache-2.0
// This file counts elements in bins: each work-group in local memory, where the bins fit there, and adds these.

kernel void FN(histogram_clear)(global uint* counts) { counts[get_global_id(0)] = 0; }

/// The bin of a number of [low, high); `bins` for others.
static inline uint FN(binOf)(S x, S low, S high, uint bins) {
  if (!(x >= low && x < high)) return bins;
#if IS_REAL
  return min((uint)((x - low) / (high - low) * bins), bins - 1);
#else
  return (uint)(((ulong)x - (ulong)low) * bins / ((ulong)high - (ulong)low));
#endif
}

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
