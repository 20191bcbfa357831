// SPDX-License-Identifier: Apache-2.0
// The last group adds all sums, but the fence ahead of the ticket is missing.
// kernel: ticket_not_awaited
// run: -g 16 -l 4 -a iota:16 -a zeros:4 -a zeros:1 -a zeros:1
kernel void ticket_not_awaited(global const int *in, global int *sums, global int *ticket, global int *out) {
  local int last;
  const int l = get_local_id(0), g = get_group_id(0);
  if (l == 0) {
    sums[g] = in[4 * g];  // wrong
#ifdef RIGHT
    mem_fence(CLK_GLOBAL_MEM_FENCE);
#endif
    last = atomic_inc(ticket) == 3;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (last && l == 0) {
    int sum = 0;
    for (int k = 0; k < 4; ++k) sum += sums[k];  // wrong
    *out = sum;
  }
}
