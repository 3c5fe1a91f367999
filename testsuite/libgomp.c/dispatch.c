/* dispatch: the variant is called, after what the construct depends on, unless novariants says not to; with
   device it has that default device while it runs, and nobody has it afterwards.
   MINGCC: 15 */

#include <omp.h>
#include <stdio.h>

static int failures, calls, device;
#define CHECK(x) do if (!(x)) { printf ("line %d: %s\n", __LINE__, #x); failures++; } while (0)

static int
variant (int *p)
{
  calls++;
  device = omp_get_default_device ();
  return *p += 10;
}

#pragma omp declare variant (variant) match (construct={dispatch})
static int
base (int *p)
{
  return *p += 1;
}

int
main (void)
{
  int a = 0, r = 0;

  CHECK (base (&a) == 1 && calls == 0);
#pragma omp dispatch
  r = base (&a);
  CHECK (r == 11 && a == 11 && calls == 1);
#pragma omp parallel num_threads (2)
#pragma omp single
  {
#pragma omp task depend (out: a) shared (a)
    a = 100;
#pragma omp dispatch depend (inout: a) nowait
    r = base (&a);
#pragma omp taskwait
  }
  CHECK (a == 110 && calls == 2);
#pragma omp dispatch novariants (calls == 2)
  r = base (&a);
  CHECK (r == 111 && calls == 2);

  omp_set_default_device (3);
#pragma omp dispatch device (1)
  r = base (&a);
  CHECK (r == 121 && device == 1 && omp_get_default_device () == 3);
  return failures != 0;
}
