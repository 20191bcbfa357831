// SPDX-License-Identifier: Apache-2.0
// This file holds a kernel that asks its sub-groups.
kernel void sums(global const int *in, global int *out) {
  int i = get_global_id(0);
  out[i] = sub_group_reduce_add(in[i]);
}
