; Where threads of a warp may come apart to an instruction for all of them, control flow becomes nested: every block that
; is reached on several ways comes behind their meeting.
; RUN: %clarity opt --processor sm_62 --passes=converge %s -o - | FileCheck %s
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) convergent

; Odd threads would come to the barrier by a way of their own.
; CHECK-LABEL: define ptx_kernel void @apart
; CHECK: br i1 %{{.*}}, label %odd, label %[[MEETING:Flow[0-9]*]]
; CHECK: [[MEETING]]:
; CHECK: br i1 %{{.*}}, label %all, label
; CHECK: all: {{.*}}preds = %[[MEETING]]{{$}}
; CHECK-NEXT: call void @llvm.nvvm.barrier.cta.sync.aligned.all
define ptx_kernel void @apart(ptr addrspace(1) %a, i1 %go) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bit = and i32 %t, 1
  %isOdd = icmp ne i32 %bit, 0
  br i1 %isOdd, label %odd, label %even
odd:
  store i32 1, ptr addrspace(1) %a, align 4
  br label %all
even:
  br i1 %go, label %all, label %end
all:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %end
end:
  ret void
}

; A loop that threads leave for the barrier in different iterations and by different exits.
; CHECK-LABEL: define ptx_kernel void @exits
; CHECK: Flow
; CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.all
; CHECK-NOT: call void @llvm.nvvm.barrier.cta.sync.aligned.all
; CHECK: }
define ptx_kernel void @exits(ptr addrspace(1) %a, i32 %n, i1 %go) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %found = icmp eq i32 %i, %t
  br i1 %found, label %all, label %latch
latch:
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %past
past:
  br i1 %go, label %all, label %end
all:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %end
end:
  ret void
}

; The arguments of a kernel are the same for all threads, which take the same way.
; CHECK-LABEL: define ptx_kernel void @together
; CHECK-NOT: Flow
; CHECK: }
define ptx_kernel void @together(ptr addrspace(1) %a, i1 %c, i1 %go) {
entry:
  br i1 %c, label %odd, label %even
odd:
  store i32 1, ptr addrspace(1) %a, align 4
  br label %all
even:
  br i1 %go, label %all, label %end
all:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %end
end:
  ret void
}

; They have met ahead of the barrier.
; CHECK-LABEL: define ptx_kernel void @met
; CHECK-NOT: Flow
; CHECK: }
define ptx_kernel void @met(ptr addrspace(1) %a) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bit = and i32 %t, 1
  %isOdd = icmp ne i32 %bit, 0
  br i1 %isOdd, label %odd, label %all
odd:
  store i32 1, ptr addrspace(1) %a, align 4
  br label %all
all:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
}

; Nothing here is for all threads.
; CHECK-LABEL: define ptx_kernel void @none
; CHECK-NOT: Flow
; CHECK: }
define ptx_kernel void @none(ptr addrspace(1) %a, i1 %go) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bit = and i32 %t, 1
  %isOdd = icmp ne i32 %bit, 0
  br i1 %isOdd, label %odd, label %even
odd:
  store i32 1, ptr addrspace(1) %a, align 4
  br label %all
even:
  br i1 %go, label %all, label %end
all:
  store i32 2, ptr addrspace(1) %a, align 4
  br label %end
end:
  ret void
}
