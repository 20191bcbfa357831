; What holds for those work-items only that pass a condition need not hold for the one in the middle of the row, from
; which the interior is computed: `x | 1` of an odd x is not x + 1, which it is of the even ones that are asked.
; RUN: %clarity opt --passes='work-item-loops<group-agnostic>,loop-simplify,split-interior' %s -o - | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_global_id(i32)
declare i32 @llvm.smin.i32(i32, i32)

; CHECK-LABEL: define void @even
; CHECK: %[[MIDDLE:.*]] = lshr i64 %{{.*}}, 1
; CHECK-NOT: or i32
; CHECK: add i32 %{{.*}}, 1
; CHECK: interior:
; CHECK: entry.inner:
define void @even(ptr addrspace(1) %a, ptr addrspace(1) %out, i32 %last) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %x = trunc i64 %id to i32
  %bit = and i32 %x, 1
  %even = icmp eq i32 %bit, 0
  br i1 %even, label %inside, label %end
inside:
  %next = or disjoint i32 %x, 1
  %at = call i32 @llvm.smin.i32(i32 %next, i32 %last)
  %wide = sext i32 %at to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %wide
  %v = load float, ptr addrspace(1) %p
  %o = getelementptr inbounds float, ptr addrspace(1) %out, i64 %id
  store float %v, ptr addrspace(1) %o
  br label %end
end:
  ret void
}
