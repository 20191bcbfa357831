; Private variables have a copy for every lane.
; RUN: %clarity opt --passes='specialize-shape<8x1x1>,work-item-loops,loop-simplify,lcssa,packets<4x1x1>' %s -o - | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_local_id(i32)

; Elements of one size lie together for all lanes: the same element of all lanes is a vector.
; CHECK-LABEL: define void @interleaved
define void @interleaved(ptr addrspace(1) %a, i64 %m) {
; CHECK: %[[OWN:.*]] = alloca [64 x i8]
; CHECK: packet.entry:
; CHECK: %[[V:.*]] = load <4 x i32>
; CHECK: %[[OFFSET:.*]] = mul i64 %m, 16
; CHECK: %[[ELEMENT:.*]] = getelementptr i8, ptr %[[OWN]], i64 %[[OFFSET]]
; CHECK: store <4 x i32> %[[V]], ptr %[[ELEMENT]]
; CHECK: load <4 x i32>, ptr %[[OWN]]
entry:
  %own = alloca [4 x i32], align 4
  %x = call i64 @__clarity_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %v = load i32, ptr addrspace(1) %p
  %element = getelementptr i32, ptr %own, i64 %m
  store i32 %v, ptr %element
  %first = load i32, ptr %own
  store i32 %first, ptr addrspace(1) %p
  ret void
}

; Elements of several sizes stay together lane by lane.
; CHECK-LABEL: define void @by_lane
define void @by_lane(ptr addrspace(1) %a, i64 %m) {
; CHECK: %[[OWN:.*]] = alloca [64 x i8]
; CHECK: packet.entry:
; CHECK: %[[ELEMENT:.*]] = getelementptr i32, ptr %[[OWN]], i64 %m
; CHECK: store i32 %{{.*}}, ptr %[[ELEMENT]]
; CHECK: %[[LAST:.*]] = getelementptr i8, ptr %[[ELEMENT]], i64 48
; CHECK: store i32 %{{.*}}, ptr %[[LAST]]
; CHECK: load i16, ptr %[[OWN]]
; CHECK: %[[SECOND:.*]] = getelementptr i8, ptr %[[OWN]], i64 16
; CHECK: load i16, ptr %[[SECOND]]
entry:
  %own = alloca [4 x i32], align 4
  %x = call i64 @__clarity_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %v = load i32, ptr addrspace(1) %p
  %element = getelementptr i32, ptr %own, i64 %m
  store i32 %v, ptr %element
  %half = load i16, ptr %own
  store i16 %half, ptr addrspace(1) %p
  ret void
}
