// SPDX-License-Identifier: Apache-2.0
// A block that a kernel enqueues writes behind a buffer that it has captured.
// kernel: enqueued_block
// run: -g 1 -a zeros:16
// build: -cl-std=CL3.0
#ifdef RIGHT
#define COUNT 16
#else
#define COUNT 17
#endif
kernel void enqueued_block(global int *out) {
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(COUNT), ^{
    out[get_global_id(0)] = 1;  // wrong
  });
}
