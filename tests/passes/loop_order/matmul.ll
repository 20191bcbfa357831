; RUN: %clarity opt --passes=loop-order %s -o - | FileCheck %s
declare i64 @__clarity_global_id(i32)
declare float @unknown(float)

; Neighbours read neighbouring elements, the loop strides: it runs around.
; CHECK-LABEL: define void @column
; CHECK: br i1 %c, label %body, label %end, !clarity.loop.around
define void @column(ptr addrspace(1) %b, ptr addrspace(1) %out, i64 %n) {
entry:
  %x = call i64 @__clarity_global_id(i32 0)
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %body ]
  %sum = phi float [ 0.0, %entry ], [ %s, %body ]
  %c = icmp slt i64 %k, %n
  br i1 %c, label %body, label %end
body:
  %row = mul i64 %k, %n
  %at = add i64 %row, %x
  %p = getelementptr float, ptr addrspace(1) %b, i64 %at
  %v = load float, ptr addrspace(1) %p
  %s = fadd float %sum, %v
  %next = add i64 %k, 1
  br label %loop
end:
  %q = getelementptr float, ptr addrspace(1) %out, i64 %x
  store float %sum, ptr addrspace(1) %q
  ret void
}

; A row for each work-item: the loop is the consecutive one and stays inside.
; CHECK-LABEL: define void @row
; CHECK-NOT: clarity.loop.around
define void @row(ptr addrspace(1) %b, ptr addrspace(1) %out, i64 %n) {
entry:
  %x = call i64 @__clarity_global_id(i32 0)
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %body ]
  %sum = phi float [ 0.0, %entry ], [ %s, %body ]
  %c = icmp slt i64 %k, %n
  br i1 %c, label %body, label %end
body:
  %row = mul i64 %x, %n
  %at = add i64 %row, %k
  %p = getelementptr float, ptr addrspace(1) %b, i64 %at
  %v = load float, ptr addrspace(1) %p
  %s = fadd float %sum, %v
  %next = add i64 %k, 1
  br label %loop
end:
  %q = getelementptr float, ptr addrspace(1) %out, i64 %x
  store float %sum, ptr addrspace(1) %q
  ret void
}

; Work-items leave in different turns.
; CHECK-LABEL: define void @divergent
; CHECK-NOT: clarity.loop.around
define void @divergent(ptr addrspace(1) %b, i64 %n) {
entry:
  %x = call i64 @__clarity_global_id(i32 0)
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %body ]
  %c = icmp slt i64 %k, %x
  br i1 %c, label %body, label %end
body:
  %row = mul i64 %k, %n
  %at = add i64 %row, %x
  %p = getelementptr float, ptr addrspace(1) %b, i64 %at
  store float 1.0, ptr addrspace(1) %p
  %next = add i64 %k, 1
  br label %loop
end:
  ret void
}
