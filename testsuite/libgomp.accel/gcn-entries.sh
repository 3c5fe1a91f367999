#!/bin/bash
# The device runtime for AMD GPUs defines the entry points of signatures.txt in each of its libraries, no other
# global symbols, needs nothing that the compiler's libraries lack, and adds nothing to tables of images.
# TEST-MODES: host
# TEST-SKIP-SANITIZER: address says nothing about the library
# TEST-SKIP-SANITIZER: thread says nothing about the library
# TEST-SKIP-SANITIZER: undefined says nothing about the library
. "$(dirname "$0")/../libgomp.abi/aux-common.sh"
check=$top_srcdir/config/gcn/check-objects.sh
signatures=$here/signatures.txt
mapfile -t archives < <(find "$builddir/gcn" -name libgomp.a 2>/dev/null)
[ ${#archives[@]} -gt 0 ] || skip "built without an offload compiler for amdgcn"
"$check" "$signatures" "${archives[@]}" || bad "a library is not right"

# One for each multilib of each compiler.
while IFS='	' read -r major cc accel multilibs; do
  for m in $multilibs; do
    [ -f "$builddir/gcn/$major/$m/libgomp.a" ] || bad "GCC $major ($cc, $accel) has no library for $m"
  done
done < "$builddir/gcn/compilers"
[ -x "$builddir/gcn/accel/amdgcn-amdhsa/mkoffload" ] || bad "there is no mkoffload"

# The check would notice.
expect ()	# REGEX FILE.s: of an archive of that, assembled for the host
{
  as "$2" -o "$tmp/x.o" && rm -f "$tmp/x.a" && ar rcs "$tmp/x.a" "$tmp/x.o" || { bad "cannot assemble $2"; return; }
  if "$check" "$signatures" "$tmp/x.a" > "$tmp/out"; then
    bad "no complaint ($1)"
  fi
  grep -qE -- "$1" "$tmp/out" || bad "not '$1' but: $(grep -v 'no definition' "$tmp/out")"
}
printf '.globl helper\n.type helper, @function\nhelper: .byte 0\n' > "$tmp/a.s"
expect 'helper is global and no entry point' "$tmp/a.s"
expect 'no definition of omp_get_thread_num' "$tmp/a.s"
printf '.globl accel_x\naccel_x: .quad snprintf\n' > "$tmp/b.s"
expect 'snprintf is needed and not of the C library' "$tmp/b.s"
printf '.section .gnu.offload_vars, "aw"\n.quad 1\n' > "$tmp/c.s"
expect "adds to the tables of the program's image" "$tmp/c.s"
printf '.globl GOMP_barrier\n.type GOMP_barrier, @object\nGOMP_barrier: .quad 1\n' > "$tmp/d.s"
expect 'GOMP_barrier is no function' "$tmp/d.s"
exit $status
