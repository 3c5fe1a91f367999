/* env-allocator.c -- the grammar of OMP_ALLOCATOR.

   A predefined allocator, a predefined memory space (which stands for its allocator), or a
   memory space with traits, which describe an allocator to be made.  Only the grammar is
   here; allocators themselves come with the allocator part.  */

#include "host/env.h"

struct handle_name
{
  const char *name;
  uintptr_t handle;
};

static const struct handle_name allocators[] = {
  { "omp_default_mem_alloc", GOMP_DEFAULT_MEM_ALLOC },
  { "omp_large_cap_mem_alloc", 2 },
  { "omp_const_mem_alloc", 3 },
  { "omp_high_bw_mem_alloc", 4 },
  { "omp_low_lat_mem_alloc", 5 },
  { "omp_cgroup_mem_alloc", 6 },
  { "omp_pteam_mem_alloc", 7 },
  { "omp_thread_mem_alloc", 8 },
  { "ompx_gnu_pinned_mem_alloc", 200 },
  { "ompx_gnu_managed_mem_alloc", 201 }
};

/* With the allocator that a bare memory space stands for.  */
static const struct handle_name spaces[] = {
  { "omp_default_mem_space", 1 },
  { "omp_large_cap_mem_space", 2 },
  { "omp_const_mem_space", 3 },
  { "omp_high_bw_mem_space", 4 },
  { "omp_low_lat_mem_space", 5 },
  { "ompx_gnu_managed_mem_space", 201 }
};

/* A trait takes one of up to four words, or a positive number when it has none.  */
static const struct
{
  const char *name;
  const char *values[4];
} traits[] = {
  { "sync_hint", { "contended", "uncontended", "serialized", "private" } },
  { "alignment", { NULL } },
  { "access", { "all", "cgroup", "pteam", "thread" } },
  { "pool_size", { NULL } },
  { "fallback", { "default_mem_fb", "null_fb", "abort_fb", "allocator_fb" } },
  { "pinned", { "true", "false" } },
  { "partition", { "environment", "nearest", "blocked", "interleaved" } }
};

const char *
gomp_allocator_name (uintptr_t handle)
{
  for (size_t i = 0; i < GOMP_ARRAY_SIZE (allocators); i++)
    if (allocators[i].handle == handle)
      return allocators[i].name;
  return NULL;
}

/* The handle of the name at *P, or 0.  */
static uintptr_t
scan_name (const char **p, const struct handle_name *names, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (gomp_scan_word (p, names[i].name))
      return names[i].handle;
  return 0;
}

/* trait=value at *P.  When it is wrong, *P stays at the part that is.  */
static bool
scan_trait (const char **p)
{
  size_t i;
  for (i = 0; i < GOMP_ARRAY_SIZE (traits); i++)
    if (gomp_scan_word (p, traits[i].name))
      break;
  if (i == GOMP_ARRAY_SIZE (traits) || !gomp_scan_char (p, '='))
    return false;

  if (traits[i].values[0] == NULL)
    {
      const char *q = *p;
      unsigned long n;
      if (!gomp_scan_number (&q, 10, &n) || n == 0)
	return false;
      *p = q;
      return true;
    }
  for (int j = 0; j < 4 && traits[i].values[j] != NULL; j++)
    if (gomp_scan_word (p, traits[i].values[j]))
      return true;
  return false;
}

enum gomp_env_result
gomp_env_parse_allocator (const struct gomp_env_input *in)
{
  const char *p = in->value;

  uintptr_t handle = scan_name (&p, allocators, GOMP_ARRAY_SIZE (allocators));
  if (handle == 0)
    {
      handle = scan_name (&p, spaces, GOMP_ARRAY_SIZE (spaces));
      if (handle != 0 && gomp_scan_char (&p, ':'))
	{
	  do
	    {
	      if (gomp_scan_end (&p))
		{
		  gomp_error ("Missing value at the end of environment variable %s=%s",
			      in->name, in->value);
		  return GOMP_ENV_TOLD;
		}
	      if (!scan_trait (&p))
		goto bad;
	    }
	  while (gomp_scan_char (&p, ','));
	  if (!gomp_scan_end (&p))
	    goto bad;
	  gomp_error ("Allocator of environment variable %s cannot be created,"
		      " using omp_default_mem_alloc instead", in->name);
	  return GOMP_ENV_TOLD;
	}
    }
  if (handle != 0 && gomp_scan_end (&p))
    {
      in->to->allocator = handle;
      return GOMP_ENV_OK;
    }

 bad:
  gomp_error ("Invalid value for environment variable %s when parsing: %s", in->name, p);
  return GOMP_ENV_TOLD;
}
