; Conditions that are added to numbers: sums under a mask, where the processor has mask registers.
; RUN: %clarity opt --processor x86-64-v4 --passes='masked-counts' %s -o - | FileCheck %s
; RUN: %clarity opt --processor x86-64-v3 --passes='masked-counts' %s -o - | FileCheck %s --check-prefix=VECTORS
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: define <16 x i32> @up
; CHECK: %[[MORE:.*]] = add <16 x i32> %x, splat (i32 1)
; CHECK-NEXT: %{{.*}} = select <16 x i1> %c, <16 x i32> %[[MORE]], <16 x i32> %x
; CHECK-NEXT: ret
; VECTORS-LABEL: define <16 x i32> @up
; VECTORS-NOT: select
; VECTORS: ret
define <16 x i32> @up(<16 x i32> %x, <16 x i1> %c) {
  %one = zext <16 x i1> %c to <16 x i32>
  %y = add nuw <16 x i32> %one, %x
  ret <16 x i32> %y
}

; CHECK-LABEL: define <16 x i16> @down
; CHECK: %[[LESS:.*]] = add <16 x i16> %x, splat (i16 -1)
; CHECK-NEXT: %{{.*}} = select <16 x i1> %c, <16 x i16> %[[LESS]], <16 x i16> %x
define <16 x i16> @down(<16 x i16> %x, <16 x i1> %c) {
  %one = zext <16 x i1> %c to <16 x i16>
  %y = sub <16 x i16> %x, %one
  ret <16 x i16> %y
}

; CHECK-LABEL: define <8 x i64> @minus_minus_one
; CHECK: add <8 x i64> %x, splat (i64 1)
; CHECK-NEXT: select <8 x i1> %c
define <8 x i64> @minus_minus_one(<8 x i64> %x, <8 x i1> %c) {
  %one = sext <8 x i1> %c to <8 x i64>
  %y = sub <8 x i64> %x, %one
  ret <8 x i64> %y
}

; Two conditions: the sum of one of them and 1 under the mask of the other.
; CHECK-LABEL: define <16 x i32> @two
; CHECK: %[[A:.*]] = zext <16 x i1> %c to <16 x i32>
; CHECK: %[[B:.*]] = add <16 x i32> %[[A]], splat (i32 1)
; CHECK: select <16 x i1> %d, <16 x i32> %[[B]], <16 x i32> %[[A]]
define <16 x i32> @two(<16 x i1> %c, <16 x i1> %d) {
  %a = zext <16 x i1> %c to <16 x i32>
  %b = zext <16 x i1> %d to <16 x i32>
  %y = add <16 x i32> %a, %b
  ret <16 x i32> %y
}

; What is used elsewhere is a vector anyway; a number less a condition is not the condition less the number; a sum
; with a constant and scalars are LLVM's.
; CHECK-LABEL: define <16 x i32> @left
; CHECK-NOT: select
; CHECK: ret
define <16 x i32> @left(<16 x i32> %x, <16 x i1> %c, <16 x i1> %d, ptr %p, i32 %s, i1 %e) {
  %one = zext <16 x i1> %c to <16 x i32>
  store <16 x i32> %one, ptr %p
  %used = add <16 x i32> %x, %one
  %other = zext <16 x i1> %d to <16 x i32>
  %from = sub <16 x i32> %other, %used
  %third = sext <16 x i1> %d to <16 x i32>
  %constant = add <16 x i32> %third, splat (i32 7)
  store <16 x i32> %constant, ptr %p
  %scalar = zext i1 %e to i32
  %sum = add i32 %s, %scalar
  store i32 %sum, ptr %p
  ret <16 x i32> %from
}
