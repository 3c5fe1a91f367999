/* env-allocator.c -- the grammar of OMP_ALLOCATOR.

   A predefined allocator, a predefined memory space (which stands for its allocator), or a
   memory space with traits, of which an allocator is made that lives as long as the process.  */

#include "host/allocator.h"
#include "host/env.h"

/* Texts are parts of the tables here: pointers would have to be relocated before main.  */
struct handle_name
{
  char name[28];
  unsigned handle;
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

/* With the allocator that a bare memory space stands for; the space's own number is one less.  */
static const struct handle_name spaces[] = {
  { "omp_default_mem_space", 1 },
  { "omp_large_cap_mem_space", 2 },
  { "omp_const_mem_space", 3 },
  { "omp_high_bw_mem_space", 4 },
  { "omp_low_lat_mem_space", 5 },
  { "ompx_gnu_managed_mem_space", GOMP_MANAGED_MEM_ALLOC }
};

/* A trait takes one of up to four words, or a positive number when it has none.  */
static const struct
{
  char name[12];
  unsigned key;
  struct { char name[15]; uint8_t value; } values[4];
} traits[] = {
  { "sync_hint", GOMP_ATK_SYNC_HINT,
    { { "contended", GOMP_ATV_CONTENDED }, { "uncontended", GOMP_ATV_UNCONTENDED },
      { "serialized", GOMP_ATV_SERIALIZED }, { "private", GOMP_ATV_PRIVATE } } },
  { "alignment", GOMP_ATK_ALIGNMENT, { { "", 0 } } },
  { "access", GOMP_ATK_ACCESS,
    { { "all", GOMP_ATV_ALL }, { "cgroup", GOMP_ATV_CGROUP }, { "pteam", GOMP_ATV_PTEAM },
      { "thread", GOMP_ATV_THREAD } } },
  { "pool_size", GOMP_ATK_POOL_SIZE, { { "", 0 } } },
  { "fallback", GOMP_ATK_FALLBACK,
    { { "default_mem_fb", GOMP_ATV_DEFAULT_MEM_FB }, { "null_fb", GOMP_ATV_NULL_FB },
      { "abort_fb", GOMP_ATV_ABORT_FB }, { "allocator_fb", GOMP_ATV_ALLOCATOR_FB } } },
  { "pinned", GOMP_ATK_PINNED,
    { { "true", GOMP_ATV_TRUE }, { "false", GOMP_ATV_FALSE } } },
  { "partition", GOMP_ATK_PARTITION,
    { { "environment", GOMP_ATV_ENVIRONMENT }, { "nearest", GOMP_ATV_NEAREST },
      { "blocked", GOMP_ATV_BLOCKED }, { "interleaved", GOMP_ATV_INTERLEAVED } } }
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
scan_trait (const char **p, unsigned *key, uintptr_t *value)
{
  size_t i;
  for (i = 0; i < GOMP_ARRAY_SIZE (traits); i++)
    if (gomp_scan_word (p, traits[i].name))
      break;
  if (i == GOMP_ARRAY_SIZE (traits) || !gomp_scan_char (p, '='))
    return false;

  *key = traits[i].key;
  if (traits[i].values[0].name[0] == '\0')
    {
      const char *q = *p;
      unsigned long n;
      if (!gomp_scan_number (&q, 10, &n) || n == 0)
	return false;
      *value = n;
      *p = q;
      return true;
    }
  for (int j = 0; j < 4 && traits[i].values[j].name[0] != '\0'; j++)
    if (gomp_scan_word (p, traits[i].values[j].name))
      {
	*value = traits[i].values[j].value;
	return true;
      }
  return false;
}

/* The traits at *P of an allocator for SPACE, and the allocator to *HANDLE.  GOMP_ENV_BAD: *P is at
   what is wrong.  */
static enum gomp_env_result
scan_new_allocator (const struct gomp_env_input *in, const char **p, uintptr_t space,
		    uintptr_t *handle)
{
  struct gomp_traits t;
  bool possible = gomp_traits_init (&t, space);
  do
    {
      unsigned key;
      uintptr_t value;
      if (!scan_trait (p, &key, &value))
	return GOMP_ENV_BAD;
      /* That number stands for the default in a program; here it is just too large.  */
      possible &= gomp_trait_set (&t, key, value)
		  && (value != GOMP_ATV_DEFAULT || key == GOMP_ATK_POOL_SIZE);
    }
  while (gomp_scan_char (p, ','));
  if (!gomp_scan_end (p))
    return GOMP_ENV_BAD;

  *handle = possible ? gomp_allocator_new (&t) : 0;
  if (*handle != 0)
    return GOMP_ENV_OK;
  gomp_error ("Allocator of environment variable %s cannot be created,"
	      " using omp_default_mem_alloc instead", in->name);
  return GOMP_ENV_TOLD;
}

enum gomp_env_result
gomp_env_parse_allocator (const struct gomp_env_input *in)
{
  const char *p = in->value;
  enum gomp_env_result result = GOMP_ENV_BAD;

  uintptr_t handle = scan_name (&p, allocators, GOMP_ARRAY_SIZE (allocators));
  if (handle == 0)
    handle = scan_name (&p, spaces, GOMP_ARRAY_SIZE (spaces));
  else if (!gomp_scan_end (&p))
    handle = 0;			/* only a space may have traits */

  if (handle != 0 && gomp_scan_char (&p, ':'))
    result = scan_new_allocator (in, &p, handle - 1, &handle);
  else if (handle != 0 && gomp_scan_end (&p))
    result = GOMP_ENV_OK;

  if (result == GOMP_ENV_OK)
    in->to->allocator = handle;
  else if (result == GOMP_ENV_BAD)
    {
      if (gomp_scan_end (&p))
	gomp_error ("Missing value at the end of environment variable %s=%s\n  it is ignored;"
		    " allowed: %s", in->name, in->value, gomp_env_grammar (GOMP_ENV_ALLOCATOR));
      else
	gomp_error ("Invalid value for environment variable %s when parsing: %s\n  it is ignored;"
		    " allowed: %s", in->name, p, gomp_env_grammar (GOMP_ENV_ALLOCATOR));
      result = GOMP_ENV_TOLD;
    }
  return result;
}
