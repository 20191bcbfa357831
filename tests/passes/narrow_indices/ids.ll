; Ids that 32-bit counters hold are known to be below 2^31; other values are not.
; RUN: %clarity opt --passes='work-item-loops,narrow-indices' %s -o - | FileCheck %s
declare i64 @__clarity_global_id(i32)

; CHECK-LABEL: define void @ids
define void @ids(ptr addrspace(1) %a, i64 %n) {
; CHECK: %x{{[0-9]*}} = phi i32 {{.*}} !clarity.counter
; CHECK: %[[ID:.*]] = zext i32 %{{.*}} to i64
; CHECK: store i64 %[[ID]], ptr addrspace(1) %a
; CHECK: %other = and i64 %n, 2147483647
; CHECK: store i64 %other, ptr addrspace(1) %a
  %x = call i64 @__clarity_global_id(i32 0)
  %id = and i64 %x, 2147483647
  store i64 %id, ptr addrspace(1) %a
  %other = and i64 %n, 2147483647
  store i64 %other, ptr addrspace(1) %a
  ret void
}
