// SPDX-License-Identifier: Apache-2.0
// LLVM's straight-line strength reduction compares each sum and each product with those that share an operand with it,
// which takes minutes behind long chains of operations. It makes sums of a few products, and leaves many as they are.
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel few -o - | FileCheck %s --check-prefix=FEW
// RUN: %clarity compile %s --processor sm_90 --emit asm --kernel many -o - | FileCheck %s --check-prefix=MANY
// FEW: mul.lo.s32
// FEW-NOT: {{mul|mad}}.lo.s32
// FEW: ret;
// MANY-COUNT-90: {{mul|mad}}.lo.s32
#define TEN(X, n) \
  X(n + 0) X(n + 1) X(n + 2) X(n + 3) X(n + 4) X(n + 5) X(n + 6) X(n + 7) X(n + 8) X(n + 9)
#define PRODUCT(k) o[3 * (k)] = (b + (k)) * s;

kernel void few(global int* o, int b, int s) {
  TEN(PRODUCT, 0)
}

kernel void many(global int* o, int b, int s) {
  TEN(PRODUCT, 0) TEN(PRODUCT, 10) TEN(PRODUCT, 20) TEN(PRODUCT, 30) TEN(PRODUCT, 40)
  TEN(PRODUCT, 50) TEN(PRODUCT, 60) TEN(PRODUCT, 70) TEN(PRODUCT, 80) TEN(PRODUCT, 90)
}
