; Arithmetic of size_t on ids that are below 2^31 becomes 32-bit arithmetic; on other values it stays.
; RUN: %clarity opt --passes='work-item-loops,narrow-indices' %s -o - | FileCheck %s
declare i64 @__clarity_global_id(i32)

; CHECK-LABEL: define void @ids
define void @ids(ptr addrspace(1) %a, i64 %n) {
; CHECK: %[[REST:.*]] = urem i32 %[[ID:.*]], 5
; CHECK: %[[WIDE:.*]] = zext nneg i32 %[[REST]] to i64
; CHECK: store i64 %[[WIDE]]
; CHECK: %[[PART:.*]] = udiv i32 %[[ID]], 5
; CHECK: zext nneg i32 %[[PART]] to i64
; CHECK: and i32 %{{.*}}, 7
; CHECK: lshr i32 %{{.*}}, 3
; CHECK: icmp ult i32 %{{.*}}, 100
; CHECK: sitofp i32 %[[ID]] to float
; CHECK: %other = urem i64 %n, 5
; CHECK: %far = icmp ult i64 %{{.*}}, 2147483648
  %x = call i64 @__clarity_global_id(i32 0)
  %rest = urem i64 %x, 5
  store i64 %rest, ptr addrspace(1) %a
  %part = udiv i64 %x, 5
  store i64 %part, ptr addrspace(1) %a
  %masked = and i64 %part, 7
  store i64 %masked, ptr addrspace(1) %a
  %shifted = lshr i64 %x, 3
  store i64 %shifted, ptr addrspace(1) %a
  %near = icmp ult i64 %x, 100
  store i1 %near, ptr addrspace(1) %a
  %real = uitofp i64 %x to float
  store float %real, ptr addrspace(1) %a
  %other = urem i64 %n, 5
  store i64 %other, ptr addrspace(1) %a
  %far = icmp ult i64 %x, 2147483648
  store i1 %far, ptr addrspace(1) %a
  ret void
}
