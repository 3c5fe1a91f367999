#!/bin/bash
# gompx-info tells what images a program has, in each layout, and where they can run; and nothing of
# tables that are damaged.
. "$(dirname "$0")/../libgomp.abi/aux-common.sh"
info=$builddir/gompx-info
[ -x "$info" ] || die "$info does not exist"
export GOMP_PLUGINS=nvptx GOMP_PLUGIN_PATH=$libdir
unset CUDA_VISIBLE_DEVICES

cat > "$tmp/t.c" <<'END'
#define PTX(version, target, more) \
  "// BEGIN PREAMBLE\n\t.version\t1\n.version " version "\n.target sm_" target "\n.address_size 64\n// END PREAMBLE\n" more
struct object { const char *code; unsigned long size; };
struct function { const char *name; unsigned short dim[3]; };
#ifndef FIRST
#define FIRST ""
#endif
static const char code0[] = PTX ("6.0", "30", FIRST);
static const char code1[] = PTX (VERSION, TARGET, "// BEGIN GLOBAL FUNCTION DEF: f\n");
static const char table[] = ".version 3.1\n.target sm_30\n";
static const struct object objs[] = { { code0, sizeof (code0) }, { code1, sizeof (code1) CHANGE }, { table, sizeof (table) } };
static const char *const vars[] = { "counter" };
static const struct function fns[] = { { "main$_omp_fn$0", { 0 } }, { "main$_omp_fn$1", { 0 } } };
struct data
{
#ifdef MASK
  unsigned long mask;
#endif
  const struct object *objs;
  unsigned nobjs;
  const char *const *vars;
  unsigned nvars;
  const struct function *fns;
  unsigned nfns;
#ifdef IND
  unsigned nind;
#endif
};
static const struct data data = {
#ifdef MASK
  MASK,
#endif
  objs, 3, vars, 1, fns, 2,
#ifdef IND
  IND
#endif
};
static unsigned long funcs[2] __attribute__ ((section (".gnu.offload_funcs"), used)) = { 1, 2 };
static unsigned long variables[2] __attribute__ ((section (".gnu.offload_vars"), used)) = { 1, 2 };
#ifdef IND
static unsigned long ind[IND] __attribute__ ((section (".gnu.offload_ind_funcs"), used)) = { 1 };
#endif
const void *volatile keep[] = { &data, funcs, variables };
int
main (void)
{
  return keep[0] == keep[1];
}
END

# program NAME OPTION...: compile it, with VERSION and TARGET of its PTX.
program ()
{
  local name=$1; shift
  "${cc[@]}" -O1 -DCHANGE= "$@" "$tmp/t.c" -o "$tmp/$name" || die "$name does not compile"
}
# want NAME STATUS REGEX... -- [NAME=VALUE...]
want ()
{
  local name=$1 code=$2 got regexes=(); shift 2
  while [ "$1" != -- ]; do regexes+=("$1"); shift; done
  shift
  env "$@" timeout 100 "$info" "$tmp/$name" > "$tmp/out" 2>&1
  got=$?
  [ $got = "$code" ] || bad "$name: exit status $got instead of $code"
  for regex in "${regexes[@]}"; do
    grep -qE -- "$regex" "$tmp/out" || bad "$name $*: no line matches $regex: $(cat "$tmp/out")"
  done
}
old='-DVERSION="6.3" -DTARGET="35"' new='-DVERSION="7.3" -DTARGET="80"'

for pie in -pie -no-pie; do
  program a $old $pie
  want a 0 '^  host: 2 functions and 1 variable for devices; compiled by ' \
    'image for NVIDIA GPUs, laid out as by GCC 12: 2 functions, 1 variable$' \
    'code: 3 objects, 1 KiB, PTX 6\.3 for sm_35 and later, driver of CUDA 10\.0 or later' \
    'function main\$_omp_fn\$1$' 'variable counter$' 'runs on: device 0, device 1$' -- FAKE_CUDA_DEVICES=2
  grep -q 'requires:' "$tmp/out" && bad "a: it requires nothing"
  program b $new $pie -DMASK=0x280
  want b 0 'laid out as by GCC 13 or later: 2 functions, 1 variable$' 'requires: reverse_offload$' \
    'PTX 7\.3 for sm_80 and later, driver of CUDA 11\.3' 'runs on: device 0$' --
  program c $new $pie -DMASK=0x220 -DIND=1
  want c 0 'laid out as by GCC 14 or later: 2 functions, 1 variable, 1 indirect function$' \
    'requires: unified_shared_memory$' --
done
# A program whose code starts as that of regions does, and our library.
program f $old -DMASK=0x200 '-DFIRST="// BEGIN GLOBAL FUNCTION DECL: gomp_nvptx_main\n"'
text='// BEGIN PREAMBLE
.version 6.0
// END PREAMBLE
// BEGIN GLOBAL FUNCTION DEF: gomp_nvptx_main'
printf '!<arch>\n%-16s%-12d%-6d%-6d%-8o%-10d`\n%s' start.o/ 0 0 0 420 ${#text} "$text" > "$tmp/lib.a"
want f 0 'device library: gompx, 1 of its objects in place of 1$' -- GOMP_NVPTX_DEVICE_LIBRARY="$tmp/lib.a"
# Stripped programs tell the same.
if command -v strip >/dev/null; then
  strip "$tmp/c" && want c 0 'laid out as by GCC 14 or later' 'runs on: device 0$' -- FAKE_CUDA_ATTRIBUTE=88:1
fi
# Where it cannot run.
want c 0 "does not run on device 0: it does not share the host's memory" -- FAKE_CUDA_ATTRIBUTE=88:0
want b 0 'does not run on device 0: it is sm_70' -- FAKE_CUDA_ATTRIBUTE=75:7,76:0
want b 0 'does not run on device 0: its driver is that of CUDA 11\.0' -- FAKE_CUDA_VERSION=11000
want b 0 'there is no device here that it is for' -- CUDA_VISIBLE_DEVICES=
# Tables that are not what they should be, and things that are no programs.
program d $old -UCHANGE -DCHANGE=+1
want d 0 'no image for NVIDIA GPUs' --
program e $old -UCHANGE '-DCHANGE=+(1UL<<60)'
want e 0 'no image for NVIDIA GPUs' --
head -c 3000 "$tmp/a" > "$tmp/half"
want half 1 'gompx-info: .*half: ' --
echo 'int main (void) { return 0; }' > "$tmp/none.c"
"${cc[@]}" "$tmp/none.c" -o "$tmp/none"
want none 0 'host: no regions and no variables for devices' --
want none.c 1 'none\.c: it is no program' --
want missing 1 'missing: No such file' --
exit $status
