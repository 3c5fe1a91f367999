#!/bin/bash
# Everything that compilers make for NVIDIA GPUs is read: images of programs with all that is linked to
# them, and our device library.  It is printed and read again as the same; NVIDIA's assembler, where there
# is one, makes the same code of what was printed.
# TEST-MODES: host
# TEST-SKIP-SANITIZER: thread one thread
# TEST-TIMEOUT: 120
. "$(dirname "$0")/../libgomp.abi/aux-common.sh"

cat > "$tmp/read.c" <<'PROGRAM'
#include "aux-read.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char mark[] = "// BEGIN PREAMBLE";

/* What is printed of every 20th text, and the text, for the assembler.  */
static void
write_both (const char *directory, unsigned n, const char *text, size_t size)
{
  struct ptx *ptx = ptx_new ();
  struct ptx_text out = { .text = NULL };
  ptx_print_module (&out, read_good (ptx, text));
  for (int i = 0; i < 2; i++)
    {
      char name[4096];
      snprintf (name, sizeof (name), "%s/%u.%s", directory, n, i == 0 ? "given" : "printed");
      FILE *file = fopen (name, "w");
      CHECK (file != NULL);
      CHECK (i == 0 ? fwrite (text, size, 1, file) == 1 : fwrite (out.text, out.size, 1, file) == 1);
      fclose (file);
    }
  free (out.text);
  ptx_free (ptx);
}

int
main (int argc, char **argv)
{
  unsigned num = 0;
  for (int i = 2; i < argc; i++)
    {
      struct stat st;
      int fd = open (argv[i], O_RDONLY);
      CHECK (fd >= 0 && fstat (fd, &st) == 0);
      const char *p = mmap (NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0), *end = p + st.st_size;
      CHECK (p != MAP_FAILED);
      /* Each text ends with a NUL, or with the file.  */
      for (size_t n; (p = memmem (p, end - p, mark, sizeof (mark) - 1)) != NULL; p += n)
	{
	  n = strnlen (p, end - p);
	  char *text = strndup (p, n);
	  if (!read_anything (text, n + 1))
	    {
	      read_good (ptx_new (), text);	/* says why */
	      return 1;
	    }
	  if (num++ % 20 == 0)
	    write_both (argv[1], num, text, n);
	  free (text);
	}
      close (fd);
    }
  printf ("%u texts\n", num);
  return 0;
}
PROGRAM
# shellcheck disable=SC2086
"${cc[@]}" -g -O1 -D_GNU_SOURCE ${TEST_SANITIZER_FLAGS:-} -I"$here" "$tmp/read.c" -o "$tmp/read" \
  || die "the reader cannot be built"

compiler=()
for word in "${cc[@]}"; do
  [ "$word" = -foffload=disable ] || compiler+=("$word")
done
options=$("$top_srcdir/tools/nvptx-options.sh" "${compiler[@]}") || skip "${compiler[*]} makes no image"
programs=()
for p in libgomp.device/teams-exclusion libgomp.device/simd-queries libgomp.device/cancel-teams; do
  name=$tmp/$(basename $p)
  for opt in -O1 "-O3 -g"; do
    # shellcheck disable=SC2086
    "${compiler[@]}" $opt -fopenmp $options "$top_srcdir/testsuite/$p.c" -lm -o "$name${opt%% *}" \
      > "$tmp/log" 2>&1 || die "$p: $(head -5 "$tmp/log")"
    programs+=("$name${opt%% *}")
  done
done
objects=()
[ -f "$builddir/nvptx/libgomp.a" ] && objects=("$builddir"/nvptx/*.o)

"$tmp/read" "$tmp" "${programs[@]}" "${objects[@]}" > "$tmp/out" 2>&1 || die "$(tail -c 2000 "$tmp/out")"
texts=$(sed -n 's/ texts$//p' "$tmp/out")
[ "${texts:-0}" -gt 100 ] || die "only ${texts:-no} texts in ${programs[*]}"

command -v ptxas > /dev/null || exit $status
for given in "$tmp"/*.given; do
  for what in given printed; do
    # With lines for debuggers the text itself is put into the result.
    sed '/^[[:space:]]*\.\(loc\|file\)/d' "${given%.given}.$what" > "$tmp/text.ptx"
    (cd "$tmp" && ptxas -c -arch=sm_90 text.ptx -o $what.cubin) > "$tmp/log" 2>&1 \
      || { bad "ptxas does not take what was $what: $(head -3 "$tmp/log")"; continue 2; }
  done
  cmp -s "$tmp/given.cubin" "$tmp/printed.cubin" || bad "$given: other code of what was printed"
done
exit $status
