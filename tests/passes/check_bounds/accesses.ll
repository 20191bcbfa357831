; RUN: %clarity opt --passes=check-bounds %s -o - | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_local_id(i32)
@tile = internal addrspace(3) global [64 x float] undef

; CHECK-LABEL: define void @argument
; CHECK-DAG: [[BEGIN:%.*]] = ptrtoint ptr addrspace(1) %a to i64
; CHECK-DAG: [[BYTES:%.*]] = call i64 @__clarity_argument_bytes(i32 0, i32 1)
; CHECK-DAG: [[ROOM:%.*]] = call i64 @llvm.usub.sat.i64(i64 [[BYTES]], i64 3)
; CHECK: [[ADDRESS:%.*]] = ptrtoint ptr addrspace(1) %p to i64
; CHECK: [[OFFSET:%.*]] = sub i64 [[ADDRESS]], [[BEGIN]]
; CHECK: call void @__clarity_expect_below(i64 [[OFFSET]], i64 [[ROOM]])
; CHECK-NEXT: load float
define void @argument(ptr addrspace(1) align 4 %a, i64 %i) !dbg !3 {
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  %v = load float, ptr addrspace(1) %p, align 4, !dbg !4
  ret void
}

; Of a pointer to bytes it is not known whether it is aligned for integers.
; CHECK-LABEL: define void @cast
; CHECK: [[LOW:%.*]] = and i64 %{{.*}}, 3
; CHECK: call void @__clarity_expect_below(i64 [[LOW]], i64 1)
; CHECK: call void @__clarity_expect_below(i64 %{{.*}}, i64 %{{.*}})
; CHECK-NEXT: load i32
define void @cast(ptr addrspace(1) %a, i64 %i) !dbg !11 {
  %p = getelementptr i8, ptr addrspace(1) %a, i64 %i
  %v = load i32, ptr addrspace(1) %p, align 4, !dbg !12
  ret void
}

; The second access is where the first one was, and of another kind: its memory must be for that.
; CHECK-LABEL: define void @twice
; CHECK-COUNT-1: call void @__clarity_expect_below(i64 %{{[^0]}}
; CHECK: load float
; CHECK: call void @__clarity_expect_below(i64 0, i64 %
; CHECK-NEXT: store float
; CHECK-NOT: call void
; CHECK: ret void
define void @twice(ptr addrspace(1) align 4 %a, i64 %i) !dbg !5 {
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  %v = load float, ptr addrspace(1) %p, align 4, !dbg !6
  store float %v, ptr addrspace(1) %p, align 4, !dbg !6
  store float 1.0, ptr addrspace(1) %p, align 4, !dbg !6
  ret void
}

; An id below 64 stays within an array of 64.
; CHECK-LABEL: define void @within
; CHECK-NOT: call void
; CHECK: ret void
define void @within() !dbg !7 {
  %x = call range(i64 0, 64) i64 @__clarity_local_id(i32 0)
  %p = getelementptr [64 x float], ptr addrspace(3) @tile, i64 0, i64 %x
  store float 1.0, ptr addrspace(3) %p, align 4, !dbg !8
  ret void
}

; A private array has no address, so that it may become registers.
; CHECK-LABEL: define void @private
; CHECK-NOT: ptrtoint
; CHECK: [[OFFSET:%.*]] = mul i64 %i, 4
; CHECK: call void @__clarity_expect_below(i64 {{.*}}, i64 61)
; CHECK-NOT: ptrtoint
; CHECK: ret void
define void @private(i64 %i) !dbg !9 {
  %array = alloca [16 x float], align 4
  %p = getelementptr [16 x float], ptr %array, i64 0, i64 %i
  store float 1.0, ptr %p, align 4, !dbg !10
  ret void
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "a.cl", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "argument", file: !1, line: 1, unit: !0, spFlags: DISPFlagDefinition)
!4 = !DILocation(line: 2, scope: !3)
!5 = distinct !DISubprogram(name: "twice", file: !1, line: 1, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DILocation(line: 2, scope: !5)
!7 = distinct !DISubprogram(name: "within", file: !1, line: 1, unit: !0, spFlags: DISPFlagDefinition)
!8 = !DILocation(line: 2, scope: !7)
!9 = distinct !DISubprogram(name: "private", file: !1, line: 1, unit: !0, spFlags: DISPFlagDefinition)
!10 = !DILocation(line: 2, scope: !9)
!11 = distinct !DISubprogram(name: "cast", file: !1, line: 1, unit: !0, spFlags: DISPFlagDefinition)
!12 = !DILocation(line: 2, scope: !11)
