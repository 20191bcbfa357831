; The size of a kernel's sub-groups is a constant.
; RUN: %clarity opt --passes='sub-group-size' %s -o - | FileCheck %s
declare i32 @__clarity_sub_group_max_size()

; CHECK-LABEL: define i32 @sixteen
define i32 @sixteen() "clarity-sub-group-size"="16" {
; CHECK-NEXT: ret i32 16
  %size = call i32 @__clarity_sub_group_max_size()
  ret i32 %size
}

; CHECK-LABEL: define i32 @unknown
define i32 @unknown() {
; CHECK-NEXT: call i32 @__clarity_sub_group_max_size()
  %size = call i32 @__clarity_sub_group_max_size()
  ret i32 %size
}
