; A loop of few iterations, whose number is known, becomes its iterations where they are some hundreds of instructions.
; RUN: %clarity opt --processor sm_90 --passes=unroll-short-loops %s -o - | FileCheck %s
target triple = "nvptx64-nvidia-cuda"
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

; LLVM alone would take the 31 iterations of two blocks for too many: each tests one bit of the number.
; CHECK-LABEL: define i32 @bits
; CHECK-COUNT-31: load i32, ptr addrspace(1)
; CHECK-NOT: load
; CHECK: ret i32
define i32 @bits(ptr addrspace(1) %table, i32 %data) {
entry:
  br label %loop
loop:
  %bit = phi i32 [ 0, %entry ], [ %next, %latch ]
  %rest = phi i32 [ %data, %entry ], [ %shifted, %latch ]
  %sum = phi i32 [ 0, %entry ], [ %both, %latch ]
  %lowest = and i32 %rest, 1
  %isSet = icmp ne i32 %lowest, 0
  br i1 %isSet, label %add, label %latch
add:
  %p = getelementptr inbounds i32, ptr addrspace(1) %table, i32 %bit
  %v = load i32, ptr addrspace(1) %p, align 4
  %more = xor i32 %sum, %v
  br label %latch
latch:
  %both = phi i32 [ %sum, %loop ], [ %more, %add ]
  %shifted = lshr i32 %rest, 1
  %next = add nuw nsw i32 %bit, 1
  %goesOn = icmp ult i32 %next, 31
  br i1 %goesOn, label %loop, label %end
end:
  ret i32 %both
}

; A number of iterations that is known at run time only, or large.
; CHECK-LABEL: define i32 @unknown
; CHECK-COUNT-1: load i32
; CHECK-NOT: load
; CHECK: ret i32
define i32 @unknown(ptr addrspace(1) %a, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %more, %loop ]
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i32 %i
  %v = load i32, ptr addrspace(1) %p, align 4
  %more = add i32 %sum, %v
  %next = add nuw nsw i32 %i, 1
  %goesOn = icmp ult i32 %next, %n
  br i1 %goesOn, label %loop, label %end
end:
  ret i32 %more
}

; CHECK-LABEL: define i32 @many
; CHECK-COUNT-1: load i32
; CHECK-NOT: load
; CHECK: ret i32
define i32 @many(ptr addrspace(1) %a) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %more, %loop ]
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i32 %i
  %v = load i32, ptr addrspace(1) %p, align 4
  %more = add i32 %sum, %v
  %next = add nuw nsw i32 %i, 1
  %goesOn = icmp ult i32 %next, 65
  br i1 %goesOn, label %loop, label %end
end:
  ret i32 %more
}

; Barriers stay in their loop, and so does what the source wants to stay.
; CHECK-LABEL: define void @meets
; CHECK-COUNT-1: call void @llvm.nvvm.barrier
; CHECK-NOT: call void @llvm.nvvm.barrier
; CHECK: ret void
define void @meets() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add nuw nsw i32 %i, 1
  %goesOn = icmp ult i32 %next, 4
  br i1 %goesOn, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: define i32 @asked
; CHECK-COUNT-1: load i32
; CHECK-NOT: load
; CHECK: ret i32
define i32 @asked(ptr addrspace(1) %a) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %more, %loop ]
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i32 %i
  %v = load i32, ptr addrspace(1) %p, align 4
  %more = add i32 %sum, %v
  %next = add nuw nsw i32 %i, 1
  %goesOn = icmp ult i32 %next, 8
  br i1 %goesOn, label %loop, label %end, !llvm.loop !0
end:
  ret i32 %more
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
