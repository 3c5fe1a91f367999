#!/bin/bash
# A program and what GCC links to it when it uses many functions of the C library become one object, in which nothing is lost, that our reader reads
# and NVIDIA's assembler, where there is one, accepts.
# TEST-MODES: host
# TEST-TIMEOUT: 120
. "$(dirname "$0")/../libgomp.abi/aux-common.sh"
. "$here/aux-lanes.sh"

cat > "$tmp/tool.c" <<'PROGRAM'
#include "nvptx-merge.c"
#include "aux-read.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

/* How often does TEXT define PIECE?  */
static unsigned
definitions (const char *text, const struct piece *piece)
{
  char line[500];
  unsigned n = 0;
  snprintf (line, sizeof (line), "%.*s\n", (int) (piece->name + piece->length - piece->start), piece->start);
  for (const char *p = text; (p = strstr (p, line)) != NULL; p++)
    n++;
  return n;
}

int
main (int argc, char **argv)
{
  static struct nvptx_object objects[1000], left[1000];
  static const char mark[] = "// BEGIN PREAMBLE";
  struct merging m = { .num_members = 0 };
  struct stat st;
  size_t num = 0, ours = 0;
  char *text;
  int fd = open (argv[1], O_RDONLY);
  CHECK (argc == 3 && fd >= 0 && fstat (fd, &st) == 0);
  const char *p = mmap (NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0), *end = p + st.st_size;
  for (size_t n; (p = memmem (p, end - p, mark, sizeof (mark) - 1)) != NULL && num < 1000; p += n)
    {
      n = strnlen (p, end - p);
      objects[num++] = (struct nvptx_object) { strndup (p, n), n + 1 };
    }
  memcpy (left, objects, sizeof (left));
  size_t n = nvptx_merge (left, num, &ours, &text);
  printf ("%zu objects, %zu left\n", num, n);
  CHECK (text != NULL);
  /* Global definitions are in one of those that are left.  */
  for (size_t i = 0; i < num; i++)
    {
      m.num_pieces = 0;
      if (!read_object (&m, &objects[i]))
	continue;
      for (size_t k = 0; k < m.num_pieces; k++)
	{
	  unsigned found = 0, given = 0;
	  if (m.pieces[k].local || !m.pieces[k].definition)
	    continue;
	  for (size_t l = 0; l < num; l++)
	    given += definitions (objects[l].text, &m.pieces[k]);
	  for (size_t l = 0; l < n; l++)
	    found += definitions (left[l].text, &m.pieces[k]);
	  if (found != given)
	    {
	      printf ("%.*s is defined %u times, and %u times before\n", (int) m.pieces[k].length, m.pieces[k].name, found, given);
	      return 1;
	    }
	}
    }
  FILE *f = fopen (argv[2], "w");
  CHECK (f != NULL && fputs (text, f) >= 0 && fclose (f) == 0);
  struct ptx *ptx = ptx_new ();
  read_good (ptx, text);
  ptx_free (ptx);
  for (size_t i = 0; i < num; i++)
    free ((void *) objects[i].text);
  free (m.pieces);
  free (text);
  return 0;
}
PROGRAM
"${cc[@]}" -O1 -g -std=gnu11 -D_GNU_SOURCE "${sanitizer_flags[@]}" -I"$here" -I"$top_srcdir/plugin" -I"$top_srcdir/config/nvptx" \
  "$tmp/tool.c" -o "$tmp/tool" || die "the tool does not compile"

# program FUNCTION...: regions that call these.
program ()
{
  local name
  printf '#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\nint main (void)\n{\ndouble x = 0.5, s = 0; char t[50] = "a 5 c";\n#pragma omp target map (tofrom: x, s, t)\n{\n'
  for name; do echo "s += $name;"; done
  echo '}'
  echo 'return s < 0;}'
}
program "sin (x)" "cos (x)" "tan (x)" "asin (x)" "acos (x)" "atan2 (x, s)" "sinh (x)" "exp (x)" "exp2 (x)" "log (x)" "log10 (x)" "log1p (x)" "pow (x, s)" \
  "cbrt (x)" "hypot (x, s)" "fmod (x, 0.3)" "remainder (x, 0.3)" "tgamma (x)" "lgamma (x)" "erf (x)" "j0 (x)" "y1 (x)" "sinf (x)" "cosf (x)" \
  "expf (x)" "logf (x)" "powf (x, s)" "fmodf (x, 0.3f)" "tgammaf (x)" "ldexp (x, 3)" "nearbyint (x)" "rand ()" "strlen (t)" \
  "memcmp (t, t + 1, 3)" "printf (\"%g\", x)" "(long) strtok (t, \" \")" "snprintf (t, 40, \"%d %s\", 5, t + 7)" > "$tmp/t.c"
for level in -O0 -O2; do
  compile "$tmp/t.c" $level
  "$tmp/tool" "$tmp/image" "$tmp/merged.ptx" > "$tmp/out" || bad "$level: $(cat "$tmp/out")"
  read -r num _ left _ < <(tr -d , < "$tmp/out")
  [ "${num:-0}" -ge 100 ] && [ "${left:-1000}" -le 15 ] || bad "$level: $(cat "$tmp/out")"
  if command -v ptxas > "$tmp/which"; then
    ptxas -c -arch=sm_90 "$tmp/merged.ptx" -o "$tmp/merged.cubin" > "$tmp/log" 2>&1 || bad "$level: the assembler: $(grep -v warning "$tmp/log" | head -5)"
  fi
done
exit $status
