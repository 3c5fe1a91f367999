/* The interop construct and its routines where no device has a foreign runtime: every object is
   omp_interop_none.
   TEST-OPTIONS: -D_GNU_SOURCE
   TEST-MODES: host cpu  */

#include <dlfcn.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int failures;
#define CHECK(x) do if (!(x)) { printf ("FAIL line %d: %s\n", __LINE__, #x); failures++; } while (0)

/* As GCC 15 calls and declares them; older compilers' libraries do not have them.  */
typedef void *object;
typedef int num_fn (object);
typedef intptr_t int_fn (object, int, int *);
typedef void *ptr_fn (object, int, int *);
typedef const char *str_fn (object, int, int *);
typedef const char *name_fn (object, int);
typedef void fstr_fn (const char **, size_t *, object, int, int *);
typedef void fname_fn (const char **, size_t *, object, int);
typedef void interop_fn (int, int, object **, const int *, const char **, int, object *, int,
			 object **, unsigned, void **);
#define GET(type, name) type *name = (type *) dlsym (RTLD_DEFAULT, #name); \
  if (name == NULL) { puts ("no " #name); return 1; }

static int
same (const char *a, const char *b)
{
  return a == b || (a != NULL && b != NULL && strcmp (a, b) == 0);
}

int
main (void)
{
  CHECK (omp_get_num_threads () == 1);
  GET (num_fn, omp_get_num_interop_properties)
  GET (int_fn, omp_get_interop_int)
  GET (ptr_fn, omp_get_interop_ptr)
  GET (str_fn, omp_get_interop_str)
  GET (name_fn, omp_get_interop_name)
  GET (name_fn, omp_get_interop_type_desc)
  GET (name_fn, omp_get_interop_rc_desc)
  GET (fstr_fn, omp_get_interop_str_)
  GET (fname_fn, omp_get_interop_name_)
  GET (fname_fn, omp_get_interop_type_desc_)
  GET (fname_fn, omp_get_interop_rc_desc_)
  GET (interop_fn, GOMP_interop)

  static const char *const names[] = { "targetsync", "device_context", "device", "platform",
				       "device_num", "vendor_name", "vendor", "fr_name", "fr_id" };
  CHECK (omp_get_num_interop_properties (NULL) == 0);
  for (int id = -20; id < 10; id++)
    {
      int known = id >= -9 && id <= -1, rc;
      const char *text = "x";
      size_t len = 99;
      rc = 5;
      CHECK (omp_get_interop_int (NULL, id, &rc) == 0 && rc == (known ? -1 : -2));
      rc = 5;
      CHECK (omp_get_interop_ptr (NULL, id, &rc) == NULL && rc == (known ? -1 : -2));
      rc = 5;
      CHECK (omp_get_interop_str (NULL, id, &rc) == NULL && rc == (known ? -1 : -2));
      CHECK (omp_get_interop_int (NULL, id, NULL) == 0);
      omp_get_interop_str_ (&text, &len, NULL, id, &rc);
      CHECK (text == NULL && len == 0);
      const char *name = known ? names[id + 9] : NULL;
      CHECK (same (omp_get_interop_name (NULL, id), name));
      omp_get_interop_name_ (&text, &len, NULL, id);
      CHECK (same (text, name) && len == (name != NULL ? strlen (name) : 0));
      CHECK (omp_get_interop_type_desc (NULL, id) == NULL);
      omp_get_interop_type_desc_ (&text, &len, NULL, id);
      CHECK (text == NULL && len == 0);
      omp_get_interop_rc_desc_ (&text, &len, NULL, id);
      CHECK (same (text, omp_get_interop_rc_desc (NULL, id)));
      CHECK ((text != NULL) == (id >= -5 && id <= 1) && len == (text ? strlen (text) : 0));
    }
  CHECK (same (omp_get_interop_rc_desc (NULL, 1), "no meaningful value available"));
  CHECK (same (omp_get_interop_rc_desc (NULL, 0), "successful"));
  CHECK (same (omp_get_interop_rc_desc (NULL, -2), "property ID is out of range"));
  CHECK (same (omp_get_interop_rc_desc (NULL, -5),
	       "property type is string; use omp_get_interop_str"));
  CHECK (omp_get_interop_rc_desc (NULL, -2147483647 - 1) == NULL);

  object a = main, b = main, c = NULL, *init[] = { &a, &b }, *destroy[] = { &c };
  int sync[] = { 1, 3 };
  for (int device = -5; device <= omp_get_num_devices (); device++)
    if (device == -5 || device >= -1)
      {
	a = b = main;
	GOMP_interop (device, 2, init, sync, NULL, 1, &c, 1, destroy, device & 1, NULL);
	CHECK (a == NULL && b == NULL && c == NULL);
	GOMP_interop (device, 0, NULL, NULL, NULL, 0, NULL, 1, destroy, 0, NULL);
	CHECK (c == NULL);
      }
  return failures != 0;
}
