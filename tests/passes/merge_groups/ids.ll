; Work-groups that only number their work-items run as one with their neighbours; the numbers come from global ids.
; RUN: %clarity opt --passes='specialize-shape<5x3x1>,merge-groups' %s -o - | FileCheck %s
; RUN: %clarity opt --passes='specialize-shape<5x3x1>,merge-groups,work-item-loops,narrow-indices' %s -o - | FileCheck %s --check-prefix=LOOPS
declare i64 @__clarity_global_id(i32) nounwind willreturn memory(none)
declare i64 @__clarity_local_id(i32) nounwind willreturn memory(none)
declare i64 @__clarity_group_id(i32) nounwind willreturn memory(none)
declare void @__clarity_barrier(i32)

; The loops run over all groups of the slice.
; CHECK-LABEL: define void @data
; LOOPS-LABEL: define void @data
define void @data(ptr addrspace(1) %a) {
; CHECK: %[[LOCAL:.*]] = urem i64 %{{.*}}, 5
; CHECK: %[[GROUP:.*]] = udiv i64 %{{.*}}, 5
; CHECK: add i64 %[[LOCAL]], %[[GROUP]]
; LOOPS: %[[BEGIN:.*]] = call i64 @__clarity_slice_begin(i32 0)
; LOOPS: %[[SIZE:.*]] = sub i64 %{{.*}}, %[[BEGIN]]
; LOOPS: mul i64 %[[SIZE]], 5
; LOOPS: urem i32 %{{.*}}, 5
; LOOPS: udiv i32 %{{.*}}, 5
  %x = call i64 @__clarity_global_id(i32 0)
  %l = call i64 @__clarity_local_id(i32 0)
  %g = call i64 @__clarity_group_id(i32 0)
  %v = add i64 %l, %g
  %p = getelementptr i64, ptr addrspace(1) %a, i64 %x
  store i64 %v, ptr addrspace(1) %p
  ret void
}

; A global id in disguise is no obstacle, in any type.
; CHECK-LABEL: define void @disguised
; CHECK-SAME: #[[MERGED:[0-9]+]]
define void @disguised(ptr addrspace(1) %a) {
; CHECK: %[[ID:.*]] = call i64 @__clarity_global_id(i32 0)
; CHECK: %[[OFFSET:.*]] = call i64 @__clarity_global_offset(i32 0)
; CHECK: %[[NUMBER:.*]] = sub nuw nsw i64 %[[ID]], %[[OFFSET]]
; CHECK: %[[NARROW:.*]] = trunc i64 %[[NUMBER]] to i32
; CHECK: getelementptr float, ptr addrspace(1) %a, i32 %[[NARROW]]
  %g = call i64 @__clarity_group_id(i32 0)
  %start = mul i64 %g, 5
  %narrow = trunc i64 %start to i32
  %l = call i64 @__clarity_local_id(i32 0)
  %local = trunc i64 %l to i32
  %i = add i32 %narrow, %local
  %p = getelementptr float, ptr addrspace(1) %a, i32 %i
  store float 1.0, ptr addrspace(1) %p
  ret void
}

; Where a local id decides what is read, the group stays together; numbers along y are the same for a whole packet.
; CHECK-LABEL: define void @places
; CHECK-NOT: #[[MERGED]]
; CHECK: call range(i64 0, {{[0-9]+}}) i64 @__clarity_local_id(i32 0)
; CHECK-LABEL: define void @rows
; CHECK-SAME: #[[MERGED]]
; CHECK: urem i64 %{{.*}}, 3
define void @places(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %x = call i64 @__clarity_global_id(i32 0)
  %l = call i64 @__clarity_local_id(i32 0)
  %p = getelementptr i64, ptr addrspace(1) %a, i64 %l
  %v = load i64, ptr addrspace(1) %p
  %q = getelementptr i64, ptr addrspace(1) %b, i64 %x
  store i64 %v, ptr addrspace(1) %q
  ret void
}
define void @rows(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %x = call i64 @__clarity_global_id(i32 0)
  %l = call i64 @__clarity_local_id(i32 1)
  %p = getelementptr i64, ptr addrspace(1) %a, i64 %l
  %v = load i64, ptr addrspace(1) %p
  %q = getelementptr i64, ptr addrspace(1) %b, i64 %x
  store i64 %v, ptr addrspace(1) %q
  ret void
}

; A number cut to fewer bits than ids have is not the number.
; CHECK-LABEL: define void @cut
; CHECK-NOT: #[[MERGED]]
; CHECK: call range(i64 0, {{[0-9]+}}) i64 @__clarity_local_id(i32 0)
define void @cut(ptr addrspace(1) %a) {
  %g = call i64 @__clarity_group_id(i32 0)
  %start = mul i64 %g, 5
  %l = call i64 @__clarity_local_id(i32 0)
  %byte = trunc i64 %l to i8
  %local = zext i8 %byte to i64
  %i = add i64 %start, %local
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  store float 1.0, ptr addrspace(1) %p
  ret void
}

; A barrier binds a group together, and so does local memory that the application gives.
; CHECK-LABEL: define void @barrier
; CHECK-NOT: #[[MERGED]]
; CHECK: call range(i64 0, {{[0-9]+}}) i64 @__clarity_local_id(i32 0)
; CHECK-LABEL: define void @local_memory
; CHECK-NOT: #[[MERGED]]
; CHECK: call range(i64 0, {{[0-9]+}}) i64 @__clarity_local_id(i32 0)
define void @barrier(ptr addrspace(1) %a) {
  %x = call i64 @__clarity_global_id(i32 0)
  %l = call i64 @__clarity_local_id(i32 0)
  call void @__clarity_barrier(i32 1)
  %p = getelementptr i64, ptr addrspace(1) %a, i64 %x
  store i64 %l, ptr addrspace(1) %p
  ret void
}
define void @local_memory(ptr addrspace(1) %a, ptr addrspace(3) %b) {
  %x = call i64 @__clarity_global_id(i32 0)
  %l = call i64 @__clarity_local_id(i32 0)
  %p = getelementptr i64, ptr addrspace(1) %a, i64 %x
  store i64 %l, ptr addrspace(1) %p
  ret void
}
