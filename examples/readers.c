/* readers.c -- what mtx.c and picture.c do with good and with damaged files:   readers

   Not about OpenMP: it makes sure that no file, however broken, gets past the two readers that
   the other examples depend on, and that each error is the one which helps.  Writes its files
   into a directory of its own under $TMPDIR or /tmp.  */

#define _GNU_SOURCE
#define EXAMPLE "readers"
#include "example.h"
#include "mtx.h"
#include "picture.h"

#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#define HEADER "%%MatrixMarket matrix coordinate real general\n"

/* A damaged file, and words that its error must have.  */
struct bad
{
  const char *text;
  const char *error;
};

static const struct bad bad_matrices[] = {
  { "", ":1: the file is empty" },
  { "5 5 1\n1 1 1\n", ":1: not a Matrix Market file" },
  { "%%MatrixMarket matrix coordinate real\n", ":1: not a Matrix Market file" },
  { "%%MatrixMarket vector coordinate real general\n", "holds a \"vector\"" },
  { "%%MatrixMarket matrix array real general\n", "format \"array\"" },
  { "%%MatrixMarket matrix coordinate complex general\n", "field \"complex\"" },
  { "%%MatrixMarket matrix coordinate real hermitian\n", "symmetry \"hermitian\"" },
  { HEADER, "ends before the line" },
  { HEADER "% only comments\n\n", "ends before the line" },
  { HEADER "2 2\n", ":2: expected \"rows columns entries\"" },
  { HEADER "2 2 x\n", ":2: expected \"rows columns entries\"" },
  { HEADER "2 2 1 1\n", ":2: expected \"rows columns entries\"" },
  { HEADER "2 3 1\n1 1 1\n", "square" },
  { HEADER "0 0 0\n", "square" },
  { HEADER "-1 -1 1\n", "square" },
  { HEADER "99999999999 99999999999 1\n", "more than this program can count" },
  { HEADER "100000 100000 2000000000\n", "more than this program can count" },
  { HEADER "2 2 -1\n", "more than this program can count" },
  { HEADER "99999999999999999999 2 1\n", ":2: expected" },
  { HEADER "2 2 9\n", "do not fit" },
  { HEADER "2 2 2\n1 1 1\n", "ends after 1 of 2" },
  { HEADER "1000000000 1000000000 1000000000\n1 1 1\n", "ends after 1 of 1000000000" },
  { HEADER "2 2 1\n1 1 1\n2 2 1\n", ":4: more entries than" },
  { HEADER "2 2 1\n0 1 1\n", ":3: entry (0, 1) lies outside" },
  { HEADER "2 2 1\n1 3 1\n", "lies outside" },
  { HEADER "2 2 1\n-1 1 1\n", "lies outside" },
  { HEADER "2 2 1\n1 1\n", "expected \"row column value\"" },
  { HEADER "2 2 1\n1 1 one\n", "expected \"row column value\"" },
  { HEADER "2 2 1\n1 1 1 1\n", "expected \"row column value\"" },
  { HEADER "2 2 1\n1.5 1 1\n", "expected \"row column value\"" },
  { HEADER "2 2 1\n1 1 nan\n", "expected \"row column value\"" },
  { HEADER "2 2 1\n1 1 1e999\n", "expected \"row column value\"" },
  { HEADER "2 2 2\n1 1 1\n1 1 2\n", "entry (1, 1) is given twice" },
  { "%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 2 1\n", "above the diagonal" },
  { "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2 1\n", "\"row column\"" },
};

static const struct bad bad_pictures[] = {
  { "", "the file is empty" },
  { "P3\n1 1\n255\n1 2 3\n", "neither PPM (P6) nor PNG" },
  { "P6\n", "the header needs" },
  { "P6\n# no numbers", "the header needs" },
  { "P6\n2 x\n255\n", "the header needs" },
  { "P6\n2 2\n255", "the header needs" },
  { "P6\n0 2\n255\n", "each side must be" },
  { "P6\n2 99999999999999999999\n255\n", "each side must be" },
  { "P6\n1 1\n0\nabc", "the maximum is 0" },
  { "P6\n1 1\n65536\nabcdef", "the maximum is 65536" },
  { "P6\n1 2\n255\nabcde", "the file ends in row 2 of 2" },
  { "P6\n16384 16384\n255\nabc", "the file ends in row 1" },
  { "P6\n1 1\n65\nAAB", "row 1 has a sample of 66" },
  { "\x89PNG\r\n\x1a\nrubbish", "" },
};

static char directory[200], path[240], message[300];

static void
write_file (const char *text, size_t length)
{
  FILE *f = fopen (path, "wb");
  if (!f || fwrite (text, 1, length, f) != length || fclose (f) != 0)
    example_wrong ("cannot write %s", path);
}

static void
expect_error (bool accepted, const struct bad *bad, const char *what)
{
  if (accepted)
    example_wrong ("accepted the damaged %s \"%s\"", what, bad->text);
  if (!strstr (message, bad->error))
    example_wrong ("the %s \"%s\" gives the error \"%s\", not \"%s\"", what, bad->text, message,
		   bad->error);
}

/* A matrix file that uses all liberties, and the matrix it must give.  */
static void
good_matrices (void)
{
  static const char text[] = "%%matrixmarket MATRIX Coordinate Integer SYMMETRIC\r\n"
			     "% a comment\n\n  % another\n  3\t3 4 \r\n"
			     "3 1 -7\n\n% between\n1 1 +4\n 2 2 5\r\n3 3 6";
  static const int row[] = { 0, 2, 3, 5 }, col[] = { 0, 2, 1, 0, 2 };
  static const double val[] = { 4, -7, 5, -7, 6 }, x[] = { 1, 2, 3 };
  double y[3];
  struct csr a;

  write_file (text, sizeof text - 1);
  if (!csr_read (path, &a, message, sizeof message))
    example_wrong ("rejected a good matrix: %s", message);
  if (a.n != 3 || a.entries != 5 || memcmp (a.row, row, sizeof row) != 0
      || memcmp (a.col, col, sizeof col) != 0 || memcmp (a.val, val, sizeof val) != 0)
    example_wrong ("a good matrix was misread");
  csr_multiply (&a, x, y);
  if (y[0] != -17 || y[1] != 10 || y[2] != 11)
    example_wrong ("A x is (%g, %g, %g)", y[0], y[1], y[2]);
  csr_free (&a);
}

static void
good_pictures (void)
{
  static const char small[] = "P6# comment\n#another\n 2\t1 # size\n#\n15\n\0\1\2\3\4\17";
  static const unsigned char small_rgb[] = { 0, 17, 34, 51, 68, 255 };
  static const char wide[] = "P6 1 1 65535\n\0\0\200\0\377\377";
  static const unsigned char wide_rgb[] = { 0, 128, 255 };
  struct picture pic, again;

  write_file (wide, sizeof wide - 1);
  if (!picture_read (path, &pic, message, sizeof message))
    example_wrong ("rejected a good picture: %s", message);
  if (pic.width != 1 || pic.height != 1 || memcmp (pic.rgb, wide_rgb, sizeof wide_rgb) != 0)
    example_wrong ("a picture of 16-bit samples was misread");
  free (pic.rgb);

  write_file (small, sizeof small - 1);
  if (!picture_read (path, &pic, message, sizeof message))
    example_wrong ("rejected a good picture: %s", message);
  if (pic.width != 2 || pic.height != 1 || memcmp (pic.rgb, small_rgb, sizeof small_rgb) != 0)
    example_wrong ("a picture of 4-bit samples was misread");

  /* What is written is read back the same.  */
  for (int png = 0; png <= picture_has_png (); png++)
    {
      char name[260];
      snprintf (name, sizeof name, "%s/copy.%s", directory, png ? "png" : "ppm");
      if (!picture_write (name, &pic, message, sizeof message)
	  || !picture_read (name, &again, message, sizeof message))
	example_wrong ("%s", message);
      if (again.width != 2 || again.height != 1
	  || memcmp (again.rgb, small_rgb, sizeof small_rgb) != 0)
	example_wrong ("%s is not what was written", name);
      free (again.rgb);
      unlink (name);
    }
  if (picture_write ("picture.gif", &pic, message, sizeof message))
    example_wrong ("wrote a .gif");
  free (pic.rgb);
}

int
main (void)
{
  const char *tmp = getenv ("TMPDIR");
  double begin = omp_get_wtime ();
  int cases = 0;

  snprintf (directory, sizeof directory, "%.150s/gompx-readers-XXXXXX",
	    tmp && *tmp ? tmp : "/tmp");
  if (!mkdtemp (directory))
    example_wrong ("cannot make %s", directory);
  snprintf (path, sizeof path, "%s/file", directory);

  for (size_t k = 0; k < sizeof bad_matrices / sizeof bad_matrices[0]; k++, cases++)
    {
      struct csr a;
      write_file (bad_matrices[k].text, strlen (bad_matrices[k].text));
      expect_error (csr_read (path, &a, message, sizeof message), &bad_matrices[k], "matrix");
    }
  for (size_t k = 0; k < sizeof bad_pictures / sizeof bad_pictures[0]; k++, cases++)
    {
      struct picture pic;
      write_file (bad_pictures[k].text, strlen (bad_pictures[k].text));
      expect_error (picture_read (path, &pic, message, sizeof message), &bad_pictures[k],
		    "picture");
    }
  good_matrices ();
  good_pictures ();

  unlink (path);
  rmdir (directory);
  example_right (omp_get_wtime () - begin, "%d damaged files rejected", cases);
  return 0;
}
