// SPDX-License-Identifier: Apache-2.0
// A flag that tells others of data is an ordinary variable.
// kernel: flag_without_atomic
// run: -g 32 -l 16 -a zeros:1 -a zeros:1 -a zeros:32
kernel void flag_without_atomic(global int *data, global int *flag, global int *out) {
  const int i = get_global_id(0);
  if (i == 0) {
#ifdef RIGHT
    atomic_xchg(flag, 42);
#else
    *flag = 42;  // wrong
#endif
  }
#ifdef RIGHT
  out[i] = atomic_add(flag, 0);
#else
  out[i] = *flag;  // wrong
#endif
  if (i == 31) *data = 1;
}
