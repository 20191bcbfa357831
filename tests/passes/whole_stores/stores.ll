; Stores of selections among new values and what is in memory, of which LLVM would make masked stores.
; RUN: %clarity opt --processor x86-64-v3 --passes='whole-stores' %s -o - | FileCheck %s --check-prefixes=CHECK,WHOLE
; RUN: %clarity opt --processor x86-64-v4 --passes='whole-stores' %s -o - | FileCheck %s --check-prefixes=CHECK,MASKS
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: define void @new
; WHOLE: store volatile <8 x float>
; MASKS: store <8 x float>
define void @new(ptr addrspace(1) %p, <8 x float> %v, <8 x i1> %m) {
  %old = load <8 x float>, ptr addrspace(1) %p, align 4
  %both = select <8 x i1> %m, <8 x float> %v, <8 x float> %old
  store <8 x float> %both, ptr addrspace(1) %p, align 4
  ret void
}

; CHECK-LABEL: define void @casts
; WHOLE: store volatile <8 x i32>
; MASKS: store <8 x i32>
define void @casts(ptr addrspace(1) %p, <8 x float> %v, <8 x i1> %m) {
  %bits = load <8 x i32>, ptr addrspace(1) %p, align 4
  %old = bitcast <8 x i32> %bits to <8 x float>
  %both = select <8 x i1> %m, <8 x float> %old, <8 x float> %v
  %stored = bitcast <8 x float> %both to <8 x i32>
  store <8 x i32> %stored, ptr addrspace(1) %p, align 4
  ret void
}

; Another place, and a choice for all lanes.
; CHECK-LABEL: define void @others
; CHECK-NOT: volatile
; CHECK: ret void
define void @others(ptr addrspace(1) %p, ptr addrspace(1) %q, <8 x float> %v, <8 x i1> %m, i1 %all) {
  %old = load <8 x float>, ptr addrspace(1) %p, align 4
  %both = select <8 x i1> %m, <8 x float> %v, <8 x float> %old
  store <8 x float> %both, ptr addrspace(1) %q, align 4
  %one = select i1 %all, <8 x float> %v, <8 x float> %old
  store <8 x float> %one, ptr addrspace(1) %p, align 4
  ret void
}
