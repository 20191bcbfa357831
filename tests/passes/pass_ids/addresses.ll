; The address of a function that gets parameters is that of the function with them: a program may print it. Calls that
; it is only handed to stay.
; RUN: %clarity opt --verify-each --passes=pass-ids %s -o - | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_global_id(i32)

; CHECK: define void @kernel
; CHECK: call i64 @asks(i64 1, i64 %{{.*}})
; CHECK: call void @keeps(ptr @asks, ptr addrspace(1) %out)
define void @kernel(ptr addrspace(1) %out) {
  %a = call i64 @asks(i64 1)
  call void @keeps(ptr @asks, ptr addrspace(1) %out)
  ret void
}

; CHECK: define internal void @keeps(ptr %function, ptr addrspace(1) %out)
define internal void @keeps(ptr %function, ptr addrspace(1) %out) {
  store ptr %function, ptr addrspace(1) %out
  ret void
}

; CHECK: define internal i64 @asks(i64 %a, i64 %{{.*}})
; CHECK: store ptr @asks, ptr %place
define internal i64 @asks(i64 %a) {
  %place = alloca ptr
  store ptr @asks, ptr %place
  %x = call i64 @__clarity_global_id(i32 0)
  %s = add i64 %x, %a
  ret i64 %s
}
