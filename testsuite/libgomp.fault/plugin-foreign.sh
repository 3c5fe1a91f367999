# Files that have the name of a plugin but are none: GCC's own, something else, a plugin with a
# hole in its table, a text file.  Each gives a reason and no device, and nothing of it is called.
# TEST-MODES: host

set -u
dir=$PWD/plugins
mkdir -p "$dir"
cc=${TEST_CC:-gcc}
include=${TEST_TOP_SRCDIR:-../..}/plugin
flags=${TEST_SANITIZER_FLAGS:-}

plugin () { $cc $flags -shared -fPIC -I"$include" -x c - -o "$dir/libgomp-plugin-$1.so.1"; }

plugin gccs <<'C'
#include <stdlib.h>
unsigned GOMP_OFFLOAD_version (void) { abort (); }
int GOMP_OFFLOAD_get_num_devices (unsigned mask) { (void) mask; abort (); }
C
plugin other <<'C'
int something;
C
plugin short <<'C'
#include "plugin.h"
const struct gomp_plugin GOMPX_plugin = { .api_version = GOMP_PLUGIN_API_VERSION,
  .struct_size = sizeof (struct gomp_plugin) - 8, .name = "short" };
C
plugin named <<'C'
#include "plugin.h"
const struct gomp_plugin GOMPX_plugin = { .api_version = GOMP_PLUGIN_API_VERSION,
  .struct_size = sizeof (struct gomp_plugin), .name = "renamed" };
C
plugin hole <<'C'
#include "plugin.h"
static gomp_status_t init (const struct gomp_plugin_core *core, unsigned *n)
{ (void) core; *n = 1; return GOMP_OK; }
const struct gomp_plugin GOMPX_plugin = { .api_version = GOMP_PLUGIN_API_VERSION,
  .struct_size = sizeof (struct gomp_plugin), .name = "hole", .init = init };
C
plugin unresolved <<'C'
extern int not_defined_anywhere; int *p = &not_defined_anywhere;
C
echo "no ELF file" > "$dir/libgomp-plugin-text.so.1"

cat > main.c <<'C'
#include <omp.h>
#include <stdio.h>
int main (void)
{
  int x = 0;
#pragma omp target map(tofrom: x)
  x = 42;
  printf ("devices %d x %d\n", omp_get_num_devices (), x);
  return 0;
}
C
$cc $flags -fopenmp main.c -o main || exit 1

failed=0
check () {
  out=$(GOMP_INFO=1 GOMP_PLUGINS=$1 GOMP_PLUGIN_PATH=$dir ./main 2>&1)
  status=$?
  if [ $status != 0 ] || ! grep -q "devices 0 x 42" <<< "$out" || ! grep -q -- "$2" <<< "$out"; then
    echo "plugin $1: exit status $status, wanted: $2"
    echo "$out"
    failed=1
  fi
}
check gccs "gccs: $dir/libgomp-plugin-gccs.so.1 belongs to GCC's libgomp"
check other "no plugin of this library"
check short "plugin table of [0-9]* bytes instead of [0-9]*"
check named "is the plugin of another name (.renamed')"
check hole "does not implement .device_attr'"
check unresolved "undefined symbol: not_defined_anywhere"
check text "libgomp-plugin-text.so.1"
exit $failed
