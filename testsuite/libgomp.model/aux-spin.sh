# For tests that check a protocol's model with spin; source ../libgomp.abi/aux-common.sh first.

need spin

check () # MODEL RESULT OPTION...
{
  local model=$here/$1 result=$2 errors
  shift 2
  (cd "$tmp" && rm -f pan* && spin "$@" -a "$model" && ${TEST_CC:-gcc} -O2 -w -DSAFETY -o pan pan.c \
    && ./pan -m200000) > "$tmp/out" 2>&1 || { cat "$tmp/out"; bad "spin $* did not run"; return; }
  errors=$(sed -n 's/.*errors: \([0-9]*\).*/\1/p' "$tmp/out")
  [ "$errors" = "$result" ] || { cat "$tmp/out"; bad "spin $*: ${errors:-no} errors instead of $result"; }
  grep -q 'max search depth too small' "$tmp/out" && bad "spin $* has not looked at everything"
}
