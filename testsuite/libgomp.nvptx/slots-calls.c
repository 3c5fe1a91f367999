/* Reverse calls of our device library: data of many sizes goes both ways, inside of the request as far as it
   fits, and by copies otherwise, and no driver call is made for what fits.  Lists of values alone, of all lengths, and with
   something else among them.  Items that share memory do so on the host, others have memory of their own, aligned as
   they want it.
   TEST-OPTIONS: -I@top_srcdir@/plugin -I@top_srcdir@/config/accel -I@top_srcdir@/testsuite/lib/accel-host  */

#define _GNU_SOURCE 1
#include "aux-slots.h"

enum { MOST = 4096, ITEMS = 50, VALUES = 30 };
static unsigned long copies_before, copies_after;
static int *_Atomic on_device_at;	/* the same address here, but the host gets a copy */

static void
expect (int ok, const char *what, size_t size)
{
  if (!ok && failures++ < 10)
    printf ("%s, %zu bytes\n", what, size);
}

/* A size, its bytes to the host, and room for the answer.  */
HOST_PART (echo)
{
  void **arg = echo_arg;
  size_t size = *(size_t *) arg[0];
  const unsigned char *to = arg[1];
  unsigned char *from = arg[2], *both = arg[3];
  for (size_t i = 0; i < size; i++)
    {
      expect (to[i] == (unsigned char) (i * 3 + size), "to the host", size);
      expect (both[i] == (unsigned char) (i + 1), "both, to the host", size);
      from[i] = to[i] + 1;
      both[i] = to[i] + 2;
    }
}

HOST_PART (nothing)
{
  (void) nothing_arg;
}

HOST_PART (many)
{
  for (int i = 0; i < ITEMS; i++)
    {
      int *x = ((int **) many_arg)[i];
      expect (*x == i, "one of many", sizeof (int));
      *x = 100 + i;
    }
}

/* Their number and the place of the one that is no value come first.  */
HOST_PART (values)
{
  const uintptr_t *arg = values_arg;
  uintptr_t n = arg[0], other = arg[1];
  for (uintptr_t i = 2; i < n; i++)
    if (i == other)
      {
	int *x = (int *) arg[i];
	expect (x != on_device_at && *x == 5, "data among values", n);
	*x = 6;
      }
    else
      expect (arg[i] == (i % 3 == 0 ? 0 : ~i), "a value", i);
}

/* Three ints side by side.  */
HOST_PART (apart)
{
  int **x = apart_arg;
  expect (*x[0] == 1 && *x[1] == 2 && *x[2] == 3, "neighbours", 4);
  expect (x[0] != x[1] && x[1] != x[2] && x[0] != x[2], "places of their own", 4);
  *x[0] = 4, *x[1] = 5, *x[2] = 6;
}

HOST_PART (shared)
{
  int **x = shared_arg, *pair = x[0];
  expect (x[1] == pair + 1 && x[2] == pair, "shared memory", 4);
  expect (x[3] != pair && *x[3] == 1, "a private copy", 4);
  expect (pair[0] == 1 && pair[1] == 2, "a pair", 8);
  *x[1] = 8;
  *x[2] = 7;
  *x[3] = 9;
}

HOST_PART (aligned)
{
  int **x = aligned_arg;
  expect ((uintptr_t) x[0] % 8 == 0 && (uintptr_t) x[1] % 64 == 0 && (uintptr_t) x[2] % 4096 == 0, "alignment", 4);
  expect (*x[0] == 1 && *x[1] == 2 && *x[2] == 3, "aligned", 4);
  *x[0] = *x[1] = *x[2] = 10;
}

KERNEL (region)
{
  (void) region_arg;
}

static unsigned long
copies (void)
{
  return (FAKE_CUDA (fake_cuda_calls) ("cuMemcpyDtoHAsync_v2")
	  + FAKE_CUDA (fake_cuda_calls) ("cuMemcpyHtoDAsync_v2")
	  + FAKE_CUDA (fake_cuda_calls) ("cuStreamSynchronize"));
}

static void
on_device (const struct fake_cuda_launch *launch)
{
  /* Data of the region is on its soft stack.  */
  unsigned char *room = *(unsigned char **) launch->params[1], *to = room, *from = room + MOST,
    *both = room + 2 * MOST;
  size_t *size = (size_t *) (room + 3 * MOST);
  int *ints = (int *) (size + 1);
  static const size_t tried[] = { 0, 1, 2, 3, 4, 5, 7, 8, 31, 100, 119, 120, 121, 250, 300, 400, 800,
				  1000, 1100, 2500, MOST };

  slots_kernel ();
  void *function = slots_function ("echo");
  for (size_t k = 0; k < sizeof (tried) / sizeof (tried[0]); k++)
    for (int shift = 0; shift < 3; shift++)
      {
	size_t n = tried[k] - (tried[k] == MOST ? shift : 0);
	*size = n;
	for (size_t i = 0; i < n; i++)
	  {
	    to[i + shift] = i * 3 + n;
	    both[i + shift] = i + 1;
	    from[i + shift] = 0;
	  }
	/* What follows stays.  */
	if (n + shift < MOST)
	  from[n + shift] = both[n + shift] = 0x77;
	void *addrs[] = { size, to + shift, from + shift, both + shift };
	size_t sizes[] = { sizeof (size_t), n, n, n };
	unsigned short kinds[] = { FIRSTPRIVATE, TO, FROM, TOFROM };
	slots_target (function, 4, addrs, sizes, kinds);
	for (size_t i = 0; i < n; i++)
	  {
	    expect (from[i + shift] == (unsigned char) (i * 3 + n + 1), "from the host", n);
	    expect (both[i + shift] == (unsigned char) (i * 3 + n + 2), "both, from the host", n);
	  }
	if (n + shift < MOST)
	  expect (from[n + shift] == 0x77 && both[n + shift] == 0x77, "behind it", n);
      }

  function = slots_function ("values");
  on_device_at = ints;
  for (uintptr_t n = 2; n <= VALUES; n++)
    for (uintptr_t other = 1; other < n; other += n / 3 + 1)
      {
	void *addrs[VALUES] = { (void *) n, (void *) other };
	size_t sizes[VALUES];
	unsigned short kinds[VALUES];
	for (uintptr_t i = 0; i < n; i++)
	  {
	    if (i >= 2)
	      addrs[i] = (void *) (i % 3 == 0 ? 0 : ~i);
	    sizes[i] = sizeof (int);
	    kinds[i] = VALUE;
	  }
	/* None, if it is 1.  */
	if (other >= 2)
	  {
	    addrs[other] = ints;
	    kinds[other] = TOFROM;
	  }
	*ints = 5;
	slots_target (function, n, addrs, sizes, kinds);
	expect (*ints == (other >= 2 ? 6 : 5), "data among values, back", n);
      }

  ints[0] = 1, ints[1] = 2, ints[2] = 3;
  slots_target (slots_function ("apart"), 3, (void *[]) { ints, ints + 1, ints + 2 }, (size_t[]) { 4, 4, 4 },
		(unsigned short[]) { ALIGNED (2) | TOFROM, ALIGNED (2) | FIRSTPRIVATE, ALIGNED (2) | TO });
  expect (ints[0] == 4 && ints[1] == 2 && ints[2] == 3, "neighbours, back", 4);
  ints[0] = 1;
  slots_target (slots_function ("apart"), 3, (void *[]) { ints, ints + 1, ints + 2 }, (size_t[]) { 4, 4, 4 },
		(unsigned short[]) { ALIGNED (2) | TO, ALIGNED (2) | TOFROM, ALIGNED (2) | TOFROM });
  expect (ints[0] == 1 && ints[1] == 5 && ints[2] == 6, "neighbours, back", 4);
  ints[0] = 1, ints[1] = 2;
  slots_target (slots_function ("shared"), 4, (void *[]) { ints, ints + 1, ints, ints }, (size_t[]) { 8, 4, 4, 4 },
		(unsigned short[]) { TOFROM, TO, TO, FIRSTPRIVATE });
  expect (ints[0] == 7 && ints[1] == 8, "a pair, back", 8);
  ints[0] = 1, ints[1] = 2, ints[2] = 3;
  slots_target (slots_function ("aligned"), 3, (void *[]) { ints, ints + 1, ints + 2 }, (size_t[]) { 4, 4, 4 },
		(unsigned short[]) { ALIGNED (3) | TOFROM, ALIGNED (6) | TOFROM, ALIGNED (12) | TOFROM });
  expect (ints[0] == 10 && ints[1] == 10 && ints[2] == 10, "aligned, back", 4);

  copies_before = copies ();
  function = slots_function ("nothing");
  for (int i = 0; i < 100; i++)
    slots_target (function, 0, NULL, NULL, NULL);
  function = slots_function ("echo");
  *size = 100;
  for (size_t i = 0; i < *size; i++)
    {
      to[i] = i * 3 + *size;
      both[i] = i + 1;
    }
  slots_target (function, 4, (void *[]) { size, to, from, both },
		(size_t[]) { sizeof (size_t), *size, *size, *size },
		(unsigned short[]) { FIRSTPRIVATE, TO, FROM, TOFROM });
  copies_after = copies ();

  /* More items than a request has.  The list is read by the host, so it is in device memory.  */
  void **addrs = (void **) (room + 8 * MOST);
  size_t *sizes = (size_t *) (addrs + ITEMS);
  unsigned short *kinds = (unsigned short *) (sizes + ITEMS);
  for (int i = 0; i < ITEMS; i++)
    {
      ints[2 * i] = i;
      addrs[i] = &ints[2 * i];
      sizes[i] = sizeof (int);
      kinds[i] = TOFROM;
    }
  slots_target (slots_function ("many"), ITEMS, addrs, sizes, kinds);
  for (int i = 0; i < ITEMS; i++)
    expect (ints[2 * i] == 100 + i, "one of many, back", sizeof (int));
}

int
main (void)
{
  FAKE_CUDA (fake_cuda_register) ("region", on_device);
  GOMP_target_ext (-1, region, 0, NULL, NULL, NULL, 0, NULL, NULL);
  if (copies_after != copies_before)
    failures++, printf ("%lu driver calls for small data\n", copies_after - copies_before);
  if (copies_after == 0)
    failures++, printf ("the region did not run\n");
  return failures != 0;
}
