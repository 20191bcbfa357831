// SPDX-License-Identifier: Apache-2.0
// This file uses builtin functions that processors have instructions for.
#define I get_global_id(0)

kernel void to_char_sat(global const short* a, global char* out) { out[I] = convert_char_sat(a[I]); }
kernel void to_uchar_sat(global const int* a, global uchar* out) { out[I] = convert_uchar_sat(a[I]); }
kernel void to_uchar_sat_float(global const float* a, global uchar* out) { out[I] = convert_uchar_sat(a[I]); }
kernel void to_int_sat_float(global const float* a, global int* out) { out[I] = convert_int_sat(a[I]); }
kernel void to_int_rte(global const float* a, global int* out) { out[I] = convert_int_rte(a[I]); }
kernel void load_store4(global const float* a, global float* out) { vstore4(vload4(I, a), I, out); }
kernel void load_half(global const half* a, global float* out) { out[I] = vload_half(I, a); }
kernel void store_half(global const float* a, global half* out) { vstore_half(a[I], I, out); }
kernel void shuffle4(global const int4* a, global int4* out) { out[I] = shuffle(a[I], (uint4)(3, 2, 1, 0)); }
kernel void min_int(global const int* a, global const int* b, global int* out) { out[I] = min(a[I], b[I]); }
kernel void max_uchar(global const uchar* a, global const uchar* b, global uchar* out) { out[I] = max(a[I], b[I]); }
kernel void min_float(global const float* a, global const float* b, global float* out) { out[I] = min(a[I], b[I]); }
kernel void clamp_int(global const int* a, global int* out) { out[I] = clamp(a[I], -5, 100); }
kernel void clamp_float(global const float* a, global float* out) { out[I] = clamp(a[I], 0.0f, 1.0f); }
kernel void mad_float(global const float* a, global const float* b, global float* out) {
  out[I] = mad(a[I], b[I], 2.0f);
}
kernel void fma_float(global const float* a, global const float* b, global float* out) {
  out[I] = fma(a[I], b[I], 2.0f);
}
kernel void select_float(global const float* a, global const float* b, global const int* c, global float* out) {
  out[I] = select(a[I], b[I], c[I]);
}
kernel void bitselect_int(global const int* a, global const int* b, global const int* c, global int* out) {
  out[I] = bitselect(a[I], b[I], c[I]);
}
kernel void popcount_int(global const int* a, global int* out) { out[I] = popcount(a[I]); }
kernel void rotate_uint(global const uint* a, global uint* out) { out[I] = rotate(a[I], 7u); }
kernel void rotate_by(global const uint* a, global const uint* b, global uint* out) { out[I] = rotate(a[I], b[I]); }
kernel void mul_hi_short(global const short* a, global const short* b, global short* out) {
  out[I] = mul_hi(a[I], b[I]);
}
kernel void mul_hi_uint(global const uint* a, global const uint* b, global uint* out) { out[I] = mul_hi(a[I], b[I]); }
kernel void abs_diff_uchar(global const uchar* a, global const uchar* b, global uchar* out) {
  out[I] = abs_diff(a[I], b[I]);
}
kernel void add_sat_char(global const char* a, global const char* b, global char* out) { out[I] = add_sat(a[I], b[I]); }
kernel void sub_sat_ushort(global const ushort* a, global const ushort* b, global ushort* out) {
  out[I] = sub_sat(a[I], b[I]);
}
kernel void rhadd_uchar(global const uchar* a, global const uchar* b, global uchar* out) { out[I] = rhadd(a[I], b[I]); }
kernel void rint_float(global const float* a, global float* out) { out[I] = rint(a[I]); }
kernel void log_float(global const float* a, global float* out) { out[I] = log(a[I]); }
kernel void exp_double(global const double* a, global double* out) { out[I] = exp(a[I]); }
kernel void floor_double(global const double* a, global double* out) { out[I] = floor(a[I]); }
kernel void round_float(global const float* a, global float* out) { out[I] = round(a[I]); }
kernel void store_half_rtz(global const float* a, global half* out) { vstore_half_rtz(a[I], I, out); }
kernel void store_half_rtp(global const float* a, global half* out) { vstore_half_rtp(a[I], I, out); }
kernel void store_half_rtn(global const float* a, global half* out) { vstore_half_rtn(a[I], I, out); }
kernel void fabs_half(global const half* a, global half* out) { out[I] = fabs(a[I]); }
