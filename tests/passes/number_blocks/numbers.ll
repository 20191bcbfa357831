; SPDX-License-Identifier: Apache-2.0
; The blocks that a kernel enqueues are named by their numbers in the compiled program, and stay visible.
; RUN: %clarity compile %s --emit kernel-ir -o - -- -cl-std=CL3.0 | FileCheck %s

target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spir64-unknown-unknown"

%range = type { i32, [3 x i64], [3 x i64], [3 x i64] }
%literal = type <{ i32, i32, ptr addrspace(4), ptr addrspace(1), i32 }>

; The literal contains the number of the block's function (lower-function-pointers), which nothing reads. The second
; block has been inlined.
; CHECK-LABEL: define void @k(
; CHECK: store ptr addrspace(4) inttoptr (i64 {{-?[0-9]+}} to ptr addrspace(4)), ptr %f
; CHECK: inttoptr (i64 1 to ptr)
; CHECK: call i32 @__clarity_enqueue_kernel(
; CHECK: inttoptr (i64 2 to ptr)
; CHECK: call i32 @__clarity_enqueue_kernel(
define spir_kernel void @k(ptr addrspace(1) %out, target("spirv.Queue") %queue) {
  %space = alloca %range
  %one = alloca %literal, align 8
  %two = alloca %literal, align 8
  call spir_func void @_Z10ndrange_1Dm(ptr sret(%range) %space, i64 8)
  %f = getelementptr inbounds i8, ptr %one, i64 8
  store ptr addrspace(4) addrspacecast (ptr @__k_block_invoke to ptr addrspace(4)), ptr %f
  %c = getelementptr inbounds i8, ptr %one, i64 16
  store ptr addrspace(1) %out, ptr %c
  %g1 = addrspacecast ptr %one to ptr addrspace(4)
  %r1 = call spir_func i32 @__enqueue_kernel_basic(target("spirv.Queue") %queue, i32 0, ptr %space, ptr addrspace(4) addrspacecast (ptr @__k_block_invoke_kernel to ptr addrspace(4)), ptr addrspace(4) %g1)
  %g2 = addrspacecast ptr %two to ptr addrspace(4)
  %r2 = call spir_func i32 @__enqueue_kernel_basic(target("spirv.Queue") %queue, i32 0, ptr %space, ptr addrspace(4) addrspacecast (ptr @__k_block_invoke_2_kernel to ptr addrspace(4)), ptr addrspace(4) %g2)
  ret void
}

; CHECK-NOT: @__k_block_invoke
; The captured pointer is an argument.
; CHECK: define {{.*}}@k.block(ptr {{.*}}%0, ptr addrspace(1){{.*}}"clarity-captured-at"="16" %1)
; CHECK: store i32 7, ptr addrspace(1) %1
define internal spir_func void @__k_block_invoke(ptr addrspace(4) %literal) {
  %c = getelementptr inbounds i8, ptr addrspace(4) %literal, i64 16
  %out = load ptr addrspace(1), ptr addrspace(4) %c
  store i32 7, ptr addrspace(1) %out
  ret void
}

define spir_kernel void @__k_block_invoke_kernel(ptr addrspace(4) %literal) {
  call spir_func void @__k_block_invoke(ptr addrspace(4) %literal)
  ret void
}

define spir_kernel void @__k_block_invoke_2_kernel(ptr addrspace(4) %literal) {
  %c = getelementptr inbounds i8, ptr addrspace(4) %literal, i64 16
  %out = load ptr addrspace(1), ptr addrspace(4) %c
  store i32 9, ptr addrspace(1) %out
  ret void
}

; CHECK: define {{.*}}@k.block.1(
; CHECK: store i32 9, ptr addrspace(1) %1

declare spir_func void @_Z10ndrange_1Dm(ptr sret(%range), i64)
declare spir_func i32 @__enqueue_kernel_basic(target("spirv.Queue"), i32, ptr, ptr addrspace(4), ptr addrspace(4))
