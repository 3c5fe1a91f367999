/* Iterators in map, to and from clauses: rows of a table of pointers, with and without the table,
   members of a struct, nested iterators, ranges without elements.
   MINGCC: 16
   TEST-MODES: cpu gpu */
#include <omp.h>
#include <stdlib.h>
#include "aux-check.h"

#define N 4
struct table { int n; int *row[N]; };
struct tree { int n; int **row; };

static void
fill (int **q)
{
  for (int i = 0; i < N; i++)
    for (int j = 0; j < 3; j++)
      q[i][j] = 10 * i + j;
}

int
main (void)
{
  int storage[N][3], *rows[N], **q = rows, sum = 0;
  struct table t = { N, { NULL } };

  if (omp_get_num_devices () == 0)
    return 77;
  for (int i = 0; i < N; i++)
    q[i] = t.row[i] = storage[i];
  fill (q);

  /* target; the table has been mapped before.  */
  #pragma omp target enter data map(to: q[:N])
  #pragma omp target map(iterator(int i=0:N), tofrom: q[i][:3]) map(tofrom: sum)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < 3; j++)
      {
	sum += q[i][j];
	q[i][j]++;
      }
  CHECK_EQUAL (sum, 192);
  CHECK_EQUAL (storage[3][2], 33);
  CHECK_EQUAL (q[2] == storage[2], 1);

  /* Every directive by itself; a step; a range that is empty.  */
  fill (q);
  #pragma omp target enter data map(iterator(int i=0:N), to: q[i][:3])
  #pragma omp target map(iterator(int i=0:0), to: q[i][:3]) map(always, from: sum)
  {
    sum = q[1][1] + q[3][0];
    q[0][0] = 5;
    q[2][0] = 6;
    q[1][0] = 7;
  }
  CHECK_EQUAL (sum, 41);
  #pragma omp target update from(iterator(int i=0:N:2): q[i][:1])
  CHECK_EQUAL (storage[0][0] * 100 + storage[1][0] * 10 + storage[2][0], 606);
  storage[1][2] = 99;
  storage[2][2] = 98;
  #pragma omp target update to(iterator(int i=1:2): q[i][2:1])
  #pragma omp target map(from: sum)
  sum = q[1][2] + q[2][2];
  CHECK_EQUAL (sum, 99 + 22);
  #pragma omp target exit data map(iterator(int i=0:N), from: q[i][:3])
  #pragma omp target exit data map(release: q[:N])
  CHECK_EQUAL (storage[1][0], 7);
  CHECK_EQUAL (omp_target_is_present (q, 0) + omp_target_is_present (storage[1], 0), 0);

  /* target data; the table is a member.  */
  fill (t.row);
  #pragma omp target data map(tofrom: t) map(iterator(int i=0:N), tofrom: t.row[i][1:2])
  {
    #pragma omp target
    for (int i = 0; i < t.n; i++)
      t.row[i][1] += 1000;
  }
  for (int i = 0; i < N; i++)
    {
      CHECK_EQUAL (storage[i][1], 1001 + 10 * i);
      CHECK_EQUAL (storage[i][0], 10 * i);
      CHECK_EQUAL (t.row[i] == storage[i], 1);
    }

  /* The table is behind a pointer that is a member: one pointer, attached once for each row.  */
  struct tree w = { N, rows };
  fill (rows);
  #pragma omp target enter data map(to: w)
  #pragma omp target enter data map(to: w.row[:N])
  #pragma omp target enter data map(iterator(int i=0:N), to: w.row[i][:3])
  #pragma omp target map(from: sum)
  {
    sum = 0;
    for (int i = 0; i < w.n; i++)
      sum += w.row[i][2]++;
  }
  CHECK_EQUAL (sum, 2 + 12 + 22 + 32);
  #pragma omp target exit data map(iterator(int i=0:N), from: w.row[i][:3])
  for (int i = 0; i < N; i++)
    CHECK_EQUAL (storage[i][2], 10 * i + 3);
  #pragma omp target exit data map(from: w.row[:N])
  #pragma omp target exit data map(from: w)
  CHECK_EQUAL (w.row == rows && rows[3] == storage[3], 1);
  CHECK_EQUAL (omp_target_is_present (&w, 0) + omp_target_is_present (rows, 0)
	       + omp_target_is_present (storage[1], 0), 0);

  /* Two iterators, elements of a matrix.  */
  int m[4][4] = { { 0 } };
  #pragma omp target data map(iterator(int i=0:2, j=0:2), tofrom: m[2*i][2*j:1])
  {
    #pragma omp target map(from: sum)
    sum = omp_get_num_teams ();
    CHECK_EQUAL (omp_target_is_present (&m[2][2], 0) + omp_target_is_present (&m[0][2], 0), 2);
    CHECK_EQUAL (omp_target_is_present (&m[1][1], 0) + omp_target_is_present (&m[2][1], 0), 0);
  }
  CHECK_EQUAL (omp_target_is_present (&m[2][2], 0), 0);
  return failures != 0;
}
