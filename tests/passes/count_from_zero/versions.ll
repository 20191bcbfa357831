; Unsigned indices may wrap. A version of the loop counts from zero where the launch's sizes and arguments say that they
; do not.
; RUN: %clarity opt --passes=loop-simplify,count-from-zero --verify-each %s -o - | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_global_id(i32)

; for (uint i = id * n; i < (id + 1) * n; i++)
; CHECK-LABEL: define i32 @by_32_bits
; CHECK-DAG: %[[SIZE:.*]] = call i64 @__clarity_global_size(i32 0)
; CHECK-DAG: %[[OFFSET:.*]] = call i64 @__clarity_global_offset(i32 0)
; CHECK: add i64 %[[SIZE]], %[[OFFSET]]
; CHECK: %[[FITS:.*]] = icmp ule i64 %{{.*}}, 4294901759
; CHECK: br i1 %{{.*}}, label %[[FAST:.*]], label %[[GENERAL:.*]]
; CHECK: header:
; CHECK: icmp ult i32 %i, %end
; CHECK: header.fits:
; CHECK: icmp ult i32 %count, %n
; CHECK: ret i32
define i32 @by_32_bits(ptr addrspace(1) %a, i32 %n) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %g = trunc i64 %id to i32
  %begin = mul i32 %n, %g
  %after = add i32 %g, 1
  %end = mul i32 %after, %n
  br label %header
header:
  %i = phi i32 [ %begin, %entry ], [ %next, %body ]
  %sum = phi i32 [ 0, %entry ], [ %added, %body ]
  %more = icmp ult i32 %i, %end
  br i1 %more, label %body, label %exit
body:
  %at = zext i32 %i to i64
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %at
  %x = load i32, ptr addrspace(1) %p
  %added = add i32 %sum, %x
  %next = add i32 %i, 1
  br label %header
exit:
  ret i32 %sum
}

; The same with ulong: the argument must be below 2^32.
; CHECK-LABEL: define void @by_64_bits
; CHECK: %[[FITS:.*]] = icmp ule i64 %n, 4294967295
; CHECK: header.fits:
; CHECK: icmp ult i64 %count, %n
define void @by_64_bits(ptr addrspace(1) %a, i64 %n) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %begin = mul i64 %n, %id
  %end = add i64 %begin, %n
  br label %header
header:
  %i = phi i64 [ %begin, %entry ], [ %next, %body ]
  %more = icmp ult i64 %i, %end
  br i1 %more, label %body, label %exit
body:
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  store i32 1, ptr addrspace(1) %p
  %next = add i64 %i, 1
  br label %header
exit:
  ret void
}
