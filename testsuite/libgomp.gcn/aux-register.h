/* aux-register.h -- for tests of images: the program's image for AMD GPUs is not registered by its constructor, but
   when the test does it, whole or damaged.

   The program defines GOMP_offload_register_ver and so gets what the compiler's constructor has to say.
   Copies of it are in static memory, for the library wants to find it in a module.  */

#ifndef _GNU_SOURCE
# error "aux-register.h needs _GNU_SOURCE"
#endif

#include <dlfcn.h>
#include <elf.h>
#include <omp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct aux_code { size_t size; void *code; };
struct aux_function { const char *name; int dims[3]; int sgprs, vgprs; };

/* Both layouts, without the requires mask.  */
union aux_data
{
  struct { const struct aux_code *code; unsigned functions; const struct aux_function *table; unsigned vars; } old;
  struct { const struct aux_code *code; unsigned functions; const struct aux_function *table; unsigned indirect, vars; } newer;
};

struct aux_image
{
  unsigned version;
  const void *const *host_table;
  struct { uintptr_t requires_mask; union aux_data data; } target;
  struct aux_code code;
  struct aux_function functions[40];
};

/* As the compiler made it.  */
static struct aux_image aux_first;

static void *
aux_library (const char *name)
{
  void *function = dlsym (RTLD_NEXT, name);
  if (function == NULL)
    abort ();
  return function;
}

void GOMP_offload_register_ver (unsigned, const void *, int, const void *);
void GOMP_offload_unregister_ver (unsigned, const void *, int, const void *);

void
GOMP_offload_register_ver (unsigned version, const void *host_table, int type, const void *data)
{
  struct aux_image *i = &aux_first;
  if (type != 8)
    return;
  i->version = version;
  i->host_table = host_table;
  if (version >> 16 >= 2)
    memcpy (&i->target, data, sizeof (uintptr_t) + sizeof (i->target.data.newer));
  else
    memcpy (&i->target.data, data, sizeof (i->target.data.old));
  i->code = *i->target.data.old.code;
  if (i->target.data.old.functions > 40)
    abort ();
  memcpy (i->functions, i->target.data.old.table,
	  i->target.data.old.functions * sizeof (i->functions[0]));
}

void
GOMP_offload_unregister_ver (unsigned version, const void *host_table, int type, const void *data)
{
  (void) version, (void) host_table, (void) type, (void) data;
}

/* A whole copy of the image in *I, which is static; the code as well.  */
static void
aux_copy (struct aux_image *i)
{
  *i = aux_first;
  i->code.code = malloc (i->code.size);
  memcpy (i->code.code, aux_first.code.code, i->code.size);
  i->target.data.old.code = &i->code;
  i->target.data.old.table = i->functions;
}

static unsigned * __attribute__ ((unused))
aux_vars (struct aux_image *i)
{
  return i->version >> 16 >= 3 ? &i->target.data.newer.vars : &i->target.data.old.vars;
}

static const void *
aux_target_data (struct aux_image *i)
{
  return i->version >> 16 >= 2 ? (const void *) &i->target : &i->target.data;
}

static void
aux_register (struct aux_image *i)
{
  ((void (*) (unsigned, const void *, int, const void *)) aux_library ("GOMP_offload_register_ver"))
    (i->version, i->host_table, 8, aux_target_data (i));
}

static void __attribute__ ((unused))
aux_unregister (struct aux_image *i)
{
  ((void (*) (unsigned, const void *, int, const void *)) aux_library ("GOMP_offload_unregister_ver"))
    (i->version, i->host_table, 8, aux_target_data (i));
  free (i->code.code);
}

static Elf64_Ehdr * __attribute__ ((unused))
aux_header (struct aux_image *i)
{
  return i->code.code;
}

/* Another name for the symbol NAME of the code object, in all of its tables of strings; as long.  */
static void __attribute__ ((unused))
aux_rename (struct aux_image *i, const char *name, const char *other)
{
  char *p = i->code.code, *end = p + i->code.size;
  size_t n = strlen (name) + 1;
  if (strlen (other) + 1 != n)
    abort ();
  unsigned found = 0;
  while ((p = memmem (p, (size_t) (end - p), name, n)) != NULL)
    {
      memcpy (p, other, n);
      found++;
    }
  if (found == 0)
    abort ();
}

static int failures __attribute__ ((unused));
#define CHECK(condition)						\
  do									\
    if (!(condition))							\
      {									\
	printf ("%s:%d: %s\n", __FILE__, __LINE__, #condition);		\
	failures++;							\
      }									\
  while (0)
