; Accesses that lie side by side from row to row of the tile and apart from lane to lane: squares are transposed.
; RUN: %clarity opt --passes='specialize-shape<8x4x1>,work-item-loops,loop-simplify,lcssa,packets<4x1x4>' %s -o - | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_local_id(i32)

; CHECK-LABEL: define void @transpose
define void @transpose(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %w, i64 %h) {
; CHECK: packet.entry:
; CHECK-COUNT-4: load <4 x float>, ptr addrspace(1)
; CHECK: shufflevector <4 x float> %{{.*}}, <4 x float> %{{.*}}, <4 x i32> <i32 0, i32 4, i32 1, i32 5>
; CHECK: shufflevector <4 x float> %{{.*}}, <4 x float> %{{.*}}, <4 x i32> <i32 2, i32 6, i32 3, i32 7>
; CHECK-COUNT-6: shufflevector <4 x float> %{{.*}}, <4 x float> %{{.*}}, <4 x i32>
; CHECK-NOT: load
; CHECK-COUNT-4: store <4 x float>
; CHECK-NOT: store float
; CHECK: packet.end:
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %y = call i64 @__clarity_local_id(i32 1)
  %row = mul i64 %y, %w
  %from = add i64 %row, %x
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %from
  %v = load float, ptr addrspace(1) %pa
  %column = mul i64 %x, %h
  %to = add i64 %column, %y
  %pb = getelementptr float, ptr addrspace(1) %b, i64 %to
  store float %v, ptr addrspace(1) %pb
  ret void
}

; Private variables lie elsewhere for every row and are left alone.
; CHECK-LABEL: define void @private_rows
define void @private_rows(ptr addrspace(1) %a) {
; CHECK: packet.entry:
; CHECK-NOT: <i32 0, i32 4, i32 1, i32 5>
; CHECK: packet.end:
entry:
  %array = alloca [8 x i32]
  %x = call i64 @__clarity_local_id(i32 0)
  %y = call i64 @__clarity_local_id(i32 1)
  %p = getelementptr i32, ptr %array, i64 %y
  store i32 5, ptr %p
  %q = getelementptr i32, ptr %array, i64 %x
  %v = load i32, ptr %q
  %at = getelementptr i32, ptr addrspace(1) %a, i64 %x
  store i32 %v, ptr addrspace(1) %at
  ret void
}

; More members than lanes: several runs, aligned as each of their places is.
; RUN: %clarity opt --passes='specialize-shape<8x1x1>,work-item-loops,loop-simplify,lcssa,packets<2x1x1>' %s -o - | FileCheck %s --check-prefix=TWO
; TWO-LABEL: define void @members
; TWO: packet.entry:
; TWO-COUNT-2: load <2 x i64>, ptr addrspace(1) %{{.*}}, align 32
; TWO-COUNT-2: load <2 x i64>, ptr addrspace(1) %{{.*}}, align 16
; TWO-NOT: load <2 x i64>, ptr addrspace(1) %{{.*}}, align 32
; TWO: packet.end:
define void @members(ptr addrspace(1) %a, ptr addrspace(1) %index, ptr addrspace(1) %out) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %pi = getelementptr i64, ptr addrspace(1) %index, i64 %x
  %i = load i64, ptr addrspace(1) %pi
  %p0 = getelementptr [4 x i64], ptr addrspace(1) %a, i64 %i
  %p1 = getelementptr i8, ptr addrspace(1) %p0, i64 8
  %p2 = getelementptr i8, ptr addrspace(1) %p0, i64 16
  %p3 = getelementptr i8, ptr addrspace(1) %p0, i64 24
  %v0 = load i64, ptr addrspace(1) %p0, align 32
  %v1 = load i64, ptr addrspace(1) %p1, align 8
  %v2 = load i64, ptr addrspace(1) %p2, align 16
  %v3 = load i64, ptr addrspace(1) %p3, align 8
  %s1 = add i64 %v0, %v1
  %s2 = xor i64 %v2, %v3
  %s = mul i64 %s1, %s2
  %po = getelementptr i64, ptr addrspace(1) %out, i64 %x
  store i64 %s, ptr addrspace(1) %po
  ret void
}
