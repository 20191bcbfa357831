// SPDX-License-Identifier: Apache-2.0
// This file writes down what expressions with vector types give, and converts floats to bytes and bit patterns.

// Four numbers per expression, in the order of the table in main.c.
__kernel void expressions(__global int *out) {
  int4 a = (int4)(1, 2, 3, 4);
  int4 b = {5, 6, 7, 8};
  int4 replicated = (int4)200; // one scalar goes to all components; (int4)(2, 1) would be refused
  int4 mixed = (int4)(a.xy, 70, b.w);
  int8 joined = (int8)(a, b);
  float4 f = (float4)(1.5f, 2.5f, -1.5f, -2.5f);
  union {
    float number;
    int bits;
  } pun;
  pun.number = -2.0f;

  vstore4(a, 0, out);
  vstore4(replicated, 1, out);
  vstore4(mixed, 2, out);
  vstore4(a.wzxy, 3, out);
  vstore4(a.xxyy, 4, out);
  vstore4(joined.hi, 5, out);
  vstore4(joined.even, 6, out);
  vstore4(joined.odd, 7, out);
  vstore4((int4)(joined.s7, joined.s0, a.lo), 8, out);
  vstore4(convert_int4(f), 9, out); // rtz, the default for integers
  vstore4(convert_int4_rte(f), 10, out);
  vstore4(convert_int4_rtp(f), 11, out);
  vstore4(convert_int4_rtn(f), 12, out);
  vstore4(convert_int4(convert_uchar4_sat((int4)(-5, 0, 255, 300))), 13, out);
  vstore4(convert_int4(convert_char4_sat((int4)(-500, -128, 127, 128))), 14, out);
  vstore4((int4)(as_int(1.0f), as_int(-0.0f), pun.bits, as_int((char4)(1, 2, 3, 4))), 15, out);
  vstore4(a < (int4)(2, 2, 4, 4), 16, out); // comparisons of vectors give -1 for true
  vstore4(select(a, b, a > (int4)(2)), 17, out);
}

__kernel void convertFloats(__global const float4 *in, __global uchar4 *bytes, __global uint4 *bits) {
  size_t i = get_global_id(0);
  bytes[i] = convert_uchar4_sat_rte(in[i]);
  bits[i] = as_uint4(in[i]);
}
