; Index arithmetic in int that LLVM has written as 64-bit arithmetic between shifts becomes 32-bit arithmetic again.
; RUN: %clarity opt --passes='narrow-indices' %s -o - | FileCheck %s
declare i64 @__clarity_global_id(i32)
declare i64 @__clarity_local_id(i32)

; CHECK-LABEL: define i64 @constant
define i64 @constant() {
; CHECK: %[[NARROW:.*]] = trunc i64 %x to i32
; CHECK: %[[SUM:.*]] = add nuw nsw i32 %[[NARROW]], 1
; CHECK: %[[WIDE:.*]] = sext i32 %[[SUM]] to i64
; CHECK: ret i64 %[[WIDE]]
  %x = call i64 @__clarity_global_id(i32 0)
  %shifted = shl i64 %x, 32
  %sum = add i64 %shifted, 4294967296
  %i = ashr exact i64 %sum, 32
  ret i64 %i
}

; Multiplication by constants, and a last shift that scales as well.
; CHECK-LABEL: define i64 @scaled
define i64 @scaled() {
; CHECK: %[[X:.*]] = trunc i64 %x to i32
; CHECK: %[[Y:.*]] = trunc i64 %y to i32
; CHECK: %[[TRIPLE:.*]] = mul i32 %[[Y]], 3
; CHECK: %[[DIFFERENCE:.*]] = sub i32 %[[TRIPLE]], %[[X]]
; CHECK: %[[WIDE:.*]] = sext i32 %[[DIFFERENCE]] to i64
; CHECK: %[[SCALED:.*]] = shl nsw i64 %[[WIDE]], 2
; CHECK: ret i64 %[[SCALED]]
  %x = call i64 @__clarity_global_id(i32 0)
  %y = call i64 @__clarity_global_id(i32 1)
  %shifted = shl i64 %x, 32
  %triple = mul i64 %y, 12884901888
  %difference = sub i64 %triple, %shifted
  %i = ashr exact i64 %difference, 30
  ret i64 %i
}

; CHECK-LABEL: define i64 @lowest
define i64 @lowest(i64 %x) {
; CHECK: %[[NARROW:.*]] = trunc i64 %x to i32
; CHECK: %[[WIDE:.*]] = zext i32 %[[NARROW]] to i64
; CHECK: ret i64 %[[WIDE]]
  %low = and i64 %x, 4294967295
  ret i64 %low
}

; A uint of unknown value may wrap.
; CHECK-LABEL: define i64 @unknown
define i64 @unknown(i64 %n) {
; CHECK: add i32 %{{[0-9]+}}, %{{[0-9]+}}
  %x = call i64 @__clarity_global_id(i32 0)
  %sum = add i64 %x, %n
  %shifted = shl i64 %sum, 32
  %more = shl i64 %n, 33
  %all = add i64 %shifted, %more
  %i = ashr exact i64 %all, 32
  ret i64 %i
}

; A part that is no multiple of 2^32 would be lost.
; CHECK-LABEL: define i64 @mixed
define i64 @mixed(i64 %x, i64 %n) {
; CHECK: %[[SUM:.*]] = add i64 %{{.*}}, %n
; CHECK-NOT: trunc
; CHECK: %[[SHIFTED:.*]] = ashr i64 %[[SUM]], 32
; CHECK: ret i64 %[[SHIFTED]]
  %shifted = shl i64 %x, 32
  %sum = add i64 %shifted, %n
  %i = ashr i64 %sum, 32
  ret i64 %i
}

; Two neighbours: one number cut to int, and sums that do not wrap as they are indices only. A 64-bit number of the
; program may wrap.
; CHECK-LABEL: define void @neighbours
; CHECK: %[[LOW:.*]] = trunc i64 %sum to i32
; CHECK: sext i32 %[[LOW]] to i64
; CHECK: %[[NEXT:.*]] = add nsw i32 %[[LOW]], 1
; CHECK: sext i32 %[[NEXT]] to i64
define void @neighbours(ptr addrspace(1) %a, i32 %m) {
  %x = call i64 @__clarity_global_id(i32 0)
  %n = sext i32 %m to i64
  %sum = add i64 %x, %n
  %high = shl i64 %sum, 32
  %i = ashr exact i64 %high, 30
  %p = getelementptr i8, ptr addrspace(1) %a, i64 %i
  store float 1.0, ptr addrspace(1) %p
  %again = shl i64 %sum, 32
  %more = add i64 %again, 4294967296
  %j = ashr exact i64 %more, 30
  %q = getelementptr i8, ptr addrspace(1) %a, i64 %j
  store float 2.0, ptr addrspace(1) %q
  ret void
}

; CHECK-LABEL: define void @cut
; CHECK: add i32 %{{.*}}, 1
define void @cut(ptr addrspace(1) %a, i64 %n) {
  %x = call i64 @__clarity_global_id(i32 0)
  %sum = add i64 %x, %n
  %high = shl i64 %sum, 32
  %more = add i64 %high, 4294967296
  %i = ashr exact i64 %more, 30
  %p = getelementptr i8, ptr addrspace(1) %a, i64 %i
  store float 1.0, ptr addrspace(1) %p
  ret void
}

; The same as a number that is stored: it may have wrapped.
; CHECK-LABEL: define void @number
; CHECK: add i32 %{{.*}}, 1
define void @number(ptr addrspace(1) %a, i64 %n) {
  %x = call i64 @__clarity_global_id(i32 0)
  %sum = add i64 %x, %n
  %high = shl i64 %sum, 32
  %more = add i64 %high, 4294967296
  %j = ashr exact i64 %more, 30
  store i64 %j, ptr addrspace(1) %a
  ret void
}

; Of what is not negative LLVM makes a logical shift.
; CHECK-LABEL: define i64 @not_negative
; CHECK: %[[X:.*]] = trunc i64 %x to i32
; CHECK: %[[SUM:.*]] = add nuw nsw i32 %[[X]], 2
; CHECK: %[[WIDE:.*]] = zext i32 %[[SUM]] to i64
; CHECK: shl nuw i64 %[[WIDE]], 2
define i64 @not_negative() {
  %x = call range(i64 0, 16) i64 @__clarity_local_id(i32 0)
  %high = shl nuw nsw i64 %x, 32
  %sum = add nuw nsw i64 %high, 8589934592
  %i = lshr exact i64 %sum, 30
  ret i64 %i
}
