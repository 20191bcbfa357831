; Arithmetic of bytes and shorts that OpenCL C writes in int is computed in 16 bits where everything fits.
; RUN: %clarity opt --passes='narrow-arithmetic' %s -o - | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_global_id(i32)
declare i32 @llvm.abs.i32(i32, i1)
declare i32 @llvm.umin.i32(i32, i32)
declare i32 @llvm.smin.i32(i32, i32)
declare i32 @llvm.smax.i32(i32, i32)

; A gradient, as of an edge filter: negative numbers, a product, a shift.
; CHECK-LABEL: define void @gradient
; CHECK: %[[A:.*]] = zext i8 %va to i16
; CHECK: %[[B:.*]] = zext i8 %vb to i16
; CHECK: %[[T:.*]] = shl nsw i16 %[[B]], 1
; CHECK: %[[D:.*]] = sub nsw i16 %[[A]], %[[T]]
; CHECK: %[[P:.*]] = mul nsw i16 %[[D]], 3
; CHECK: %[[M:.*]] = call i16 @llvm.abs.i16(i16 %[[P]], i1 false)
; CHECK: %[[S:.*]] = call i16 @llvm.umin.i16(i16 %[[M]], i16 255)
; CHECK: trunc i16 %[[S]] to i8
; CHECK-NOT: i32 %
; CHECK: ret void
define void @gradient(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %out) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %pa = getelementptr i8, ptr addrspace(1) %a, i64 %id
  %va = load i8, ptr addrspace(1) %pa
  %pb = getelementptr i8, ptr addrspace(1) %b, i64 %id
  %vb = load i8, ptr addrspace(1) %pb
  %wa = zext i8 %va to i32
  %wb = zext i8 %vb to i32
  %twice = shl nuw nsw i32 %wb, 1
  %difference = sub nsw i32 %wa, %twice
  %product = mul nsw i32 %difference, 3
  %size = call i32 @llvm.abs.i32(i32 %product, i1 true)
  %least = call i32 @llvm.umin.i32(i32 %size, i32 255)
  %byte = trunc nuw i32 %least to i8
  %po = getelementptr i8, ptr addrspace(1) %out, i64 %id
  store i8 %byte, ptr addrspace(1) %po
  ret void
}

; Above 32767 without negative numbers: unsigned. Comparisons end an expression; two of them may.
; CHECK-LABEL: define void @weighted
; CHECK: mul nuw i16 %{{.*}}, 150
; CHECK: %[[S:.*]] = add nuw i16
; CHECK: %[[H:.*]] = lshr i16 %[[S]], 2
; CHECK: %[[M:.*]] = call i16 @llvm.umin.i16(i16 %[[H]], i16 9000)
; CHECK: icmp ugt i16 %[[M]], 40
; CHECK: icmp ult i16 %[[M]], 8000
define void @weighted(ptr addrspace(1) %a, ptr addrspace(1) %out) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %pa = getelementptr i8, ptr addrspace(1) %a, i64 %id
  %va = load i8, ptr addrspace(1) %pa
  %wa = zext i8 %va to i32
  %x = mul nuw nsw i32 %wa, 150
  %y = mul nuw nsw i32 %wa, 77
  %sum = add nuw nsw i32 %x, %y
  %half = ashr i32 %sum, 2
  %most = call i32 @llvm.smin.i32(i32 %half, i32 9000)
  %low = icmp sgt i32 %most, 40
  %high = icmp slt i32 %most, 8000
  %both = and i1 %low, %high
  %byte = zext i1 %both to i8
  %po = getelementptr i8, ptr addrspace(1) %out, i64 %id
  store i8 %byte, ptr addrspace(1) %po
  ret void
}

; What does not fit, has another use, begins at an int or is the same for all work-items stays as it is.
; CHECK-LABEL: define void @wide
; CHECK-NOT: i16
; CHECK: ret void
define void @wide(ptr addrspace(1) %a, i8 %same, i32 %int, ptr addrspace(1) %out, ptr addrspace(1) %ints) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %pa = getelementptr i8, ptr addrspace(1) %a, i64 %id
  %va = load i8, ptr addrspace(1) %pa
  %wa = zext i8 %va to i32
  %large = mul nuw nsw i32 %wa, 300
  %isLarge = icmp ugt i32 %large, 7
  %used = add nuw nsw i32 %wa, 1
  %isUsed = icmp ugt i32 %used, 7
  %pi = getelementptr i32, ptr addrspace(1) %ints, i64 %id
  store i32 %used, ptr addrspace(1) %pi
  %ofInt = sub nsw i32 %wa, %int
  %isOfInt = icmp slt i32 %ofInt, 7
  %ws = zext i8 %same to i32
  %ofSame = add nuw nsw i32 %ws, 3
  %isSame = icmp ugt i32 %ofSame, 7
  %1 = xor i1 %isLarge, %isUsed
  %2 = xor i1 %isOfInt, %isSame
  %3 = xor i1 %1, %2
  %byte = zext i1 %3 to i8
  %po = getelementptr i8, ptr addrspace(1) %out, i64 %id
  store i8 %byte, ptr addrspace(1) %po
  ret void
}

; A chosen value, whose condition is a comparison of the same expression. Both bounds of a clamp.
; CHECK-LABEL: define void @clamped
; CHECK: %[[C:.*]] = icmp sgt i16 %[[D:.*]], 7
; CHECK: %[[N:.*]] = sub nsw i16 0, %[[D]]
; CHECK: %[[S:.*]] = select i1 %[[C]], i16 %[[D]], i16 %[[N]]
; CHECK: %[[L:.*]] = call i16 @llvm.smax.i16(i16 %[[S]], i16 -5)
; CHECK: call i16 @llvm.smin.i16(i16 %[[L]], i16 100)
define void @clamped(ptr addrspace(1) %a, ptr addrspace(1) %out) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %pa = getelementptr i8, ptr addrspace(1) %a, i64 %id
  %va = load i8, ptr addrspace(1) %pa
  %wa = sext i8 %va to i32
  %difference = sub nsw i32 %wa, 12
  %c = icmp sgt i32 %difference, 7
  %negative = sub nsw i32 0, %difference
  %chosen = select i1 %c, i32 %difference, i32 %negative
  %low = call i32 @llvm.smax.i32(i32 %chosen, i32 -5)
  %high = call i32 @llvm.smin.i32(i32 %low, i32 100)
  %byte = trunc nsw i32 %high to i8
  %po = getelementptr i8, ptr addrspace(1) %out, i64 %id
  store i8 %byte, ptr addrspace(1) %po
  ret void
}

; A mask whose bits are set above 16 bits, too, is a small negative number.
; CHECK-LABEL: define void @masked
; CHECK: %[[S:.*]] = add nsw i16
; CHECK: %[[M:.*]] = and i16 %[[S]], -2
; CHECK: icmp eq i16 %[[M]], 2
define void @masked(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %out) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %pa = getelementptr i8, ptr addrspace(1) %a, i64 %id
  %va = load i8, ptr addrspace(1) %pa
  %pb = getelementptr i8, ptr addrspace(1) %b, i64 %id
  %vb = load i8, ptr addrspace(1) %pb
  %wa = zext i8 %va to i32
  %wb = zext i8 %vb to i32
  %sum = add nuw nsw i32 %wa, %wb
  %even = and i32 %sum, -2
  %c = icmp eq i32 %even, 2
  %byte = zext i1 %c to i8
  %po = getelementptr i8, ptr addrspace(1) %out, i64 %id
  store i8 %byte, ptr addrspace(1) %po
  ret void
}
