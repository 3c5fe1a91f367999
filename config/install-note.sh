#!/bin/sh
# install-note.sh LIBDIR -- what "make install" says in the end: which programs run on the library now, and
# how to take that back.
#
# Without DESTDIR only.  Nothing is changed here: the loader's cache is the administrator's.

libdir=$1 PATH=$PATH:/usr/sbin:/sbin
real=$(cd "$libdir" 2>/dev/null && pwd -P) || exit 0

say () { printf 'gompx: %s\n' "$*"; }

# A file of the system's under our name is overwritten: its package tells.
owner=
for file in "$real/libgomp.so.1" "$real"/libgomp.so.1.*; do
  # A merged /usr has files of packages of /lib.
  for name in "$file" "${file#/usr}"; do
    [ -z "$owner" ] || break
    owner=$(dpkg -S "$name" 2>/dev/null | sed -n 's/^\([^: ]*\)[: ].*/\1/p' | head -1)
    [ -n "$owner" ] || owner=$(rpm -qf --qf '%{NAME}' "$name" 2>/dev/null) || owner=
  done
done
if [ -n "$owner" ]; then
  say "WARNING: this replaces libgomp.so.1 of the package $owner in $libdir: every program of this machine"
  say "with OpenMP runs on gompx now.  To get the package's library back: make uninstall, and"
  if command -v dpkg > /dev/null; then say "apt-get install --reinstall $owner"; else say "reinstall $owner"; fi
  exit 0
fi

# Directories in which the loader looks by itself, in its order; changes nothing (-N -X).
searched=$(ldconfig -v -N -X 2>/dev/null | sed -n 's/^\(\/[^:]*\):.*/\1/p')
first= other= is_searched=
while read -r dir; do
  [ -n "$dir" ] && dir=$(cd "$dir" 2>/dev/null && pwd -P) || continue
  if [ "$dir" = "$real" ]; then
    is_searched=1
    first=${first:-$dir}
  elif [ -z "$other" ] && [ -e "$dir/libgomp.so.1" ]; then
    other=$dir/libgomp.so.1
    first=${first:-$dir}
  fi
done <<END
$searched
END
if [ "$first" != "$real" ]; then
  if [ -n "$is_searched" ]; then say "the loader by itself takes $other before $libdir/libgomp.so.1."
  else say "the loader does not look into $libdir by itself."; fi
  say "A program runs on gompx with LD_LIBRARY_PATH=$libdir, or linked with -L$libdir -Wl,-rpath,$libdir"
  exit 0
fi
say "WARNING: the loader looks into $libdir by itself${other:+, before it takes $other}."
say "From the next run of ldconfig on, which installing any package may bring about, every program of this"
say "machine with OpenMP runs on gompx."
say "To take it back: make uninstall && ldconfig.  To have it for chosen programs only, use another --prefix."
