// SPDX-License-Identifier: Apache-2.0
// A cursor in a structure is moved by three bytes.
// kernel: pointer_loaded_directly
// run: -g 4 -l 4 -a zeros:32 -a zeros:4
typedef struct { global const char *at; } Cursor;
int next(Cursor *c) {
  const int v = *(global const int *)c->at;  // wrong
#ifdef RIGHT
  c->at += 4;
#else
  c->at += 3;
#endif
  return v;
}
kernel void pointer_loaded_directly(global const char *in, global int *out) {
  Cursor c = {in};
  int s = 0;
  for (int k = 0; k < 3; ++k) s += next(&c);
  out[get_global_id(0)] = s;
}
