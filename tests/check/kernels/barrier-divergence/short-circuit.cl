// SPDX-License-Identifier: Apache-2.0
// The right operand of && is a function of the work-group.
// kernel: short_circuit
// run: -g 8 -l 8 -a iota:8 -a zeros:8
// build: -cl-std=CL2.0
kernel void short_circuit(global const int *in, global int *out) {
  const int l = get_local_id(0);
#ifdef RIGHT
  const int all = work_group_all(in[l] >= 0);
  if (in[l] > 2 && all) out[l] = 1;
#else
  if (in[l] > 2 && work_group_all(in[l] >= 0)) out[l] = 1;  // wrong
#endif
}
