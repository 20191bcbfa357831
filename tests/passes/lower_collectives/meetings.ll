; A collective is a value in a row, a barrier and a question; scans are read back.
; RUN: %clarity opt --passes='lower-collectives' %s -o - | FileCheck %s
declare i32 @__clarity_work_group_reduce_add_int(i32)
declare float @__clarity_work_group_scan_exclusive_max_float(float)
declare i32 @__clarity_work_group_all(i32)
declare i64 @__clarity_work_group_broadcast_ulong(i64, i64)

; CHECK-LABEL: define i32 @reduce
define i32 @reduce(i32 %x) {
; CHECK: %[[ROW:[^ ,]+]] = alloca i32
; CHECK: store i32 %x, ptr %[[ROW]]
; CHECK-NEXT: call void @__clarity_barrier(i32 0)
; CHECK-NEXT: %[[SUM:.*]] = call i32 @__clarity_collective_reduce_add_int(ptr %[[ROW]], i64 0)
; CHECK-NEXT: ret i32 %[[SUM]]
  %sum = call i32 @__clarity_work_group_reduce_add_int(i32 %x)
  ret i32 %sum
}

; CHECK-LABEL: define float @scan
define float @scan(float %x) {
; CHECK: store float %x, ptr %[[ROW:[^ ,]+]]
; CHECK-NEXT: call void @__clarity_barrier(i32 0)
; CHECK-NEXT: call void @__clarity_collective_scan_exclusive_max_float(ptr %[[ROW]], i64 0)
; CHECK-NEXT: %[[MOST:.*]] = load float, ptr %[[ROW]]
; CHECK-NEXT: ret float %[[MOST]]
  %most = call float @__clarity_work_group_scan_exclusive_max_float(float %x)
  ret float %most
}

; Votes are bytes.
; CHECK-LABEL: define i32 @vote
define i32 @vote(i32 %x) {
; CHECK: %[[YES:.*]] = icmp ne i32 %x, 0
; CHECK: %[[BYTE:.*]] = sext i1 %[[YES]] to i8
; CHECK: store i8 %[[BYTE]], ptr %[[ROW:[^ ,]+]]
; CHECK: %[[ALL:.*]] = call i8 @__clarity_collective_reduce_and_uchar(ptr %[[ROW]], i64 0)
; CHECK: icmp ne i8 %[[ALL]], 0
  %all = call i32 @__clarity_work_group_all(i32 %x)
  ret i32 %all
}

; The work-item that all name goes through a variable of the group.
; CHECK-LABEL: define i64 @broadcast
define i64 @broadcast(i64 %x, i64 %item) {
; CHECK-DAG: %[[ROW:[^ ,]+]] = alloca i64, align 8{{$}}
; CHECK-DAG: %[[ITEM:.*]] = alloca i64{{.*}} !clarity.uniform.slot
; CHECK: store i64 %x, ptr %[[ROW]]
; CHECK: store i64 %item, ptr %[[ITEM]]
; CHECK: call void @__clarity_barrier(i32 0)
; CHECK: %[[FROM:.*]] = load i64, ptr %[[ITEM]]
; CHECK: call i64 @__clarity_collective_broadcast_ulong(ptr %[[ROW]], i64 0, i64 %[[FROM]])
  %v = call i64 @__clarity_work_group_broadcast_ulong(i64 %x, i64 %item)
  ret i64 %v
}

; Two of one type share a row: a work-item has read the first result when it stores the second value.
; CHECK-LABEL: define i32 @twice
define i32 @twice(i32 %x) {
; CHECK: alloca i32
; CHECK-NOT: alloca
; CHECK: ret i32
  %a = call i32 @__clarity_work_group_reduce_add_int(i32 %x)
  %b = call i32 @__clarity_work_group_reduce_add_int(i32 %a)
  ret i32 %b
}
