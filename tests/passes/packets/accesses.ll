; Loads and stores by how their addresses lie between the lanes.
; RUN: %clarity opt --passes='specialize-shape<8x1x1>,work-item-loops,loop-simplify,lcssa,packets<4x1x1>' %s -o - | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_local_id(i32)

; Side by side: a vector. The same place for all: one scalar, spread where a vector is needed.
; CHECK-LABEL: define void @consecutive
define void @consecutive(ptr addrspace(1) %a, ptr addrspace(1) %u) {
; CHECK: %[[X:tile[0-9]+]] = phi i32
; CHECK: packet.entry:
; CHECK: %[[ID:.*]] = zext i32 %[[X]] to i64
; CHECK: %[[P:.*]] = getelementptr float, ptr addrspace(1) %a, i64 %[[ID]]
; CHECK: %[[V:.*]] = load <4 x float>, ptr addrspace(1) %[[P]], align 4
; CHECK: %[[SAME:.*]] = load float, ptr addrspace(1) %u
; CHECK: insertelement <4 x float> poison, float %[[SAME]]
; CHECK: %[[SPLAT:.*]] = shufflevector {{.*}} zeroinitializer
; CHECK: %[[SUM:.*]] = fadd <4 x float> %[[V]], %[[SPLAT]]
; CHECK: store <4 x float> %[[SUM]], ptr addrspace(1) %[[P]], align 4
; CHECK: add nuw nsw i32 %[[X]], 4
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %p = getelementptr float, ptr addrspace(1) %a, i64 %x
  %v = load float, ptr addrspace(1) %p
  %same = load float, ptr addrspace(1) %u
  %sum = fadd float %v, %same
  store float %sum, ptr addrspace(1) %p
  ret void
}

; Side by side backwards: a vector that ends at the first lane's place, turned around.
; CHECK-LABEL: define void @reversed
define void @reversed(ptr addrspace(1) %a) {
; CHECK: packet.entry:
; CHECK: %[[P:.*]] = getelementptr float, ptr addrspace(1) %a, i64 %
; CHECK: %[[LAST:.*]] = getelementptr i8, ptr addrspace(1) %[[P]], i64 -12
; CHECK: %[[V:.*]] = load <4 x float>, ptr addrspace(1) %[[LAST]]
; CHECK: shufflevector <4 x float> %[[V]], <4 x float> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
; CHECK: %[[N:.*]] = fneg <4 x float>
; CHECK: %[[R:.*]] = shufflevector <4 x float> %[[N]], <4 x float> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
; CHECK: store <4 x float> %[[R]]
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %back = sub nsw i64 100, %x
  %p = getelementptr float, ptr addrspace(1) %a, i64 %back
  %v = load float, ptr addrspace(1) %p
  %n = fneg float %v
  store float %n, ptr addrspace(1) %p
  ret void
}

; Every second: two vectors, and nothing read behind the last lane's place.
; CHECK-LABEL: define void @strided
define void @strided(ptr addrspace(1) %a) {
; CHECK: packet.entry:
; CHECK: %[[P:.*]] = getelementptr float, ptr addrspace(1) %a, i64 %
; CHECK: %[[LOW:.*]] = load <4 x float>, ptr addrspace(1) %[[P]]
; CHECK: %[[BEHIND:.*]] = getelementptr i8, ptr addrspace(1) %[[P]], i64 12
; CHECK: %[[HIGH:.*]] = load <4 x float>, ptr addrspace(1) %[[BEHIND]]
; CHECK: %[[EVEN:.*]] = shufflevector <4 x float> %[[LOW]], {{.*}} <i32 0, i32 2, i32 poison, i32 poison>
; CHECK: shufflevector <4 x float> %[[EVEN]], <4 x float> %[[HIGH]], <4 x i32> <i32 0, i32 1, i32 5, i32 7>
; CHECK-COUNT-4: store float
; CHECK-NOT: store
; CHECK: packet.end:
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %twice = shl nsw i64 %x, 1
  %p = getelementptr float, ptr addrspace(1) %a, i64 %twice
  %v = load float, ptr addrspace(1) %p
  %n = fneg float %v
  store float %n, ptr addrspace(1) %p
  ret void
}

; Anywhere: lane by lane where the processor has no gathers, in the order of the lanes. Each adds its index to the base
; as it accesses memory: no vector of addresses.
; CHECK-LABEL: define void @anywhere
define void @anywhere(ptr addrspace(1) %a, ptr addrspace(1) %index) {
; CHECK: packet.entry:
; CHECK: %[[I:.*]] = load <4 x i64>, ptr addrspace(1)
; CHECK: %[[I0:.*]] = extractelement <4 x i64> %[[I]], i64 0
; CHECK: %[[P0:.*]] = getelementptr float, ptr addrspace(1) %a, i64 %[[I0]]
; CHECK: load float, ptr addrspace(1) %[[P0]]
; CHECK: %[[I3:.*]] = extractelement <4 x i64> %[[I]], i64 3
; CHECK: %[[P3:.*]] = getelementptr float, ptr addrspace(1) %a, i64 %[[I3]]
; CHECK: load float, ptr addrspace(1) %[[P3]]
; CHECK: fneg <4 x float>
; CHECK: %[[J0:.*]] = extractelement <4 x i64> %[[I]], i64 0
; CHECK: %[[Q0:.*]] = getelementptr float, ptr addrspace(1) %a, i64 %[[J0]]
; CHECK: store float %{{.*}}, ptr addrspace(1) %[[Q0]]
; CHECK: %[[J3:.*]] = extractelement <4 x i64> %[[I]], i64 3
; CHECK: %[[Q3:.*]] = getelementptr float, ptr addrspace(1) %a, i64 %[[J3]]
; CHECK: store float %{{.*}}, ptr addrspace(1) %[[Q3]]
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %where = getelementptr i64, ptr addrspace(1) %index, i64 %x
  %i = load i64, ptr addrspace(1) %where
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  %v = load float, ptr addrspace(1) %p
  %n = fneg float %v
  store float %n, ptr addrspace(1) %p
  ret void
}

; An index of fewer bits is extended in each lane, atomic operations and what is masked included; an index of another
; block may not be known here.
; CHECK-LABEL: define void @narrow_index
; CHECK: packet.entry:
; CHECK: %[[I:.*]] = load <4 x i32>
; CHECK: %[[I0:.*]] = extractelement <4 x i32> %[[I]], i64 0
; CHECK: %[[W0:.*]] = zext i32 %[[I0]] to i64
; CHECK: %[[P0:.*]] = getelementptr i32, ptr addrspace(1) %a, i64 %[[W0]]
; CHECK: atomicrmw add ptr addrspace(1) %[[P0]], i32 1
; CHECK: packet.then:
; CHECK: load i32, ptr addrspace(1)
define void @narrow_index(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %index, i1 %c) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %where = getelementptr i32, ptr addrspace(1) %index, i64 %x
  %i = load i32, ptr addrspace(1) %where
  %wide = zext i32 %i to i64
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %wide
  %old = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic
  %q = getelementptr i32, ptr addrspace(1) %b, i64 %wide
  br i1 %c, label %then, label %end
then:
  %v = load i32, ptr addrspace(1) %q
  store i32 %v, ptr addrspace(1) %where
  br label %end
end:
  ret void
}

; All to one place: the last lane's value stays.
; CHECK-LABEL: define void @one
define void @one(ptr addrspace(1) %a, ptr addrspace(1) %u) {
; CHECK: packet.entry:
; CHECK: %[[V:.*]] = load <4 x float>
; CHECK: %[[LAST:.*]] = extractelement <4 x float> %[[V]], i64 3
; CHECK: store float %[[LAST]], ptr addrspace(1) %u
; CHECK-NOT: store
; CHECK: packet.end:
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %p = getelementptr float, ptr addrspace(1) %a, i64 %x
  %v = load float, ptr addrspace(1) %p
  store float %v, ptr addrspace(1) %u
  ret void
}

; Every second place of local memory: what lies between, and behind the last of them, is written back as it was.
; CHECK-LABEL: define void @strided_local
define void @strided_local(ptr addrspace(3) %t) {
; CHECK: packet.entry:
; CHECK: %[[P:.*]] = getelementptr float, ptr addrspace(3) %t, i64 %
; CHECK: %[[LOW:.*]] = load <4 x float>, ptr addrspace(3) %[[P]]
; CHECK: %[[NEWLOW:.*]] = shufflevector <4 x float> %[[LOW]], {{.*}}, <4 x i32> <i32 4, i32 1, i32 5, i32 3>
; CHECK: %[[BEHIND:.*]] = getelementptr i8, ptr addrspace(3) %[[P]], i64 16
; CHECK: %[[HIGH:.*]] = load <4 x float>, ptr addrspace(3) %[[BEHIND]]
; CHECK: %[[NEWHIGH:.*]] = shufflevector <4 x float> %[[HIGH]], {{.*}}, <4 x i32> <i32 6, i32 1, i32 7, i32 3>
; CHECK: store <4 x float> %[[NEWLOW]], ptr addrspace(3) %[[P]]
; CHECK: store <4 x float> %[[NEWHIGH]], ptr addrspace(3) %[[BEHIND]]
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %second = mul nuw nsw i64 %x, 2
  %p = getelementptr float, ptr addrspace(3) %t, i64 %second
  store float 1.0, ptr addrspace(3) %p
  ret void
}

; Two side by side at a place of each lane's own: one load a lane, lanes and members transposed.
; CHECK-LABEL: define void @runs_of_lanes
define void @runs_of_lanes(ptr addrspace(1) %a, ptr addrspace(1) %index, ptr addrspace(1) %out) {
; CHECK: packet.entry:
; CHECK: %[[P0:.*]] = extractelement <4 x ptr addrspace(1)> %[[PS:.*]], i64 0
; CHECK: %[[L0:.*]] = load <2 x float>, ptr addrspace(1) %[[P0]], align 4
; CHECK: %[[P2:.*]] = extractelement <4 x ptr addrspace(1)> %[[PS]], i64 2
; CHECK: %[[L2:.*]] = load <2 x float>, ptr addrspace(1) %[[P2]], align 4
; CHECK: %[[EVEN:.*]] = shufflevector <2 x float> %[[L0]], <2 x float> %[[L2]], <4 x i32> <i32 0, i32 1, i32 2, i32 3>
; CHECK: %[[P1:.*]] = extractelement <4 x ptr addrspace(1)> %[[PS]], i64 1
; CHECK: %[[P3:.*]] = extractelement <4 x ptr addrspace(1)> %[[PS]], i64 3
; CHECK: %[[ODD:.*]] = shufflevector <2 x float> %{{.*}}, <2 x float> %{{.*}}, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
; CHECK: %[[FIRST:.*]] = shufflevector <4 x float> %[[EVEN]], <4 x float> %[[ODD]], <4 x i32> <i32 0, i32 4, i32 2, i32 6>
; CHECK: %[[SECOND:.*]] = shufflevector <4 x float> %[[EVEN]], <4 x float> %[[ODD]], <4 x i32> <i32 1, i32 5, i32 3, i32 7>
; CHECK: fsub <4 x float> %[[FIRST]], %[[SECOND]]
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %pi = getelementptr i64, ptr addrspace(1) %index, i64 %x
  %i = load i64, ptr addrspace(1) %pi
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  %first = load float, ptr addrspace(1) %p
  %q = getelementptr i8, ptr addrspace(1) %p, i64 4
  %second = load float, ptr addrspace(1) %q
  %difference = fsub float %first, %second
  %po = getelementptr float, ptr addrspace(1) %out, i64 %x
  store float %difference, ptr addrspace(1) %po
  ret void
}

; Neighbours in steps of two share their vectors: of global memory no more is read than lies between them.
; CHECK-LABEL: define void @pairs
define void @pairs(ptr addrspace(1) %a, ptr addrspace(3) %t) {
; CHECK: packet.entry:
; CHECK: %[[SECOND:.*]] = getelementptr i8, ptr addrspace(1) %{{.*}}, i64 -4
; CHECK-NEXT: load <4 x float>, ptr addrspace(1) %[[SECOND]]
; CHECK: load <4 x float>, ptr addrspace(1)
; CHECK: shufflevector <4 x float> {{.*}} <i32 1, i32 3, i32 poison, i32 poison>
; CHECK: shufflevector <4 x float> {{.*}} <i32 0, i32 1, i32 5, i32 7>
; CHECK: %[[FIRST:.*]] = getelementptr float, ptr addrspace(3) %t, i64
; CHECK: load <4 x float>, ptr addrspace(3) %[[FIRST]]
; CHECK: getelementptr i8, ptr addrspace(3) %[[FIRST]], i64 16
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %even = mul nuw nsw i64 %x, 2
  %odd = add nuw nsw i64 %even, 1
  %p.odd = getelementptr float, ptr addrspace(1) %a, i64 %odd
  %p.even = getelementptr float, ptr addrspace(1) %a, i64 %even
  %v = load float, ptr addrspace(1) %p.odd
  store float %v, ptr addrspace(1) %p.even
  %q.even = getelementptr float, ptr addrspace(3) %t, i64 %even
  %w = load float, ptr addrspace(3) %q.even
  %sum = fadd float %v, %w
  store float %sum, ptr addrspace(3) %q.even
  ret void
}
