; Bit casts between vectors and scalars become arithmetic on elements; those between vectors are the scalariser's.
; RUN: %clarity opt --passes='split-bitcasts' %s -o - | FileCheck %s

; CHECK-LABEL: define i32 @joined
; CHECK: %[[LOW:.*]] = extractelement <2 x i16> %v, i64 0
; CHECK: zext i16 %[[LOW]] to i32
; CHECK: %[[HIGH:.*]] = extractelement <2 x i16> %v, i64 1
; CHECK: %[[WIDE:.*]] = zext i16 %[[HIGH]] to i32
; CHECK: shl i32 %[[WIDE]], 16
; CHECK-NOT: bitcast
; CHECK: ret i32
define i32 @joined(<2 x i16> %v) {
  %i = bitcast <2 x i16> %v to i32
  ret i32 %i
}

; CHECK-LABEL: define <2 x float> @parted
; CHECK: %[[BITS:.*]] = bitcast double %d to i64
; CHECK: %[[LOW:.*]] = trunc i64 %{{.*}} to i32
; CHECK: bitcast i32 %[[LOW]] to float
; CHECK: lshr i64 %[[BITS]], 32
; CHECK: insertelement <2 x float>
; CHECK: ret
define <2 x float> @parted(double %d) {
  %v = bitcast double %d to <2 x float>
  ret <2 x float> %v
}

; Masks stay, and what no lane can hold.
; CHECK-LABEL: define void @others
; CHECK: bitcast <8 x i1>
; CHECK: bitcast <4 x i32>
; CHECK: bitcast <2 x i32>
define void @others(<8 x i1> %m, <4 x i32> %w, <2 x i32> %v) {
  %a = bitcast <8 x i1> %m to i8
  %b = bitcast <4 x i32> %w to i128
  %c = bitcast <2 x i32> %v to <2 x float>
  ret void
}
