; SPDX-License-Identifier: Apache-2.0
; Small arrays with indices known at run time only become larger than the driver's compiler keeps in registers.
; RUN: %clarity opt --processor sm_90 --passes=enlarge-arrays %s -o - | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @indexed(
; CHECK: %r = alloca [160 x i8], align 4
; CHECK: %large = alloca [64 x i32]
; CHECK: %outside = alloca [4 x i32]
define ptx_kernel void @indexed(ptr addrspace(1) %a, i32 %n, i32 %k) {
entry:
  %r = alloca [16 x i32], align 4
  %large = alloca [64 x i32], align 4
  %outside = alloca [4 x i32], align 4
  %once = getelementptr i32, ptr %outside, i32 %k
  store i32 %n, ptr %once
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr i32, ptr addrspace(1) %a, i32 %i
  %which = load i32, ptr addrspace(1) %from
  %place = getelementptr i32, ptr %r, i32 %which
  %other = getelementptr i32, ptr %large, i32 %which
  %constant = getelementptr i32, ptr %outside, i32 1
  store i32 %i, ptr %place
  store i32 %i, ptr %other
  store i32 %i, ptr %constant
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  %first = load i32, ptr %r
  %second = load i32, ptr %large
  %third = load i32, ptr %outside
  %sum = add i32 %first, %second
  %all = add i32 %sum, %third
  store i32 %all, ptr addrspace(1) %a
  ret void
}
