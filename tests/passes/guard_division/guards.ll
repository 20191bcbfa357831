; RUN: %clarity opt --passes=guard-division %s -o - | FileCheck %s

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
