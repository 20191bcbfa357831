; Bounds as far as a long reaches: their distance from the first id is cut off, not each of them.
; RUN: %clarity opt --passes='work-item-loops,narrow-indices,fold-guards' %s -o - | FileCheck %s
declare i64 @__clarity_global_id(i32)

; CHECK-LABEL: define void @both_far
define void @both_far(ptr addrspace(1) %a, i64 %m, i64 %n) {
; CHECK: %[[FAR:.*]] = call i64 @llvm.ssub.sat.i64(
; CHECK: %[[LEAST:.*]] = call i64 @llvm.smin.i64(i64 %[[FAR]], i64 4611686018427387904)
; CHECK: call i64 @llvm.smax.i64(i64 %[[LEAST]], i64 -4611686018427387904)
entry:
  %x = call i64 @__clarity_global_id(i32 0)
  %at = add nsw i64 %x, %m
  %c = icmp slt i64 %at, %n
  br i1 %c, label %then, label %end
then:
  store float 1.0, ptr addrspace(1) %a
  br label %end
end:
  ret void
}

; CHECK-LABEL: define void @both_far_unsigned
define void @both_far_unsigned(ptr addrspace(1) %a, i64 %m, i64 %n) {
; CHECK: %[[ABOVE:.*]] = call i64 @llvm.usub.sat.i64(
; CHECK: call i64 @llvm.umin.i64(i64 %[[ABOVE]], i64 4611686018427387904)
; CHECK: %[[BELOW:.*]] = call i64 @llvm.usub.sat.i64(
; CHECK: call i64 @llvm.umin.i64(i64 %[[BELOW]], i64 4611686018427387904)
entry:
  %x = call i64 @__clarity_global_id(i32 0)
  %at = add nuw i64 %x, %m
  %c = icmp ult i64 %at, %n
  br i1 %c, label %then, label %end
then:
  store float 1.0, ptr addrspace(1) %a
  br label %end
end:
  ret void
}

; The largest long as a bound: nothing is beyond it, and nothing wraps.
; CHECK-LABEL: define void @most
define void @most(ptr addrspace(1) %a) {
; CHECK: some.items:
entry:
  %x = call i64 @__clarity_global_id(i32 0)
  %c = icmp sle i64 %x, 9223372036854775807
  br i1 %c, label %then, label %end
then:
  store float 1.0, ptr addrspace(1) %a
  br label %end
end:
  ret void
}

; The smallest one: no work-item passes.
; CHECK-LABEL: define void @least
define void @least(ptr addrspace(1) %a) {
; CHECK: br i1 false, label %some.items
entry:
  %x = call i64 @__clarity_global_id(i32 0)
  %c = icmp slt i64 %x, -9223372036854775808
  br i1 %c, label %then, label %end
then:
  store float 1.0, ptr addrspace(1) %a
  br label %end
end:
  ret void
}

; A mask of all bits is no remainder of anything: the condition stays.
; CHECK-LABEL: define void @all_ones
define void @all_ones(ptr addrspace(1) %a, i64 %mask) {
; CHECK: %[[NEXT:.*]] = add i64 %[[MASK:.*]], 1
; CHECK: and i64 %[[MASK]], %[[NEXT]]
; CHECK: icmp ne i64 %[[NEXT]], 0
; CHECK: select i1 %{{.*}}, i64 %[[NEXT]], i64 1
; CHECK: %low = and i64
entry:
  %x = call i64 @__clarity_global_id(i32 0)
  %low = and i64 %x, %mask
  %c = icmp eq i64 %low, 0
  br i1 %c, label %then, label %end
then:
  store float 1.0, ptr addrspace(1) %a
  br label %end
end:
  ret void
}
