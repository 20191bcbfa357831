; What an extension makes of a value that may wrap between two work-items: in step only if it cannot, or for addresses only.
; RUN: %clarity opt --passes='print<variance>' %s -o /dev/null 2>&1 | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"

declare i64 @__clarity_global_id(i32)

; A hash of the id: its neighbours' values are no sums.
; CHECK: variance of 'hash'
define void @hash(ptr addrspace(1) %a) {
  %x = call i64 @__clarity_global_id(i32 0)
  %product = mul i64 %x, 1664525
  %narrow = trunc i64 %product to i32
; CHECK: %unsigned: varies in x, stride x=?
  %unsigned = zext i32 %narrow to i64
  store i64 %unsigned, ptr addrspace(1) %a
; CHECK: %signed: varies in x, stride x=?
  %signed = sext i32 %narrow to i64
  store i64 %signed, ptr addrspace(1) %a
  ret void
}

; An id and an unknown value, which may be a uint that stands for something negative.
; CHECK: variance of 'moved'
define void @moved(ptr addrspace(1) %a, i64 %n) {
  %x = call i64 @__clarity_global_id(i32 0)
  %sum = add i64 %x, %n
  %narrow = trunc i64 %sum to i32
; CHECK: %value: varies in x, stride x=?
  %value = zext i32 %narrow to i64
  store i64 %value, ptr addrspace(1) %a
; CHECK: %compared: varies in x, stride x=?
  %compared = sext i32 %narrow to i64
  %c = icmp slt i64 %compared, %n
; CHECK: %index: varies in x, stride x=1, as an address
  %index = zext i32 %narrow to i64
; CHECK: %next: varies in x, stride x=1
  %next = add i64 %index, 1
; CHECK: %p: varies in x, stride x=4
  %p = getelementptr float, ptr addrspace(1) %a, i64 %next
  store float 1.0, ptr addrspace(1) %p
; CHECK: %plus: varies in x, stride x=1
; CHECK-NOT: as an address
  %up = add i64 %x, 5
  %up32 = trunc i64 %up to i32
  %plus = zext i32 %up32 to i64
  store i64 %plus, ptr addrspace(1) %a
  ret void
}

; Fewer than 32 bits wrap in earnest: both sides of the jump may be in memory.
; CHECK: variance of 'shorts'
define void @shorts(ptr addrspace(1) %a) {
entry:
  %x = call i64 @__clarity_global_id(i32 0)
  %short = trunc i64 %x to i16
  br label %head
head:
  %i = phi i16 [ %short, %entry ], [ %next, %head ]
; CHECK: %index: varies in x, stride x=?
  %index = zext i16 %i to i64
  %p = getelementptr float, ptr addrspace(1) %a, i64 %index
  store float 1.0, ptr addrspace(1) %p
  %next = add i16 %i, 5000
  %c = icmp ne ptr addrspace(1) %a, null
  br i1 %c, label %head, label %end
end:
  ret void
}

; A counter that falls: below 0 it starts over at the other end.
; CHECK: variance of 'falls'
define void @falls(ptr addrspace(1) %a, i32 %n) {
entry:
  %x = call i64 @__clarity_global_id(i32 0)
  %x32 = trunc i64 %x to i32
  %first = add i32 %x32, %n
  br label %head
head:
; CHECK: %i: varies in x, stride x=1
  %i = phi i32 [ %first, %entry ], [ %next, %body ]
  %c = icmp ult i32 %i, 1000
  br i1 %c, label %body, label %end
body:
; CHECK: %index: varies in x, stride x=1, as an address
  %index = zext i32 %i to i64
  %p = getelementptr float, ptr addrspace(1) %a, i64 %index
  store float 1.0, ptr addrspace(1) %p
; CHECK: %value: varies in x, stride x=?
  %value = zext i32 %i to i64
  store i64 %value, ptr addrspace(1) %a
  %next = add i32 %i, -64
  br label %head
end:
  ret void
}
