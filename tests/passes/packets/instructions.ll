; Instructions that are more than their vector form.
; RUN: %clarity opt --passes='specialize-shape<8x1x1>,work-item-loops,loop-simplify,lcssa,packets<4x1x1>' %s -o - | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_local_id(i32)

; Atomics run once for each lane, in the order of the lanes: side by side where all come, in a loop under a mask.
; CHECK-LABEL: define void @atomics
define void @atomics(ptr addrspace(1) %a, ptr addrspace(1) %sum) {
; CHECK: %[[FIRST:.*]] = extractelement <4 x i32> %{{.*}}, i64 0
; CHECK: %[[OLD:.*]] = atomicrmw xchg ptr addrspace(1) %sum, i32 %[[FIRST]] monotonic
; CHECK: insertelement <4 x i32> poison, i32 %[[OLD]], i64 0
; CHECK: %[[LAST:.*]] = extractelement <4 x i32> %{{.*}}, i64 3
; CHECK: atomicrmw xchg ptr addrspace(1) %sum, i32 %[[LAST]] monotonic
; CHECK: store <4 x i32>
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %v = load i32, ptr addrspace(1) %p
  %old = atomicrmw xchg ptr addrspace(1) %sum, i32 %v monotonic
  store i32 %old, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define void @masked_atomics
define void @masked_atomics(ptr addrspace(1) %a, ptr addrspace(1) %sum) {
; CHECK: packet.lane:
; CHECK: %[[LEFT:.*]] = phi i64 [
; CHECK: packet.lane.run:
; CHECK: %[[LANE:.*]] = call i64 @llvm.cttz.i64(i64 %[[LEFT]], i1 true)
; CHECK: %[[V:.*]] = extractelement <4 x i32> %{{.*}}, i64 %[[LANE]]
; CHECK: %[[OLD:.*]] = atomicrmw xchg ptr addrspace(1) %sum, i32 %[[V]] monotonic
; CHECK: insertelement <4 x i32> %{{.*}}, i32 %[[OLD]], i64 %[[LANE]]
; CHECK: packet.lanes.done:
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %v = load i32, ptr addrspace(1) %p
  %c = icmp slt i32 %v, 0
  br i1 %c, label %then, label %end
then:
  %old = atomicrmw xchg ptr addrspace(1) %sum, i32 %v monotonic
  store i32 %old, ptr addrspace(1) %p
  br label %end
end:
  ret void
}

; A divisor that all lanes have in common: products with its reciprocal, once for all of them. The guard of a signed
; division is looked through: the smallest integer by -1 is exact in double.
; CHECK-LABEL: define void @common_divisor
define void @common_divisor(ptr addrspace(1) %a, i32 %n) {
; CHECK: packet.entry:
; CHECK: %[[V:.*]] = load <4 x i32>
; CHECK: %[[D:.*]] = uitofp i32 %positive{{.*}} to double
; CHECK: %[[R:.*]] = fdiv double 0x3FF0000000000004, %[[D]]
; CHECK-NOT: fdiv
; CHECK: fmul <4 x double>
; CHECK: select i1 %{{.*}}, i32 1, i32 %n
; CHECK: fdiv double 0x3FF0000000000004, %
; CHECK-NOT: fdiv
; CHECK: fadd <4 x double> %{{.*}}, splat (double 0x4338000000000000)
; CHECK: store <4 x i32>
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %v = load i32, ptr addrspace(1) %p
  %positive = or i32 %n, 1
  %unsigned = udiv i32 %v, %positive
  %f = freeze i32 %v
  %zero = icmp eq i32 %n, 0
  %smallest = icmp eq i32 %f, -2147483648
  %minusone = icmp eq i32 %n, -1
  %overflows = and i1 %smallest, %minusone
  %bad = or i1 %zero, %overflows
  %guarded = select i1 %bad, i32 1, i32 %n
  %signed = sdiv i32 %f, %guarded
  %sum = add i32 %unsigned, %signed
  store i32 %sum, ptr addrspace(1) %p
  ret void
}

; Processors divide no vectors of int: by a constant LLVM multiplies; otherwise doubles are exact.
; CHECK-LABEL: define void @division
define void @division(ptr addrspace(1) %a, i32 %n) {
; CHECK: packet.entry:
; CHECK: %[[V:.*]] = load <4 x i32>
; CHECK: udiv <4 x i32> %[[V]], splat (i32 7)
; CHECK: %[[N:.*]] = sitofp <4 x i32> %{{.*}} to <4 x double>
; CHECK: %[[D:.*]] = sitofp <4 x i32> %[[V]] to <4 x double>
; CHECK: %[[Q:.*]] = fdiv <4 x double> %[[N]], %[[D]]
; CHECK: fptosi <4 x double> %[[Q]] to <4 x i32>
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %v = load i32, ptr addrspace(1) %p
  %seventh = udiv i32 %v, 7
  %quotient = sdiv i32 %n, %v
  %sum = add i32 %seventh, %quotient
  store i32 %sum, ptr addrspace(1) %p
  ret void
}
