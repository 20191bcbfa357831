// SPDX-License-Identifier: Apache-2.0
// A private array of bytes is read as an int at a byte that the data choose.
// kernel: private_plain
// run: -g 4 -l 4 -a iota:4 -a zeros:4
// bounds: the alignment of private variables is not looked at
kernel void private_plain(global const int *in, global int *out) {
  const int i = get_global_id(0);
  int words[4];
  for (int k = 0; k < 4; ++k) words[k] = in[i] + k;
  const char *bytes = (const char *)words;
#ifdef RIGHT
  out[i] = *(const int *)(bytes + in[i] * 4);
#else
  out[i] = *(const int *)(bytes + in[i] * 2);  // wrong
#endif
}
