; Indices of 32 bits that may wrap are frozen ahead of their extension, which hides their sums from scalar evolution.
; RUN: %clarity opt --processor sm_90 --passes=keep-wrapping-indices %s -o - | FileCheck %s

; CHECK-LABEL: define i8 @wraps
; CHECK-NEXT: %b = add i32 %x, %k
; CHECK-NEXT: %[[FROZEN:.*]] = freeze i32 %b
; CHECK-NEXT: %i = sext i32 %[[FROZEN]] to i64
define i8 @wraps(ptr addrspace(1) %p, i32 %x, i32 %k) {
  %b = add i32 %x, %k
  %i = sext i32 %b to i64
  %q = getelementptr i8, ptr addrspace(1) %p, i64 %i
  %v = load i8, ptr addrspace(1) %q, align 1
  ret i8 %v
}

; Behind a sum that does not wrap: the sums stay a constant apart from each other.
; CHECK-LABEL: define i8 @behind
; CHECK: %b = mul i32 %x, %k
; CHECK: %[[FROZEN:.*]] = freeze i32 %b
; CHECK: %c = add nsw i32 %[[FROZEN]], 1
; CHECK-NOT: freeze
; CHECK: %i = sext i32 %c to i64
; CHECK: store i32 %b, ptr addrspace(1) %out
define i8 @behind(ptr addrspace(1) %p, ptr addrspace(1) %out, i32 %x, i32 %k) {
  %b = mul i32 %x, %k
  %c = add nsw i32 %b, 1
  %i = sext i32 %c to i64
  %q = getelementptr i8, ptr addrspace(1) %p, i64 %i
  %v = load i8, ptr addrspace(1) %q, align 1
  store i32 %b, ptr addrspace(1) %out, align 4
  ret i8 %v
}

; Scalar evolution makes sums of these, too: a sum modulo 2^31, and the upper bits cut off.
; CHECK-LABEL: define i8 @hidden
; CHECK: %[[SIGN:.*]] = freeze i32 %b
; CHECK: sext i32 %[[SIGN]] to i64
; CHECK: %[[CUT:.*]] = freeze i32 %c
; CHECK: sext i32 %[[CUT]] to i64
define i8 @hidden(ptr addrspace(1) %p, i32 %x, i64 %y) {
  %b = xor i32 %x, -2147483648
  %i = sext i32 %b to i64
  %q = getelementptr i8, ptr addrspace(1) %p, i64 %i
  %c = trunc i64 %y to i32
  %j = sext i32 %c to i64
  %r = getelementptr i8, ptr addrspace(1) %q, i64 %j
  %v = load i8, ptr addrspace(1) %r, align 1
  ret i8 %v
}

; Sums that do not wrap are as far apart in 64 bits; those of 64 bits are addresses as they are; the zero extension is
; not looked through; and this sum is no index.
; CHECK-LABEL: define i8 @others
; CHECK-NOT: freeze
; CHECK: ret i8
define i8 @others(ptr addrspace(1) %p, i32 %x, i64 %y, i32 %k) {
  %b = add nsw i32 %x, 5
  %i = sext i32 %b to i64
  %q = getelementptr i8, ptr addrspace(1) %p, i64 %i
  %c = add i64 %y, 5
  %r = getelementptr i8, ptr addrspace(1) %q, i64 %c
  %d = add i32 %x, %k
  %j = zext i32 %d to i64
  %s = getelementptr i8, ptr addrspace(1) %r, i64 %j
  %e = or disjoint i32 %x, 1
  %l = sext i32 %e to i64
  %t = getelementptr i8, ptr addrspace(1) %s, i64 %l
  %f = mul i32 %x, %k
  %g = sext i32 %f to i64
  %h = getelementptr i64, ptr addrspace(1) %p, i64 0
  store i64 %g, ptr addrspace(1) %h, align 8
  %v = load i8, ptr addrspace(1) %t, align 1
  ret i8 %v
}

; A loop's counter is left to other passes.
; CHECK-LABEL: define void @counter
; CHECK-NOT: freeze
; CHECK: ret void
define void @counter(ptr addrspace(1) %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %wide = sext i32 %i to i64
  %q = getelementptr i8, ptr addrspace(1) %p, i64 %wide
  store i8 0, ptr addrspace(1) %q, align 1
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
