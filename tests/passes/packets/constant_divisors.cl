// SPDX-License-Identifier: Apache-2.0
// Numbers of 64 bits are divided by constants with products of their halves in all lanes together, where registers have
// four lanes or more; those of a scalar loop and of powers of two are LLVM's.
// RUN: %clarity compile %s --emit native-ir --kernel remainders --processor x86-64-v4 | FileCheck %s --check-prefix=X4
// RUN: %clarity compile %s --emit native-ir --kernel remainders --processor x86-64-v3 | FileCheck %s --check-prefix=X4
// RUN: %clarity compile %s --emit native-ir --kernel remainders --processor x86-64 | FileCheck %s --check-prefix=X2
// RUN: %clarity compile %s --emit native-ir --kernel powers --processor x86-64-v4 | FileCheck %s --check-prefix=P

// X4: mul {{.*}}<[[LANES:[48]]] x i64>
// X4: lshr <[[LANES]] x i64>
// X4-NOT: {{[us]rem}} <
// X2: urem <{{.*}} x i64>
kernel void remainders(global const ulong* in, global ulong* out) {
  size_t i = get_global_id(0);
  out[i] = in[i] % 1000003ul;
}

// P-NOT: mul {{.*}}<8 x i64>
// P: lshr <8 x i64>
kernel void powers(global const ulong* in, global ulong* out) {
  size_t i = get_global_id(0);
  out[i] = in[i] / 4096ul;
}
