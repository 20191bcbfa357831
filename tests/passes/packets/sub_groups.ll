; Sub-group functions among the lanes that come to them.
; RUN: %clarity opt --passes='specialize-shape<12x1x1>,work-item-loops,loop-simplify,lcssa,packets<4x1x1>' %s -o - | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_local_id(i32)
declare i32 @__clarity_sub_group_local_id()
declare i32 @__clarity_sub_group_id()
declare i64 @__clarity_sub_group_ballot(i32)
declare i32 @__clarity_sub_group_reduce_add_int(i32)
declare float @__clarity_sub_group_scan_exclusive_add_float(float)
declare i32 @__clarity_sub_group_clustered_reduce_max_int(i32, i32)
declare i32 @__clarity_sub_group_broadcast_int(i32, i32)
declare i32 @__clarity_sub_group_shuffle_int(i32, i32)
declare void @__clarity_sub_group_barrier()

; The same in all lanes: one scalar, and a store of the last lane's is a store.
; CHECK-LABEL: define void @reduce
define void @reduce(ptr addrspace(1) %a, ptr addrspace(1) %sums) {
; CHECK: packet.entry:
; CHECK: %[[V:.*]] = load <4 x i32>
; CHECK: shufflevector <4 x i32> %[[V]], <4 x i32> poison, <2 x i32> <i32 0, i32 1>
; CHECK: shufflevector <4 x i32> %[[V]], <4 x i32> poison, <2 x i32> <i32 2, i32 3>
; CHECK: %[[SUM:.*]] = extractelement <1 x i32> %{{.*}}, i64 0
; CHECK: %[[ID:.*]] = lshr i32 %{{.*}}, 2
; CHECK: %[[P:.*]] = getelementptr i32, ptr addrspace(1) %sums, i32 %[[ID]]
; CHECK: store i32 %[[SUM]], ptr addrspace(1) %[[P]]
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %v = load i32, ptr addrspace(1) %p
  %sum = call i32 @__clarity_sub_group_reduce_add_int(i32 %v)
  %id = call i32 @__clarity_sub_group_id()
  %q = getelementptr i32, ptr addrspace(1) %sums, i32 %id
  store i32 %sum, ptr addrspace(1) %q
  ret void
}

; Lanes that do not come give what changes nothing; the first result of a sum is a positive zero.
; CHECK-LABEL: define void @apart
define void @apart(ptr addrspace(1) %a) {
; CHECK: packet.then:
; CHECK: %[[V:.*]] = select <4 x i1> %[[HERE:.*]], <4 x float> %{{.*}}, <4 x float> splat (float -0.000000e+00)
; CHECK: shufflevector <4 x float> %[[V]], <4 x float> splat (float -0.000000e+00), <4 x i32> <i32 4, i32 0, i32 1, i32 2>
; CHECK: fadd <4 x float> %{{.*}}, zeroinitializer
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %p = getelementptr float, ptr addrspace(1) %a, i64 %x
  %v = load float, ptr addrspace(1) %p
  %c = fcmp ogt float %v, 1.0
  br i1 %c, label %then, label %end
then:
  %before = call float @__clarity_sub_group_scan_exclusive_add_float(float %v)
  store float %before, ptr addrspace(1) %p
  br label %end
end:
  ret void
}

; CHECK-LABEL: define void @exchange
define void @exchange(ptr addrspace(1) %a, ptr addrspace(1) %bits) {
; CHECK: packet.entry:
; CHECK: %[[V:.*]] = load <4 x i32>
; CHECK: %[[ODD:.*]] = icmp ne <4 x i32> %{{.*}}, zeroinitializer
; CHECK: bitcast <4 x i1> %[[ODD]] to i4
; CHECK: zext i4 %{{.*}} to i64
; CHECK: extractelement <4 x i32> %[[V]], i32 2
; CHECK: %[[FROM:.*]] = xor <4 x i32> <i32 0, i32 1, i32 2, i32 3>, splat (i32 1)
; CHECK: store <4 x i32> %[[V]], ptr %exchange
; CHECK: fence syncscope("singlethread") seq_cst
; CHECK: shufflevector <4 x i32> %[[V]], <4 x i32> poison, <4 x i32> <i32 1, i32 0, i32 3, i32 2>
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %v = load i32, ptr addrspace(1) %p
  %odd = and i32 %v, 1
  %ballot = call i64 @__clarity_sub_group_ballot(i32 %odd)
  store i64 %ballot, ptr addrspace(1) %bits
  %third = call i32 @__clarity_sub_group_broadcast_int(i32 %v, i32 2)
  %lane = call i32 @__clarity_sub_group_local_id()
  %partner = xor i32 %lane, 1
  %other = call i32 @__clarity_sub_group_shuffle_int(i32 %v, i32 %partner)
  call void @__clarity_sub_group_barrier()
  %most = call i32 @__clarity_sub_group_clustered_reduce_max_int(i32 %v, i32 2)
  %s = add i32 %other, %most
  %t = add i32 %s, %third
  store i32 %t, ptr addrspace(1) %p
  ret void
}
