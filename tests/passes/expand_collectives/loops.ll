; Questions about rows become loops: vectors where the order does not matter, one value after another where it does.
; RUN: %clarity opt --passes='expand-collectives' %s -o - | FileCheck %s
declare i32 @__clarity_collective_reduce_min_uint(ptr, i64)
declare float @__clarity_collective_reduce_add_float(ptr, i64)
declare void @__clarity_collective_scan_exclusive_add_int(ptr, i64)
declare double @__clarity_collective_broadcast_double(ptr, i64, i64)

; What lies behind the last value is no value.
; CHECK-LABEL: define i32 @least
define i32 @least(ptr %row, i64 %items) {
; CHECK: collective:
; CHECK: %[[ITEM:.*]] = phi i64 [ 0, %{{.*}} ], [ %[[NEXT:.*]], %collective ]
; CHECK: %[[BEFORE:.*]] = phi <4 x i32> [ splat (i32 -1), %{{.*}} ], [ %[[NOW:.*]], %collective ]
; CHECK: %[[V:.*]] = load <4 x i32>, ptr %{{.*}}, align 4
; CHECK: %[[LEFT:.*]] = sub i64 %items, %[[ITEM]]
; CHECK: %[[THERE:.*]] = icmp ult <4 x i32> <i32 0, i32 1, i32 2, i32 3>, %{{.*}}
; CHECK: %[[OWN:.*]] = select <4 x i1> %[[THERE]], <4 x i32> %[[V]], <4 x i32> splat (i32 -1)
; CHECK: %[[NOW]] = call <4 x i32> @llvm.umin.v4i32(<4 x i32> %[[BEFORE]], <4 x i32> %[[OWN]])
; CHECK: %[[NEXT]] = add nuw nsw i64 %[[ITEM]], 4
; CHECK: collective.done:
; CHECK: call <2 x i32> @llvm.umin.v2i32
; CHECK: call <1 x i32> @llvm.umin.v1i32
  %v = call i32 @__clarity_collective_reduce_min_uint(ptr %row, i64 %items)
  ret i32 %v
}

; CHECK-LABEL: define i32 @whole
define i32 @whole(ptr %row) {
; CHECK-NOT: select
; CHECK: ret i32
  %v = call i32 @__clarity_collective_reduce_min_uint(ptr %row, i64 64)
  ret i32 %v
}

; CHECK-LABEL: define float @sum
define float @sum(ptr %row, i64 %items) {
; CHECK: %[[BEFORE:.*]] = phi float [ -0.000000e+00, %{{.*}} ]
; CHECK: %[[V:.*]] = load float
; CHECK: fadd float %[[BEFORE]], %[[V]]
  %v = call float @__clarity_collective_reduce_add_float(ptr %row, i64 %items)
  ret float %v
}

; CHECK-LABEL: define void @scan
define void @scan(ptr %row, i64 %items) {
; CHECK: %[[BEFORE:.*]] = phi i32 [ 0, %{{.*}} ], [ %[[LAST:.*]], %collective ]
; CHECK: %[[V:.*]] = load <4 x i32>
; CHECK: shufflevector <4 x i32> %[[V]], <4 x i32> zeroinitializer, <4 x i32> <i32 4, i32 0, i32 1, i32 2>
; CHECK: shufflevector <4 x i32> %{{.*}}, <4 x i32> zeroinitializer, <4 x i32> <i32 4, i32 4, i32 0, i32 1>
; CHECK: store <4 x i32>
; CHECK: %[[LAST]] = extractelement <4 x i32> %{{.*}}, i64 3
  call void @__clarity_collective_scan_exclusive_add_int(ptr %row, i64 %items)
  ret void
}

; CHECK-LABEL: define double @broadcast
define double @broadcast(ptr %row, i64 %items, i64 %item) {
; CHECK: %[[P:.*]] = getelementptr double, ptr %row, i64 %item
; CHECK: load double, ptr %[[P]]
  %v = call double @__clarity_collective_broadcast_double(ptr %row, i64 %items, i64 %item)
  ret double %v
}
