; Blocks that keep few values at barriers, of which a multiprocessor shall hold several, and others.
; RUN: %clarity opt --processor sm_90 --passes=hold-blocks %s -o - | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; CHECK: define ptx_kernel void @few({{.*}}) #[[LIMITED:[0-9]+]]
define ptx_kernel void @few(ptr addrspace(1) %p) "nvvm.reqntid"="256,1,1" {
  %x = load i32, ptr addrspace(1) %p, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i32 %x, ptr addrspace(1) %p, align 4
  ret void
}

; CHECK: define ptx_kernel void @small({{.*}}) #[[SMALL:[0-9]+]]
define ptx_kernel void @small(ptr addrspace(1) %p) "nvvm.reqntid"="64,1,1" {
  %x = load i32, ptr addrspace(1) %p, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i32 %x, ptr addrspace(1) %p, align 4
  ret void
}

; CHECK: define ptx_kernel void @many({{.*}}) #[[FREE:[0-9]+]]
define ptx_kernel void @many(ptr addrspace(1) %p) "nvvm.reqntid"="256,1,1" {
  %x = load <64 x i32>, ptr addrspace(1) %p, align 256
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store <64 x i32> %x, ptr addrspace(1) %p, align 256
  ret void
}

; What a loop carries around a barrier counts, too.
; CHECK: define ptx_kernel void @carried({{.*}}) #[[FREE]]
define ptx_kernel void @carried(ptr addrspace(1) %p, i32 %n) "nvvm.reqntid"="256,1,1" {
entry:
  %first = load <64 x i32>, ptr addrspace(1) %p, align 256
  br label %loop
loop:
  %sum = phi <64 x i32> [ %first, %entry ], [ %next, %loop ]
  %i = phi i32 [ 0, %entry ], [ %after, %loop ]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add <64 x i32> %sum, %sum
  %after = add i32 %i, 1
  %again = icmp ult i32 %after, %n
  br i1 %again, label %loop, label %end
end:
  store <64 x i32> %next, ptr addrspace(1) %p, align 256
  ret void
}

; Nothing waits.
; CHECK: define ptx_kernel void @alone({{.*}}) #[[FREE]]
define ptx_kernel void @alone(ptr addrspace(1) %p) "nvvm.reqntid"="256,1,1" {
  store i32 1, ptr addrspace(1) %p, align 4
  ret void
}

; CHECK: attributes #[[LIMITED]] = { "nvvm.minctasm"="4" "nvvm.reqntid"="256,1,1" }
; CHECK: attributes #[[SMALL]] = { "nvvm.reqntid"="64,1,1" }
; CHECK: attributes #[[FREE]] = { "nvvm.reqntid"="256,1,1" }
