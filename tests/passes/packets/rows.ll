; Rows of a tile with a divergent branch: what is computed once for several rows is active if any of them is.
; RUN: %clarity opt --passes='specialize-shape<4x2x1>,work-item-loops,loop-simplify,lcssa,packets<4x1x2>' %s -o - | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_local_id(i32)

; A scalar that differs between the rows takes each row's own way.
; CHECK-LABEL: define void @scalars
define void @scalars(ptr addrspace(1) %a, ptr addrspace(1) %b) {
; CHECK: packet.yes:
; CHECK: %[[NOW0:vb.*]] = load i32
; CHECK: %[[NOW1:vb.*]] = load i32
; CHECK: %[[YES1:v.in.*]] = phi i32 [ poison, %{{.*}} ], [ %[[NOW1]], %packet.yes ]
; CHECK: %[[YES0:v.in.*]] = phi i32 [ poison, %{{.*}} ], [ %[[NOW0]], %packet.yes ]
; CHECK: packet.part:
; CHECK: %[[LANES0:.*]] = icmp slt <4 x i64>
; CHECK: %[[LANES1:.*]] = icmp slt <4 x i64>
; CHECK: %[[BITS0:.*]] = bitcast <4 x i1> %[[LANES0]] to i4
; CHECK: %[[SOME0:.*]] = icmp ne i4 %[[BITS0]], 0
; CHECK: select i1 %[[SOME0]], i32 7, i32 %[[YES0]]
; CHECK: %[[BITS1:.*]] = bitcast <4 x i1> %[[LANES1]] to i4
; CHECK: %[[SOME1:.*]] = icmp ne i4 %[[BITS1]], 0
; CHECK: select i1 %[[SOME1]], i32 7, i32 %[[YES1]]
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %y = call i64 @__clarity_local_id(i32 1)
  %pb = getelementptr i32, ptr addrspace(1) %b, i64 %y
  %c = icmp eq i64 %y, 1
  br i1 %c, label %yes, label %no
yes:
  %vb = load i32, ptr addrspace(1) %pb
  br label %end
no:
  %px = getelementptr i32, ptr addrspace(1) %b, i64 %x
  store i32 1, ptr addrspace(1) %px
  br label %end
end:
  %v = phi i32 [ %vb, %yes ], [ 7, %no ]
  %pa = getelementptr i32, ptr addrspace(1) %a, i64 %x
  store i32 %v, ptr addrspace(1) %pa
  ret void
}

; One place for all, and a value that the rows share: the last active lane of any row.
; CHECK-LABEL: define void @place
define void @place(ptr addrspace(1) %a, ptr addrspace(1) %b) {
; CHECK: packet.yes:
; CHECK: %[[LANES:.*]] = or <4 x i1>
; CHECK: %[[BITS:.*]] = bitcast <4 x i1> %[[LANES]] to i4
; CHECK: %[[WIDE:.*]] = zext i4 %[[BITS]] to i64
; CHECK: %[[ONE:.*]] = or i64 %[[WIDE]], 1
; CHECK: call i64 @llvm.ctlz.i64(i64 %[[ONE]], i1 true)
; CHECK: store i32 %{{.*}}, ptr addrspace(1) %a
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %y = call i64 @__clarity_local_id(i32 1)
  %p = getelementptr i32, ptr addrspace(1) %b, i64 %x
  %v = load i32, ptr addrspace(1) %p
  %wide = zext i32 %v to i64
  %c = icmp eq i64 %wide, %y
  br i1 %c, label %yes, label %end
yes:
  store i32 %v, ptr addrspace(1) %a
  br label %end
end:
  ret void
}
