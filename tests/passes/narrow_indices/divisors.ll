; Divisors of 64 bits that may be anything: what exceeds 32 bits exceeds the id, too.
; RUN: %clarity opt --passes='work-item-loops,narrow-indices' %s -o - | FileCheck %s
declare i64 @__clarity_local_id(i32)

; CHECK-LABEL: define void @both
; CHECK: %[[LESS:.*]] = call i64 @llvm.umin.i64(i64 %width, i64 4294967295)
; CHECK: %[[DIVISOR:.*]] = trunc i64 %[[LESS]] to i32
; CHECK: udiv i32 %{{.*}}, %[[DIVISOR]]
; CHECK: urem i32 %{{.*}}, %{{.*}}
; CHECK-NOT: udiv i64
; CHECK-NOT: urem i64
; CHECK: ret void
define void @both(ptr addrspace(1) %a, i64 %width) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %row = udiv i64 %x, %width
  %column = urem i64 %x, %width
  %p = getelementptr i64, ptr addrspace(1) %a, i64 %row
  store i64 %column, ptr addrspace(1) %p
  ret void
}

; Nothing is known of this dividend.
; CHECK-LABEL: define void @number
; CHECK: udiv i64 %number, %width
define void @number(ptr addrspace(1) %a, i64 %number, i64 %width) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %row = udiv i64 %number, %width
  %p = getelementptr i64, ptr addrspace(1) %a, i64 %x
  store i64 %row, ptr addrspace(1) %p
  ret void
}
