// SPDX-License-Identifier: Apache-2.0
// Volatile local memory: a sum that each work-item keeps there, and what the last warp adds without barriers.
kernel __attribute__((reqd_work_group_size(64, 1, 1))) void sums(global const int* in, global int* out, uint n,
                                                                local volatile int* s) {
  uint me = get_local_id(0);
  s[me] = 0;
  for (uint i = get_global_id(0); i < n; i += 1024) s[me] += in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (me < 32) {
    s[me] += s[me + 32];
    s[me] += s[me + 16];
    s[me] += s[me + 8];
    s[me] += s[me + 4];
    s[me] += s[me + 2];
    s[me] += s[me + 1];
  }
  if (me == 0) out[get_group_id(0)] = s[0];
}

// Places that are not known: any work-item may read what another has stored.
kernel __attribute__((reqd_work_group_size(64, 1, 1))) void unknown(global const int* in, global int* out,
                                                                   local volatile int* s) {
  uint me = get_local_id(0);
  s[me] = in[me];
  barrier(CLK_LOCAL_MEM_FENCE);
  s[in[me + 64] & 63] = me;
  out[me] = s[in[me + 128] & 63];
}
