; Sums and differences that LLVM writes as `or` and `xor` of bits that do not meet.
; RUN: %clarity opt --passes='narrow-indices' %s -o - | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_local_id(i32)
declare i64 @__clarity_global_id(i32)
declare i64 @__clarity_global_size(i32)

; CHECK-LABEL: define i64 @disjoint
; CHECK: add nuw nsw i64 %first, %x
define i64 @disjoint(i64 %first) {
  %x = call i64 @__clarity_local_id(i32 0)
  %i = or disjoint i64 %first, %x
  ret i64 %i
}

; CHECK-LABEL: define i64 @may_meet
; CHECK: or i64 %first, %x
define i64 @may_meet(i64 %first) {
  %x = call i64 @__clarity_local_id(i32 0)
  %i = or i64 %first, %x
  ret i64 %i
}

; The branch lets only multiples of four pass.
; CHECK-LABEL: define i64 @guarded
; CHECK: then:
; CHECK: add nuw nsw i64 %x, 2
; CHECK: odd:
; CHECK: or i64 %x, 2
; CHECK: more:
; CHECK: or i64 %x, 6
define i64 @guarded() {
  %x = call i64 @__clarity_local_id(i32 0)
  %n = trunc i64 %x to i32
  %r = and i32 %n, 3
  %c = icmp eq i32 %r, 0
  br i1 %c, label %then, label %odd
then:
  %i = or i64 %x, 2
  %d = icmp ugt i64 %i, 8
  br i1 %d, label %more, label %end
odd:
  %j = or i64 %x, 2
  ret i64 %j
more:
  %k = or i64 %x, 6
  ret i64 %k
end:
  ret i64 %i
}

; 255 - x, for x below 256.
; CHECK-LABEL: define i64 @backwards
; CHECK: sub nuw nsw i64 255, %x
define i64 @backwards() {
  %x = call range(i64 0, 200) i64 @__clarity_local_id(i32 0)
  %i = xor i64 %x, 255
  ret i64 %i
}

; A shuffle: bits above the mask may be set, or bits below it left alone.
; CHECK-LABEL: define i64 @shuffles
; CHECK: xor i64 %x, 127
; CHECK: xor i64 %x, 128
define i64 @shuffles() {
  %x = call range(i64 0, 200) i64 @__clarity_local_id(i32 0)
  %i = xor i64 %x, 127
  %j = xor i64 %x, 128
  %k = add i64 %i, %j
  ret i64 %k
}

; Two numbers an element: the index of the second one is a sum, however many operations the first one has.
; CHECK-LABEL: define void @interleaved
; CHECK: add {{.*}}i64 %wide, 1
; CHECK: ret void
define void @interleaved(ptr addrspace(1) %a) {
entry:
  %width = call i64 @__clarity_global_size(i32 0)
  %cut = trunc i64 %width to i32
  %row = shl i32 %cut, 1
  %wide.row = zext i32 %row to i64
  %height = call i64 @__clarity_global_size(i32 1)
  %cut.height = trunc i64 %height to i32
  %plane = mul i32 %row, %cut.height
  %wide.plane = zext i32 %plane to i64
  %z = call i64 @__clarity_global_id(i32 2)
  %to.plane = mul i64 %z, %wide.plane
  %y = call i64 @__clarity_global_id(i32 1)
  %to.row = mul i64 %y, %wide.row
  %start = add i64 %to.plane, %to.row
  %cut.start = trunc i64 %start to i32
  %x = call i64 @__clarity_global_id(i32 0)
  %cut.x = trunc i64 %x to i32
  %twice = shl i32 %cut.x, 1
  %index = add i32 %twice, %cut.start
  %wide = sext i32 %index to i64
  %second = or i64 %wide, 1
  %p = getelementptr float, ptr addrspace(1) %a, i64 %second
  store float 0.0, ptr addrspace(1) %p
  ret void
}

; What is not even keeps its bits.
; CHECK-LABEL: define void @odd
; CHECK: or i64 %{{.*}}, 1
; CHECK: ret void
define void @odd(ptr addrspace(1) %a, i32 %row) {
entry:
  %x = call i64 @__clarity_global_id(i32 0)
  %cut = trunc i64 %x to i32
  %twice = shl i32 %cut, 1
  %index = add i32 %twice, %row
  %wide = sext i32 %index to i64
  %second = or i64 %wide, 1
  %p = getelementptr float, ptr addrspace(1) %a, i64 %second
  store float 0.0, ptr addrspace(1) %p
  ret void
}
