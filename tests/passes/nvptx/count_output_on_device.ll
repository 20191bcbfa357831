; printf counts its output among the device's threads alone: the host reads it when the launch has ended.
; RUN: %clarity opt --processor sm_90 --passes=count-output-on-device %s -o - | FileCheck %s

; CHECK-LABEL: define ptr @__clarity_printf
; CHECK: atomicrmw add ptr %used, i64 %bytes syncscope("device") monotonic
define ptr @__clarity_printf(ptr %used, i64 %bytes) {
  %old = atomicrmw add ptr %used, i64 %bytes monotonic, align 8
  %next = getelementptr inbounds i8, ptr %used, i64 %old
  ret ptr %next
}

; A kernel's own atomic operations have the scope that the program gives them: this one is for the host, too.
; CHECK-LABEL: define i64 @kernel
; CHECK: atomicrmw add ptr %p, i64 %bytes monotonic
define i64 @kernel(ptr %p, i64 %bytes) {
  %old = atomicrmw add ptr %p, i64 %bytes monotonic, align 8
  ret i64 %old
}
