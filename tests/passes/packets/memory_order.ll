; What is done to all elements of a float4 alike is done in the order of memory: nothing is shuffled. Swizzles shuffle parts;
; what mixes members is split and put together.
; RUN: %clarity opt --passes='work-item-loops<group-agnostic>,loop-simplify,lcssa,packets<4x1x1>,adce' %s -o - | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_global_id(i32)
declare float @llvm.sqrt.f32(float)

; CHECK-LABEL: define void @alike
; CHECK: %[[C:.*]] = shufflevector <2 x float> {{.*}} <4 x i32> <i32 0, i32 1, i32 0, i32 1>
; CHECK-NOT: shufflevector
; CHECK: %[[M:.*]] = fmul <4 x float> %{{.*}}, %[[C]]
; CHECK: call <4 x float> @llvm.sqrt.v4f32(<4 x float> %[[M]])
; CHECK-NOT: shufflevector
; CHECK: store <4 x float>
; CHECK: store <4 x float>
; CHECK: packet.end
define void @alike(ptr addrspace(1) %a, float %s, float %t) {
  %x = call i64 @__clarity_global_id(i32 0)
  %p = getelementptr [2 x float], ptr addrspace(1) %a, i64 %x
  %q = getelementptr float, ptr addrspace(1) %p, i64 1
  %u = load float, ptr addrspace(1) %p
  %v = load float, ptr addrspace(1) %q
  %us = fmul float %u, %s
  %vs = fmul float %v, %t
  %ur = call float @llvm.sqrt.f32(float %us)
  %vr = call float @llvm.sqrt.f32(float %vs)
  store float %ur, ptr addrspace(1) %p
  store float %vr, ptr addrspace(1) %q
  ret void
}

; CHECK-LABEL: define void @swapped
; CHECK: shufflevector <4 x float> %{{.*}}, <4 x float> poison, <4 x i32> <i32 1, i32 0, i32 3, i32 2>
; CHECK: shufflevector <4 x float> %{{.*}}, <4 x float> poison, <4 x i32> <i32 1, i32 0, i32 3, i32 2>
; CHECK-NOT: shufflevector
; CHECK: store
define void @swapped(ptr addrspace(1) %a) {
  %x = call i64 @__clarity_global_id(i32 0)
  %p = getelementptr [2 x float], ptr addrspace(1) %a, i64 %x
  %q = getelementptr float, ptr addrspace(1) %p, i64 1
  %u = load float, ptr addrspace(1) %p
  %v = load float, ptr addrspace(1) %q
  store float %v, ptr addrspace(1) %p
  store float %u, ptr addrspace(1) %q
  ret void
}

; The same member twice is not the order of memory, though the numbers grow.
; CHECK-LABEL: define void @twice
; CHECK: shufflevector <4 x float> %{{.*}}, <4 x float> poison, <4 x i32> <i32 0, i32 0, i32 2, i32 2>
; CHECK: shufflevector <4 x float> %{{.*}}, <4 x float> poison, <4 x i32> <i32 0, i32 0, i32 2, i32 2>
; CHECK: store
define void @twice(ptr addrspace(1) %a) {
  %x = call i64 @__clarity_global_id(i32 0)
  %p = getelementptr [2 x float], ptr addrspace(1) %a, i64 %x
  %q = getelementptr float, ptr addrspace(1) %p, i64 1
  %u = load float, ptr addrspace(1) %p
  %v = load float, ptr addrspace(1) %q
  %w = fmul float %u, 2.0
  %t = fmul float %u, 2.0
  store float %w, ptr addrspace(1) %p
  store float %t, ptr addrspace(1) %q
  ret void
}

; CHECK-LABEL: define void @mixed
; CHECK: shufflevector <4 x float> %{{.*}}, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
; CHECK: fadd <4 x float>
; CHECK: fsub <4 x float>
; CHECK: shufflevector <4 x float> %{{.*}}, <4 x i32> <i32 0, i32 4, i32 1, i32 5>
define void @mixed(ptr addrspace(1) %a) {
  %x = call i64 @__clarity_global_id(i32 0)
  %p = getelementptr [2 x float], ptr addrspace(1) %a, i64 %x
  %q = getelementptr float, ptr addrspace(1) %p, i64 1
  %u = load float, ptr addrspace(1) %p
  %v = load float, ptr addrspace(1) %q
  %s = fadd float %u, %v
  %d = fsub float %u, %v
  store float %s, ptr addrspace(1) %p
  store float %d, ptr addrspace(1) %q
  ret void
}
