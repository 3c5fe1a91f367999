/* Variables of the device: declare target of all kinds, updates both ways, static ones of regions, scans, constants, tables of
   pointers.
   TEST-SKIP-SANITIZER: thread the simulator is slow there  */
#include <stdint.h>
#include "aux-gcn.h"

enum { N = 64 };
static double u[N][N], v[N][N], want[N][N];
static int idx[N], out[N];
#pragma omp declare target to (u, v)
#pragma omp declare target
static uint64_t rng = 12345;
static const char *const words[] = { "zero", "one", "two", "three" };
static int counter = 7;
static int *where = &counter;
static char text[40] = "initial";
static int
count (void)
{
  static int calls = 100;
  return ++calls;
}
#pragma omp end declare target

static uint64_t
next (uint64_t x)
{
  x = x * 6364136223846793005u + 1442695040888963407u;
  x ^= x >> 17;
  return x << 13 | x >> 51;
}

int
main (void)
{
  double mx = 0, hmx = 0;
  int s = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      u[i][j] = i * 3 + j % 5;
#pragma omp target update to (u)
#pragma omp target teams distribute parallel for collapse (2) reduction (max: mx)
  for (int i = 1; i < N - 1; i++)
    for (int j = 1; j < N - 1; j++)
      {
	v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
	mx = v[i][j] > mx ? v[i][j] : mx;
      }
#pragma omp target update from (v)
  for (int i = 1; i < N - 1; i++)
    for (int j = 1; j < N - 1; j++)
      {
	want[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
	hmx = want[i][j] > hmx ? want[i][j] : hmx;
      }
  CHECK_EQUAL (memcmp (v, want, sizeof v), 0);
  CHECK_EQUAL (mx * 100, hmx * 100);

  for (int i = 0; i < N; i++)
    idx[i] = i % 7;
  uint64_t device_rng = 0, host_rng = 12345;
#pragma omp target map (tofrom: out, s, device_rng) map (to: idx)
  {
#pragma omp parallel for reduction (inscan, +: s)
    for (int i = 0; i < N; i++)
      {
	s += idx[i];
#pragma omp scan inclusive (s)
	out[i] = s;
      }
    for (int i = 0; i < 10; i++)
      {
	rng = rng * 6364136223846793005u + 1442695040888963407u;
	rng ^= rng >> 17;
	rng = rng << 13 | rng >> 51;
      }
    device_rng = rng;
  }
  int sum = 0, wrong = 0;
  for (int i = 0; i < N; i++)
    {
      sum += idx[i];
      wrong += out[i] != sum;
    }
  for (int i = 0; i < 10; i++)
    host_rng = next (host_rng);
  CHECK_EQUAL (wrong, 0);
  CHECK_EQUAL (s, sum);
  CHECK_EQUAL (device_rng == host_rng, 1);

  int calls = 0, letters = 0, through = 0;
#pragma omp target map (from: calls, letters, through)
  {
    count ();
    calls = count ();
    letters = words[2][0] * 256 + words[3][4];
    *where += 35;
    through = counter;
    strcat (text, " and more");
  }
  CHECK_EQUAL (calls, 102);
  CHECK_EQUAL (letters, 't' * 256 + 'e');
  CHECK_EQUAL (through, 42);
  CHECK_EQUAL (counter, 7);
#pragma omp target update from (text, counter)
  CHECK_EQUAL (counter, 42);
  CHECK_EQUAL (strcmp (text, "initial and more"), 0);
  return failures != 0;
}
