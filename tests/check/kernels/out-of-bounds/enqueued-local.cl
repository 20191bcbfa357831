// SPDX-License-Identifier: Apache-2.0
// A block writes behind the local memory that enqueue_kernel gives it.
// kernel: enqueued_local
// run: -g 1 -a zeros:16 -a queue
// build: -cl-std=CL3.0
#ifdef RIGHT
#define BYTES 64
#else
#define BYTES 60
#endif
kernel void enqueued_local(global int *out, queue_t queue) {
  enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(16, 16), ^(local void *given) {
    local int *tile = given;
    const int i = get_local_id(0);
    tile[i] = i;  // wrong
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = tile[15 - i];  // also
  }, BYTES);
}
