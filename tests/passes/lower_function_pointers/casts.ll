; A function's number is the same in all address spaces: GPUs' casts of addresses would change it.
; RUN: %clarity opt --passes=lower-function-pointers --verify-each %s -o - | FileCheck %s
target triple = "spir64-unknown-unknown"

; CHECK: @table = addrspace(1) global [2 x ptr addrspace(4)] [ptr addrspace(4) inttoptr (i64 [[TWICE:-?[0-9]+]] to ptr addrspace(4)), ptr addrspace(4) inttoptr (i64 [[NEXT:-?[0-9]+]] to ptr addrspace(4))]
@table = addrspace(1) global [2 x ptr addrspace(4)] [ptr addrspace(4) addrspacecast (ptr @twice to ptr addrspace(4)), ptr addrspace(4) addrspacecast (ptr @next to ptr addrspace(4))]

define spir_func i32 @twice(i32 %x) {
  %r = shl i32 %x, 1
  ret i32 %r
}
define spir_func i32 @next(i32 %x) {
  %r = add i32 %x, 1
  ret i32 %r
}

; CHECK-LABEL: define spir_kernel void @k
; CHECK-NOT: addrspacecast
; CHECK: store ptr addrspace(4) inttoptr (i64 [[TWICE]] to ptr addrspace(4)), ptr addrspace(1) %p
; CHECK: %[[CHOSEN:.*]] = select i1 %c, ptr inttoptr (i64 [[TWICE]] to ptr), ptr inttoptr (i64 [[NEXT]] to ptr)
; CHECK: %[[BITS:.*]] = ptrtoint ptr %[[CHOSEN]] to i64
; CHECK: %[[CAST:.*]] = inttoptr i64 %[[BITS]] to ptr addrspace(4)
; CHECK: store ptr addrspace(4) %[[CAST]], ptr addrspace(1) %p
define spir_kernel void @k(ptr addrspace(1) %p, i1 %c) {
  %a = addrspacecast ptr @twice to ptr addrspace(4)
  store ptr addrspace(4) %a, ptr addrspace(1) %p
  %chosen = select i1 %c, ptr @twice, ptr @next
  %b = addrspacecast ptr %chosen to ptr addrspace(4)
  store ptr addrspace(4) %b, ptr addrspace(1) %p
  ret void
}

; An address that is none of a function's is cast.
; CHECK-LABEL: define spir_kernel void @data
; CHECK: %b = addrspacecast ptr %chosen to ptr addrspace(4)
define spir_kernel void @data(ptr addrspace(1) %p, i1 %c) {
  %x = alloca i32
  %y = load ptr, ptr addrspace(1) %p
  %chosen = select i1 %c, ptr %x, ptr %y
  %b = addrspacecast ptr %chosen to ptr addrspace(4)
  store ptr addrspace(4) %b, ptr addrspace(1) %p
  ret void
}
