#!/bin/bash
# try-programs.sh [-r ROUNDS] LIBDIR -- run real programs that use libgomp, on the system's libgomp and on
# the one in LIBDIR in turn, compare their results and print the times: medians of ROUNDS runs, 1 by default.
#
# The programs come from the distribution and are not rebuilt; one that is not installed is
# skipped with a line.  Debian: apt-get install imagemagick graphicsmagick gmic libfftw3-dev
# libopenblas-openmp-dev gromacs octave r-cran-data.table tesseract-ocr tesseract-ocr-eng
# fonts-dejavu-core.
# Exit status: 0 all right, 1 a result differs, a program failed or did not load the library of LIBDIR.
set -u
rounds=1
if [ "${1:-}" = -r ]; then rounds=${2:-}; shift 2 || set --; fi
[ $# = 1 ] && [ -e "$1/libgomp.so.1" ] && [ "$rounds" -ge 1 ] 2> /dev/null \
  || { echo "usage: $0 [-r ROUNDS] DIRECTORY-OF-libgomp.so.1" >&2; exit 2; }
lib=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-2}
PATH=/usr/bin:/bin:$PATH	# the distribution's programs
failed=0 count=0

printf '%-34s %-8s %9s %9s %9s\n' program result 'system s' 'gompx s' ratio

# run_once NAME LIBDIR COMMAND: the result goes to out.NAME, what it says to log.NAME, and one more line with
# its seconds to time.NAME.  LIBDIR: empty for the system's library.
run_once ()
{
  local begin status
  rm -f "out.$1"
  begin=$(date +%s.%N)
  OUT=out.$1 LD_LIBRARY_PATH=${2:+$2${LD_LIBRARY_PATH:+:}}${LD_LIBRARY_PATH:-} timeout 300 bash -c "$3" > "log.$1" 2>&1
  status=$?
  awk "BEGIN { print $(date +%s.%N) - $begin }" >> "time.$1"
  return $status
}

median () { sort -n "$1" | awk '{ a[NR] = $1 } END { print (a[int ((NR + 1) / 2)] + a[int (NR / 2) + 1]) / 2 }'; }

# try NAME COMMAND...: the command writes its result to the file in $OUT.
try ()
{
  local name=$1 verdict=same round
  shift
  rm -f time.system time.gompx
  for ((round = 0; round < rounds; round++)); do
    run_once system '' "$*" || verdict="failed (system)"
    run_once gompx "$lib" "$*" || { verdict=failed; break; }
    [ "$verdict" = same ] || break
    [ -s out.system ] && cmp -s out.system out.gompx || { verdict=differs; break; }
  done
  # Once more with the loader telling what it takes: not in the time.
  rm -f loads.*
  LD_DEBUG=files LD_DEBUG_OUTPUT=$tmp/loads run_once again "$lib" "$*"
  [ "$verdict" != same ] || cat loads.* | grep -qF "calling init: $lib/libgomp.so.1" \
    || verdict='library not used'
  [ "$verdict" = same ] || { failed=1; tail -5 log.gompx | sed 's/^/    /'; }
  count=$((count + 1))
  awk -v name="$name" -v verdict="$verdict" -v theirs="$(median time.system)" -v ours="$(median time.gompx)" \
    'BEGIN { printf "%-34s %-8s %9.2f %9.2f %9.2f\n", name, verdict, theirs, ours, ours / theirs }'
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

if have gm; then
  gm convert -size 1200x900 plasma:red-blue -colorspace RGB src.pnm 2> /dev/null
  try 'GraphicsMagick blur, resize' 'gm convert src.pnm -blur 0x3 -resize 70% -despeckle rgb:$OUT'
  try 'GraphicsMagick swirl, edge' 'gm convert src.pnm -swirl 60 -edge 2 -median 2 rgb:$OUT'
else
  skip GraphicsMagick 'no gm'
fi
if have gmic; then
  try 'gmic blur, bilateral, dilate' 'gmic -v - 900,700,1,3,"127+100*cos(x/(20+c))*sin(y/30)" blur 4 \
    bilateral 10,7 dilate 9 round -o raw:$OUT,uchar || exit; '
else
  skip gmic 'not installed'
fi

# build NAME LIBS...: a small driver of a library, from tools/programs/NAME.c.
build ()
{
  local name=$1
  shift
  gcc -O2 -fopenmp -foffload=disable -o "$name" "$here/programs/$name.c" "$@" -lm > "build-$name" 2>&1
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
if have gmx; then
  mkdir -p md
  cat > md/topol.top <<'END'
#include "oplsaa.ff/forcefield.itp"
#include "oplsaa.ff/spce.itp"
[ system ]
Water
[ molecules ]
END
  common='cutoff-scheme = Verlet
coulombtype = PME
rcoulomb = 0.9
rvdw = 0.9'
  printf '%s\n' 'integrator = steep' 'nsteps = 60' "$common" > md/min.mdp
  printf '%s\n' 'integrator = md' 'nsteps = 200' 'dt = 0.001' 'nstenergy = 50' \
    'constraints = h-bonds' 'gen-vel = yes' 'gen-seed = 7' "$common" > md/run.mdp
  gmx_quiet () { gmx -quiet -nobackup "$@"; }
  if (cd md && gmx_quiet solvate -cs spc216 -box 3 3 3 -p topol.top -o conf.gro \
      && gmx_quiet grompp -f min.mdp -c conf.gro -p topol.top -o min.tpr -maxwarn 3 \
      && gmx_quiet mdrun -deffnm min -ntmpi 1 -ntomp 2 \
      && gmx_quiet grompp -f run.mdp -c min.gro -p topol.top -o run.tpr -maxwarn 3) > md.log 2>&1; then
    try 'GROMACS (water, PME)' 'rm -rf md/out; mkdir md/out; cd md/out &&
      gmx -quiet mdrun -s ../run.tpr -reprod -ntmpi 1 -ntomp 2 -pin off &&
      grep -A4 "^   Energies" md.log > ../../$OUT'
  else
    skip GROMACS "no run file: $(tail -1 md.log)"
  fi
else
  skip GROMACS 'no gmx'
fi
if have octave-cli; then
  try 'octave (matrices, fft)' 'octave-cli --no-init-file --eval "
    n = 500; A = sin ((1:n)'"\047"' * (1:n) / 37) + n * eye (n); b = A \ ones (n, 1);
    B = inv (A); [q, r] = qr (A); f = fft2 (A);
    printf (\"%.10g %.10g %.10g %.10g\n\", sum (b), trace (B), sum (abs (diag (r))), abs (f(3, 4)))" > $OUT'
else
  skip octave 'not installed'
fi
if have Rscript && Rscript -e 'library(data.table)' > /dev/null 2>&1; then
  # R puts its own list of directories before LD_LIBRARY_PATH.
  try 'R data.table (group, sort)' 'R_LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}/usr/lib/R/lib
    export R_LD_LIBRARY_PATH; Rscript -e "
    library(data.table); setDTthreads(2); n <- 2e6; x <- (seq_len(n) * 7919) %% 100003
    d <- data.table(k = x %% 1000, v = x); s <- d[, .(m = mean(v), t = sum(v)), by = k][order(k)]
    print(s); print(head(fsort(as.double(x)), 20)); setorder(d, v, k); print(d)" > $OUT'
else
  skip 'R data.table' 'not installed'
fi

[ $count -gt 0 ] || { echo 'nothing to try is installed'; exit 1; }
exit $failed
