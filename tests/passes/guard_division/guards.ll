; RUN: %clarity opt --passes=guard-division %s -o - | FileCheck %s
; RUN: %clarity opt --passes=guard-division,guard-division %s -o - | FileCheck %s --check-prefix=TWICE

; The pass runs twice in the pipeline: its own guard needs no other.
; TWICE-COUNT-5: = select
; TWICE-NOT: = select

; CHECK-LABEL: define i32 @signed
; CHECK: icmp eq i32 %[[D:.*]], 0
; CHECK: icmp eq i32 {{.*}}, -2147483648
; CHECK: icmp eq i32 %[[D]], -1
; CHECK: %[[SAFE:.*]] = select i1 {{.*}}, i32 1, i32 %[[D]]
; CHECK: sdiv i32 {{.*}}, %[[SAFE]]
define i32 @signed(i32 %a, i32 %b) {
  %q = sdiv i32 %a, %b
  ret i32 %q
}

; CHECK-LABEL: define <4 x i16> @vector
; CHECK: select <4 x i1> {{.*}}, <4 x i16> splat (i16 1)
; CHECK: urem
define <4 x i16> @vector(<4 x i16> %a, <4 x i16> %b) {
  %q = urem <4 x i16> %a, %b
  ret <4 x i16> %q
}

; CHECK-LABEL: define i32 @constant
; CHECK-NEXT: udiv i32 %a, 7
define i32 @constant(i32 %a) {
  %q = udiv i32 %a, 7
  ret i32 %q
}

; What is defined needs no freeze, which would hide it from analyses of indices.
; CHECK-LABEL: define i32 @defined
; CHECK-NOT: freeze
; CHECK: sdiv i32 %a
define i32 @defined(i32 noundef %a, i32 noundef %b) {
  %q = sdiv i32 %a, %b
  ret i32 %q
}

; A guard as this pass makes it, as LLVM writes it, and a value with a range need no other; what a condition of the
; program says does.
; CHECK-LABEL: define i32 @again
; CHECK: %safe = select i1 %zero, i32 1, i32 %b
; CHECK-NEXT: udiv i32 %a, %safe
define i32 @again(i32 %a, i32 %b) {
  %zero = icmp eq i32 %b, 0
  %safe = select i1 %zero, i32 1, i32 %b
  %q = udiv i32 %a, %safe
  ret i32 %q
}

; CHECK-LABEL: define i32 @largest
; CHECK-NEXT: %safe = call i32 @llvm.umax.i32(i32 %b, i32 1)
; CHECK-NEXT: udiv i32 %a, %safe
define i32 @largest(i32 %a, i32 %b) {
  %safe = call i32 @llvm.umax.i32(i32 %b, i32 1)
  %q = udiv i32 %a, %safe
  ret i32 %q
}

; CHECK-LABEL: define i64 @ranges
; CHECK-NEXT: %size = call
; CHECK-NEXT: udiv i64 %a, %size
define i64 @ranges(i64 %a) {
  %size = call noundef range(i64 1, 4096) i64 @size()
  %q = udiv i64 %a, %size
  ret i64 %q
}
declare i64 @size()

; CHECK-LABEL: define i32 @conditions
; CHECK: then:
; CHECK: select
; CHECK: udiv
define i32 @conditions(i32 %a, i32 %b) {
  %some = icmp ne i32 %b, 0
  br i1 %some, label %then, label %end
then:
  %q = udiv i32 %a, %b
  br label %end
end:
  %r = phi i32 [ %q, %then ], [ 0, %0 ]
  ret i32 %r
}
