#!/bin/bash
# The device runtime for NVIDIA GPUs defines the entry points of signatures.txt with their parameters,
# no other symbols, and needs nothing that an image may lack.
# TEST-MODES: host
# TEST-SKIP-SANITIZER: address says nothing about the library
# TEST-SKIP-SANITIZER: thread says nothing about the library
# TEST-SKIP-SANITIZER: undefined says nothing about the library
. "$(dirname "$0")/../libgomp.abi/aux-common.sh"
check=$top_srcdir/config/nvptx/check-objects.sh
signatures=$here/signatures.txt
objects=("$builddir"/nvptx/*.o)
[ -e "${objects[0]}" ] || skip "built without an offload compiler"
others=() math=()
for o in "${objects[@]}"; do
  case $o in */math-*) math+=("$o") ;; *) others+=("$o") ;; esac
done
"$check" "$signatures" "${others[@]}" || bad "the set of objects is not right"
# Functions of libm need nothing but each other.
"$check" --math "$here/math-signatures.txt" "${math[@]}" || bad "the set of functions of libm is not right"
for o in "${math[@]}"; do
  grep -q '^// GOMPX MATH$' "$o" || bad "$o is not marked"
  # A function that is one operation less on a GPU than on the host where it is tested.
  ! grep -HE '(add|sub|mul)\.f(32|64)' "$o" || bad "$o: operations that the assembler may contract"
  ! grep -H '__nvptx_stacks\|__nvptx_uni\|\.local' "$o" || bad "$o: a frame, or an atomic operation"
done

# What the plugin carries is these.
for o in "${objects[@]}"; do
  name=$(basename "$o" .o)
  grep -q "^  { \"$name\", text_" "$builddir/nvptx-library.c" || bad "the plugin does not carry $name"
done

# The check would notice.
expect ()	# REGEX: of an object of these lines
{
  { printf '// BEGIN PREAMBLE\n.version 6.0\n.target sm_30\n.address_size 64\n// END PREAMBLE\n'; cat; } > "$tmp/x.o"
  if "$check" --missing "$signatures" "$tmp/x.o" > "$tmp/out"; then
    bad "no complaint ($1)"
  fi
  grep -qE -- "$1" "$tmp/out" || bad "not '$1' but: $(cat "$tmp/out")"
}
expect 'GOMP_critical_start is v\(l\) and should be v\(\)' <<'END'
// BEGIN GLOBAL FUNCTION DEF: GOMP_critical_start
.visible .func GOMP_critical_start (.param .u64 %in_ar0)
{
}
END
expect 'omp_get_thread_num is l\(\) and should be i\(\)' <<'END'
// BEGIN GLOBAL FUNCTION DEF: omp_get_thread_num
.visible .func (.param .u64 %value_out) omp_get_thread_num
{
}
END
expect 'helper is visible and no entry point' <<'END'
// BEGIN GLOBAL FUNCTION DEF: helper
.visible .func helper
{
}
END
expect 'snprintf is needed and not in every image' <<'END'
// BEGIN GLOBAL FUNCTION DECL: snprintf
.extern .func (.param .u32 %value_out) snprintf (.param .u64 %a, .param .u64 %b, .param .u64 %c, .param .u64 %d);
END
expect 'shared memory that is not planned' <<'END'
// BEGIN VAR DEF: more
.shared .align 4 .u32 more[2];
END
"$check" "$signatures" "$tmp/x.o" | grep -q '^no definition of omp_get_thread_num$' \
  || bad "nothing is said of entry points that are missing"
exit $status
