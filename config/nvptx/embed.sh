#!/bin/sh
# embed.sh COMPILER [OBJECT...] -- the device runtime as C: plugin/nvptx-library.h.
#
# Objects are PTX text, DIR/NAME.o.  COMPILER says who made them.

set -eu
compiler=$1
shift

# Each line becomes one string literal; tabs may stay.
literal ()
{
  sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^/  "/' -e 's/$/\\n"/' "$1"
}

cat <<END
/* Made by config/nvptx/embed.sh.  */
#include "nvptx-library.h"

END
n=0
list=
for object
do
  name=${object##*/}
  name=${name%.o}
  # A text that ends without a newline would get one.
  test "$(tail -c 1 "$object" | od -An -tu1 | tr -d ' ')" = 10 \
    || { echo "embed.sh: $object does not end with a newline" >&2; exit 1; }
  echo "static const char text_$n[] ="
  literal "$object"
  echo "  ;"
  list="$list  { \"$name\", text_$n, sizeof text_$n },
"
  n=$((n + 1))
done
digest=
test $n = 0 || digest=$(cat "$@" | sha256sum | cut -c 1-64)
test $n != 0 || { compiler= list="  { NULL, NULL, 0 }
"; }
cat <<END
const struct nvptx_library_object nvptx_library[] = {
$list};
const unsigned nvptx_library_count = $n;
const char nvptx_library_compiler[] = "$compiler";
const char nvptx_library_digest[] = "$digest";
END
