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

; Sums of members that a loop carries around.
; CHECK-LABEL: define void @around_loop
; CHECK: store <4 x float> %[[S:.*]], ptr
; CHECK: store <4 x float> %[[T:.*]], ptr
; CHECK: %[[SIN:.*]] = phi <4 x float> [ zeroinitializer, %{{[a-z.]*}} ], [ %[[S]],
; CHECK-NOT: shufflevector
; CHECK: %[[U:.*]] = load <4 x float>
; CHECK: %[[V:.*]] = load <4 x float>
; CHECK-NOT: shufflevector
; CHECK: %[[S]] = fadd <4 x float> %[[SIN]], %[[U]]
; CHECK: %[[T]] = fadd <4 x float> %{{.*}}, %[[V]]
; CHECK-NOT: fadd <4 x float>
; CHECK: packet.end
define void @around_loop(ptr addrspace(1) %a, ptr addrspace(1) %o, i64 %n, i64 %pitch) {
entry:
  %x = call i64 @__clarity_global_id(i32 0)
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %s.next, %loop ]
  %t = phi float [ 0.0, %entry ], [ %t.next, %loop ]
  %row = mul i64 %k, %pitch
  %at = add i64 %row, %x
  %p = getelementptr [2 x float], ptr addrspace(1) %a, i64 %at
  %q = getelementptr float, ptr addrspace(1) %p, i64 1
  %u = load float, ptr addrspace(1) %p
  %v = load float, ptr addrspace(1) %q
  %s.next = fadd float %s, %u
  %t.next = fadd float %t, %v
  %next = add i64 %k, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  %op = getelementptr [2 x float], ptr addrspace(1) %o, i64 %x
  %oq = getelementptr float, ptr addrspace(1) %op, i64 1
  store float %s.next, ptr addrspace(1) %op
  store float %t.next, ptr addrspace(1) %oq
  ret void
}

; Where something else needs one of the sums, they stay members.
; CHECK-LABEL: define void @also_used
; CHECK: shufflevector {{.*}} <i32 0, i32 2
; CHECK: packet.end
define void @also_used(ptr addrspace(1) %a, ptr addrspace(1) %o, ptr addrspace(1) %r, i64 %n, i64 %pitch) {
entry:
  %x = call i64 @__clarity_global_id(i32 0)
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %s.next, %loop ]
  %t = phi float [ 0.0, %entry ], [ %t.next, %loop ]
  %row = mul i64 %k, %pitch
  %at = add i64 %row, %x
  %p = getelementptr [2 x float], ptr addrspace(1) %a, i64 %at
  %q = getelementptr float, ptr addrspace(1) %p, i64 1
  %u = load float, ptr addrspace(1) %p
  %v = load float, ptr addrspace(1) %q
  %s.next = fadd float %s, %u
  %t.next = fadd float %t, %v
  %next = add i64 %k, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  %op = getelementptr [2 x float], ptr addrspace(1) %o, i64 %x
  %oq = getelementptr float, ptr addrspace(1) %op, i64 1
  store float %s.next, ptr addrspace(1) %op
  store float %t.next, ptr addrspace(1) %oq
  %rp = getelementptr float, ptr addrspace(1) %r, i64 %x
  store float %s.next, ptr addrspace(1) %rp
  ret void
}

; The index of the results may wrap, which is rare: only there are the members shuffled.
; CHECK-LABEL: define void @around_loop_wrapping
; CHECK: phi <4 x float>
; CHECK-NOT: shufflevector
; CHECK: fadd <4 x float>
; CHECK-NOT: shufflevector
; CHECK: packet.wraps:
; CHECK: shufflevector <4 x float> %{{.*}}, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
; CHECK: shufflevector <4 x float> %{{.*}}, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
; CHECK: packet.in.step:
; CHECK-NOT: shufflevector
; CHECK: store <4 x float>
; CHECK: store <4 x float>
; CHECK: packet.end
define void @around_loop_wrapping(ptr addrspace(1) %a, ptr addrspace(1) %o, i64 %n, i64 %pitch, i32 %from) {
entry:
  %x = call i64 @__clarity_global_id(i32 0)
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %s.next, %loop ]
  %t = phi float [ 0.0, %entry ], [ %t.next, %loop ]
  %row = mul i64 %k, %pitch
  %at = add i64 %row, %x
  %p = getelementptr [2 x float], ptr addrspace(1) %a, i64 %at
  %q = getelementptr float, ptr addrspace(1) %p, i64 1
  %u = load float, ptr addrspace(1) %p
  %v = load float, ptr addrspace(1) %q
  %s.next = fadd float %s, %u
  %t.next = fadd float %t, %v
  %next = add i64 %k, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  %narrow = trunc i64 %x to i32
  %place = add i32 %narrow, %from
  %index = sext i32 %place to i64
  %op = getelementptr [2 x float], ptr addrspace(1) %o, i64 %index
  %oq = getelementptr float, ptr addrspace(1) %op, i64 1
  store float %s.next, ptr addrspace(1) %op
  store float %t.next, ptr addrspace(1) %oq
  ret void
}
