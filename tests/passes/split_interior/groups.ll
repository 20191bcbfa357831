; The rows of small work-groups are not cut: a group that touches no boundary runs the interior form as a whole.
; RUN: %clarity opt --passes='specialize-shape<16>,work-item-loops,narrow-indices,loop-simplify,split-interior' %s -o - | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_global_id(i32)
declare i32 @llvm.smin.i32(i32, i32)

; CHECK-LABEL: define void @group
; CHECK: br i1 %{{.*}}, label %interior, label %boundary
; CHECK: entry:
; CHECK: call i32 @llvm.smin.i32
; CHECK: icmp ult i32 %{{.*}}, 16
; CHECK: entry.inner:
; CHECK-NOT: call i32 @llvm.smin.i32
; CHECK: icmp ult i32 %{{.*}}, 16
define void @group(ptr addrspace(1) %a, ptr addrspace(1) %out, i32 %last) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %x = trunc i64 %id to i32
  %right = add nuw nsw i32 %x, 1
  %at = call i32 @llvm.smin.i32(i32 %right, i32 %last)
  %wide = sext i32 %at to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %wide
  %v = load float, ptr addrspace(1) %p
  %o = getelementptr inbounds float, ptr addrspace(1) %out, i64 %id
  store float %v, ptr addrspace(1) %o
  ret void
}
