; SPDX-License-Identifier: Apache-2.0
; Threads of a warp that executes a work-group have local ids below 32: conditions that all of them answer alike go.
; RUN: %clarity opt %s --passes=fold-lanes | FileCheck %s
target triple = "x86_64-pc-linux-gnu"
declare i64 @__clarity_local_id(i32) nounwind speculatable willreturn memory(none)

; CHECK-LABEL: define void @k
; CHECK: call range(i64 0, 32) i64 @__clarity_local_id(i32 0)
; CHECK: store i1 true, ptr addrspace(1) %out
; CHECK: store i1 %some, ptr addrspace(1) %out
; CHECK: store i1 %unknown, ptr addrspace(1) %out
define void @k(ptr addrspace(1) %out, i64 %n) {
  %x = call i64 @__clarity_local_id(i32 0)
  %all = icmp ult i64 %x, 64
  store i1 %all, ptr addrspace(1) %out
  %some = icmp ult i64 %x, 16
  store i1 %some, ptr addrspace(1) %out
  %unknown = icmp ult i64 %x, %n
  store i1 %unknown, ptr addrspace(1) %out
  ret void
}
