; The only block of a launch tells the host its end: all threads meet, and one writes the number to the flag, if there
; is one.
; RUN: %clarity opt --processor sm_90 --passes=signal-end %s -o - | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; Both ways out of the kernel lead there.
; CHECK-LABEL: define ptx_kernel void @clarity_kernel
; CHECK: early:
; CHECK-NEXT: br label %end
; CHECK: late:
; CHECK-NEXT: store i32 7
; CHECK-NEXT: br label %end
; CHECK: end:
; CHECK-NEXT: %[[FLAG_PLACE:.*]] = getelementptr inbounds i8, ptr %launch, i64 192
; CHECK-NEXT: %[[FLAG:.*]] = load i64, ptr %[[FLAG_PLACE]]
; CHECK-NEXT: %[[TELLS:.*]] = icmp ne i64 %[[FLAG]], 0
; CHECK-NEXT: br i1 %[[TELLS]], label %end.signalled, label %end.done
; CHECK: end.done:
; CHECK-NEXT: ret void
; CHECK: end.signalled:
; CHECK-NEXT: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; CHECK: %[[IDS:.*]] = or i32
; CHECK: %[[FIRST:.*]] = icmp eq i32 %{{.*}}, 0
; CHECK-NEXT: br i1 %[[FIRST]], label %end.first, label %end.done
; CHECK: end.first:
; CHECK-NEXT: fence acq_rel
; CHECK: %[[NUMBER_PLACE:.*]] = getelementptr inbounds i8, ptr %launch, i64 200
; CHECK: %[[NUMBER:.*]] = load i32, ptr %[[NUMBER_PLACE]]
; CHECK: %[[HOST:.*]] = inttoptr i64 %[[FLAG]] to ptr addrspace(1)
; CHECK-NEXT: store atomic i32 %[[NUMBER]], ptr addrspace(1) %[[HOST]] monotonic, align 4
; CHECK-NEXT: br label %end.done
; CHECK-NOT: ret
; CHECK: }
define ptx_kernel void @clarity_kernel(ptr addrspace(1) %data, i1 %c, ptr byval([160 x i8]) %launch) {
entry:
  br i1 %c, label %early, label %late
early:
  ret void
late:
  store i32 7, ptr addrspace(1) %data, align 4
  ret void
}

; The end of a function is not that of the kernel.
; CHECK-LABEL: define void @function
; CHECK-NEXT: store
; CHECK-NEXT: ret void
define void @function(ptr addrspace(1) %data, ptr %launch) {
  store i32 7, ptr addrspace(1) %data, align 4
  ret void
}

; A kernel that never ends tells nothing.
; CHECK-LABEL: define ptx_kernel void @endless
; CHECK-NOT: call void @llvm.nvvm.barrier
; CHECK: }
define ptx_kernel void @endless(ptr byval([160 x i8]) %launch) {
entry:
  br label %loop
loop:
  br label %loop
}

; Threads that return while others have a barrier ahead of them would wait for them at the end, and be waited for there.
; CHECK-LABEL: define ptx_kernel void @some_return
; CHECK-NOT: launch, i64
; CHECK: }
define ptx_kernel void @some_return(ptr addrspace(1) %data, i32 %n, ptr byval([160 x i8]) %launch) {
  %id = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %outside = icmp uge i32 %id, %n
  br i1 %outside, label %end, label %inside
inside:
  store i32 7, ptr addrspace(1) %data, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i32 8, ptr addrspace(1) %data, align 4
  br label %end
end:
  ret void
}

; The same where some leave a loop ahead of its barrier, which is ahead of all others' ends.
; CHECK-LABEL: define ptx_kernel void @some_leave
; CHECK-NOT: launch, i64
; CHECK: }
define ptx_kernel void @some_leave(ptr addrspace(1) %data, ptr byval([160 x i8]) %launch) {
entry:
  %id = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %id
  br i1 %more, label %loop, label %end
end:
  ret void
}

; All threads take the same way around a barrier, and those that part meet ahead of the next one.
; CHECK-LABEL: define ptx_kernel void @all_meet
; CHECK: launch, i64 192
; CHECK: }
define ptx_kernel void @all_meet(ptr addrspace(1) %data, i32 %n, ptr byval([160 x i8]) %launch) {
  %id = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %none = icmp eq i32 %n, 0
  br i1 %none, label %end, label %some
some:
  %odd = icmp uge i32 %id, %n
  br i1 %odd, label %store, label %meet
store:
  store i32 7, ptr addrspace(1) %data, align 4
  br label %meet
meet:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %end
end:
  ret void
}
