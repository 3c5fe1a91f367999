#!/bin/bash
# try-programs.sh LIBDIR -- run real programs that use libgomp, on the system's libgomp and on
# the one in LIBDIR, compare their results and print the times.
#
# The programs come from the distribution and are not rebuilt; one that is not installed is
# skipped with a line.  Debian: apt-get install imagemagick libfftw3-dev libopenblas-openmp-dev
# tesseract-ocr tachyon fonts-dejavu.  Exit status: 0 all right, 1 a result differs or a program failed.
set -u
[ $# = 1 ] && [ -e "$1/libgomp.so.1" ] || { echo "usage: $0 DIRECTORY-OF-libgomp.so.1" >&2; exit 2; }
lib=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-2}
failed=0 count=0

printf '%-34s %-8s %9s %9s\n' program result 'system s' 'gompx s'

# try NAME COMMAND...: the command writes its result to the file in $OUT.
try ()
{
  local name=$1 t0 t1 t2 verdict=same which
  shift
  rm -f out.system out.gompx
  t0=$(date +%s.%N)
  OUT=out.system timeout 300 bash -c "$*" > log.system 2>&1 || verdict="failed (system)"
  t1=$(date +%s.%N)
  OUT=out.gompx LD_LIBRARY_PATH=$lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} \
    timeout 300 bash -c "$*" > log.gompx 2>&1 || verdict=failed
  t2=$(date +%s.%N)
  if [ "$verdict" = same ]; then
    [ -s out.system ] && cmp -s out.system out.gompx || verdict=differs
  fi
  [ "$verdict" = same ] || { failed=1; tail -5 log.gompx | sed 's/^/    /'; }
  count=$((count + 1))
  printf '%-34s %-8s %9.2f %9.2f\n' "$name" "$verdict" \
    "$(awk "BEGIN { print $t1 - $t0 }")" "$(awk "BEGIN { print $t2 - $t1 }")"
}

have () { command -v "$1" > /dev/null; }
skip () { printf '%-34s %s\n' "$1" "skipped: $2"; }

if have convert; then
  # Raw pixels: no time stamps in the result.
  convert -size 1200x900 plasma:red-blue -seed 7 src.miff 2> /dev/null
  try 'ImageMagick blur, sharpen' 'convert src.miff -gaussian-blur 0x3 -sharpen 0x2 rgb:$OUT'
  try 'ImageMagick resize, distort' 'convert src.miff -resize 70% -swirl 60 -wave 5x80 rgb:$OUT'
  try 'ImageMagick canny, edges' 'convert src.miff -colorspace Gray -canny 0x1+10%+30% gray:$OUT'
else
  skip ImageMagick 'no convert'
fi

# build NAME LIBS...: a small driver of a library, from tools/programs/NAME.c.
build ()
{
  local name=$1
  shift
  gcc -O2 -fopenmp -o "$name" "$here/programs/$name.c" "$@" -lm > "build-$name" 2>&1
}
if build fftw -lfftw3_omp -lfftw3; then
  try 'FFTW planner and transforms' './fftw > $OUT'
else
  skip 'FFTW (libfftw3_omp)' 'libfftw3-dev is not installed'
fi
if build blas -lopenblas && ldd blas | grep -q gomp && nm -D "$(ldd blas | awk '/openblas/{print $3}')" | grep -q GOMP_parallel; then
  try 'OpenBLAS gemm, LU, Cholesky' './blas > $OUT'
else
  skip 'OpenBLAS' 'libopenblas-openmp-dev is not installed'
fi
if have tesseract && have convert; then
  convert -size 900x300 xc:white -font DejaVu-Sans -pointsize 40 -fill black \
    -annotate +40+100 'OpenMP regions run on every device' \
    -annotate +40+200 'that the runtime can find' text.png 2> /dev/null
  try 'tesseract (text recognition)' 'tesseract text.png stdout > $OUT'
else
  skip tesseract 'not installed'
fi
if have tachyon; then
  { echo 'BEGIN_SCENE'; echo 'RESOLUTION 640 480'
    echo 'CAMERA ZOOM 1.0 ASPECTRATIO 1.0 ANTIALIASING 2 RAYDEPTH 4 CENTER 0 0 -6 VIEWDIR 0 0 1 UPDIR 0 1 0 END_CAMERA'
    echo 'LIGHT CENTER 4 4 -6 RAD 0.2 COLOR 1 1 1'
    echo 'TEXDEF T AMBIENT 0.1 DIFFUSE 0.7 SPECULAR 0.2 OPACITY 1.0 COLOR 0.9 0.5 0.2 TEXFUNC 0'
    for i in $(seq 40); do echo "SPHERE CENTER $((i % 7 - 3)) $((i % 5 - 2)) $((i % 4)) RAD 0.5 T"; done
    echo 'END_SCENE'; } > scene.dat
  try 'tachyon (ray tracer)' 'tachyon scene.dat -format PPM -o $OUT'
else
  skip tachyon 'not installed'
fi

[ $count -gt 0 ] || { echo 'nothing to try is installed'; exit 1; }
exit $failed
