; What lies side by side in every work-item where some of them may not come: whole vectors under masks; stores for which
; the processor has none are a run for each lane, which is a place of their own for those that do not come.
; RUN: %clarity opt --processor x86-64-v4 --passes='specialize-shape<16x1x1>,work-item-loops,loop-simplify,lcssa,packets<4x1x1>' %s -o - | FileCheck %s --check-prefixes=CHECK,MASKS
; RUN: %clarity opt --processor x86-64-v3 --passes='specialize-shape<16x1x1>,work-item-loops,loop-simplify,lcssa,packets<4x1x1>' %s -o - | FileCheck %s --check-prefixes=CHECK,NONE
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_local_id(i32)

; CHECK-LABEL: define void @two
; MASKS: packet.work:
; NONE: packet.part:
; CHECK: %[[LANES:.*]] = shufflevector <4 x i1> %[[HERE:.*]], <4 x i1> poison, <4 x i32> <i32 0, i32 0, i32 1, i32 1>
; CHECK: call <4 x float> @llvm.masked.load.v4f32.p1(ptr addrspace(1) align 4 %{{.*}}, <4 x i1> %[[LANES]], <4 x float> zeroinitializer)
; CHECK: shufflevector <4 x i1> %[[HERE]], <4 x i1> poison, <4 x i32> <i32 2, i32 2, i32 3, i32 3>
; CHECK: call <4 x float> @llvm.masked.load
; MASKS: call void @llvm.masked.store
; MASKS: call void @llvm.masked.store
; NONE: select <4 x i1> %[[HERE]], <4 x ptr addrspace(1)>
; NONE-COUNT-4: store <2 x float> %{{.*}}, ptr addrspace(1) %{{.*}}, align 1
define void @two(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %m) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %pm = getelementptr i32, ptr addrspace(1) %m, i64 %x
  %c = load i32, ptr addrspace(1) %pm
  %some = icmp sgt i32 %c, 3
  br i1 %some, label %work, label %end
work:
  %i = mul i64 %x, 2
  %j = or disjoint i64 %i, 1
  %p0 = getelementptr float, ptr addrspace(1) %a, i64 %i
  %p1 = getelementptr float, ptr addrspace(1) %a, i64 %j
  %v0 = load float, ptr addrspace(1) %p0
  %v1 = load float, ptr addrspace(1) %p1
  %w0 = fadd float %v0, 1.0
  %w1 = fadd float %v1, 1.0
  %q0 = getelementptr float, ptr addrspace(1) %b, i64 %i
  %q1 = getelementptr float, ptr addrspace(1) %b, i64 %j
  store float %w0, ptr addrspace(1) %q0
  store float %w1, ptr addrspace(1) %q1
  br label %end
end:
  ret void
}

; What no instruction loads under a mask, widen-masked-loads expands.
; CHECK-LABEL: define void @bytes
; NONE: packet.part:
; CHECK-COUNT-4: call <4 x i8> @llvm.masked.load
define void @bytes(ptr addrspace(1) %a, ptr addrspace(1) %m) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %pm = getelementptr i32, ptr addrspace(1) %m, i64 %x
  %c = load i32, ptr addrspace(1) %pm
  %some = icmp sgt i32 %c, 3
  br i1 %some, label %work, label %end
work:
  %i = mul i64 %x, 4
  %p0 = getelementptr i8, ptr addrspace(1) %a, i64 %i
  %p1 = getelementptr i8, ptr addrspace(1) %p0, i64 1
  %p2 = getelementptr i8, ptr addrspace(1) %p0, i64 2
  %p3 = getelementptr i8, ptr addrspace(1) %p0, i64 3
  %v0 = load i8, ptr addrspace(1) %p0
  %v1 = load i8, ptr addrspace(1) %p1
  %v2 = load i8, ptr addrspace(1) %p2
  %v3 = load i8, ptr addrspace(1) %p3
  %s0 = add i8 %v0, %v1
  %s1 = add i8 %v2, %v3
  %s = add i8 %s0, %s1
  %old = zext i8 %s to i32
  store i32 %old, ptr addrspace(1) %pm
  br label %end
end:
  ret void
}

; Every second element: vectors of all memory between, under masks without the elements that no lane loads.
; CHECK-LABEL: define void @strided
; NONE: packet.part:
; CHECK: %[[FIRST:.*]] = shufflevector <4 x i1> %[[ACTIVE:.*]], <4 x i1> zeroinitializer, <4 x i32> <i32 0, i32 4, i32 1, i32 4>
; CHECK: call <4 x float> @llvm.masked.load.v4f32.p1(ptr addrspace(1) align 4 %{{.*}}, <4 x i1> %[[FIRST]], <4 x float> zeroinitializer)
; CHECK: %[[SECOND:.*]] = shufflevector <4 x i1> %[[ACTIVE]], <4 x i1> zeroinitializer, <4 x i32> <i32 4, i32 2, i32 4, i32 3>
; CHECK: call <4 x float> @llvm.masked.load.v4f32.p1(ptr addrspace(1) align 4 %{{.*}}, <4 x i1> %[[SECOND]], <4 x float> zeroinitializer)
; CHECK: shufflevector <4 x float> %{{.*}}, <4 x float> %{{.*}}, <4 x i32> <i32 0, i32 1, i32 5, i32 7>
define void @strided(ptr addrspace(1) %a, ptr addrspace(1) %m) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %pm = getelementptr float, ptr addrspace(1) %m, i64 %x
  %c = load float, ptr addrspace(1) %pm
  %some = fcmp ogt float %c, 3.0
  br i1 %some, label %work, label %end
work:
  %i = mul i64 %x, 2
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  %v = load float, ptr addrspace(1) %p
  store float %v, ptr addrspace(1) %pm
  br label %end
end:
  ret void
}
