; Whoever changes %p after an operation that follows a release fence sees what was stored ahead of the fence. A load
; would overtake these stores.
; RUN: %clarity opt --passes='skip-idle-atomics' %s -o - | FileCheck %s
; RUN: sed 's/fence release/fence acq_rel/' %s | %clarity opt --passes='skip-idle-atomics' - -o - | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: define i32 @publish
; CHECK-NOT: cmpxchg
; CHECK: atomicrmw or
; CHECK: ret i32
define i32 @publish(ptr addrspace(1) %data, ptr addrspace(1) %p) {
  store i32 1, ptr addrspace(1) %data
  call void @release()
  %old = atomicrmw or ptr addrspace(1) %p, i32 1 monotonic, align 4
  ret i32 %old
}

define void @release() {
  fence release
  ret void
}
