; RUN: %clarity opt --passes=align-arrays %s -o - | FileCheck %s

; Arrays of 16 bytes and more begin at a multiple of 16; an alignment that is larger stays.
; CHECK-LABEL: define void @k
; CHECK-NEXT:    %small = alloca [3 x i32], align 4
; CHECK-NEXT:    %block = alloca [64 x i32], align 16
; CHECK-NEXT:    %bytes = alloca [100 x i8], align 16
; CHECK-NEXT:    %wide = alloca [8 x i32], align 32
define void @k() {
  %small = alloca [3 x i32], align 4
  %block = alloca [64 x i32], align 4
  %bytes = alloca [100 x i8], align 1
  %wide = alloca [8 x i32], align 32
  ret void
}

; Accesses say what is known of their addresses; those of other memory stay.
; CHECK-LABEL: define void @copy
; CHECK:         %x = load i32, ptr %from, align 4
; CHECK:         store i32 %x, ptr %to, align 16
; CHECK:         store i32 %x, ptr %next, align 4
define void @copy(ptr %from) {
entry:
  %block = alloca [64 x i32], align 4
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %more, %loop ]
  %x = load i32, ptr %from, align 4
  %to = getelementptr i32, ptr %block, i64 %i
  store i32 %x, ptr %to, align 4
  %second = or disjoint i64 %i, 1
  %next = getelementptr i32, ptr %block, i64 %second
  store i32 %x, ptr %next, align 4
  %more = add i64 %i, 4
  %again = icmp ult i64 %more, 64
  br i1 %again, label %loop, label %end
end:
  ret void
}
