; Not well-formed: %x does not dominate its use.
define void @k(i1 %c) {
  br i1 %c, label %a, label %b
a:
  %x = add i32 1, 2
  br label %b
b:
  %y = add i32 %x, 1
  ret void
}
