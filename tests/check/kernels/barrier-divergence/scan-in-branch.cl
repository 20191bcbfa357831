// SPDX-License-Identifier: Apache-2.0
// A scan of the work-group is called by the odd work-items only.
// kernel: scan_in_branch
// run: -g 16 -l 16 -a iota:16 -a zeros:16
// build: -cl-std=CL3.0
kernel void scan_in_branch(global const int *in, global int *out) {
  const int l = get_local_id(0);
#ifdef RIGHT
  const int position = work_group_scan_exclusive_add(in[l] & 1);
  if (in[l] & 1) out[position] = l;
#else
  if (in[l] & 1)  // also
    out[work_group_scan_exclusive_add(1)] = l;  // wrong
#endif
}
