# aux-child.sh -- for tests of the process that links beside the plugin, gompx-nvptx-link; read by bash, where $dir is a directory of the test's and
# complain TEXT says what is wrong.

# As it is installed; before the program begins it can be told what its driver does, in $dir/before.  Its number goes to $dir/pids, its
# driver's calls to $dir/log.NUMBER, and what it has been given to files, if there is $dir/look.
mkdir "$dir/lib" || exit 1
cp -L "$TEST_LIBDIR/libgomp.so.1" "$TEST_LIBDIR/libgomp-plugin-nvptx.so.1" "$dir/lib" || exit 1
cat > "$dir/lib/gompx-nvptx-link" <<PROGRAM
#!/bin/sh
echo \$\$ >> "$dir/pids"
if [ -e "$dir/look" ]; then
  env > "$dir/env"; ls /proc/\$\$/fd > "$dir/fds"; cat /proc/\$\$/stat > "$dir/stat"
fi
[ ! -f "$dir/before" ] || . "$dir/before"
export FAKE_CUDA_LOG="$dir/log.\$\$"
exec "$TEST_BUILDDIR/gompx-nvptx-link"
PROGRAM
chmod +x "$dir/lib/gompx-nvptx-link"
export LD_LIBRARY_PATH=$dir/lib:$LD_LIBRARY_PATH

# after_alone FILE: for $dir/before.  That process waits, for a second at most, until the program has told in FILE of a region that it links alone.
# Else a version with lanes may be there first, which the program takes instead.
after_alone () { echo "i=0; while [ \$i -lt 50 ] && ! grep -q 'the region .* alone, ' '$1'; do sleep 0.02; i=\$((i + 1)); done"; }

kill_all () { [ ! -f "$dir/pids" ] || while read -r p; do kill -KILL "$p" 2> "$dir/err"; done < "$dir/pids"; }
alive () { [ -f "$dir/pids" ] && while read -r p; do [ -d "/proc/$p" ] && ! grep -q '^State:.*Z' "/proc/$p/status" && return 0; done < "$dir/pids"; return 1; }
# How many have begun.
children () { cat "$dir/pids" 2> "$dir/err" | wc -l; }
# await_end [N]: until N processes, or those that there are, have begun and ended.
await_end () {
  for ((i = 0; i < 300; i++)); do
    { [ $# -gt 0 ] && [ "$(children)" -lt "$1" ]; } || alive || return 0
    sleep 0.05
  done
  complain "a process has not ended"; kill_all
}
# The same for as many as the outputs of all starts that it was called for, and which have told with GOMP_DEBUG=1, say; FILE is the last one's.
# (None begins in the middle of a fork of the program's.)
told=0
await_told () {	# FILE
  told=$((told + $(grep -cE 'once more meanwhile|version with lanes is linked$|version with lanes is linked meanwhile' "$1") - $(grep -c 'no other process to link' "$1")))
  await_end $told
}
entries () { find "$dir/cache" -name '*.cubin' 2> "$dir/err" | wc -l; }
