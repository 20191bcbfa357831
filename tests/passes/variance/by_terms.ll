; A signed sum that need not fit its type for work-items that do not use it: its terms are extended, not the sum.
; RUN: %clarity opt --passes='work-item-loops,print<variance>' %s -o /dev/null 2>&1 | FileCheck %s
declare i64 @__clarity_global_id(i32)

; Behind a condition: `if (x >= n) a[x - n + least]`.
; CHECK-LABEL: variance of 'guarded'
define void @guarded(ptr addrspace(1) %a, i32 %n, i32 %least) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %x = trunc i64 %id to i32
  %c = icmp sge i32 %x, %n
  br i1 %c, label %inside, label %end
inside:
; CHECK: %wide: varies in x, stride x=1, by terms
  %from = sub nsw i32 %x, %n
  %i = add nsw i32 %from, %least
  %wide = sext i32 %i to i64
  %p = getelementptr float, ptr addrspace(1) %a, i64 %wide
  store float 1.0, ptr addrspace(1) %p
; The sum of an id and one more is no less than that one.
; CHECK: %sum.wide: varies in x, stride x=1{{$}}
  %sum = add nsw i32 %x, %least
  %sum.wide = sext i32 %sum to i64
  %q = getelementptr float, ptr addrspace(1) %a, i64 %sum.wide
  store float 1.0, ptr addrspace(1) %q
  br label %end
end:
  ret void
}

; The same ahead of the condition: those that do not pass it do not use the sum.
; CHECK-LABEL: variance of 'ahead'
define void @ahead(ptr addrspace(1) %a, i32 %n, i32 %least) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %x = trunc i64 %id to i32
  %from = sub nsw i32 %x, %n
  %i = add nsw i32 %from, %least
; CHECK: %wide: varies in x, stride x=1, by terms
  %wide = sext i32 %i to i64
  %p = getelementptr float, ptr addrspace(1) %a, i64 %wide
  %c = icmp sge i32 %x, %n
  br i1 %c, label %inside, label %end
inside:
  store float 1.0, ptr addrspace(1) %p
  br label %end
end:
  ret void
}

; All use it: poison would be undefined behaviour for each.
; CHECK-LABEL: variance of 'by_all'
define void @by_all(ptr addrspace(1) %a, i32 %n, i32 %least) {
  %id = call i64 @__clarity_global_id(i32 0)
  %x = trunc i64 %id to i32
  %from = sub nsw i32 %x, %n
  %i = add nsw i32 %from, %least
; CHECK: %wide: varies in x, stride x=1{{$}}
  %wide = sext i32 %i to i64
  %p = getelementptr float, ptr addrspace(1) %a, i64 %wide
  store float 1.0, ptr addrspace(1) %p
  ret void
}

; A comparison that the answer to another one makes count: `x >= n && (ulong)(x - n) < m`.
; CHECK-LABEL: variance of 'chosen'
define void @chosen(ptr addrspace(1) %a, i32 %n, i64 %m) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %x = trunc i64 %id to i32
  %c = icmp uge i32 %x, %n
  %from = sub nuw i32 %x, %n
; CHECK: %wide: varies in x, stride x=?
  %wide = zext i32 %from to i64
  %less = icmp ult i64 %wide, %m
  %both = select i1 %c, i1 %less, i1 false
  br i1 %both, label %inside, label %end
inside:
  store float 1.0, ptr addrspace(1) %a
  br label %end
end:
  ret void
}

; `y * width`: the same in all lanes.
; CHECK-LABEL: variance of 'rows'
define void @rows(ptr addrspace(1) %a, i32 %n, i32 %width) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %x = trunc i64 %id to i32
  %row = call i64 @__clarity_global_id(i32 1)
  %y = trunc i64 %row to i32
  %start = mul nsw i32 %y, %width
  %c = icmp sge i32 %x, %n
  br i1 %c, label %inside, label %end
inside:
  %i = add nsw i32 %start, %x
  %from = sub nsw i32 %i, %n
; CHECK: %wide: varies in xy, stride x=1 y=?, by terms
  %wide = sext i32 %from to i64
  %p = getelementptr float, ptr addrspace(1) %a, i64 %wide
  store float 1.0, ptr addrspace(1) %p
  br label %end
end:
  ret void
}

; A counter from 0 on upwards: of a lane that has left the loop it is not far below 0.
; CHECK-LABEL: variance of 'upwards'
define void @upwards(ptr addrspace(1) %a, i32 %n, i32 %m) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %x = trunc i64 %id to i32
  br label %head
head:
  %i = phi i32 [ %x, %entry ], [ %next, %body ]
  %more = icmp slt i32 %i, %m
  br i1 %more, label %body, label %end
body:
  %sum = add nsw i32 %i, %n
; CHECK: %wide: varies in x, stride x=1, by terms
  %wide = sext i32 %sum to i64
  %p = getelementptr float, ptr addrspace(1) %a, i64 %wide
  store float 1.0, ptr addrspace(1) %p
  %next = add nsw i32 %i, 16
  br label %head
end:
  ret void
}

; Of any other counter the turns are no terms. Tiles ask whether it wraps.
; CHECK-LABEL: variance of 'counter'
define void @counter(ptr addrspace(1) %a, i32 %n) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %x = trunc i64 %id to i32
  %c = icmp sge i32 %x, %n
  br i1 %c, label %first, label %end
first:
  %from = sub nsw i32 %x, %n
  br label %head
head:
  %i = phi i32 [ %from, %first ], [ %next, %head ]
; CHECK: %wide: varies in x, stride x=1, as an address
  %wide = sext i32 %i to i64
  %p = getelementptr float, ptr addrspace(1) %a, i64 %wide
  store float 1.0, ptr addrspace(1) %p
  %next = add nsw i32 %i, 16
  %more = icmp slt i32 %next, 1000
  br i1 %more, label %head, label %end
end:
  ret void
}
