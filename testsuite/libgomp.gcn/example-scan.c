/* Examples of the interface's description, 13: variables of the device, collapsed loops, scans, bits.  The same is
   done on the host.  */
#include "aux-gcn.h"

enum { N = 64 };
double u[N][N], v[N][N];
int idx[N], out[N];
unsigned long rng = 12345;
#pragma omp declare target to (u, v, rng)

/* What the second region does after the scan.  */
#pragma omp declare target
static void
mix (int *result, const int *index, unsigned long *state)
{
  unsigned long x = *state * 6364136223846793005ul + 1442695040888963407ul;
  x ^= x >> 17;
  x = (x << 13) | (x >> 51);
  *state = x;
  for (int i = 0; i < N; i++)
    result[index[i] & 63] = index[result[i] & 63] + (int) (x >> (i & 31));
}
#pragma omp end declare target

int
main (void)
{
  int s = 0, host[N];
  double mx = 0, host_mx = 0;
  unsigned long host_rng = rng;

  for (int i = 0; i < N; i++)
    {
      idx[i] = i * 11 % 29;
      for (int j = 0; j < N; j++)
	u[i][j] = i * 3 ^ j;
    }
#pragma omp target update to (u)
#pragma omp target teams distribute parallel for collapse (2) reduction (max: mx)
  for (int i = 1; i < N - 1; i++)
    for (int j = 1; j < N - 1; j++)
      {
	v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
	if (v[i][j] > mx)
	  mx = v[i][j];
      }
#pragma omp target map (tofrom: idx, out, s)
  {
#pragma omp parallel for reduction (inscan, +: s)
    for (int i = 0; i < N; i++)
      {
	s += idx[i];
#pragma omp scan inclusive (s)
	out[i] = s;
      }
    mix (out, idx, &rng);
  }
#pragma omp target parallel for map (tofrom: out) schedule (static)
  for (int i = 0; i < N; i++)
    out[i] = out[i] > 0 ? out[i] % 10 : -out[i];
#pragma omp target update from (v, rng)

  int sum = 0;
  for (int i = 0; i < N; i++)
    host[i] = sum += idx[i];
  mix (host, idx, &host_rng);
  for (int i = 0; i < N; i++)
    host[i] = host[i] > 0 ? host[i] % 10 : -host[i];
  for (int i = 1; i < N - 1; i++)
    for (int j = 1; j < N - 1; j++)
      {
	double wanted = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
	CHECK_EQUAL (v[i][j] * 4, wanted * 4);
	if (wanted > host_mx)
	  host_mx = wanted;
      }
  CHECK_EQUAL (s, sum);
  CHECK_EQUAL (mx * 4, host_mx * 4);
  CHECK_EQUAL (rng, host_rng);
  CHECK_SAME (out, host, N, "%d");
  return failures != 0;
}
