; What a function asks for, itself or through others, comes as parameters from the kernel.
; RUN: %clarity opt --passes=pass-ids %s -o - | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
@tile = internal addrspace(3) global [64 x float] undef
declare i64 @__clarity_global_id(i32)
declare i64 @__clarity_local_id(i32)
declare i32 @__clarity_work_dim()

; CHECK: define internal i64 @asks_nothing(i64 %a) {
define internal i64 @asks_nothing(i64 %a) {
  ret i64 %a
}

; Only the kernel still asks.
; CHECK: define void @kernel
; CHECK-DAG: call i64 @__clarity_global_id(i32 0)
; CHECK-DAG: call i64 @__clarity_local_id(i32 1)
; CHECK-DAG: call float @local_memory(i64 3, ptr addrspace(3) @tile)
; CHECK: ret void
define void @kernel(ptr addrspace(1) %out) {
  %a = call i64 @asks_through()
  %b = call i64 @any_dimension(i32 5)
  %c = call float @local_memory(i64 3)
  %d = call i64 @recursive(i64 4)
  %e = call i64 @asks_nothing(i64 4)
  store i64 %a, ptr addrspace(1) %out
  ret void
}

; CHECK: define internal i64 @asks(i64 %a, i64 %[[X:.*]], i64 %[[Y:.*]])
; CHECK-NOT: call
; CHECK: %s = add i64 %[[X]], %[[Y]]
define internal i64 @asks(i64 %a) {
  %x = call i64 @__clarity_global_id(i32 0)
  %y = call i64 @__clarity_local_id(i32 1)
  %s = add i64 %x, %y
  ret i64 %s
}

; The caller has what it hands on, and what it needs itself, once.
; CHECK: define internal i64 @asks_through(i32 %[[DIM:[0-9a-z]*]], i64 %[[LX:[0-9a-z]*]], i64 %[[LY:[0-9a-z]*]])
; CHECK: %[[R:.*]] = call i64 @asks(i64 1, i64 %[[LX]], i64 %[[LY]])
; CHECK: zext i32 %[[DIM]] to i64
define internal i64 @asks_through() {
  %d = call i32 @__clarity_work_dim()
  %r = call i64 @asks(i64 1)
  %w = zext i32 %d to i64
  %s = add i64 %r, %w
  ret i64 %s
}

; Which dimension is known only when running: all three, and 0 for any other.
; CHECK: define internal i64 @any_dimension(i32 %d, i64 %[[D0:.*]], i64 %[[D1:.*]], i64 %[[D2:.*]])
; CHECK: select i1 %{{.*}}, i64 %[[D0]], i64 0
; CHECK: select i1 %{{.*}}, i64 %[[D1]]
; CHECK: select i1 %{{.*}}, i64 %[[D2]]
define internal i64 @any_dimension(i32 %d) {
  %x = call i64 @__clarity_global_id(i32 %d)
  ret i64 %x
}

; CHECK: define internal float @local_memory(i64 %i, ptr addrspace(3) %[[TILE:.*]])
; CHECK: getelementptr {{.*}}ptr addrspace(3) %[[TILE]], i64 8
; CHECK: getelementptr {{.*}}ptr addrspace(3) %[[TILE]], i64 %i
define internal float @local_memory(i64 %i) {
  %second = load float, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @tile, i64 8)
  %p = getelementptr float, ptr addrspace(3) @tile, i64 %i
  %v = load float, ptr addrspace(3) %p
  %s = fadd float %v, %second
  ret float %s
}

; Recursion hands on what came.
; CHECK: define internal i64 @recursive(i64 %n, i64 %[[ID:.*]])
; CHECK: call i64 @recursive(i64 %less, i64 %[[ID]])
; CHECK: ret i64 %[[ID]]
define internal i64 @recursive(i64 %n) {
entry:
  %last = icmp eq i64 %n, 0
  br i1 %last, label %end, label %more
more:
  %less = sub i64 %n, 1
  %r = call i64 @recursive(i64 %less)
  ret i64 %r
end:
  %x = call i64 @__clarity_global_id(i32 0)
  ret i64 %x
}
