// SPDX-License-Identifier: Apache-2.0
// This file adds up doubles in seven ways, one sum per work-group. The work-group size is a power of two, BLOCK_SIZE.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

double element(global const double *src, size_t i, size_t n) { return i < n ? src[i] : 0.0; }

// naive: interleaved addressing, highly divergent
kernel void reduce0(global double *dst, global const double *src, local double *sm, ulong n) {
  size_t lid = get_local_id(0);
  size_t lsize = get_local_size(0);

  // load a block into local memory
  sm[lid] = element(src, get_global_id(0), n);
  barrier(CLK_LOCAL_MEM_FENCE);

  // reduction in local memory
  for (size_t i = 1; i < lsize; i *= 2) {
    if (lid % (2 * i) == 0) {
      sm[lid] += sm[lid + i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }

  if (lid == 0) {
    dst[get_group_id(0)] = sm[0];
  }
}

// put active work-items together
kernel void reduce1(global double *dst, global const double *src, local double *sm, ulong n) {
  size_t lid = get_local_id(0);
  size_t lsize = get_local_size(0);

  sm[lid] = element(src, get_global_id(0), n);
  barrier(CLK_LOCAL_MEM_FENCE);

  for (size_t i = 1; i < lsize; i *= 2) {
    size_t idx = lid * 2 * i;
    if (idx < lsize) {
      sm[idx] += sm[idx + i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }

  if (lid == 0) {
    dst[get_group_id(0)] = sm[0];
  }
}

// sequential addressing, no bank conflicts
kernel void reduce2(global double *dst, global const double *src, local double *sm, ulong n) {
  size_t lid = get_local_id(0);
  size_t lsize = get_local_size(0);

  sm[lid] = element(src, get_global_id(0), n);
  barrier(CLK_LOCAL_MEM_FENCE);

  for (size_t i = lsize >> 1; i > 0; i >>= 1) {
    if (lid < i) {
      sm[lid] += sm[lid + i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }

  if (lid == 0) {
    dst[get_group_id(0)] = sm[0];
  }
}

// each work-item loads two values and adds them at once
kernel void reduce3(global double *dst, global const double *src, local double *sm, ulong n) {
  size_t lid = get_local_id(0);
  size_t lsize = get_local_size(0);
  size_t gid = get_group_id(0) * lsize * 2 + lid;

  sm[lid] = element(src, gid, n) + element(src, gid + lsize, n);
  barrier(CLK_LOCAL_MEM_FENCE);

  for (size_t i = lsize >> 1; i > 0; i >>= 1) {
    if (lid < i) {
      sm[lid] += sm[lid + i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }

  if (lid == 0) {
    dst[get_group_id(0)] = sm[0];
  }
}

// One unrolled step: `size` is the same for all work-items, so all of them reach the barrier or none does.
#define STEP(k, size)                                                                                                  \
  if ((size) >= 2 * (k)) {                                                                                             \
    if (lid < (k)) {                                                                                                   \
      sm[lid] += sm[lid + (k)];                                                                                        \
    }                                                                                                                  \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                      \
  }
#define LAST_STEPS(size) STEP(32, size) STEP(16, size) STEP(8, size) STEP(4, size) STEP(2, size) STEP(1, size)

// the last six steps unrolled
kernel void reduce4(global double *dst, global const double *src, local double *sm, ulong n) {
  size_t lid = get_local_id(0);
  size_t lsize = get_local_size(0);
  size_t gid = get_group_id(0) * lsize * 2 + lid;

  sm[lid] = element(src, gid, n) + element(src, gid + lsize, n);
  barrier(CLK_LOCAL_MEM_FENCE);

  for (size_t i = lsize >> 1; i > 32; i >>= 1) {
    if (lid < i) {
      sm[lid] += sm[lid + i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  LAST_STEPS(lsize)

  if (lid == 0) {
    dst[get_group_id(0)] = sm[0];
  }
}

// all steps unrolled: the conditions are constants
kernel void reduce5(global double *dst, global const double *src, local double *sm, ulong n) {
  size_t lid = get_local_id(0);
  size_t gid = get_group_id(0) * BLOCK_SIZE * 2 + lid;

  sm[lid] = element(src, gid, n) + element(src, gid + BLOCK_SIZE, n);
  barrier(CLK_LOCAL_MEM_FENCE);

  STEP(256, BLOCK_SIZE)
  STEP(128, BLOCK_SIZE)
  STEP(64, BLOCK_SIZE)
  LAST_STEPS(BLOCK_SIZE)

  if (lid == 0) {
    dst[get_group_id(0)] = sm[0];
  }
}

// algorithm cascading: each work-item first adds up many elements on its own
kernel void reduce6(global double *dst, global const double *src, local double *sm, ulong n) {
  size_t lid = get_local_id(0);
  size_t gid = get_group_id(0) * BLOCK_SIZE * 2 + lid;
  size_t gridsize = (size_t)BLOCK_SIZE * 2 * get_num_groups(0);

  double sum = 0.0;
  while (gid < n) {
    sum += src[gid] + element(src, gid + BLOCK_SIZE, n);
    gid += gridsize; // neighbours still read neighbours
  }
  sm[lid] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);

  STEP(256, BLOCK_SIZE)
  STEP(128, BLOCK_SIZE)
  STEP(64, BLOCK_SIZE)
  LAST_STEPS(BLOCK_SIZE)

  if (lid == 0) {
    dst[get_group_id(0)] = sm[0];
  }
}
