// SPDX-License-Identifier: Apache-2.0
// One flag is set and another one is read.
// kernel: wrong_flag_variable
// run: -g 32 -l 16 -a zeros:8 -a zeros:2 -a zeros:2
// build: -cl-std=CL2.0
kernel void wrong_flag_variable(global int *data, global int *flags, global int *out) {
  global atomic_int *ready = (global atomic_int *)flags;
  if (get_global_id(0) == 0) {
    data[0] = 42;  // wrong
    atomic_store(ready, 1);
  }
#ifdef RIGHT
  if (get_global_id(0) == 16 && atomic_load(ready))
#else
  if (get_global_id(0) == 16 && atomic_load(ready + 1) == 0)
#endif
    out[0] = data[0];  // wrong
}
