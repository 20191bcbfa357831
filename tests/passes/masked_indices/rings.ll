; Loops over rings are not vectorised: the index is masked, or a counter of few bits.
; RUN: %clarity opt --passes='masked-indices' %s -o - | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: define void @ring
; CHECK: br i1 %more, label %loop, label %end, !llvm.loop [[RING:![0-9]+]]
define void @ring(ptr addrspace(1) %c, i32 %begin, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %low = and i32 %i, 15
  %at = add i32 %low, %begin
  %index = zext i32 %at to i64
  %p = getelementptr i32, ptr addrspace(1) %c, i64 %index
  store i32 %i, ptr addrspace(1) %p
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: define void @narrow
; CHECK: br i1 %more, label %loop, label %end, !llvm.loop
define void @narrow(ptr addrspace(1) %c, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %low = trunc i32 %i to i8
  %index = zext i8 %low to i64
  %p = getelementptr i32, ptr addrspace(1) %c, i64 %index
  store i32 %i, ptr addrspace(1) %p
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Values that are masked, and masks of what is the same in all iterations, are right.
; CHECK-LABEL: define void @values
; CHECK: br i1 %more, label %loop, label %end{{$}}
define void @values(ptr addrspace(1) %c, i64 %which, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %low = and i64 %i, 15
  %same = and i64 %which, 15
  %at = add i64 %i, %same
  %p = getelementptr i64, ptr addrspace(1) %c, i64 %at
  store i64 %low, ptr addrspace(1) %p
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK: [[RING]] = distinct !{[[RING]], [[NEVER:![0-9]+]]}
; CHECK: [[NEVER]] = !{!"llvm.loop.vectorize.enable", i32 0}
