; What depends on the processor, on any machine: masked stores in two forms or one, and gathers.
; RUN: %clarity opt --processor x86-64 --passes='specialize-shape<8x1x1>,work-item-loops,loop-simplify,lcssa,packets<4x1x1>' %s -o - | FileCheck %s --check-prefixes=CHECK,REGISTERS
; RUN: %clarity opt --processor x86-64-v3 --passes='specialize-shape<8x1x1>,work-item-loops,loop-simplify,lcssa,packets<4x1x1>' %s -o - | FileCheck %s --check-prefixes=CHECK,REGISTERS
; RUN: %clarity opt --processor x86-64-v4 --passes='specialize-shape<8x1x1>,work-item-loops,loop-simplify,lcssa,packets<4x1x1>' %s -o - | FileCheck %s --check-prefixes=CHECK,MASKS
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_local_id(i32)

; CHECK-LABEL: define void @indirect
; REGISTERS-NOT: @llvm.masked.gather
; MASKS: call <4 x float> @llvm.masked.gather
define void @indirect(ptr addrspace(1) %a, ptr addrspace(1) %index) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %p = getelementptr i64, ptr addrspace(1) %index, i64 %x
  %i = load i64, ptr addrspace(1) %p
  %q = getelementptr float, ptr addrspace(1) %a, i64 %i
  %v = load float, ptr addrspace(1) %q
  %twice = fadd float %v, %v
  %r = getelementptr float, ptr addrspace(1) %a, i64 %x
  store float %twice, ptr addrspace(1) %r
  ret void
}

; CHECK-LABEL: define void @guarded
; REGISTERS: packet.whole:
; REGISTERS: packet.part:
; MASKS-NOT: packet.whole
; MASKS: call void @llvm.masked.store
define void @guarded(ptr addrspace(1) %a, ptr addrspace(1) %b) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %p = getelementptr float, ptr addrspace(1) %a, i64 %x
  %v = load float, ptr addrspace(1) %p
  %positive = fcmp ogt float %v, 0.0
  br i1 %positive, label %then, label %exit
then:
  %q = getelementptr float, ptr addrspace(1) %b, i64 %x
  store float %v, ptr addrspace(1) %q
  br label %exit
exit:
  ret void
}
