; Addresses of functions become numbers, calls through pointers choose among the functions of their type.
; RUN: %clarity opt --passes=lower-function-pointers --verify-each %s -o - | FileCheck %s
target triple = "spir64-unknown-unknown"

; CHECK: @table = addrspace(1) global [2 x ptr] [ptr inttoptr (i64 [[TWICE:-?[0-9]+]] to ptr), ptr inttoptr (i64 [[NEXT:-?[0-9]+]] to ptr)]
@table = addrspace(1) global [2 x ptr] [ptr @twice, ptr @next]
; LLVM's own lists name functions.
; CHECK: @llvm.used = appending global [1 x ptr] [ptr @twice]
@llvm.used = appending global [1 x ptr] [ptr @twice], section "llvm.metadata"

define spir_func i32 @twice(i32 %x) {
  %r = shl i32 %x, 1
  ret i32 %r
}
define spir_func i32 @next(i32 %x) {
  %r = add i32 %x, 1
  ret i32 %r
}
; Its attributes are those of the call.
define spir_func void @fill(ptr byval(i32) %p) {
  ret void
}
; No address of it is taken.
define spir_func i32 @other(i32 %x) {
  ret i32 %x
}

; CHECK-LABEL: define spir_kernel void @k
; CHECK: %[[N:.*]] = ptrtoint ptr %f to i64
; CHECK: %r = call spir_func i32 @__clarity_call_through(i64 %[[N]], i32 %x)
; CHECK: %[[G:.*]] = ptrtoint ptr addrspace(4) %g to i64
; CHECK: call spir_func i32 @__clarity_call_through(i64 %[[G]], i32 %r)
; CHECK: call spir_func i32 @other(i32 %r)
; CHECK: store ptr inttoptr (i64 [[FILL:-?[0-9]+]] to ptr), ptr addrspace(1) %p
; CHECK: call spir_func void @__clarity_call_through.1(i64 %{{.*}}, ptr null)
define spir_kernel void @k(ptr addrspace(1) %p, ptr %f, ptr addrspace(4) %g, i32 %x) {
  %r = call spir_func i32 %f(i32 %x)
  %cast = addrspacecast ptr addrspace(4) %g to ptr
  %s = call spir_func i32 %cast(i32 %r)
  %t = call spir_func i32 @other(i32 %r)
  store ptr @fill, ptr addrspace(1) %p
  %h = load ptr, ptr addrspace(1) %p
  call spir_func void %h(ptr null)
  ret void
}

; CHECK: define internal spir_func i32 @__clarity_call_through(i64 %0, i32 %1)
; CHECK: switch i64 %0, label %none [
; CHECK-DAG: i64 [[TWICE]], label %twice
; CHECK-DAG: i64 [[NEXT]], label %next
; CHECK-NOT: label
; CHECK: ]
; CHECK: none:
; CHECK-NEXT: call void @llvm.trap()
; CHECK-NEXT: ret i32 0
; CHECK: twice:
; CHECK-NEXT: %[[R:.*]] = call spir_func i32 @twice(i32 %1)
; CHECK-NEXT: ret i32 %[[R]]
; CHECK: define internal spir_func void @__clarity_call_through.1(i64 %0, ptr %1)
; CHECK: i64 [[FILL]], label %fill
; CHECK: call spir_func void @fill(ptr byval(i32) %1)
