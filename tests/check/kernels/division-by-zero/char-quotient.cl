// SPDX-License-Identifier: Apache-2.0
// Chars are widened, divided, and one of them is 0.
// kernel: char_quotient
// run: -g 8 -l 8 -a iota:8 -a zeros:8
kernel void char_quotient(global const char *in, global char *out) {
  const int i = get_global_id(0);
  char value = 120;
#ifdef RIGHT
  if (in[i]) value /= in[i];
#else
  value /= in[i];  // wrong
#endif
  out[i] = value;
}
