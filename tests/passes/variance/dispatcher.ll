; Which region comes next is decided once for the work-group: loops behind a barrier that some work-items do not reach
; are as uniform as without one.
; RUN: %clarity opt --passes='specialize-shape<64x1x1>,prepare-barriers,save-live-values,work-item-loops,lower-switch,loop-simplify,lcssa,print<variance>' %s -o /dev/null 2>&1 | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_local_id(i32)
declare void @__clarity_barrier(i32)

; CHECK: variance of 'guarded'
; CHECK: block %loop
; CHECK-NEXT: %k: uniform
; CHECK-NEXT: %more: uniform
define void @guarded(ptr addrspace(1) %a, i64 %n, i64 %limit) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %c = icmp ult i64 %x, %limit
  br i1 %c, label %then, label %end
then:
  call void @__clarity_barrier(i32 1)
  br label %loop
loop:
  %k = phi i64 [ 0, %then ], [ %k.next, %body ]
  %more = icmp ult i64 %k, %n
  br i1 %more, label %body, label %end
body:
  %i = add i64 %k, %x
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  store i32 1, ptr addrspace(1) %p
  %k.next = add i64 %k, 1
  br label %loop
end:
  ret void
}
