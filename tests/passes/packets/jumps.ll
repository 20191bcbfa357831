; Linear values that may start over at 0 between two lanes.
; RUN: %clarity opt --passes='specialize-shape<8x1x1>,work-item-loops,loop-simplify,lcssa,packets<4x1x1>' %s -o - | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_local_id(i32)

; An unsigned index: where the last lane is behind the jump, each lane has an address of its own.
; CHECK-LABEL: define void @index
define void @index(ptr addrspace(1) %a, i32 %n) {
; CHECK: %[[FIRST:.*]] = add i32 %{{.*}}, %n
; CHECK: %[[WIDE:.*]] = zext i32 %[[FIRST]] to i64
; CHECK: %[[AT:.*]] = getelementptr float, ptr addrspace(1) %a, i64 %[[WIDE]]
; CHECK: %[[LAST:.*]] = add i32 %[[FIRST]], 3
; CHECK: %[[REAL:.*]] = zext i32 %[[LAST]] to i64
; CHECK: %[[IN_STEP:.*]] = add i64 %[[WIDE]], 3
; CHECK: %[[JUMPS:.*]] = icmp ne i64 %[[REAL]], %[[IN_STEP]]
; CHECK: br i1 %[[JUMPS]], label %packet.wraps, label %packet.in.step
; CHECK: packet.wraps:
; CHECK-NOT: store <4 x float>
; CHECK: packet.in.step:
; CHECK-NEXT: store <4 x float> {{.*}}, ptr addrspace(1) %[[AT]]
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %x32 = trunc i64 %x to i32
  %i = add i32 %x32, %n
  %wide = zext i32 %i to i64
  %p = getelementptr float, ptr addrspace(1) %a, i64 %wide
  store float 1.0, ptr addrspace(1) %p
  ret void
}

; One that is computed from an id alone never jumps.
; CHECK-LABEL: define void @plain
; CHECK-NOT: br i1 {{.*}}, label %packet.wraps
; CHECK: store <4 x float>
; CHECK-LABEL: define void @exit
define void @plain(ptr addrspace(1) %a) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %x32 = trunc i64 %x to i32
  %wide = zext i32 %x32 to i64
  %p = getelementptr float, ptr addrspace(1) %a, i64 %wide
  store float 1.0, ptr addrspace(1) %p
  ret void
}

; A loop's exit: first and last lane speak for the others only if there is no jump between them.
define void @exit(ptr addrspace(1) %a, i32 %n, i32 %m) {
; CHECK: packet.steady.head:
; CHECK: %[[I:.*]] = phi i32
; CHECK: %[[LAST:.*]] = add i32 %[[I]], 3
; CHECK: %[[STAYS:.*]] = icmp ugt i32 %[[I]], %m
; CHECK: %[[ALSO:.*]] = icmp ugt i32 %[[LAST]], %m
; CHECK: %[[BOTH:.*]] = and i1 %[[STAYS]], %[[ALSO]]
; CHECK: %[[GROWS:.*]] = icmp ule i32 %[[I]], %[[LAST]]
; CHECK: %[[ALL:.*]] = and i1 %[[BOTH]], %[[GROWS]]
; CHECK: br i1 %[[ALL]], label %packet.stay, label %packet.leave
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %x32 = trunc i64 %x to i32
  %first = sub i32 %x32, %n
  br label %head
head:
  %i = phi i32 [ %first, %entry ], [ %next, %body ]
  %c = icmp ugt i32 %i, %m
  br i1 %c, label %body, label %end
body:
  %low = and i32 %i, 63
  %wide = zext i32 %low to i64
  %p = getelementptr float, ptr addrspace(1) %a, i64 %wide
  store float 1.0, ptr addrspace(1) %p
  %next = sub i32 %i, 7
  br label %head
end:
  ret void
}

; Where not all lanes come, a disjoint `or` holds for those who do: the first lane adds.
; CHECK-LABEL: define void @or
define void @or(ptr addrspace(1) %a, i64 %n) {
; CHECK: packet.part:
; CHECK-NOT: or disjoint
; CHECK: %[[AT:.*]] = add i64 %{{.*}}, 1
; CHECK: getelementptr float, ptr addrspace(1) %a, i64 %[[AT]]
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %c = icmp ugt i64 %x, %n
  br i1 %c, label %then, label %end
then:
  %i = or disjoint i64 %x, 1
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  store float 1.0, ptr addrspace(1) %p
  br label %end
end:
  ret void
}
