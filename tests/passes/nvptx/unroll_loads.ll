; Loops that load neighbouring elements are unrolled in two versions, for addresses of vectors and for others.
; RUN: %clarity opt --processor sm_90 --passes=unroll-loads %s -o - | FileCheck %s
; RUN: %clarity opt --processor sm_90 --passes='unroll-loads<few>' %s -o - | FileCheck %s --check-prefix=FEW
target triple = "nvptx64-nvidia-cuda"
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; What the source wants to stay, or a copy for few threads.
; CHECK-LABEL: define float @kept
; CHECK-COUNT-1: load float
; CHECK-NOT: load
; CHECK: ret float
define float @kept(ptr addrspace(1) %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %total = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %i
  %v = load float, ptr addrspace(1) %p, align 4
  %sum = fadd float %total, %v
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end, !llvm.loop !90
end:
  ret float %sum
}
!90 = distinct !{!90, !91}
!91 = !{!"llvm.loop.unroll.disable"}

; The first of four loads says that all four are a vector; the other version says no more than before.
; CHECK-LABEL: define float @consecutive
; CHECK: %[[START:.*]] = ptrtoint ptr addrspace(1) %a to i64
; CHECK: and i64 %{{.*}}, 15
; CHECK: br i1 %aligned, label %entry.split, label %entry.split.unaligned
; CHECK: loop:
; CHECK: load float, ptr addrspace(1) %p, align 16
; CHECK-COUNT-3: load float, ptr addrspace(1) %{{.*}}, align 4
; CHECK-NOT: load
; CHECK: br i1
; CHECK: loop.unaligned:
; CHECK-COUNT-4: load float, ptr addrspace(1) %{{.*}}, align 4
; CHECK-NOT: load
; CHECK: br i1
; CHECK: loop.epil:
define float @consecutive(ptr addrspace(1) %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %total = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %i
  %v = load float, ptr addrspace(1) %p, align 4
  %sum = fadd float %total, %v
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret float %sum
}

; Threads of a warp that begin elsewhere vote, so that they stay in one loop.
; CHECK-LABEL: define float @by_thread
; CHECK: %[[OWN:.*]] = icmp eq i64 %{{.*}}, 0
; CHECK: %[[THREADS:.*]] = call i32 @llvm.nvvm.activemask()
; CHECK: call i1 @llvm.nvvm.vote.all.sync(i32 %[[THREADS]], i1 %[[OWN]])
define float @by_thread(ptr addrspace(1) %a, i64 %n) {
entry:
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = zext i32 %thread to i64
  %own = getelementptr inbounds float, ptr addrspace(1) %a, i64 %first
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %total = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %p = getelementptr inbounds float, ptr addrspace(1) %own, i64 %i
  %v = load float, ptr addrspace(1) %p, align 4
  %sum = fadd float %total, %v
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret float %sum
}

; Neighbours in one iteration: aligned where the step is a multiple of both, too.
; CHECK-LABEL: define float @rows
; CHECK: %[[STEP:.*]] = shl i64 %pitch, 2
; CHECK: and i64 %{{.*}}, 7
; CHECK: loop:
; CHECK: load float, ptr addrspace(1) %p, align 8
; CHECK: %[[SECOND:.*]] = getelementptr i8, ptr addrspace(1) %p, i64 4
; CHECK: load float, ptr addrspace(1) %[[SECOND]], align 4
; CHECK-COUNT-3: load float, ptr addrspace(1) %{{.*}}, align 8
; CHECK: loop.unaligned:
define float @rows(ptr addrspace(1) %a, i64 %n, i64 %pitch) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %total = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %row = mul i64 %i, %pitch
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %row
  %v = load float, ptr addrspace(1) %p, align 4
  %column = add i64 %row, 1
  %q = getelementptr inbounds float, ptr addrspace(1) %a, i64 %column
  %w = load float, ptr addrspace(1) %q, align 4
  %s = fadd float %v, %w
  %sum = fadd float %total, %s
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret float %sum
}

; Arithmetic alone overlaps with itself.
; CHECK-LABEL: define float @arithmetic
; CHECK: loop:
; CHECK-COUNT-4: fmul float
; CHECK: br i1
define float @arithmetic(float %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %v = phi float [ %x, %entry ], [ %sum, %loop ]
  %square = fmul float %v, %v
  %sum = fadd float %square, %x
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret float %sum
}

; Elements far apart never become a vector: where they are many, they are unrolled against their latency only if few
; threads could hide it.
; CHECK-LABEL: define float @much_apart
; CHECK-COUNT-1: load <4 x float>
; CHECK-NOT: load
; CHECK: ret float
; FEW-LABEL: define float @much_apart
; FEW: loop:
; FEW-COUNT-4: load <4 x float>
; FEW: br i1
define float @much_apart(ptr addrspace(1) %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %total = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %row = mul i64 %i, 100
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %row
  %all = load <4 x float>, ptr addrspace(1) %p, align 16
  %v = extractelement <4 x float> %all, i64 2
  %sum = fadd float %total, %v
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret float %sum
}

; The loads of four iterations are ahead of their stores where these are to other memory.
; CHECK-LABEL: define void @copied
; CHECK: loop:
; CHECK-COUNT-4: load float
; CHECK-COUNT-4: store float
; CHECK: br i1
define void @copied(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %row = mul i64 %i, 100
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %row
  %v = load float, ptr addrspace(1) %p, align 4
  %twice = fadd float %v, %v
  %q = getelementptr inbounds float, ptr addrspace(1) %b, i64 %row
  store float %twice, ptr addrspace(1) %q, align 4
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; A loop of four iterations becomes straight code, one block with what follows: volatile accesses keep their order.
; CHECK-LABEL: define i32 @four
; CHECK-COUNT-4: store float
; CHECK: store volatile i32
; CHECK: load volatile i32
; CHECK: ret i32
define i32 @four(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b, ptr addrspace(1) %flag) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %row = mul i64 %i, 100
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %row
  %v = load float, ptr addrspace(1) %p, align 4
  %twice = fadd float %v, %v
  %q = getelementptr inbounds float, ptr addrspace(1) %b, i64 %row
  store float %twice, ptr addrspace(1) %q, align 4
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 4
  br i1 %more, label %loop, label %exit
exit:
  %other = getelementptr inbounds i32, ptr addrspace(1) %flag, i64 8
  store volatile i32 1, ptr addrspace(1) %other, align 4
  %seen = load volatile i32, ptr addrspace(1) %flag, align 4
  ret i32 %seen
}

; They stay behind stores that may be to the same memory.
; CHECK-LABEL: define void @maybe_same
; CHECK: loop:
; CHECK: load float
; CHECK: store float
; CHECK: load float
; CHECK: store float
; CHECK: br i1
define void @maybe_same(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %row = mul i64 %i, 100
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %row
  %v = load float, ptr addrspace(1) %p, align 4
  %twice = fadd float %v, %v
  %q = getelementptr inbounds float, ptr addrspace(1) %b, i64 %row
  store float %twice, ptr addrspace(1) %q, align 4
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; Threads that compute for as long as each says are not unrolled: those of few iterations would wait in the rest.
; CHECK-LABEL: define float @as_long_as_each_says
; CHECK-COUNT-1: fmul float
; CHECK-NOT: fmul
; CHECK: ret float
define float @as_long_as_each_says(float %x) {
entry:
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = add i32 %thread, 1
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = phi float [ %x, %entry ], [ %sum, %loop ]
  %square = fmul float %v, %v
  %sum = fadd float %square, %x
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret float %sum
}

; Few bytes are loaded: unrolled with any number of threads.
; CHECK-LABEL: define float @apart
; CHECK: loop:
; CHECK-COUNT-4: load float
; CHECK: br i1
define float @apart(ptr addrspace(1) %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %total = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %row = mul i64 %i, 100
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %row
  %v = load float, ptr addrspace(1) %p, align 4
  %sum = fadd float %total, %v
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret float %sum
}

; How often it runs is not known ahead of it; it meets other threads; each access counts; memory is near.
; FEW-LABEL: define float @searching
; FEW-COUNT-1: load float
; FEW-NOT: load float
; FEW: ret float
define float @searching(ptr addrspace(1) %a) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %i
  %v = load float, ptr addrspace(1) %p, align 4
  %next = add nuw nsw i64 %i, 1
  %more = fcmp olt float %v, 0.0
  br i1 %more, label %loop, label %exit
exit:
  ret float %v
}

; FEW-LABEL: define float @meeting
; FEW-COUNT-1: load float
; FEW-NOT: load float
; FEW: ret float
define float @meeting(ptr addrspace(1) %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %total = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %i
  %v = load float, ptr addrspace(1) %p, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %sum = fadd float %total, %v
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret float %sum
}

; FEW-LABEL: define float @volatile
; FEW-COUNT-1: load volatile float
; FEW-NOT: load volatile float
; FEW: ret float
define float @volatile(ptr addrspace(1) %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %total = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %i
  %v = load volatile float, ptr addrspace(1) %p, align 4
  %sum = fadd float %total, %v
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret float %sum
}

; FEW-LABEL: define float @shared
; FEW-COUNT-1: load float
; FEW-NOT: load float
; FEW: ret float
define float @shared(ptr addrspace(3) %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %total = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %p = getelementptr inbounds float, ptr addrspace(3) %a, i64 %i
  %v = load float, ptr addrspace(3) %p, align 4
  %sum = fadd float %total, %v
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret float %sum
}
