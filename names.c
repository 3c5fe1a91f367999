/* names.c -- names of code addresses that are asked for again and again: found out once.

   GOMP_INFO, GOMP_TRACE and messages name regions and call sites.  Looking a name up reads the
   symbol table of a file (elf-file.c), and the module may be gone when the name is printed: so
   a name is looked up when its address is first met and kept for ever.

   Invariants
   1. Entries are only added, at the heads of the lists, and never freed.  Two threads may add
      the same name: harmless.
   2. An entry counts if its generation is the current one.  After a module was unloaded all of
      them are looked up again when they are met, since other code may lie there now; text that
      has not changed is not kept twice.  */

#include "elf-file.h"
#include "trace.h"

struct code_name
{
  struct code_name *next;	/* fixed */
  const void *addr;		/* fixed */
  bool is_call;			/* of the call that returns to addr; fixed */
  _Atomic (unsigned) xgeneration;
  char text[];			/* fixed */
};

enum { BUCKETS = 256 };

static _Atomic (struct code_name *) xbuckets[BUCKETS] GOMP_RARE;
static _Atomic (unsigned) xgeneration;

void
gomp_code_names_forget (void)
{
  /* Relaxed: who unloads a module has made sure that nobody uses its addresses.  */
  gomp_add_relaxed (&xgeneration, 1);
}

/* An entry of ADDR; with TEXT: one that says TEXT; else: one of GENERATION.  */
static struct code_name *
find (struct code_name *entry, const void *addr, bool is_call, unsigned generation,
      const char *text)
{
  for (; entry != NULL; entry = entry->next)
    if (entry->addr == addr && entry->is_call == is_call
	&& (text != NULL ? strcmp (entry->text, text) == 0
	    /* Relaxed: see gomp_code_names_forget.  */
	    : gomp_load_relaxed (&entry->xgeneration) == generation))
      return entry;
  return NULL;
}

static const char *
name_of (const void *addr, bool is_call)
{
  size_t slot = ((uintptr_t) addr >> 4 ^ (uintptr_t) addr >> 12) % BUCKETS;
  unsigned generation = gomp_load_relaxed (&xgeneration);	/* relaxed: as above */
  /* Acquire: the entries.  */
  struct code_name *first = gomp_load_acquire (&xbuckets[slot]);
  struct code_name *entry = find (first, addr, is_call, generation, NULL);
  if (entry != NULL)
    return entry->text;

  char text[512];
  /* The call is before the address where it returns to.  */
  gomp_symbol_name ((const char *) addr - is_call, text, sizeof (text));
  entry = find (first, addr, is_call, 0, text);
  if (entry != NULL)
    {
      gomp_store_relaxed (&entry->xgeneration, generation);
      return entry->text;
    }
  size_t size = strlen (text) + 1;
  entry = gomp_malloc (sizeof (*entry) + size);
  entry->addr = addr;
  entry->is_call = is_call;
  gomp_store_relaxed (&entry->xgeneration, generation);
  memcpy (entry->text, text, size);
  /* Release: the entry.  */
  do
    entry->next = first;
  while (!gomp_cas_weak_release (&xbuckets[slot], &first, entry));
  return entry->text;
}

const char *
gomp_code_name (const void *fn)
{
  return name_of (fn, false);
}

const char *
gomp_call_name (const void *site)
{
  return name_of (site, true);
}
