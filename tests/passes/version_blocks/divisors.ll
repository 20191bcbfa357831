; The version for aligned blocks divides without the guard of a division, which lets every positive divisor be. What a
; program has chosen the divisor from stays.
; RUN: %clarity opt --passes='work-item-loops<group-agnostic>,narrow-indices,loop-simplify,version-blocks' %s -o - | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_global_id(i32)
declare i32 @llvm.umax.i32(i32, i32)

; CHECK-LABEL: define void @guarded
; CHECK: entry.inner:
; CHECK: udiv i32 %{{.*}}, %plain.inner, !clarity.in.step
define void @guarded(ptr addrspace(1) %a, ptr addrspace(1) %out, i32 %width) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %x = trunc i64 %id to i32
  %plain = freeze i32 %width
  %bad = icmp eq i32 %plain, 0
  %by = select i1 %bad, i32 1, i32 %plain
  %row = udiv i32 %x, %by
  %r = zext nneg i32 %row to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %r
  %u = load float, ptr addrspace(1) %p
  %o = getelementptr inbounds float, ptr addrspace(1) %out, i64 %id
  store float %u, ptr addrspace(1) %o
  ret void
}

; That of a signed division: zero, or the smallest dividend by -1.
; CHECK-LABEL: define void @signed
; CHECK: entry.inner:
; CHECK: sdiv i32 %{{.*}}, %plain.inner, !clarity.in.step
define void @signed(ptr addrspace(1) %a, ptr addrspace(1) %out, i32 %width) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %x = trunc i64 %id to i32
  %plain = freeze i32 %width
  %zero = icmp eq i32 %plain, 0
  %smallest = icmp eq i32 %x, -2147483648
  %negative = icmp eq i32 %plain, -1
  %overflows = and i1 %smallest, %negative
  %bad = or i1 %zero, %overflows
  %by = select i1 %bad, i32 1, i32 %plain
  %row = sdiv i32 %x, %by
  %r = zext i32 %row to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %r
  %u = load float, ptr addrspace(1) %p
  %o = getelementptr inbounds float, ptr addrspace(1) %out, i64 %id
  store float %u, ptr addrspace(1) %o
  ret void
}

; What LLVM makes of it.
; CHECK-LABEL: define void @greater
; CHECK: entry.inner:
; CHECK: udiv i32 %{{.*}}, %plain.inner, !clarity.in.step
define void @greater(ptr addrspace(1) %a, ptr addrspace(1) %out, i32 %width) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %x = trunc i64 %id to i32
  %plain = freeze i32 %width
  %by = call i32 @llvm.umax.i32(i32 %plain, i32 1)
  %row = udiv i32 %x, %by
  %r = zext nneg i32 %row to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %r
  %u = load float, ptr addrspace(1) %p
  %o = getelementptr inbounds float, ptr addrspace(1) %out, i64 %id
  store float %u, ptr addrspace(1) %o
  ret void
}

; Of what the divisor is a sum of, and of what it is an extension of.
; CHECK-LABEL: define void @moved
; CHECK: entry.inner:
; CHECK: udiv i32 %{{.*}}, %plain.inner, !clarity.in.step
; CHECK: udiv i32 %{{.*}}, %wide.inner, !clarity.in.step
define void @moved(ptr addrspace(1) %a, ptr addrspace(1) %out, i32 %width, i16 %height) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %x = trunc i64 %id to i32
  %less = freeze i32 %width
  %plain = add i32 %less, 1
  %bad = icmp eq i32 %less, -1
  %by = select i1 %bad, i32 1, i32 %plain
  %row = udiv i32 %x, %by
  %r = zext nneg i32 %row to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %r
  %u = load float, ptr addrspace(1) %p
  %narrow = freeze i16 %height
  %wide = sext i16 %narrow to i32
  %none = icmp eq i16 %narrow, 0
  %over = select i1 %none, i32 1, i32 %wide
  %column = udiv i32 %x, %over
  %c = zext nneg i32 %column to i64
  %q = getelementptr inbounds float, ptr addrspace(1) %a, i64 %c
  %v = load float, ptr addrspace(1) %q
  %sum = fadd float %u, %v
  %o = getelementptr inbounds float, ptr addrspace(1) %out, i64 %id
  store float %sum, ptr addrspace(1) %o
  ret void
}

; Positive, and the divisor is 1 all the same.
; CHECK-LABEL: define void @chosen
; CHECK-NOT: udiv i32 %{{.*}}, %plain
; CHECK: }
define void @chosen(ptr addrspace(1) %a, ptr addrspace(1) %out, i32 %width, i32 %mode) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %x = trunc i64 %id to i32
  %plain = freeze i32 %width
  %single = icmp ugt i32 %mode, 5
  %by = select i1 %single, i32 1, i32 %plain
  %row = udiv i32 %x, %by
  %r = zext nneg i32 %row to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %r
  %u = load float, ptr addrspace(1) %p
  %o = getelementptr inbounds float, ptr addrspace(1) %out, i64 %id
  store float %u, ptr addrspace(1) %o
  ret void
}

; CHECK-LABEL: define void @small
; CHECK-NOT: udiv i32 %{{.*}}, %plain
; CHECK: }
define void @small(ptr addrspace(1) %a, ptr addrspace(1) %out, i32 %width) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %x = trunc i64 %id to i32
  %plain = freeze i32 %width
  %few = icmp ult i32 %plain, 16
  %by = select i1 %few, i32 1, i32 %plain
  %row = udiv i32 %x, %by
  %r = zext nneg i32 %row to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %r
  %u = load float, ptr addrspace(1) %p
  %o = getelementptr inbounds float, ptr addrspace(1) %out, i64 %id
  store float %u, ptr addrspace(1) %o
  ret void
}

; The greater one of two is neither of them.
; CHECK-LABEL: define void @both
; CHECK-NOT: udiv i32 %{{.*}}, %{{plain|other}}
; CHECK: }
define void @both(ptr addrspace(1) %a, ptr addrspace(1) %out, i32 %width, i32 %height) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %x = trunc i64 %id to i32
  %plain = freeze i32 %width
  %other = freeze i32 %height
  %by = call i32 @llvm.umax.i32(i32 %plain, i32 %other)
  %row = udiv i32 %x, %by
  %r = zext nneg i32 %row to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %r
  %u = load float, ptr addrspace(1) %p
  %o = getelementptr inbounds float, ptr addrspace(1) %out, i64 %id
  store float %u, ptr addrspace(1) %o
  ret void
}
