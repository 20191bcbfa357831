; Stores to one place at the ends of several ways into a block.
; RUN: %clarity opt --verify-each --passes='join-stores' %s -o - | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Two stores on each side, of addresses that each side computes; the order stays.
; CHECK-LABEL: define void @both
; CHECK: then:
; CHECK-NOT: store
; CHECK: end:
; CHECK-DAG: %[[A:.*]] = phi i32 [ %v, %else ], [ 1, %then ]
; CHECK-DAG: %[[B:.*]] = phi i32 [ 2, %else ], [ %v, %then ]
; CHECK: %[[PA:.*]] = getelementptr i32, ptr addrspace(1) %p, i64 %{{.*}}
; CHECK: store i32 %[[A]], ptr addrspace(1) %[[PA]], align 4
; CHECK: store i32 %[[B]], ptr addrspace(1) %q, align 4
; CHECK: ret
define void @both(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %i, i32 %v, i1 %c) {
  br i1 %c, label %then, label %else
then:
  %i1 = sext i32 %i to i64
  %p1 = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %i1
  store i32 1, ptr addrspace(1) %p1, align 4
  store i32 %v, ptr addrspace(1) %q, align 4
  br label %end
else:
  %i2 = sext i32 %i to i64
  %p2 = getelementptr i32, ptr addrspace(1) %p, i64 %i2
  store i32 %v, ptr addrspace(1) %p2, align 8
  store i32 2, ptr addrspace(1) %q, align 4
  br label %end
end:
  ret void
}

; Some of the ways: they meet in a block of their own.
; CHECK-LABEL: define void @some
; CHECK: three:
; CHECK-NEXT: br label %end
; CHECK: end.join:
; CHECK: %[[S:.*]] = phi i8 [ 2, %two ], [ 1, %one ]
; CHECK: store i8 %[[S]], ptr addrspace(1) %p
; CHECK: br label %end
define void @some(ptr addrspace(1) %p, i32 %w) {
  switch i32 %w, label %three [ i32 1, label %one
                                i32 2, label %two ]
one:
  store i8 1, ptr addrspace(1) %p
  br label %end
two:
  store i8 2, ptr addrspace(1) %p
  br label %end
three:
  br label %end
end:
  ret void
}

; Other places, other types, volatile stores, stores with a read behind them, and those ahead of a loop stay.
; CHECK-LABEL: define i32 @others
; CHECK-NOT: phi
; CHECK: ret
define i32 @others(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %w) {
  switch i32 %w, label %five [ i32 1, label %one
                               i32 2, label %two
                               i32 3, label %three
                               i32 4, label %four ]
one:
  store i32 1, ptr addrspace(1) %p
  br label %end
two:
  store i32 1, ptr addrspace(1) %q
  br label %end
three:
  store i16 1, ptr addrspace(1) %p
  br label %end
four:
  store volatile i32 1, ptr addrspace(1) %p
  br label %end
five:
  store i32 1, ptr addrspace(1) %p
  %r = load i32, ptr addrspace(1) %q
  %two.of.it = add i32 %r, %r
  store i32 %two.of.it, ptr addrspace(1) %q
  %s = load i32, ptr addrspace(1) %q
  br label %end
end:
  ret i32 0
}
; CHECK-LABEL: define void @loop
; CHECK: entry:
; CHECK-NEXT: store
; CHECK: loop:
; CHECK: store
define void @loop(ptr addrspace(1) %p, i32 %n) {
entry:
  store i32 0, ptr addrspace(1) %p
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %next ]
  %j = add i32 %i, 1
  %more = icmp ult i32 %j, %n
  br i1 %more, label %next, label %end
next:
  store i32 %j, ptr addrspace(1) %p
  br label %loop
end:
  ret void
}

; Convergent calls on both sides are not one call behind them.
; CHECK-LABEL: define void @together
; CHECK: yes:
; CHECK: store i32 1
; CHECK: no:
; CHECK: store i32 2
declare i64 @ballot(i1) convergent nounwind willreturn memory(none)
define void @together(ptr addrspace(1) %p, i1 %c) {
entry:
  br i1 %c, label %yes, label %no
yes:
  %a = call i64 @ballot(i1 true) convergent
  %at.a = getelementptr i32, ptr addrspace(1) %p, i64 %a
  store i32 1, ptr addrspace(1) %at.a
  br label %end
no:
  %b = call i64 @ballot(i1 true) convergent
  %at.b = getelementptr i32, ptr addrspace(1) %p, i64 %b
  store i32 2, ptr addrspace(1) %at.b
  br label %end
end:
  ret void
}

; Two variables of one type are two places.
; CHECK-LABEL: define void @variables
; CHECK: yes:
; CHECK: store i32 1, ptr %at.a
; CHECK: no:
; CHECK: store i32 2, ptr %at.b
; CHECK: end:
; CHECK-NOT: store
; CHECK: ret
declare void @use(ptr, ptr)
define void @variables(i64 %i, i1 %c) {
entry:
  %a = alloca [4 x i32]
  %b = alloca [4 x i32]
  br i1 %c, label %yes, label %no
yes:
  %at.a = getelementptr i32, ptr %a, i64 %i
  store i32 1, ptr %at.a
  br label %end
no:
  %at.b = getelementptr i32, ptr %b, i64 %i
  store i32 2, ptr %at.b
  br label %end
end:
  call void @use(ptr %a, ptr %b)
  ret void
}

; Stores to one of them are one store.
; CHECK-LABEL: define void @variable
; CHECK: %stored = phi i32
; CHECK: store i32 %stored, ptr %
; CHECK-NOT: store
; CHECK: ret
define void @variable(i64 %i, i1 %c) {
entry:
  %a = alloca [4 x i32]
  %b = alloca [4 x i32]
  br i1 %c, label %yes, label %no
yes:
  %one = getelementptr i32, ptr %a, i64 %i
  store i32 1, ptr %one
  br label %end
no:
  %other = getelementptr i32, ptr %a, i64 %i
  store i32 2, ptr %other
  br label %end
end:
  call void @use(ptr %a, ptr %b)
  ret void
}
