// SPDX-License-Identifier: Apache-2.0
// Inline assembly is PTX: it reaches the code as it is written, once for each work-item.
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel ways --local 64 | FileCheck %s --check-prefix=WAYS
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel lanes --local 64 | FileCheck %s --check-prefix=LANES
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel labels --local 64 | FileCheck %s --check-prefix=LABELS
// RUN: (! %clarity compile %s --processor sm_90 -- -DWIDE) 2>&1 | FileCheck %s --check-prefix=WIDE
// RUN: (! %clarity compile %s --processor sm_90 -- -DOTHER) 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: (! %clarity compile %s --processor sm_90 -- -DVECTOR) 2>&1 | FileCheck %s --check-prefix=VECTOR
// RUN: (! %clarity compile %s --processor sm_90 -- -DOUTSIDE) 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: (! %clarity compile %s --) 2>&1 | FileCheck %s --check-prefix=CPU

// CPU: assembly.cl:{{[0-9]+}}:3: error: inline assembly is not supported in OpenCL C

// WAYS: .entry clarity_kernel
// WAYS: lop3.b32 %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, 0xCA;
// WAYS-NOT: lop3.b32 %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, 0xCA;
// WAYS: prmt.b32 %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}};
// WAYS: mad.wide.u32 %rd{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %rd{{[0-9]+}};
// WAYS: shf.l.wrap.b32 %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, 7;
// WAYS: bfe.u32 %r{{[0-9]+}}, %r{{[0-9]+}}, 8, 4;
// WAYS: fma.rn.f32 %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, 0f3F800000;
// WAYS: ret;
kernel void ways(global uint* a, global ulong* b, global float* f) {
  const size_t i = get_global_id(0);
  uint x = a[i], y = a[i + 64], z = a[i + 128], r;
  ulong w = b[i];
  asm volatile("lop3.b32 %0, %1, %2, %3, 0xCA;" : "=r"(r) : "r"(x), "r"(y), "r"(z));
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(x) : "r"(r), "r"(y), "r"(z));
  __asm__("mad.wide.u32 %0, %1, %2, %3;" : "=l"(w) : "r"(x), "r"(y), "l"(w));
  asm volatile("shf.l.wrap.b32 %0, %1, %2, 7;" : "=r"(y) : "r"(x), "r"(z));
  asm volatile("bfe.u32 %0, %0, %1, 4;" : "+r"(y) : "n"(8));
  asm("fma.rn.f32 %0, %1, %1, 0f3F800000;" : "=f"(f[i]) : "f"(f[i + 64]));
  a[i] = y;
  b[i] = w;
}

// A kernel that asks for the GPU's own numbers has a thread for each work-item.
// LANES: .entry clarity_kernel
// LANES: mov.u32 %r{{[0-9]+}}, %laneid;
// LANES: shfl.sync.bfly.b32 %r{{[0-9]+}}, %r{{[0-9]+}}, 1, 0x1f, 0xffffffff;
// LANES-NOT: laneid
// LANES: ret;
kernel void lanes(global uint* a) {
  uint lane, other;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm volatile("shfl.sync.bfly.b32 %0, %1, 1, 0x1f, 0xffffffff;" : "=r"(other) : "r"(lane) : "memory");
  a[get_global_id(0)] = lane * 100 + other;
}

// Braces are a block of PTX; each copy has labels of its own.
// LABELS: .entry clarity_kernel
// LABELS: { .reg .pred p; setp.gt.u32 p, %r{{[0-9]+}}, 5; @p bra done_{{[0-9]+}};
// LABELS-SAME: add.u32 %r{{[0-9]+}}, %r{{[0-9]+}}, 1; done_{{[0-9]+}}: }
// LABELS: ret;
kernel void labels(global uint* a) {
  uint x = a[get_global_id(0)];
  asm volatile("{ .reg .pred p; setp.gt.u32 p, %0, 5; @p bra done_%=; add.u32 %0, %0, 1; done_%=: }" : "+r"(x));
  a[get_global_id(0)] = x;
}

#ifdef WIDE
// WIDE: assembly.cl:[[#@LINE+2]]:3: error: operand 1 of the assembly has 64 bits, and constraint 'r' is a
kernel void wide(global uint* a, ulong b) {
  asm("mov.b32 %0, %1;" : "=r"(a[0]) : "r"(b));
}
#elif defined(OTHER)
// OTHER: assembly.cl:[[#@LINE+2]]:3: error: operand 0 of the assembly has constraint 'x'; PTX has h, r, l, f, d and n
kernel void other(global float* a) {
  asm("mov.b32 %0, 0;" : "=x"(a[0]));
}
#elif defined(VECTOR)
// VECTOR: assembly.cl:[[#@LINE+2]]:3: error: operand 0 of the assembly is neither a number nor a pointer
kernel void vector(global float2* a) {
  asm("mov.b64 %0, 0;" : "=l"(a[0]));
}
#elif defined(OUTSIDE)
// OUTSIDE: assembly.cl:[[#@LINE+1]]:1: error: assembly outside of functions is not supported
asm(".global .u32 x;");
#endif
