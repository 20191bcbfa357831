; An index that was computed in 64 bits and truncated counts modulo 2^32: x + 2^32 - 1 is x - 1, and all work-items but
; those of the first packet are the interior.
; RUN: %clarity opt --passes='specialize-shape<512>,work-item-loops,loop-simplify,split-interior,instcombine' %s -o - | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_local_id(i32)

; CHECK-LABEL: define void @before
; CHECK: icmp eq i32 %x, 0
; CHECK: %x.inner = phi i32 [ 16,
; CHECK-NOT: icmp eq i32
; CHECK: icmp samesign ult i32 %x.inner, 511
define void @before(ptr addrspace(3) %a, ptr addrspace(3) %out) {
entry:
  %id = call i64 @__clarity_local_id(i32 0)
  %c = icmp eq i64 %id, 0
  br i1 %c, label %end, label %then
then:
  %sum = add nuw nsw i64 %id, 4294967295
  %cut = trunc i64 %sum to i32
  %before = zext i32 %cut to i64
  %p = getelementptr i32, ptr addrspace(3) %a, i64 %before
  %v = load i32, ptr addrspace(3) %p
  br label %end
end:
  %r = phi i32 [ %v, %then ], [ 0, %entry ]
  %o = getelementptr i32, ptr addrspace(3) %out, i64 %id
  store i32 %r, ptr addrspace(3) %o
  ret void
}
