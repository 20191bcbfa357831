; RUN: %clarity opt --passes=hoist-bounds-checks %s -o - | FileCheck %s
declare void @__clarity_expect_below(i64, i64) #0

; Of a value that grows by the same, the first and the last one.
; CHECK-LABEL: define void @grows
; CHECK: ahead:
; CHECK: call void @__clarity_expect_below(i64 %base, i64 %room)
; CHECK: call void @__clarity_expect_below(i64 %{{.*}}, i64 %room)
; CHECK: br label %loop
; CHECK-NOT: call void @__clarity_expect_below
define void @grows(ptr %p, i64 %base, i32 %n, i64 %room) {
entry:
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %ahead, label %end
ahead:
  br label %loop
loop:
  %k = phi i32 [ 0, %ahead ], [ %next, %loop ]
  %wide = zext nneg i32 %k to i64
  %bytes = shl nuw nsw i64 %wide, 2
  %offset = add i64 %base, %bytes
  call void @__clarity_expect_below(i64 %offset, i64 %room)
  %at = getelementptr i8, ptr %p, i64 %offset
  store i32 1, ptr %at
  %next = add nuw nsw i32 %k, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Out of two loops, as far as its value does not depend on them.
; CHECK-LABEL: define void @nested
; CHECK: entry:
; CHECK: call void @__clarity_expect_below(i64 %base, i64 %room)
; CHECK: br label %outer
; CHECK-NOT: call void @__clarity_expect_below
define void @nested(ptr %p, i64 %base, i32 %n, i64 %room) {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %outer.latch ]
  br label %inner
inner:
  %k = phi i32 [ 0, %outer ], [ %k.next, %inner ]
  call void @__clarity_expect_below(i64 %base, i64 %room)
  %at = getelementptr i8, ptr %p, i64 %base
  store volatile i32 %k, ptr %at
  %k.next = add nuw nsw i32 %k, 1
  %k.more = icmp ult i32 %k.next, 8
  br i1 %k.more, label %inner, label %outer.latch
outer.latch:
  %i.next = add nuw nsw i32 %i, 1
  %i.more = icmp ult i32 %i.next, 8
  br i1 %i.more, label %outer, label %end
end:
  ret void
}

; What not every iteration expects stays where it is: the others may have any offset.
; CHECK-LABEL: define void @sometimes
; CHECK: use:
; CHECK-NEXT: call void @__clarity_expect_below(i64 %wide, i64 %room)
define void @sometimes(ptr %p, i32 %n, i64 %room) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %latch ]
  %wide = zext nneg i32 %k to i64
  %at = getelementptr i32, ptr %p, i64 0
  %value = load volatile i32, ptr %at
  %some = icmp sgt i32 %value, 0
  br i1 %some, label %use, label %latch
use:
  call void @__clarity_expect_below(i64 %wide, i64 %room)
  %to = getelementptr i8, ptr %p, i64 %wide
  store i8 1, ptr %to
  br label %latch
latch:
  %next = add nuw nsw i32 %k, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; A loop that tests first may have no iteration, and its body has one less than the test.
; CHECK-LABEL: define void @tests_first
; CHECK: entry:
; CHECK: [[NONE:%.*]] = icmp eq i32 %{{.*}}, 0
; CHECK: [[ROOM:%.*]] = select i1 [[NONE]], i64 1, i64 %room
; CHECK: call void @__clarity_expect_below(i64 {{.*}}, i64 [[ROOM]])
; CHECK: [[LAST:%.*]] = select i1 [[NONE]], i64 0, i64 %{{.*}}
; CHECK: call void @__clarity_expect_below(i64 [[LAST]], i64 [[ROOM]])
; CHECK: br label %loop
; CHECK: body:
; CHECK-NOT: call void
define void @tests_first(ptr %p, i32 %n, i64 %room) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %body ]
  %wide = zext nneg i32 %k to i64
  %more = icmp slt i32 %k, %n
  br i1 %more, label %body, label %end
body:
  call void @__clarity_expect_below(i64 %wide, i64 %room)
  %to = getelementptr i8, ptr %p, i64 %wide
  store i8 1, ptr %to
  %next = add nuw nsw i32 %k, 1
  br label %loop
end:
  ret void
}

; A loop that may end in its middle has a last iteration that may access no memory.
; CHECK-LABEL: define void @leaves
; CHECK: body:
; CHECK-NEXT: call void @__clarity_expect_below
define void @leaves(ptr %p, i32 %n, i64 %room) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %latch ]
  %wide = zext nneg i32 %k to i64
  %value = load volatile i32, ptr %p
  %done = icmp eq i32 %value, 0
  br i1 %done, label %end, label %body
body:
  call void @__clarity_expect_below(i64 %wide, i64 %room)
  %to = getelementptr i8, ptr %p, i64 %wide
  store i8 1, ptr %to
  br label %latch
latch:
  %next = add nuw nsw i32 %k, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

attributes #0 = { nounwind memory(none) }

; An index of fewer bits that must not wrap grows by the same; one that may wrap need not.
; CHECK-LABEL: define void @narrow
; CHECK: ahead:
; CHECK: call void @__clarity_expect_below(i64 %{{.*}}, i64 %room)
; CHECK: call void @__clarity_expect_below(i64 %{{.*}}, i64 %room)
; CHECK: br label %loop
; CHECK-NOT: call void @__clarity_expect_below
; CHECK: ret void
define void @narrow(ptr %p, i32 %row, i32 %n, i64 %room) {
entry:
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %ahead, label %end
ahead:
  %first = mul nsw i32 %row, %n
  br label %loop
loop:
  %k = phi i32 [ 0, %ahead ], [ %next, %loop ]
  %index = add nsw i32 %first, %k
  %wide = sext i32 %index to i64
  %offset = shl nsw i64 %wide, 2
  call void @__clarity_expect_below(i64 %offset, i64 %room)
  %at = getelementptr i8, ptr %p, i64 %offset
  store i32 1, ptr %at
  %next = add nuw nsw i32 %k, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
; CHECK-LABEL: define void @wraps
; CHECK: loop:
; CHECK: call void @__clarity_expect_below(i64 %offset, i64 %room)
; CHECK: ret void
define void @wraps(ptr %p, i32 %row, i32 %n, i64 %room) {
entry:
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %ahead, label %end
ahead:
  %first = mul i32 %row, %n
  br label %loop
loop:
  %k = phi i32 [ 0, %ahead ], [ %next, %loop ]
  %index = add i32 %first, %k
  %wide = sext i32 %index to i64
  %offset = shl nsw i64 %wide, 2
  call void @__clarity_expect_below(i64 %offset, i64 %room)
  %at = getelementptr i8, ptr %p, i64 %offset
  store i32 1, ptr %at
  %next = add nuw nsw i32 %k, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
