// SPDX-License-Identifier: Apache-2.0
// Numbers of 64 bits are divided by constants with products of their halves in all lanes together, where registers have
// four lanes or more; those of a scalar loop and of powers of two are LLVM's.
// RUN: %clarity compile %s --emit native-ir --kernel remainders --processor x86-64-v4 | FileCheck %s --check-prefix=WIDE
// RUN: %clarity compile %s --emit native-ir --kernel remainders --processor x86-64-v3 | FileCheck %s --check-prefix=WIDE
// RUN: %clarity compile %s --emit native-ir --kernel remainders --processor x86-64 | FileCheck %s --check-prefix=NARROW
// RUN: %clarity compile %s --emit native-ir --kernel powers --processor x86-64-v4 | FileCheck %s --check-prefix=SHIFT

// WIDE: mul {{.*}}<[[N:[48]]] x i64>
// WIDE: lshr <[[N]] x i64>
// WIDE-NOT: {{[us]rem}} <
// NARROW: urem <{{.*}} x i64>
kernel void remainders(global const ulong* in, global ulong* out) {
  size_t i = get_global_id(0);
  out[i] = in[i] % 1000003ul;
}

// SHIFT-NOT: mul {{.*}}<8 x i64>
// SHIFT: lshr <8 x i64>
kernel void powers(global const ulong* in, global ulong* out) {
  size_t i = get_global_id(0);
  out[i] = in[i] / 4096ul;
}
