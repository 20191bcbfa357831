; RUN: %clarity opt --passes=lower-images %s -o - | FileCheck %s
; A pipe becomes an address in global memory, a reservation 64 bits: in signatures, variables, arrays and addresses.

; CHECK: @kernel.one = internal addrspace(3) global i64 undef, align 8
; CHECK: @kernel.several = internal addrspace(3) global [4 x i64] undef, align 8
@kernel.one = internal addrspace(3) global target("spirv.ReserveId") undef, align 8
@kernel.several = internal addrspace(3) global [4 x target("spirv.ReserveId")] undef, align 8

; CHECK: declare spir_func i64 @__reserve_read_pipe(ptr addrspace(1), i32, i32, i32)
declare spir_func target("spirv.ReserveId") @__reserve_read_pipe(target("spirv.Pipe", 0), i32, i32, i32)
; CHECK: declare spir_func void @__commit_read_pipe(ptr addrspace(1), i64, i32, i32)
declare spir_func void @__commit_read_pipe(target("spirv.Pipe", 0), target("spirv.ReserveId"), i32, i32)

; CHECK: define spir_kernel void @kernel(ptr addrspace(1) %pipe, i64 %index)
define spir_kernel void @kernel(target("spirv.Pipe", 0) %pipe, i64 %index) {
; CHECK: %kept = alloca ptr addrspace(1), align 8
; CHECK: %ids = alloca [2 x i64], align 8
; CHECK: store ptr addrspace(1) %pipe, ptr %kept
; CHECK: %id = call spir_func i64 @__reserve_read_pipe(ptr addrspace(1) %pipe, i32 1, i32 4, i32 4)
; CHECK: %place = getelementptr inbounds [2 x i64], ptr %ids, i64 0, i64 %index
; CHECK: store i64 %id, ptr %place
; CHECK: store i64 %id, ptr addrspace(3) @kernel.one
; CHECK: store i64 %id, ptr addrspace(3) getelementptr inbounds ([4 x i64], ptr addrspace(3) @kernel.several, i64 0, i64 2)
; CHECK: call spir_func void @__commit_read_pipe(ptr addrspace(1) %pipe, i64 %id, i32 4, i32 4)
  %kept = alloca target("spirv.Pipe", 0), align 8
  %ids = alloca [2 x target("spirv.ReserveId")], align 8
  store target("spirv.Pipe", 0) %pipe, ptr %kept
  %id = call spir_func target("spirv.ReserveId") @__reserve_read_pipe(target("spirv.Pipe", 0) %pipe, i32 1, i32 4, i32 4)
  %place = getelementptr inbounds [2 x target("spirv.ReserveId")], ptr %ids, i64 0, i64 %index
  store target("spirv.ReserveId") %id, ptr %place
  store target("spirv.ReserveId") %id, ptr addrspace(3) @kernel.one
  store target("spirv.ReserveId") %id, ptr addrspace(3) getelementptr inbounds ([4 x target("spirv.ReserveId")], ptr addrspace(3) @kernel.several, i64 0, i64 2)
  call spir_func void @__commit_read_pipe(target("spirv.Pipe", 0) %pipe, target("spirv.ReserveId") %id, i32 4, i32 4)
  ret void
}
