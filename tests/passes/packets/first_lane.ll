; An address that is computed ahead of the guard which lets only some lanes use it: what holds for those need not hold for the first.
; RUN: %clarity opt --passes='work-item-loops<group-agnostic>,packets<4x1x1>' %s -o - | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_global_id(i32)

; CHECK-LABEL: define void @earlier
; CHECK: [[BEFORE:%.*]] = add i32 {{.*}}, -1
; CHECK: [[WIDE:%.*]] = sext i32 [[BEFORE]] to i64
; CHECK: getelementptr float, ptr addrspace(1) %a, i64
; What all lanes use keeps what is known of it.
; CHECK: getelementptr inbounds nuw float, ptr addrspace(1) %out
define void @earlier(ptr addrspace(1) %a, ptr addrspace(1) %out) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %x = trunc i64 %id to i32
  %before = add nsw i32 %x, -1
  %wide = zext nneg i32 %before to i64
  %from = getelementptr inbounds nuw float, ptr addrspace(1) %a, i64 %wide
  %to = getelementptr inbounds nuw float, ptr addrspace(1) %out, i64 %id
  store float 1.0, ptr addrspace(1) %to
  %first = icmp eq i32 %x, 0
  br i1 %first, label %end, label %use
use:
  %value = load float, ptr addrspace(1) %from
  %to.b = getelementptr inbounds nuw float, ptr addrspace(1) %out, i64 %id
  store float %value, ptr addrspace(1) %to.b
  br label %end
end:
  ret void
}
