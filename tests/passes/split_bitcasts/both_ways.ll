; Bit casts between vectors and scalars become arithmetic on elements, and so do those between vectors of elements of
; different widths; the others between vectors are the scalariser's.
; RUN: %clarity opt --passes='split-bitcasts' %s -o - | FileCheck %s

; CHECK-LABEL: define i32 @joined
; CHECK: %[[LOW:.*]] = extractelement <2 x i16> %v, i64 0
; CHECK: %[[HIGH:.*]] = extractelement <2 x i16> %v, i64 1
; CHECK: zext i16 %[[LOW]] to i32
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
; CHECK: %[[LOW:.*]] = trunc i64 %[[BITS]] to i32
; CHECK: lshr i64 %[[BITS]], 32
; CHECK: bitcast i32 %[[LOW]] to float
; CHECK: insertelement <2 x float>
; CHECK: ret
define <2 x float> @parted(double %d) {
  %v = bitcast double %d to <2 x float>
  ret <2 x float> %v
}

; CHECK-LABEL: define <4 x i16> @narrower
; CHECK: %[[FIRST:.*]] = extractelement <2 x float> %v, i64 0
; CHECK: bitcast float %[[FIRST]] to i32
; CHECK: %[[SECOND:.*]] = extractelement <2 x float> %v, i64 1
; CHECK: %[[WIDE:.*]] = bitcast float %[[SECOND]] to i32
; CHECK: %[[PART:.*]] = lshr i32 %[[WIDE]], 16
; CHECK: %[[HIGH:.*]] = trunc i32 %[[PART]] to i16
; CHECK: insertelement <4 x i16> %{{.*}}, i16 %[[HIGH]], i64 3
; CHECK: ret
define <4 x i16> @narrower(<2 x float> %v) {
  %n = bitcast <2 x float> %v to <4 x i16>
  ret <4 x i16> %n
}

; CHECK-LABEL: define <3 x i64> @wider
; CHECK: %[[LOW:.*]] = extractelement <6 x i32> %v, i64 4
; CHECK: %[[HIGH:.*]] = extractelement <6 x i32> %v, i64 5
; CHECK: %[[LOWER:.*]] = zext i32 %[[LOW]] to i64
; CHECK: %[[HIGHER:.*]] = zext i32 %[[HIGH]] to i64
; CHECK: %[[UP:.*]] = shl i64 %[[HIGHER]], 32
; CHECK: %[[BOTH:.*]] = or i64 %[[LOWER]], %[[UP]]
; CHECK: insertelement <3 x i64> %{{.*}}, i64 %[[BOTH]], i64 2
; CHECK: ret
define <3 x i64> @wider(<6 x i32> %v) {
  %w = bitcast <6 x i32> %v to <3 x i64>
  ret <3 x i64> %w
}

; CHECK-LABEL: define i1 @any
; CHECK-NOT: bitcast
; CHECK: or i1
; CHECK: or i1
; CHECK: or i1
; CHECK: ret i1
define i1 @any(<4 x i1> %m) {
  %n = bitcast <4 x i1> %m to i4
  %c = icmp ne i4 %n, 0
  ret i1 %c
}

; CHECK-LABEL: define i1 @pattern
; CHECK: %[[A:.*]] = extractelement <3 x i1> %m, i64 0
; CHECK: %[[B:.*]] = extractelement <3 x i1> %m, i64 1
; CHECK: %[[C:.*]] = extractelement <3 x i1> %m, i64 2
; CHECK-NOT: bitcast
; CHECK: %[[NOT_B:.*]] = xor i1 %[[B]], true
; CHECK: %[[AB:.*]] = and i1 %[[A]], %[[NOT_B]]
; CHECK: and i1 %[[AB]], %[[C]]
; CHECK: ret i1
define i1 @pattern(<3 x i1> %m) {
  %n = bitcast <3 x i1> %m to i3
  %c = icmp eq i3 %n, 5
  ret i1 %c
}

; CHECK-LABEL: define i32 @number
; CHECK-NOT: bitcast
; CHECK: zext i1 %{{.*}} to i32
; CHECK: ret i32
define i32 @number(<2 x i1> %m) {
  %n = bitcast <2 x i1> %m to i2
  %z = zext i2 %n to i32
  ret i32 %z
}

; Other uses of masks stay, and what no lane can hold.
; CHECK-LABEL: define i8 @others
; CHECK: bitcast <8 x i1>
; CHECK: bitcast <4 x i32>
; CHECK: bitcast <2 x i32>
define i8 @others(<8 x i1> %m, <4 x i32> %w, <2 x i32> %v) {
  %a = bitcast <8 x i1> %m to i8
  %b = bitcast <4 x i32> %w to i128
  %c = bitcast <2 x i32> %v to <2 x float>
  ret i8 %a
}

; Sums and the like of all elements, in their order.
; CHECK-LABEL: define i32 @any
; CHECK: %[[A:.*]] = extractelement <2 x i32> %v, i64 0
; CHECK: %[[B:.*]] = extractelement <2 x i32> %v, i64 1
; CHECK: %[[OR:.*]] = or i32 %[[A]], %[[B]]
; CHECK: ret i32 %[[OR]]
define i32 @any_bit(<2 x i32> %v) {
  %r = call i32 @llvm.vector.reduce.or.v2i32(<2 x i32> %v)
  ret i32 %r
}

; CHECK-LABEL: define float @sum
; CHECK: %[[A:.*]] = extractelement <2 x float> %v, i64 0
; CHECK: %[[FIRST:.*]] = fadd nsz float %start, %[[A]]
; CHECK: %[[B:.*]] = extractelement <2 x float> %v, i64 1
; CHECK: %[[SUM:.*]] = fadd nsz float %[[FIRST]], %[[B]]
; CHECK: ret float %[[SUM]]
define float @sum(float %start, <2 x float> %v) {
  %r = call nsz float @llvm.vector.reduce.fadd.v2f32(float %start, <2 x float> %v)
  ret float %r
}

; CHECK-LABEL: define i8 @most
; CHECK: call i8 @llvm.umax.i8
; CHECK-NOT: reduce
; CHECK: ret
define i8 @most(<4 x i8> %v) {
  %r = call i8 @llvm.vector.reduce.umax.v4i8(<4 x i8> %v)
  ret i8 %r
}
