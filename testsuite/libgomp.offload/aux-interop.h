/* aux-interop.h -- the interop routines as GCC 15 calls and declares them, for programs of older
   compilers, whose libraries do not have them.  */

#include <dlfcn.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void *object;

static void (*interop) (int, int, object **, const int *, const char **, int, object *, int,
			object **, unsigned, void **);
static int (*get_num) (object);
static intptr_t (*get_int) (object, int, int *);
static void *(*get_ptr) (object, int, int *);
static const char *(*get_str) (object, int, int *);
static const char *(*get_name) (object, int);
static const char *(*get_type) (object, int);
static const char *(*get_rc) (object, int);

/* What the test plugin's targetsync is.  */
struct test_queue
{
  void (*work) (void *);
  void *arg;
  unsigned waits;
};

enum { FR_ID = -1, FR_NAME = -2, VENDOR = -3, VENDOR_NAME = -4, DEVICE_NUM = -5, PLATFORM = -6,
       DEVICE = -7, CONTEXT = -8, TARGETSYNC = -9 };

static void
get_symbols (void)
{
  static const struct { const char *name; void *to; } symbols[] = {
    { "GOMP_interop", &interop }, { "omp_get_num_interop_properties", &get_num },
    { "omp_get_interop_int", &get_int }, { "omp_get_interop_ptr", &get_ptr },
    { "omp_get_interop_str", &get_str }, { "omp_get_interop_name", &get_name },
    { "omp_get_interop_type_desc", &get_type }, { "omp_get_interop_rc_desc", &get_rc }
  };
  if (omp_get_level () != 0)	/* so that the library is linked */
    abort ();
  for (size_t i = 0; i < sizeof (symbols) / sizeof (symbols[0]); i++)
    {
      void *p = dlsym (RTLD_DEFAULT, symbols[i].name);
      if (p == NULL)
	{
	  printf ("no %s\n", symbols[i].name);
	  exit (1);
	}
      memcpy (symbols[i].to, &p, sizeof (p));
    }
}

static object
make (int device, int targetsync, const char *prefer)
{
  object o = (object) &get_num, *init = &o;
  int sync = targetsync ? 3 : 1;
  interop (device, 1, &init, &sync, prefer ? &prefer : NULL, 0, NULL, 0, NULL, 0, NULL);
  return o;
}

static void
destroy (object *o)
{
  interop (-5, 0, NULL, NULL, NULL, 0, NULL, 1, &o, 0, NULL);
}

static void
use (object o)
{
  interop (-5, 0, NULL, NULL, NULL, 1, &o, 0, NULL, 0, NULL);
}
