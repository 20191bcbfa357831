// SPDX-License-Identifier: Apache-2.0
// Low bits of floating-point numbers are stored from registers of as many bits: from wider ones CUDA's assembler
// converts the numbers.
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel low_byte -- -cl-std=CL3.0 \
// RUN:   | FileCheck %s --check-prefix BYTE
// BYTE: cvt.u16.u32 %narrow0, %r{{[0-9]+}}; st.global.b8 {{.*}}, %narrow0; }
// BYTE-NOT: st.global.b8 {{.*}}, %r{{[0-9]}}
kernel void low_byte(global uchar* out, global const float* in) {
  size_t i = get_global_id(0);
  out[i] = (uchar)as_uint(fma(in[i], 255.0f, 0x1.8p23f));
}

// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel low_word -- -cl-std=CL3.0 \
// RUN:   | FileCheck %s --check-prefix WORD
// WORD: cvt.u16.u32 %narrow0, %r{{[0-9]+}}; st.global.b16 {{.*}}, %narrow0; }
// WORD-NOT: st.global.b16 {{.*}}, %r{{[0-9]}}
kernel void low_word(global ushort* out, global const float* in) {
  size_t i = get_global_id(0);
  out[i] = (ushort)as_uint(fma(in[i], 255.0f, 0x1.8p23f));
}

// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel byte_of_half -- -cl-std=CL3.0 \
// RUN:   | FileCheck %s --check-prefix HALF
// HALF: mov.b16 %narrow0, %rs{{[0-9]+}}; st.global.b8 {{.*}}, %narrow0; }
// HALF-NOT: st.global.b8 {{.*}}, %r
kernel void byte_of_half(global uchar* out, global const half* in) {
  size_t i = get_global_id(0);
  out[i] = (uchar)as_ushort((half)(in[i] + in[i + 1]));
}

// Members that are not aligned are stored in parts.
typedef struct __attribute__((packed)) { char before; double number; } byte_ahead;
typedef struct __attribute__((packed, aligned(2))) { short before; double number; } short_ahead;
typedef struct __attribute__((packed, aligned(4))) { int before; double number; } int_ahead;

// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel bytes -- -cl-std=CL3.0 \
// RUN:   | FileCheck %s --check-prefix BYTES
// BYTES-COUNT-8: cvt.u16.u64 %narrow0, %rd{{[0-9]+}}; st.global.b8 {{.*}}, %narrow0; }
// BYTES-NOT: st.global.b8 {{.*}}, %rd
kernel void bytes(global byte_ahead* items) { items[get_global_id(0)].number += 1.0; }

// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel shorts -- -cl-std=CL3.0 \
// RUN:   | FileCheck %s --check-prefix SHORTS
// SHORTS: cvt.u16.u64 %narrow0, %rd{{[0-9]+}}; st.global.b16 {{.*}}, %narrow0; }
// SHORTS-NOT: st.global.b16 {{.*}}, %rd
kernel void shorts(global short_ahead* items) { items[get_global_id(0)].number += 1.0; }

// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel ints -- -cl-std=CL3.0 \
// RUN:   | FileCheck %s --check-prefix INTS
// INTS: cvt.u32.u64 %narrow0, %rd{{[0-9]+}}; st.global.b32 {{.*}}, %narrow0; }
// INTS-NOT: st.global.b32 {{.*}}, %rd
kernel void ints(global int_ahead* items) { items[get_global_id(0)].number += 1.0; }
