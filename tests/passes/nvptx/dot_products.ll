; Four products of bytes and their sum become one instruction, however the sum is written.
; RUN: %clarity opt --processor sm_90 --passes=dot-products,adce %s -o - | FileCheck %s
declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)

; CHECK-LABEL: define i32 @reduced
; CHECK-DAG: %[[A:.*]] = bitcast <4 x i8> %a to i32
; CHECK-DAG: %[[B:.*]] = bitcast <4 x i8> %b to i32
; CHECK: %[[SUM:.*]] = call i32 @llvm.nvvm.idp4a.s.s(i32 %[[A]], i32 %[[B]], i32 %c)
; CHECK-NEXT: ret i32 %[[SUM]]
define i32 @reduced(<4 x i8> %a, <4 x i8> %b, i32 %c) {
  %x = sext <4 x i8> %a to <4 x i32>
  %y = sext <4 x i8> %b to <4 x i32>
  %products = mul <4 x i32> %x, %y
  %dot = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %products)
  %sum = add i32 %dot, %c
  ret i32 %sum
}

; Elements, two of the products apart from the others; what is added beside them stays a sum.
; CHECK-LABEL: define i32 @elements
; CHECK: %[[REST:.*]] = add i32 %c, 5
; CHECK: call i32 @llvm.nvvm.idp4a.u.u(i32 {{.*}}, i32 {{.*}}, i32 %[[REST]])
; CHECK-NEXT: ret i32
define i32 @elements(<4 x i8> %a, <4 x i8> %b, i32 %c) {
  %x = zext <4 x i8> %a to <4 x i32>
  %y = zext <4 x i8> %b to <4 x i32>
  %products = mul <4 x i32> %x, %y
  %p0 = extractelement <4 x i32> %products, i64 0
  %p1 = extractelement <4 x i32> %products, i64 1
  %p2 = extractelement <4 x i32> %products, i64 2
  %p3 = extractelement <4 x i32> %products, i64 3
  %s0 = add i32 %p2, %c
  %s1 = add i32 %p0, %p3
  %s2 = add i32 %s0, %s1
  %s3 = add i32 %s2, 5
  %s4 = add i32 %s3, %p1
  ret i32 %s4
}

; Scalars, signed times unsigned. The instruction has the signed factors where the program has them.
; CHECK-LABEL: define i32 @scalars
; CHECK: call i32 @llvm.nvvm.idp4a.{{s.u\(i32 %1, i32 %2|u.s\(i32 %1, i32 %2}}
; CHECK-NOT: mul
; CHECK: ret i32
define i32 @scalars(<4 x i8> %a, <4 x i8> %b) {
  %a0 = extractelement <4 x i8> %a, i64 0
  %a1 = extractelement <4 x i8> %a, i64 1
  %a2 = extractelement <4 x i8> %a, i64 2
  %a3 = extractelement <4 x i8> %a, i64 3
  %b0 = extractelement <4 x i8> %b, i64 0
  %b1 = extractelement <4 x i8> %b, i64 1
  %b2 = extractelement <4 x i8> %b, i64 2
  %b3 = extractelement <4 x i8> %b, i64 3
  %x0 = sext i8 %a0 to i32
  %x1 = sext i8 %a1 to i32
  %x2 = sext i8 %a2 to i32
  %x3 = sext i8 %a3 to i32
  %y0 = zext i8 %b0 to i32
  %y1 = zext i8 %b1 to i32
  %y2 = zext i8 %b2 to i32
  %y3 = zext i8 %b3 to i32
  %p0 = mul i32 %x0, %y0
  %p1 = mul i32 %y1, %x1
  %p2 = mul i32 %x2, %y2
  %p3 = mul i32 %y3, %x3
  %s0 = add i32 %p0, %p1
  %s1 = add i32 %p2, %p3
  %s2 = add i32 %s0, %s1
  ret i32 %s2
}

; Two factors of different elements: a sum of products, but of no two vectors.
; CHECK-LABEL: define i32 @crossed
; CHECK-NOT: idp4a
; CHECK: ret i32
define i32 @crossed(<4 x i8> %a, <4 x i8> %b) {
  %turned = shufflevector <4 x i8> %b, <4 x i8> poison, <4 x i32> <i32 1, i32 0, i32 2, i32 3>
  %x = zext <4 x i8> %a to <4 x i32>
  %y = zext <4 x i8> %b to <4 x i32>
  %z = zext <4 x i8> %turned to <4 x i32>
  %straight = mul <4 x i32> %x, %y
  %across = mul <4 x i32> %x, %z
  %p0 = extractelement <4 x i32> %across, i64 0
  %p1 = extractelement <4 x i32> %across, i64 1
  %p2 = extractelement <4 x i32> %straight, i64 2
  %p3 = extractelement <4 x i32> %straight, i64 3
  %s0 = add i32 %p0, %p1
  %s1 = add i32 %p2, %p3
  %s2 = add i32 %s0, %s1
  ret i32 %s2
}

; One of the products twice, another one not at all.
; CHECK-LABEL: define i32 @twice
; CHECK-NOT: idp4a
; CHECK: ret i32
define i32 @twice(<4 x i8> %a, <4 x i8> %b) {
  %x = zext <4 x i8> %a to <4 x i32>
  %y = zext <4 x i8> %b to <4 x i32>
  %products = mul <4 x i32> %x, %y
  %p0 = extractelement <4 x i32> %products, i64 0
  %p2 = extractelement <4 x i32> %products, i64 2
  %p3 = extractelement <4 x i32> %products, i64 3
  %s0 = add i32 %p0, %p0
  %s1 = add i32 %p2, %p3
  %s2 = add i32 %s0, %s1
  ret i32 %s2
}

; Products of 16 bits may have wrapped before they are added.
; CHECK-LABEL: define i32 @narrow
; CHECK-NOT: idp4a
; CHECK: ret i32
define i32 @narrow(<4 x i8> %a, <4 x i8> %b) {
  %x = sext <4 x i8> %a to <4 x i16>
  %y = sext <4 x i8> %b to <4 x i16>
  %products = mul <4 x i16> %x, %y
  %wide = sext <4 x i16> %products to <4 x i32>
  %dot = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %wide)
  ret i32 %dot
}

; A sum of vectors, whose elements come from places of shorter vectors: the last is that of %other, no product.
; CHECK-LABEL: define i32 @joined
; CHECK-NOT: idp4a
; CHECK: ret i32
define i32 @joined(<4 x i8> %a, <4 x i8> %b, <2 x i32> %other) {
  %x = zext <4 x i8> %a to <4 x i32>
  %y = zext <4 x i8> %b to <4 x i32>
  %products = mul <4 x i32> %x, %y
  %low = shufflevector <4 x i32> %products, <4 x i32> poison, <2 x i32> <i32 0, i32 1>
  %joined = shufflevector <2 x i32> %low, <2 x i32> %other, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %p0 = extractelement <4 x i32> %joined, i64 0
  %p1 = extractelement <4 x i32> %joined, i64 1
  %p2 = extractelement <4 x i32> %joined, i64 2
  %p3 = extractelement <4 x i32> %joined, i64 3
  %s0 = add i32 %p0, %p1
  %s1 = add i32 %p2, %p3
  %s2 = add i32 %s0, %s1
  ret i32 %s2
}

; An element that a vector does not have is poison, and no product either.
; CHECK-LABEL: define i32 @past
; CHECK-NOT: idp4a
; CHECK: ret i32
define i32 @past(<4 x i8> %a, <4 x i8> %b) {
  %x = zext <4 x i8> %a to <4 x i32>
  %y = zext <4 x i8> %b to <4 x i32>
  %products = mul <4 x i32> %x, %y
  %low = shufflevector <4 x i32> %products, <4 x i32> poison, <2 x i32> <i32 0, i32 1>
  %element = extractelement <2 x i32> %low, i64 2
  %sum = add i32 %element, 1
  ret i32 %sum
}
