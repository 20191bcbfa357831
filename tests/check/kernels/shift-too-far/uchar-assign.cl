// SPDX-License-Identifier: Apache-2.0
// A byte is shifted as an int, by a constant that is too large for that.
// kernel: uchar_assign
// run: -g 4 -l 4 -a iota:4 -a zeros:4
kernel void uchar_assign(global const uchar *in, global uchar *out) {
  int i = get_global_id(0);
  uchar v = in[i];
#ifdef RIGHT
  v <<= 8;
  enum { K = 1 << 3 };
  constant const uint table[1 << 2] = {1 << 1};
  switch (v) { case 1 << 2: v = table[0] + K; }
#else
  v <<= 32;  // wrong
#endif
  out[i] = v;
}
