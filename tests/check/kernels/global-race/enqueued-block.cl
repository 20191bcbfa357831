// SPDX-License-Identifier: Apache-2.0
// Work-items of a block that a kernel enqueues write one element.
// kernel: enqueued_race
// run: -g 1 -a zeros:64
// build: -cl-std=CL3.0
kernel void enqueued_race(global int *out) {
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(64), ^{
    const int i = get_global_id(0);
#ifdef RIGHT
    out[i] = i;
#else
    out[i / 2] = i;  // wrong
#endif
  });
}
