; `n - 1 - id` is `n + ~id` to LLVM. As a difference it falls evenly from work-item to work-item.
; RUN: %clarity opt --passes='narrow-indices' %s -o - | FileCheck %s
; RUN: %clarity opt --passes='work-item-loops,narrow-indices,lower-switch,loop-simplify,lcssa,packets<8x1x1>' %s -o - | FileCheck %s --check-prefix=PACKETS
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_global_id(i32)

; CHECK-LABEL: define void @reverse
; CHECK: sub nuw nsw i64 -1, %
; PACKETS-LABEL: define void @reverse
; PACKETS: load <8 x float>
; PACKETS-NEXT: shufflevector {{.*}} <i32 7, i32 6, i32 5, i32 4, i32 3, i32 2, i32 1, i32 0>
define void @reverse(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n) {
  %id = call i64 @__clarity_global_id(i32 0)
  %not = xor i64 %id, -1
  %at = add i64 %n, %not
  %p = getelementptr float, ptr addrspace(1) %in, i64 %at
  %v = load float, ptr addrspace(1) %p
  %q = getelementptr float, ptr addrspace(1) %out, i64 %id
  store float %v, ptr addrspace(1) %q
  ret void
}

; Bits of bytes are left alone.
; CHECK-LABEL: define void @bits
; CHECK: xor i8 %x, -1
define void @bits(ptr addrspace(1) %out, i8 %x) {
  %not = xor i8 %x, -1
  store i8 %not, ptr addrspace(1) %out
  ret void
}
