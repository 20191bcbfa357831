; Address spaces of kernel IR become those of PTX: generic is 0, and constant memory is global memory.
; RUN: %clarity opt --processor sm_90 --passes=ptx-address-spaces %s -o - | FileCheck %s

; CHECK-DAG: @table = {{.*}}addrspace(1) constant [2 x float]
@table = addrspace(2) constant [2 x float] [float 1.0, float 2.0], align 4
; CHECK-DAG: @place = {{.*}}addrspace(1) global ptr addrspacecast (ptr addrspace(1) @number to ptr)
@number = addrspace(1) global i32 0, align 4
@place = addrspace(1) global ptr addrspace(4) addrspacecast (ptr addrspace(1) @number to ptr addrspace(4)), align 8
; What PTX calls the same stays.
; CHECK-DAG: @shared = {{.*}}addrspace(3) global [4 x i32]
@shared = internal addrspace(3) global [4 x i32] undef, align 4

; Attributes name types, too: of functions whose own type stays, of those whose type changes, and of calls.
; CHECK-LABEL: define void @by_value(ptr byval({ ptr addrspace(1), ptr }) align 8 %pair, ptr sret({ ptr }) %result)
; CHECK: call void @by_value(ptr byval({ ptr addrspace(1), ptr }) align 8 %pair, ptr sret({ ptr }) %result)
define void @by_value(ptr byval({ ptr addrspace(2), ptr addrspace(4) }) align 8 %pair, ptr sret({ ptr addrspace(4) }) %result) {
  call void @by_value(ptr byval({ ptr addrspace(2), ptr addrspace(4) }) align 8 %pair, ptr sret({ ptr addrspace(4) }) %result)
  ret void
}

; A cast between address spaces that become one goes, others stay.
; CHECK-LABEL: define i32 @casts
; CHECK: %private = alloca i32
; CHECK-NOT: addrspacecast ptr %private
; CHECK: %g = addrspacecast ptr addrspace(1) %global to ptr
; CHECK: %from = phi ptr [ %private, %entry ], [ %g, %other ]
; CHECK: load i32, ptr %from
define i32 @casts(ptr addrspace(1) %global, i1 %which) {
entry:
  %private = alloca i32, align 4
  store i32 1, ptr %private, align 4
  %p = addrspacecast ptr %private to ptr addrspace(4)
  br i1 %which, label %other, label %end
other:
  %g = addrspacecast ptr addrspace(1) %global to ptr addrspace(4)
  br label %end
end:
  %from = phi ptr addrspace(4) [ %p, %entry ], [ %g, %other ]
  %v = load i32, ptr addrspace(4) %from, align 4
  ret i32 %v
}

; CHECK-LABEL: define float @loads(ptr addrspace(1) %constant, ptr %generic, ptr addrspace(1) %global, ptr %private)
; CHECK: load float, ptr addrspace(1) %constant
; CHECK: load float, ptr %generic
; CHECK: load float, ptr addrspace(1) %global
; CHECK: load float, ptr %private
; CHECK: load float, ptr addrspace(1) @table
; CHECK: load i32, ptr addrspace(3) @shared
define float @loads(ptr addrspace(2) %constant, ptr addrspace(4) %generic, ptr addrspace(1) %global, ptr %private) {
  %a = load float, ptr addrspace(2) %constant, align 4
  %b = load float, ptr addrspace(4) %generic, align 4
  %c = load float, ptr addrspace(1) %global, align 4
  %d = load float, ptr %private, align 4
  %e = load float, ptr addrspace(2) @table, align 4
  %f = load i32, ptr addrspace(3) @shared, align 4
  %s = fadd float %a, %b
  %t = fadd float %c, %d
  %u = fadd float %s, %t
  %v = fadd float %u, %e
  ret float %v
}

; An intrinsic has its address spaces in its name.
; CHECK-LABEL: define void @copies
; CHECK: call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) %to, ptr addrspace(1) %from, i64 16, i1 false)
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr %any, ptr %private, i64 16, i1 false)
; CHECK: call void @callee(ptr addrspace(1) %from)
define void @copies(ptr addrspace(1) %to, ptr addrspace(2) %from, ptr addrspace(4) %any, ptr %private) {
  call void @llvm.memcpy.p1.p2.i64(ptr addrspace(1) %to, ptr addrspace(2) %from, i64 16, i1 false)
  call void @llvm.memcpy.p4.p0.i64(ptr addrspace(4) %any, ptr %private, i64 16, i1 false)
  call void @callee(ptr addrspace(2) %from)
  ret void
}
; CHECK: declare void @callee(ptr addrspace(1))
declare void @callee(ptr addrspace(2))
declare void @llvm.memcpy.p1.p2.i64(ptr addrspace(1), ptr addrspace(2), i64, i1)
declare void @llvm.memcpy.p4.p0.i64(ptr addrspace(4), ptr, i64, i1)

; Structures of pointers, and the null pointer of a cast.
; CHECK-LABEL: define ptr @structures(ptr %pair)
; CHECK: %second = getelementptr { ptr addrspace(1), ptr }, ptr %pair, i32 0, i32 1
; CHECK: icmp eq ptr %p, null
define ptr addrspace(4) @structures(ptr %pair) {
  %second = getelementptr { ptr addrspace(2), ptr addrspace(4) }, ptr %pair, i32 0, i32 1
  %p = load ptr addrspace(4), ptr %second, align 8
  %isNull = icmp eq ptr addrspace(4) %p, addrspacecast (ptr null to ptr addrspace(4))
  %q = select i1 %isNull, ptr addrspace(4) null, ptr addrspace(4) %p
  ret ptr addrspace(4) %q
}
; CHECK: declare void @by_value_too(ptr, ptr byval([2 x ptr]))
declare void @by_value_too(ptr addrspace(4), ptr byval([2 x ptr addrspace(4)]))

; CHECK-NOT: addrspace({{2|4}})
