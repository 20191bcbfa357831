; A private variable whose address another region may come to know has a place for each work-item, though only one region names it.
; RUN: %clarity opt --passes='prepare-barriers,save-live-values,work-item-loops' %s -o - | FileCheck %s
declare i64 @__clarity_local_id(i32)
declare void @__clarity_barrier(i32)
declare void @put(ptr, ptr)
declare void @use(ptr captures(none))

; CHECK-LABEL: define void @k
define void @k(ptr addrspace(1) %out) {
; CHECK: group:
; CHECK-NOT: %table = alloca
; CHECK-NOT: %put.away = alloca
; CHECK-NOT: %number = alloca
; CHECK: %used = alloca
; CHECK-NOT: alloca
; CHECK: region0.before:
  %table = alloca ptr
  %put.away = alloca i32
  %number = alloca i32
  %used = alloca i32
  call void @put(ptr %table, ptr %put.away)
  call void @use(ptr %used)
  %address = ptrtoint ptr %number to i64
  %next = add i64 %address, 4
  %place = getelementptr ptr, ptr %table, i64 1
  store i64 %next, ptr %place
  call void @__clarity_barrier(i32 1)
  %p = load ptr, ptr %table
  %v = load i32, ptr %p
  store i32 %v, ptr addrspace(1) %out
  ret void
}
