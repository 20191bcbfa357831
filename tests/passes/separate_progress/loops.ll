; Loops around barriers: what an index or a pointer grows by is the same for all work-items.
; RUN: %clarity opt --passes=separate-progress %s -o - | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_local_id(i32)
declare void @__clarity_barrier(i32)

; An index that starts at zero or above and never falls keeps its flags.
; CHECK-LABEL: define void @index
; CHECK: loop:
; CHECK-NEXT: %i.progress = phi i32 [ 0, %entry ], [ %[[MORE:.*]], %loop ]
; CHECK-NEXT: %t = phi i32
; CHECK-NEXT: %i = add nuw nsw i32 %x, %i.progress
; CHECK: %[[MORE]] = add i32 %i.progress, 256
define void @index(ptr addrspace(3) %out, i32 %n) {
entry:
  %id = call range(i64 0, 256) i64 @__clarity_local_id(i32 0)
  %x = trunc i64 %id to i32
  br label %loop
loop:
  %i = phi i32 [ %x, %entry ], [ %next, %loop ]
  %t = phi i32 [ 0, %entry ], [ %u, %loop ]
  %p = getelementptr i32, ptr addrspace(3) %out, i32 %i
  store i32 %t, ptr addrspace(3) %p
  call void @__clarity_barrier(i32 1)
  %next = add nsw i32 %i, 256
  %u = add i32 %t, 1
  %more = icmp slt i32 %u, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: define void @pointer
; CHECK: %p.progress = phi i64 [ 0, %entry ], [ %[[MORE:.*]], %loop ]
; CHECK: %p = getelementptr i8, ptr addrspace(1) %first, i64 %p.progress
; CHECK: %[[BYTES:.*]] = mul i64 %stride, 4
; CHECK: %[[MORE]] = add i64 %p.progress, %[[BYTES]]
define void @pointer(ptr addrspace(1) %out, i64 %stride, i32 %n) {
entry:
  %id = call i64 @__clarity_local_id(i32 0)
  %first = getelementptr float, ptr addrspace(1) %out, i64 %id
  br label %loop
loop:
  %p = phi ptr addrspace(1) [ %first, %entry ], [ %next, %loop ]
  %t = phi i32 [ 0, %entry ], [ %u, %loop ]
  store float 1.0, ptr addrspace(1) %p
  call void @__clarity_barrier(i32 1)
  %next = getelementptr inbounds float, ptr addrspace(1) %p, i64 %stride
  %u = add i32 %t, 1
  %more = icmp slt i32 %u, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; LLVM counts an int in 64 bits, and addresses memory with its lower half and a factor.
; CHECK-LABEL: define void @widened
; CHECK: %[[PROGRESS:.*]] = phi i32 [ 0, %entry ]
; CHECK: %[[I:.*]] = add i32 %{{.*}}, %[[PROGRESS]]
; CHECK: sext i32 %[[I]] to i64
; CHECK: shl nsw i64 %{{.*}}, 4
; CHECK-NOT: ashr
define void @widened(ptr addrspace(1) %out, i64 %begin, i32 %n) {
entry:
  %id = call i64 @__clarity_local_id(i32 0)
  %x = add i64 %id, %begin
  br label %loop
loop:
  %i = phi i64 [ %x, %entry ], [ %next, %loop ]
  %t = phi i32 [ 0, %entry ], [ %u, %loop ]
  %high = shl i64 %i, 32
  %bytes = ashr exact i64 %high, 28
  %p = getelementptr i8, ptr addrspace(1) %out, i64 %bytes
  store i32 %t, ptr addrspace(1) %p
  call void @__clarity_barrier(i32 1)
  %again = shl i64 %i, 32
  %low = ashr exact i64 %again, 32
  %next = add nsw i64 %low, 256
  %u = add i32 %t, 1
  %more = icmp slt i32 %u, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; A loop inside may add, too.
; CHECK-LABEL: define void @inside
; CHECK: outer:
; CHECK: %p.progress = phi i64 [ 0, %entry ], [ %[[MORE:.*]], %next ]
; CHECK: inner:
; CHECK: %q.progress = phi i64 [ %p.progress, %outer ], [ %[[MORE]], %inner ]
; CHECK: %q = getelementptr i8, ptr addrspace(1) %first, i64 %q.progress
; CHECK: %[[MORE]] = add i64 %q.progress, 64
define void @inside(ptr addrspace(1) %out, i32 %n) {
entry:
  %id = call i64 @__clarity_local_id(i32 0)
  %first = getelementptr float, ptr addrspace(1) %out, i64 %id
  br label %outer
outer:
  %p = phi ptr addrspace(1) [ %first, %entry ], [ %r, %next ]
  %t = phi i32 [ 0, %entry ], [ %u, %next ]
  call void @__clarity_barrier(i32 1)
  br label %inner
inner:
  %q = phi ptr addrspace(1) [ %p, %outer ], [ %r, %inner ]
  %k = phi i32 [ 0, %outer ], [ %l, %inner ]
  store float 1.0, ptr addrspace(1) %q
  %r = getelementptr inbounds float, ptr addrspace(1) %q, i64 16
  %l = add i32 %k, 1
  %again = icmp slt i32 %l, 4
  br i1 %again, label %inner, label %next
next:
  call void @__clarity_barrier(i32 1)
  %u = add i32 %t, 1
  %more = icmp slt i32 %u, %n
  br i1 %more, label %outer, label %end
end:
  ret void
}

; Work-items that leave in different iterations, and steps that differ.
; CHECK-LABEL: define void @apart
; CHECK-NOT: progress
define void @apart(ptr addrspace(1) %out, i32 %n) {
entry:
  %id = call i64 @__clarity_local_id(i32 0)
  %x = trunc i64 %id to i32
  br label %loop
loop:
  %i = phi i32 [ %x, %entry ], [ %next, %loop ]
  %t = phi i32 [ 0, %entry ], [ %u, %loop ]
  call void @__clarity_barrier(i32 1)
  %next = add nsw i32 %i, 256
  %u = add i32 %t, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: define void @own_steps
; CHECK-NOT: progress
define void @own_steps(ptr addrspace(3) %out, i32 %n) {
entry:
  %id = call i64 @__clarity_local_id(i32 0)
  %x = trunc i64 %id to i32
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %t = phi i32 [ 0, %entry ], [ %u, %loop ]
  %p = getelementptr i32, ptr addrspace(3) %out, i32 %i
  store i32 %t, ptr addrspace(3) %p
  call void @__clarity_barrier(i32 1)
  %next = add i32 %i, %x
  %u = add i32 %t, 1
  %more = icmp slt i32 %u, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
