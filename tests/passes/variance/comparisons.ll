; What grows alike on both sides compares alike, unless it may wrap on the way: then some are on the other side of the jump.
; RUN: %clarity opt --passes='print<variance>' %s -o /dev/null 2>&1 | FileCheck %s
declare i64 @__clarity_global_id(i32)

; CHECK-LABEL: compare
define void @compare(i32 %r, i32 %n, ptr %p) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %row = call i64 @__clarity_global_id(i32 1)
  %x = trunc i64 %id to i32
  %y = trunc i64 %row to i32
  %low = sub nsw i32 %x, %r
  %high = add nsw i32 %x, %r
  %wraps = add i32 %x, %r
  %twice = mul nsw i32 %x, 2
  %both = add nsw i32 %x, %y
; CHECK: %alike: uniform
  %alike = icmp sgt i32 %low, %high
; CHECK: %equal: uniform
  %equal = icmp eq i32 %low, %wraps
; CHECK: %other: varies in x
  %other = icmp sgt i32 %low, %wraps
; CHECK: %unsigned: varies in x
  %unsigned = icmp ugt i32 %low, %high
; CHECK: %apart: varies in x
  %apart = icmp sgt i32 %low, %twice
; CHECK: %some: varies in y
  %some = icmp sgt i32 %low, %both
; CHECK: %one: varies in x
  %one = icmp sgt i32 %low, %n
  %first = getelementptr i32, ptr %p, i64 %id
  %last = getelementptr i32, ptr %first, i32 %r
; CHECK: %pointers: uniform
  %pointers = icmp ult ptr %first, %last
  ret void
}

; A loop over a window around the work-item takes the same turns for all of them, in a loop that rows leave apart, too.
; CHECK-LABEL: window
; CHECK: %k: varies in x, stride x=1
; CHECK: %done: uniform
define void @window(i32 %r, i32 %n) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %row = call i64 @__clarity_global_id(i32 1)
  %x = trunc i64 %id to i32
  %y = trunc i64 %row to i32
  %low = sub nsw i32 %x, %r
  br label %rows
rows:
  %j = phi i32 [ 0, %entry ], [ %j.next, %next ]
  %end.rows = icmp sgt i32 %j, %y
  br i1 %end.rows, label %end, label %body
body:
  br label %loop
loop:
  %k = phi i32 [ %low, %body ], [ %k.next, %work ]
  %high = add nsw i32 %x, %r
  %done = icmp sgt i32 %k, %high
  br i1 %done, label %next, label %work
work:
  %k.next = add nuw nsw i32 %k, 1
  br label %loop
next:
  %j.next = add nuw nsw i32 %j, 1
  br label %rows
end:
  ret void
}
