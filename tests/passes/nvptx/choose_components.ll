; RUN: %clarity opt --passes=choose-components %s -o - | FileCheck %s

; A component is selected by one bit of the index after the other.
; CHECK-LABEL: define float @read
; CHECK-DAG:     [[V0:%.*]] = extractelement <4 x float> %v, i64 0
; CHECK-DAG:     [[V1:%.*]] = extractelement <4 x float> %v, i64 1
; CHECK-DAG:     [[V2:%.*]] = extractelement <4 x float> %v, i64 2
; CHECK-DAG:     [[V3:%.*]] = extractelement <4 x float> %v, i64 3
; CHECK:         [[LOW:%.*]] = and i32 %i, 1
; CHECK:         [[IS_ODD:%.*]] = icmp ne i32 [[LOW]], 0
; CHECK:         [[FIRST:%.*]] = select i1 [[IS_ODD]], float [[V1]], float [[V0]]
; CHECK:         [[SECOND:%.*]] = select i1 [[IS_ODD]], float [[V3]], float [[V2]]
; CHECK:         [[HIGH:%.*]] = and i32 %i, 2
; CHECK:         [[IS_SECOND:%.*]] = icmp ne i32 [[HIGH]], 0
; CHECK:         %x = select i1 [[IS_SECOND]], float [[SECOND]], float [[FIRST]]
; CHECK:         ret float %x
define float @read(<4 x float> %v, i32 %i) {
  %x = extractelement <4 x float> %v, i32 %i
  ret float %x
}

; The third of three is chosen whatever the low bit is.
; CHECK-LABEL: define i32 @read_of_three
; CHECK:         [[V2:%.*]] = extractelement <3 x i32> %v, i64 2
; CHECK:         [[FIRST:%.*]] = select i1
; CHECK:         [[HIGH:%.*]] = and i64 %i, 2
; CHECK:         [[IS_LAST:%.*]] = icmp ne i64 [[HIGH]], 0
; CHECK:         %x = select i1 [[IS_LAST]], i32 [[V2]], i32 [[FIRST]]
define i32 @read_of_three(<3 x i32> %v, i64 %i) {
  %x = extractelement <3 x i32> %v, i64 %i
  ret i32 %x
}

; CHECK-LABEL: define <2 x float> @replace
; CHECK:         [[IS_FIRST:%.*]] = icmp eq i32 %i, 0
; CHECK:         [[V0:%.*]] = extractelement <2 x float> %v, i64 0
; CHECK:         [[X0:%.*]] = select i1 [[IS_FIRST]], float %x, float [[V0]]
; CHECK:         [[ONE:%.*]] = insertelement <2 x float> %v, float [[X0]], i64 0
; CHECK:         [[IS_SECOND:%.*]] = icmp eq i32 %i, 1
; CHECK:         [[V1:%.*]] = extractelement <2 x float> %v, i64 1
; CHECK:         [[X1:%.*]] = select i1 [[IS_SECOND]], float %x, float [[V1]]
; CHECK:         %w = insertelement <2 x float> [[ONE]], float [[X1]], i64 1
define <2 x float> @replace(<2 x float> %v, float %x, i32 %i) {
  %w = insertelement <2 x float> %v, float %x, i32 %i
  ret <2 x float> %w
}

; CHECK-LABEL: define float @known
; CHECK-NEXT:    extractelement <4 x float> %v, i32 2
; CHECK-NEXT:    ret float
define float @known(<4 x float> %v) {
  %x = extractelement <4 x float> %v, i32 2
  ret float %x
}
