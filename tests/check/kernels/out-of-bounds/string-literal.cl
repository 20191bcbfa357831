// SPDX-License-Identifier: Apache-2.0
// A string is read behind the zero at its end.
// kernel: string_literal
// run: -g 8 -l 8 -a zeros:8
kernel void string_literal(global char *out) {
  constant char *text = "clarity";
  const int i = get_global_id(0);
#ifdef RIGHT
  out[i] = text[i];
#else
  out[i] = text[i + 1];  // wrong
#endif
}
