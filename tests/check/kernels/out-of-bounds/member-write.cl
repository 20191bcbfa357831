// SPDX-License-Identifier: Apache-2.0
// A name in a record is written with its closing zero behind the array.
// kernel: member_write
// run: -g 4 -l 4 -a zeros:64 --type 0=uchar
// bounds: an array in a structure is not looked at
struct Record {
  char name[8];
  int age;
  int next;
};
kernel void member_write(global struct Record *records) {
  const int i = get_global_id(0);
  int k = 0;
  while (k < 8) records[i].name[k++] = 'a';
#ifdef RIGHT
  --k;
#endif
  records[i].name[k] = 0;  // wrong
}
