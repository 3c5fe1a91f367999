#!/bin/bash
# gompx-info tells what images for AMD GPUs a program has, in each layout, and where they can run; and what
# is wrong with those that cannot be used.
# TEST-MODES: gcnsim
. "$(dirname "$0")/../libgomp.abi/aux-common.sh"
info=$builddir/gompx-info
sim=$builddir/testsuite/gcn-sim/.libs
[ -x "$info" ] || die "$info does not exist"
[ -f "$sim/libhsa-runtime64.so.1" ] || die "there is no simulator"
export GOMP_PLUGINS=gcn GOMP_PLUGIN_PATH=$libdir
unset ROCR_VISIBLE_DEVICES HSA_RUNTIME_LIB

cat > "$tmp/t.c" <<'END'
#include <elf.h>
static struct { Elf64_Ehdr h; Elf64_Phdr segments[2]; } code = {
  .h = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT, 0x40, ABI },
	 .e_type = TYPE, .e_machine = 0xe0, .e_version = EV_CURRENT, .e_phoff = sizeof (Elf64_Ehdr),
	 .e_ehsize = sizeof (Elf64_Ehdr), .e_phentsize = sizeof (Elf64_Phdr), .e_phnum = 2, .e_flags = FLAGS },
  .segments = { { .p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_filesz = 64, .p_memsz = 64 },
		{ .p_type = PT_DYNAMIC, .p_filesz = 16, .p_memsz = 16 } } };
static const struct { unsigned long size; const void *code; } image = { sizeof (code), &code };
static const struct { const char *name; int dims[3], sgprs, vgprs; } functions[] =
  { { "_init_array", { 0 }, 0, 0 }, { "_fini_array", { 0 }, 0, 0 },
    { "main._omp_fn.0", { 0 }, 62, 24 }, { "main._omp_fn.1", { 0 }, 62, 24 } };
static const struct
{
#ifdef MASK
  unsigned long mask;
#endif
  const void *image;
  unsigned num_functions;
  const void *functions;
#ifdef IND
  unsigned num_indirect;
#endif
  unsigned num_vars;
} data = {
#ifdef MASK
  MASK,
#endif
  &image, 4, functions,
#ifdef IND
  IND,
#endif
  1 };
static unsigned long funcs[2] __attribute__ ((section (".gnu.offload_funcs"), used)) = { 1, 2 };
static unsigned long variables[2] __attribute__ ((section (".gnu.offload_vars"), used)) = { 1, 2 };
#if defined IND && IND > 0
static unsigned long ind[IND] __attribute__ ((section (".gnu.offload_ind_funcs"), used)) = { 1 };
#endif
const void *volatile keep[] = { &data, funcs, variables };
int
main (void)
{
  return keep[0] == keep[1];
}
END

# program NAME OPTION...
program ()
{
  local name=$1; shift
  "${cc[@]}" -O1 "$@" "$tmp/t.c" -o "$tmp/$name" || die "$name does not compile"
}
# want NAME REGEX... -- [NAME=VALUE...]
want ()
{
  local name=$1 got regexes=(); shift
  while [ "$1" != -- ]; do regexes+=("$1"); shift; done
  shift
  env LD_LIBRARY_PATH="$sim" "$@" timeout 100 "$info" "$tmp/$name" > "$tmp/out" 2>&1
  got=$?
  [ $got = 0 ] || bad "$name: exit status $got: $(cat "$tmp/out")"
  for regex in "${regexes[@]}"; do
    grep -qE -- "$regex" "$tmp/out" || bad "$name $*: no line matches $regex: $(cat "$tmp/out")"
  done
}
gfx900='-DABI=2 -DFLAGS=0x22c -DTYPE=ET_DYN' gfx90a='-DABI=2 -DFLAGS=0x73f -DTYPE=ET_DYN'
generic='-DABI=4 -DFLAGS=0x1000151 -DTYPE=ET_DYN'

# shellcheck disable=SC2086
for pie in -pie -no-pie; do
  program a $gfx900 $pie
  want a '^  host: 2 functions and 1 variable for devices; compiled by ' \
    'image for AMD GPUs, laid out as by GCC 12: 2 functions, 1 variable$' 'code: 1 KiB for gfx900' \
    'function main\._omp_fn\.1$' 'no image for NVIDIA GPUs' 'runs on: device 0$' -- GCN_SIM_ISA=gfx900
  grep -qE 'requires:|function _init_array|no image for AMD|cannot be used' "$tmp/out" && bad "a: $(cat "$tmp/out")"
  program b $gfx90a $pie -DMASK=0x280
  want b 'laid out as by GCC 13: 2 functions, 1 variable$' 'requires: reverse_offload$' 'for gfx90a:xnack\+$' --
  program c $generic $pie -DMASK=0x200 -DIND=1
  want c 'laid out as by GCC 14 or later: 2 functions, 1 variable, 1 indirect function$' 'for gfx9-generic$' \
    'runs on: device 0$' -- GCN_SIM_ISA=gfx906
  program d $generic $pie -DMASK=0x220 -DIND=0
  want d 'laid out as by GCC 14 or later: 2 functions, 1 variable$' 'requires: unified_shared_memory$' --
done
# Where it cannot run.
want a 'does not run on device 0: its code is for gfx900, and this device is a gfx90a: ' -- GCN_SIM_ISA=gfx90a
want a 'there is no device here that it is for' -- GCN_SIM_AGENTS=0
# shellcheck disable=SC2086
program e $gfx900 -UTYPE -DTYPE=ET_REL
want e 'image for AMD GPUs' 'it cannot be used: its code object is not linked' --
grep -q 'runs on' "$tmp/out" && bad "e: it runs nowhere"

# Of a compiler.
cat > "$tmp/t.c" <<'END'
int
main (void)
{
  int x = 0;
#pragma omp target map (tofrom: x)
  x = 1;
  return !x;
}
END
if read -r -a options < <("$top_srcdir/tools/gcn-options.sh" "${cc[@]}" 2>/dev/null) && [ ${#options[@]} -gt 0 ]; then
  "${cc[@]}" -O1 -fopenmp "${options[@]}" "$tmp/t.c" -o "$tmp/f" || die "it does not compile with ${options[*]}"
  want f 'image for AMD GPUs, laid out as by GCC 1[2-9].*: 1 function, 0 variables$' 'function main\._omp_fn\.0$' --
  [ "$(grep -c 'image for AMD GPUs' "$tmp/out")" = 1 ] || bad "f: not one image: $(cat "$tmp/out")"
fi
exit $status
