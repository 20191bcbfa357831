// SPDX-License-Identifier: Apache-2.0
// This file uses builtin functions that processors have instructions for.
#define I get_global_id(0)
#define KERNEL(name, ...) kernel void name(__VA_ARGS__)

KERNEL(to_char_sat, global const short* a, global char* out) { out[I] = convert_char_sat(a[I]); }
KERNEL(to_short_sat, global const int* a, global short* out) { out[I] = convert_short_sat(a[I]); }
KERNEL(to_uchar_sat, global const int* a, global uchar* out) { out[I] = convert_uchar_sat(a[I]); }
KERNEL(to_uchar_sat_float, global const float* a, global uchar* out) { out[I] = convert_uchar_sat(a[I]); }
KERNEL(to_int_sat_float, global const float* a, global int* out) { out[I] = convert_int_sat(a[I]); }
KERNEL(to_int_rte, global const float* a, global int* out) { out[I] = convert_int_rte(a[I]); }
KERNEL(to_int, global const float* a, global int* out) { out[I] = convert_int(a[I]); }
KERNEL(load_store4, global const float* a, global float* out) { vstore4(vload4(I, a), I, out); }
KERNEL(load_half, global const half* a, global float* out) { out[I] = vload_half(I, a); }
KERNEL(store_half, global const float* a, global half* out) { vstore_half(a[I], I, out); }
KERNEL(store_half_rtz, global const float* a, global half* out) { vstore_half_rtz(a[I], I, out); }
KERNEL(load_half4, global const half* a, global float4* out) { out[I] = vload_half4(I, a); }
KERNEL(shuffle4, global const int4* a, global int4* out) { out[I] = shuffle(a[I], (uint4)(3, 2, 1, 0)); }
KERNEL(shuffle16, global const uchar16* a, global uchar16* out) { out[I] = shuffle(a[I], (uchar16)(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)); }
KERNEL(min_int, global const int* a, global const int* b, global int* out) { out[I] = min(a[I], b[I]); }
KERNEL(max_uchar, global const uchar* a, global const uchar* b, global uchar* out) { out[I] = max(a[I], b[I]); }
KERNEL(min_float, global const float* a, global const float* b, global float* out) { out[I] = min(a[I], b[I]); }
KERNEL(fmax_float, global const float* a, global const float* b, global float* out) { out[I] = fmax(a[I], b[I]); }
KERNEL(clamp_int, global const int* a, global int* out) { out[I] = clamp(a[I], -5, 100); }
KERNEL(clamp_float, global const float* a, global float* out) { out[I] = clamp(a[I], 0.0f, 1.0f); }
KERNEL(mad_float, global const float* a, global const float* b, global float* out) { out[I] = mad(a[I], b[I], 2.0f); }
KERNEL(fma_float, global const float* a, global const float* b, global float* out) { out[I] = fma(a[I], b[I], 2.0f); }
KERNEL(select_float, global const float* a, global const float* b, global const int* c, global float* out) { out[I] = select(a[I], b[I], c[I]); }
KERNEL(bitselect_int, global const int* a, global const int* b, global const int* c, global int* out) { out[I] = bitselect(a[I], b[I], c[I]); }
KERNEL(popcount_int, global const int* a, global int* out) { out[I] = popcount(a[I]); }
KERNEL(clz_int, global const int* a, global int* out) { out[I] = clz(a[I]); }
KERNEL(rotate_uint, global const uint* a, global uint* out) { out[I] = rotate(a[I], 7u); }
KERNEL(rotate_by, global const uint* a, global const uint* b, global uint* out) { out[I] = rotate(a[I], b[I]); }
KERNEL(mul_hi_short, global const short* a, global const short* b, global short* out) { out[I] = mul_hi(a[I], b[I]); }
KERNEL(mul_hi_uint, global const uint* a, global const uint* b, global uint* out) { out[I] = mul_hi(a[I], b[I]); }
KERNEL(abs_diff_uchar, global const uchar* a, global const uchar* b, global uchar* out) { out[I] = abs_diff(a[I], b[I]); }
KERNEL(abs_diff_int, global const int* a, global const int* b, global uint* out) { out[I] = abs_diff(a[I], b[I]); }
KERNEL(abs_int, global const int* a, global uint* out) { out[I] = abs(a[I]); }
KERNEL(add_sat_char, global const char* a, global const char* b, global char* out) { out[I] = add_sat(a[I], b[I]); }
KERNEL(sub_sat_ushort, global const ushort* a, global const ushort* b, global ushort* out) { out[I] = sub_sat(a[I], b[I]); }
KERNEL(add_sat_int, global const int* a, global const int* b, global int* out) { out[I] = add_sat(a[I], b[I]); }
KERNEL(hadd_uchar, global const uchar* a, global const uchar* b, global uchar* out) { out[I] = rhadd(a[I], b[I]); }
KERNEL(rint_float, global const float* a, global float* out) { out[I] = rint(a[I]); }
KERNEL(sqrt_float, global const float* a, global float* out) { out[I] = sqrt(a[I]); }
KERNEL(mul24_int, global const int* a, global const int* b, global int* out) { out[I] = mul24(a[I], b[I]); }
