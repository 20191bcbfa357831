; A packet's run that may wait becomes a function, with the private variables that are its own.
; RUN: %clarity opt --passes='outline-sub-groups' %s -o - | FileCheck %s
declare void @__clarity_begin_run()
declare void @__clarity_end_run()
declare void @__clarity_let_sub_groups_run()
declare void @__clarity_finish_sub_groups()
declare void @use(ptr)

; CHECK-LABEL: define void @entry(
; CHECK:         %frame = alloca
; CHECK:         %shared = alloca i32
; CHECK-NOT:     alloca [4 x i32]
; CHECK:       loop:
; CHECK:         call void @__clarity_run_sub_group(ptr @entry.sub.group, ptr %[[FRAME:.+]], i64 24, i64 16)
; CHECK-NOT:     run(
; CHECK:         icmp ult i32 %next, %n
; CHECK:       done:
; CHECK-NEXT:    call void @__clarity_finish_sub_groups()
define void @entry(ptr %flag, i32 %n) {
  %frame = alloca i32
  %shared = alloca i32
  %own = alloca [4 x i32]
  store i32 0, ptr %shared
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %last ]
  call void @__clarity_begin_run()
  store i32 %i, ptr %own
  br label %wait
wait:
  call void @__clarity_let_sub_groups_run()
  %seen = load atomic i32, ptr %flag seq_cst, align 4
  %same = icmp eq i32 %seen, %i
  br i1 %same, label %last, label %wait
last:
  call void @use(ptr %own)
  store i32 1, ptr %shared
  call void @__clarity_end_run()
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  call void @__clarity_finish_sub_groups()
  %result = load i32, ptr %shared
  store i32 %result, ptr %frame
  ret void
}

; CHECK-LABEL: define internal void @entry.sub.group(ptr
; CHECK-NEXT:  newFuncRoot:
; CHECK-NEXT:    %own = alloca [4 x i32]
; CHECK:         call void @__clarity_let_sub_groups_run()
; CHECK:         call void @use(ptr %own)
; CHECK-NOT:     run()
; CHECK:         ret void
