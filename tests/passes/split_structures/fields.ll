; Fields are taken out where a result is made, whatever the way to their uses.
; RUN: %clarity opt --passes='split-structures' %s -o - | FileCheck %s
declare { i32, i1 } @llvm.sadd.with.overflow.i32(i32, i32)

; CHECK-LABEL: define i32 @other_block
define i32 @other_block(ptr %p, i1 %c) {
; CHECK: %pair = cmpxchg
; CHECK-NEXT: [[OLD:%.*]] = extractvalue { i32, i1 } %pair, 0
; CHECK-NEXT: br i1
; CHECK-NOT: extractvalue
; CHECK: ret i32 [[OLD]]
  %pair = cmpxchg ptr %p, i32 0, i32 1 monotonic monotonic
  br i1 %c, label %then, label %end
then:
  %old = extractvalue { i32, i1 } %pair, 0
  ret i32 %old
end:
  ret i32 0
}

; CHECK-LABEL: define i32 @joined
define i32 @joined(ptr %p, i32 %v, i1 %c) {
; CHECK: %a = cmpxchg
; CHECK-NEXT: [[A:%.*]] = extractvalue { i32, i1 } %a, 0
; CHECK: %b = call
; CHECK-NEXT: [[B:%.*]] = extractvalue { i32, i1 } %b, 0
; CHECK: [[BOTH:%.*]] = phi i32 [ [[A]], %then ], [ [[B]], %else ]
; CHECK-NEXT: ret i32 [[BOTH]]
  br i1 %c, label %then, label %else
then:
  %a = cmpxchg ptr %p, i32 0, i32 1 monotonic monotonic
  br label %end
else:
  %b = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %v, i32 7)
  br label %end
end:
  %both = phi { i32, i1 } [ %a, %then ], [ %b, %else ]
  %old = extractvalue { i32, i1 } %both, 0
  ret i32 %old
}

; CHECK-LABEL: define i32 @around
define i32 @around(ptr %p, i32 %n) {
; CHECK: loop:
; CHECK-NEXT: [[LAST:%.*]] = phi i32 [ 3, %entry ], [ [[CHOSEN:%.*]], %loop ]
; CHECK-NEXT: %i = phi
; CHECK: %now = cmpxchg
; CHECK-NEXT: [[NOW:%.*]] = extractvalue { i32, i1 } %now, 0
; CHECK-NEXT: [[CHOSEN]] = select i1 %odd, i32 [[NOW]], i32 [[LAST]]
; CHECK-NOT: { i32, i1 }
; CHECK: ret i32 [[CHOSEN]]
entry:
  br label %loop
loop:
  %last = phi { i32, i1 } [ { i32 3, i1 true }, %entry ], [ %chosen, %loop ]
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %odd = trunc i32 %i to i1
  %now = cmpxchg ptr %p, i32 0, i32 %i monotonic monotonic
  %chosen = select i1 %odd, { i32, i1 } %now, { i32, i1 } %last
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  %old = extractvalue { i32, i1 } %chosen, 0
  ret i32 %old
}

; CHECK-LABEL: define i32 @argument
define i32 @argument({ i32, i32 } %a, { i32, i32 } %b, i1 %c, i32 %v) {
; CHECK-DAG: [[A:%.*]] = extractvalue { i32, i32 } %a, 1
; CHECK-DAG: [[B:%.*]] = extractvalue { i32, i32 } %b, 1
; CHECK: %more = add
; CHECK: [[CHOSEN:%.*]] = select i1 %c, i32 [[A]], i32 [[B]]
; CHECK-NEXT: ret i32 [[CHOSEN]]
  %more = add i32 %v, 1
  %chosen = select i1 %c, { i32, i32 } %a, { i32, i32 } %b
  %field = extractvalue { i32, i32 } %chosen, 1
  ret i32 %field
}
