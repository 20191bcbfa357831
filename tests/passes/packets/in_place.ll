; Elements of each work-item that are read and written in turns: an access is moved across others that have no byte in
; common with it.
; RUN: %clarity opt --passes='specialize-shape<8x1x1>,work-item-loops,loop-simplify,lcssa,packets<4x1x1>' %s -o - | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_local_id(i32)

; Positions and velocities of a structure of eight floats: four of the six that are read, and two, and two of the four
; that are written.
; CHECK-LABEL: define void @particles
; CHECK: packet.entry:
; CHECK-COUNT-4: load <2 x float>, ptr addrspace(1)
; CHECK-COUNT-4: load <4 x float>, ptr addrspace(1)
; CHECK-NOT: load
; CHECK-COUNT-4: store <2 x float>
; CHECK: packet.end:
define void @particles(ptr addrspace(1) %a, float %t) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %p0 = getelementptr [8 x float], ptr addrspace(1) %a, i64 %x
  %p1 = getelementptr i8, ptr addrspace(1) %p0, i64 4
  %p2 = getelementptr i8, ptr addrspace(1) %p0, i64 8
  %p3 = getelementptr i8, ptr addrspace(1) %p0, i64 12
  %p4 = getelementptr i8, ptr addrspace(1) %p0, i64 16
  %p5 = getelementptr i8, ptr addrspace(1) %p0, i64 20
  %v4 = load float, ptr addrspace(1) %p4
  %n4 = fsub float %v4, %t
  store float %n4, ptr addrspace(1) %p4
  %v3 = load float, ptr addrspace(1) %p3
  %v0 = load float, ptr addrspace(1) %p0
  %n0 = fadd float %v0, %v3
  store float %n0, ptr addrspace(1) %p0
  %v1 = load float, ptr addrspace(1) %p1
  %n1 = fadd float %v1, %n4
  store float %n1, ptr addrspace(1) %p1
  %v5 = load float, ptr addrspace(1) %p5
  %v2 = load float, ptr addrspace(1) %p2
  %n2 = fadd float %v2, %v5
  store float %n2, ptr addrspace(1) %p2
  ret void
}

; What is read where this work-item has written stays behind the store, although the store is generated with the last of
; its group, and although the other loads of its own group are moved ahead of that.
; CHECK-LABEL: define void @read_after_write
; CHECK: packet.entry:
; CHECK-COUNT-4: load <2 x i32>, ptr addrspace(1)
; CHECK-NOT: load i32
; CHECK-COUNT-4: store <2 x i32>
; CHECK-NOT: store
; CHECK-COUNT-4: load i32, ptr addrspace(1)
; CHECK: packet.end:
define void @read_after_write(ptr addrspace(1) %a, ptr addrspace(1) %out, i32 %n) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %p0 = getelementptr [8 x i32], ptr addrspace(1) %a, i64 %x
  %p1 = getelementptr i8, ptr addrspace(1) %p0, i64 4
  %p2 = getelementptr i8, ptr addrspace(1) %p0, i64 8
  %p3 = getelementptr i8, ptr addrspace(1) %p0, i64 12
  store i32 %n, ptr addrspace(1) %p0
  %v2 = load i32, ptr addrspace(1) %p2
  store i32 7, ptr addrspace(1) %p1
  %v3 = load i32, ptr addrspace(1) %p3
  %v1 = load i32, ptr addrspace(1) %p1
  %sum = add i32 %v2, %v3
  %all = add i32 %sum, %v1
  %o = getelementptr i32, ptr addrspace(1) %out, i64 %x
  store i32 %all, ptr addrspace(1) %o
  ret void
}

; An access of another type overlaps by a byte: the stores ahead of it and behind it are generated apart.
; CHECK-LABEL: define void @overlap
; CHECK: packet.entry:
; CHECK-COUNT-4: store i32
; CHECK-COUNT-4: load i16
; CHECK-COUNT-4: store i32
; CHECK: packet.end:
define void @overlap(ptr addrspace(1) %a, ptr addrspace(1) %out, i32 %n) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %p0 = getelementptr [8 x i32], ptr addrspace(1) %a, i64 %x
  %h = getelementptr i8, ptr addrspace(1) %p0, i64 3
  %p1 = getelementptr i8, ptr addrspace(1) %p0, i64 4
  store i32 %n, ptr addrspace(1) %p0
  %v = load i16, ptr addrspace(1) %h, align 1
  store i32 %n, ptr addrspace(1) %p1
  %o = getelementptr i16, ptr addrspace(1) %out, i64 %x
  store i16 %v, ptr addrspace(1) %o
  ret void
}

; Local memory is never global memory; another pointer to global memory may lead to the same elements.
; CHECK-LABEL: define void @other_memory
; CHECK: packet.entry:
; CHECK-COUNT-4: load <2 x i32>, ptr addrspace(1)
; CHECK-NOT: load i32, ptr addrspace(1)
; CHECK-COUNT-4: load i32, ptr addrspace(1)
; CHECK-COUNT-4: load i32, ptr addrspace(1)
; CHECK: packet.end:
define void @other_memory(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(3) %l, ptr addrspace(1) %out) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %p0 = getelementptr [8 x i32], ptr addrspace(1) %a, i64 %x
  %p1 = getelementptr i8, ptr addrspace(1) %p0, i64 4
  %p4 = getelementptr i8, ptr addrspace(1) %p0, i64 16
  %p5 = getelementptr i8, ptr addrspace(1) %p0, i64 20
  %q = getelementptr i32, ptr addrspace(3) %l, i64 %x
  %r = getelementptr i32, ptr addrspace(1) %b, i64 %x
  %v0 = load i32, ptr addrspace(1) %p0
  store i32 5, ptr addrspace(3) %q
  %v1 = load i32, ptr addrspace(1) %p1
  %first = add i32 %v0, %v1
  store i32 %first, ptr addrspace(3) %q
  %v4 = load i32, ptr addrspace(1) %p4
  store i32 %first, ptr addrspace(1) %r
  %v5 = load i32, ptr addrspace(1) %p5
  %second = add i32 %v4, %v5
  %o = getelementptr i32, ptr addrspace(1) %out, i64 %x
  store i32 %second, ptr addrspace(1) %o
  ret void
}
