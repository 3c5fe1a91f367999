/* module.c -- the loaded modules of the program and their tables of regions and variables.

   The compiler lists region functions, declare target variables and indirect functions in the
   sections .gnu.offload_funcs, .gnu.offload_vars and .gnu.offload_ind_funcs.  A link without an
   offload compiler registers no image, but the sections are there, also after strip.  Devices
   that run the host's code need nothing else.  Where the sections are is told only by the
   section headers of the module's file; their contents are read from memory, where they are
   relocated.

   Rules
   1. elf-file.c sees to it that a file is the one that was loaded, and that nothing in it is
      believed unchecked; what sections say about addresses is checked here.
   2. A module that another thread is just loading may not be relocated yet.  Its function
      table then has entries outside of the module; it is left out and looked at again.
   3. Memory of a module is only read inside dl_iterate_phdr: it cannot be unmapped there.
   4. Every construct asks whether modules have come or gone since the last scan.  The loader's counters tell,
      but take a lock.  In most programs the last one on the loader's list of modules is the loader itself or
      a plugin of ours: both are never unloaded, and what is loaded later is put behind them.  Then one
      look at what is behind it suffices.
   5. A module may be found between its destructors and its end: nobody tells when it goes, a device may be
      too late for it, and it may be there again, at the same place, before the next scan.  A device's
      refusal counts only if no module was unloaded since this one was found.  */

#include "libgomp.h"
#include "elf-file.h"
#include "image.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <sys/auxv.h>

#define MAX_TABLE ((uint64_t) 1 << 28)	/* bytes of a table that are believable */

enum table { FUNCS, VARS, INDS, TABLES };
static const char *const section_names[TABLES] =
{
  ".gnu.offload_funcs", ".gnu.offload_vars", ".gnu.offload_ind_funcs"
};

struct module
{
  struct module *next;
  char *name;			/* as the loader calls it */
  uint64_t base;
  const void *phdr;
  unsigned phnum;
  uintptr_t serial;		/* names the module for module_leaves */
  unsigned long long subs;	/* the loader's count of unloaded modules when it was found, or tried again */
  bool seen;			/* by the scan in progress */
  bool unread;			/* there are regions, or may be, whose tables cannot be read */
  struct gomp_image *image;	/* NULL: nothing in it, or unreadable */
};

/* All under the image lock.  */
static struct module *modules;
static uintptr_t last_serial;
/* For GOMP_INFO: the first module that takes omp_is_initial_device for true, and its compiler; 0: none.  Written
   under the image lock.  */
static _Atomic (unsigned) xfolding_gcc;
static char *folding_name;	/* fixed when xfolding_gcc is not 0 */

/* The loader's counters at the last complete scan.  Written under the image lock.  */
static _Atomic (unsigned long long) xadds, xsubs;

/* What was last on the loader's list at the last scan, if that was complete and this one is never
   unloaded; otherwise NULL.  Written under the image lock.  */
static _Atomic (struct link_map *) xlast;
/* The plugin that was loaded last, or NULL; only to be compared.  */
static _Atomic (const void *) xkept;

/* ---- the loader's view ---- */

static int
get_counters (struct dl_phdr_info *info, size_t size, void *data)
{
  unsigned long long *counters = data;
  (void) size;
  counters[0] = info->dlpi_adds;
  counters[1] = info->dlpi_subs;
  return 1;
}

/* Reads what the loader writes, under its lock or one word.  The thread sanitizer knows neither.  */
#ifdef __SANITIZE_THREAD__
# define READS_LOADERS_LIST __attribute__ ((noinline, no_sanitize ("thread")))
#else
# define READS_LOADERS_LIST
#endif

/* Is there no module behind M on the loader's list?  */
static bool READS_LOADERS_LIST
is_last (const struct link_map *m)
{
  /* Volatile: in one piece, and each time.  */
  return ((const volatile struct link_map *) m)->l_next == NULL;
}

bool
gomp_modules_dirty (void)
{
  unsigned long long now[2] = { 0, 0 };
  /* Relaxed: it does not matter which of two scans set it.  */
  const struct link_map *last = gomp_load_relaxed (&xlast);
  if (gomp_likely (last != NULL && is_last (last)))
    return false;
  dl_iterate_phdr (get_counters, now);
  /* Relaxed: who finds them equal has nothing to read.  */
  return now[0] != gomp_load_relaxed (&xadds) || now[1] != gomp_load_relaxed (&xsubs);
}

struct range
{
  uint64_t start, end;
};

static int
holds_range (struct dl_phdr_info *info, size_t size, void *data)
{
  const struct range *r = data;
  (void) size;
  return gomp_elf_segment_holds (info, r->start, r->end, PF_R);
}

bool
gomp_modules_contain (uintptr_t start, uintptr_t end)
{
  struct range r = { start, end };
  return dl_iterate_phdr (holds_range, &r) != 0;
}

/* Does the shared object that the loader calls PATH define NAME itself?  */
static bool
defines (const char *path, const char *name)
{
  struct link_map *map = NULL, *where = NULL;
  Dl_info info;
  void *handle = dlopen (path, RTLD_LAZY | RTLD_NOLOAD);
  if (handle == NULL)
    return false;
  /* Looked for in what it needs, too, but not in the executable.  */
  void *addr = dlsym (handle, name);
  bool yes = addr != NULL && dlinfo (handle, RTLD_DI_LINKMAP, &map) == 0
	     && dladdr1 (addr, &info, (void **) &where, RTLD_DL_LINKMAP) != 0 && where == map;
  dlclose (handle);
  return yes;
}

bool
gomp_modules_define (const char *name)
{
  char **paths = NULL;
  size_t n = 0;
  bool yes = false;

  gomp_images_lock ();
  for (const struct module *m = modules; m != NULL; m = m->next)
    if (m->image != NULL && *m->name != 0)
      {
	paths = gomp_realloc_array (paths, n + 1, sizeof (*paths));
	paths[n++] = gomp_strdup (m->name);
      }
  gomp_images_unlock ();
  for (size_t i = 0; i < n; i++)
    {
      yes = yes || defines (paths[i], name);
      free (paths[i]);
    }
  free (paths);
  return yes;
}

/* Its program headers are where the kernel has told.  */
static bool
is_executable (const struct dl_phdr_info *info)
{
  return (uintptr_t) info->dlpi_phdr == getauxval (AT_PHDR);
}

static int
executable_holds (struct dl_phdr_info *info, size_t size, void *data)
{
  const struct range *r = data;
  (void) size;
  return is_executable (info)
	 && gomp_elf_segment_holds (info, r->start, r->end, PF_R);
}

bool
gomp_modules_stay (uintptr_t start, uintptr_t end)
{
  struct range r = { start, end };
  return dl_iterate_phdr (executable_holds, &r) != 0;
}

/* The segments of the executable that are not writable, as its program headers tell: the parts
   that the loader protects after relocation among them.  The headers stay where they are, and no
   lock is needed.  */
static bool
read_only_in_executable (uintptr_t start, uintptr_t end, struct range *span)
{
  const ElfW (Phdr) *phdr = (const ElfW (Phdr) *) getauxval (AT_PHDR);
  size_t num = getauxval (AT_PHNUM), page = getauxval (AT_PAGESZ);
  uintptr_t base = 0;
  bool found = false;

  if (phdr == NULL || page == 0 || getauxval (AT_PHENT) != sizeof (*phdr))
    num = 0;
  for (size_t i = 0; i < num; i++)
    if (phdr[i].p_type == PT_PHDR)
      base = (uintptr_t) phdr - phdr[i].p_vaddr;
  for (size_t i = 0; i < num; i++)
    {
      uintptr_t from = base + phdr[i].p_vaddr, to = from + phdr[i].p_memsz;
      if (phdr[i].p_type == PT_GNU_RELRO)
	{
	  from &= -page;
	  to &= -page;
	}
      else if (phdr[i].p_type != PT_LOAD || (phdr[i].p_flags & PF_W))
	continue;
      if (from < span->start)
	span->start = from;
      if (to > span->end)
	span->end = to;
      found |= start >= from && end <= to;
    }
  return found;
}

/* What they lie in, once somebody has asked; xro_end is stored last, and is not 0 then.  */
static _Atomic (uintptr_t) xro_start, xro_end;

bool
gomp_executable_read_only (uintptr_t start, uintptr_t end)
{
  /* Acquire: xro_start.  */
  uintptr_t high = gomp_load_acquire (&xro_end);

  if (gomp_likely (high != 0)
      /* Relaxed: ordered by the load above.  */
      && gomp_likely (start >= high || start < gomp_load_relaxed (&xro_start)))
    return false;
  struct range span = { UINT64_MAX, 1 };
  bool found = read_only_in_executable (start, end, &span);
  if (high == 0)
    {
      gomp_store_relaxed (&xro_start, span.start);
      gomp_store_release (&xro_end, span.end);
    }
  return found;
}

/* The same of the other modules: a sorted list of their parts, made when the loader has added some
   since.  A module may be unloaded without notice, and its place taken by the program: the list only
   tells quickly what is in none of them, and who finds something in it asks the loader.  */
static gomp_mutex_t read_only_lock;	/* a leaf */
static struct range *read_only;
static size_t num_read_only, cap_read_only;
/* As xadds and xlast, of this list.  Written under its lock, or inside dl_iterate_phdr.  */
static _Atomic (unsigned long long) xro_adds;
static _Atomic (struct link_map *) xro_last;

/* Part I of a module, if it is not writable.  */
static bool
read_only_part (const struct dl_phdr_info *info, unsigned i, struct range *part)
{
  const ElfW (Phdr) *p = &info->dlpi_phdr[i];
  uint64_t page = getauxval (AT_PAGESZ);

  part->start = info->dlpi_addr + p->p_vaddr;
  part->end = part->start + p->p_memsz;
  if (p->p_type == PT_GNU_RELRO)
    {
      part->start &= -page;
      part->end &= -page;
      return part->start < part->end;
    }
  return p->p_type == PT_LOAD && !(p->p_flags & PF_W) && part->start < part->end;
}

static struct link_map *find_last (void);

static int
list_read_only (struct dl_phdr_info *info, size_t size, void *data)
{
  unsigned long long *adds = data;
  struct range part;
  (void) size;

  if (*adds == 0)
    gomp_store_relaxed (&xro_last, find_last ());	/* relaxed: see gomp_modules_dirty */
  *adds = info->dlpi_adds;
  if (is_executable (info))
    return 0;
  for (unsigned i = 0; i < info->dlpi_phnum; i++)
    if (read_only_part (info, i, &part))
      {
	if (num_read_only == cap_read_only)
	  {
	    cap_read_only = 2 * cap_read_only + 32;
	    read_only = gomp_realloc_array (read_only, cap_read_only, sizeof (*read_only));
	  }
	read_only[num_read_only++] = part;
      }
  return 0;
}

static int
compare_ranges (const void *a, const void *b)
{
  uint64_t p = ((const struct range *) a)->start, q = ((const struct range *) b)->start;
  return (p > q) - (p < q);
}

static int
read_only_in_module (struct dl_phdr_info *info, size_t size, void *data)
{
  const struct range *r = data;
  struct range part;
  (void) size;

  for (unsigned i = 0; i < info->dlpi_phnum; i++)
    if (read_only_part (info, i, &part) && r->start >= part.start && r->end <= part.end)
      return 1;
  return 0;
}

void
gomp_read_only_refresh (void)
{
  unsigned long long now[2] = { 0, 0 }, adds = 0;
  /* Relaxed, all three: see gomp_modules_dirty.  */
  const struct link_map *last = gomp_load_relaxed (&xro_last);
  if (gomp_likely (last != NULL && is_last (last)))
    return;
  dl_iterate_phdr (get_counters, now);
  if (now[0] == gomp_load_relaxed (&xro_adds))
    return;
  int saved = errno;
  gomp_mutex_lock (&read_only_lock);
  num_read_only = 0;
  dl_iterate_phdr (list_read_only, &adds);
  if (num_read_only > 0)
    qsort (read_only, num_read_only, sizeof (*read_only), compare_ranges);
  gomp_store_relaxed (&xro_adds, adds);
  gomp_mutex_unlock (&read_only_lock);
  errno = saved;
}

bool
gomp_memory_read_only (uintptr_t start, uintptr_t end)
{
  struct range r = { start, end };

  if (gomp_unlikely (gomp_executable_read_only (start, end)))
    return true;
  gomp_mutex_lock (&read_only_lock);
  size_t low = 0, high = num_read_only;
  while (low < high)
    {
      size_t middle = (low + high) / 2;
      if (read_only[middle].start <= start)
	low = middle + 1;
      else
	high = middle;
    }
  /* A part may lie in another one.  */
  bool found = false;
  for (size_t i = low; i > 0 && i + 2 > low; i--)
    found |= end <= read_only[i - 1].end;
  gomp_mutex_unlock (&read_only_lock);
  return gomp_unlikely (found) && dl_iterate_phdr (read_only_in_module, &r) != 0;
}

void
gomp_read_only_after_fork (void)
{
  /* Relaxed, all of it: there is no other thread.  The list of one that was making it is half done,
     and its block may be no longer one.  */
  if (gomp_load_relaxed (&read_only_lock) != GOMP_MUTEX_INIT)
    {
      gomp_store_relaxed (&read_only_lock, GOMP_MUTEX_INIT);
      read_only = NULL;
      cap_read_only = 0;
    }
  num_read_only = 0;
  gomp_store_relaxed (&xro_last, NULL);
  gomp_store_relaxed (&xro_adds, 0);
}

/* ---- one module ---- */

/* Find the sections; FOUND[i] is empty where a section does not exist, FOUND[TABLES] is .data.
   NULL or what is wrong.  */
static const char *
find_sections (struct gomp_elf *f, struct range found[TABLES + 1])
{
  memset (found, 0, (TABLES + 1) * sizeof (found[0]));
  const char *wrong = gomp_elf_read_sections (f);
  if (wrong != NULL)
    return wrong;
  for (uint64_t i = 0; i < f->num_sections; i++)
    {
      const ElfW (Shdr) *s = &f->sections[i];
      if (!(s->sh_flags & SHF_ALLOC) || s->sh_name >= f->names_size)
	continue;
      for (int t = 0; t < TABLES; t++)
	if (strcmp (f->names + s->sh_name, section_names[t]) == 0)
	  {
	    if (s->sh_size > MAX_TABLE)
	      return "a table of regions or variables is impossibly long";
	    found[t] = (struct range) { s->sh_addr, s->sh_addr + s->sh_size };
	  }
      if (strcmp (f->names + s->sh_name, ".data") == 0)
	found[TABLES] = (struct range) { s->sh_addr, s->sh_addr + s->sh_size };
    }
  return NULL;
}

/* The extent of the module in memory.  */
static void
module_extent (const struct dl_phdr_info *info, struct gomp_image_desc *desc)
{
  desc->load_base = info->dlpi_addr;
  desc->start = UINT64_MAX;
  for (unsigned i = 0; i < info->dlpi_phnum; i++)
    {
      const ElfW (Phdr) *p = &info->dlpi_phdr[i];
      if (p->p_type != PT_LOAD)
	continue;
      uint64_t from = info->dlpi_addr + p->p_vaddr;
      if (from < desc->start)
	desc->start = from;
      if (from + p->p_memsz > desc->end)
	desc->end = from + p->p_memsz;
    }
}

enum outcome { READ_DONE, READ_LATER };

/* The sections at FOUND (link-time addresses) as tables of DESC.  */
static const char *
read_tables (const struct dl_phdr_info *info, const struct range found[TABLES],
	     struct gomp_image_desc *desc, enum outcome *outcome)
{
  const void *start[TABLES];
  size_t bytes[TABLES];

  for (int t = 0; t < TABLES; t++)
    {
      uint64_t from = info->dlpi_addr + found[t].start, to = info->dlpi_addr + found[t].end;
      bytes[t] = to - from;
      start[t] = bytes[t] != 0 ? (const void *) from : NULL;
      if (bytes[t] != 0 && !gomp_elf_segment_holds (info, from, to, PF_R))
	return "a table of regions or variables is not in memory";
    }
  const char *wrong = gomp_image_copy_tables (desc, start[FUNCS], bytes[FUNCS], start[VARS],
					      bytes[VARS], start[INDS], bytes[INDS]);
  if (wrong != NULL)
    return wrong;

  /* A module that is not relocated has link-time addresses, or nothing, in its tables.  */
  for (size_t i = 0; i < desc->num_funcs; i++)
    if (!gomp_elf_segment_holds (info, desc->host_funcs[i], desc->host_funcs[i] + 1, PF_X))
      *outcome = READ_LATER;
  for (size_t i = 0; i < desc->num_vars; i++)
    if (desc->host_vars[i].host_addr == 0
	|| (info->dlpi_addr != 0 && desc->host_vars[i].host_addr < info->dlpi_addr
	    && desc->host_vars[i].host_addr < desc->end - desc->start))
      *outcome = READ_LATER;
  return NULL;
}

/* The module's __dso_handle, a hidden variable of the compiler's start-up code: it is the first
   thing in .data that points to itself.  NULL: not found.  */
static void *
find_dso_handle (const struct dl_phdr_info *info, const struct range *data)
{
  uint64_t from = info->dlpi_addr + data->start, to = info->dlpi_addr + data->end;
  if (from % 8 != 0 || !gomp_elf_segment_holds (info, from, to, PF_R))
    return NULL;
  for (uint64_t at = from; at + 8 <= to && at < from + 128; at += 8)
    if (*(const uint64_t *) at == at)
      return (void *) at;
  return NULL;
}

static void
tell_unread (const char *name, const char *wrong)
{
  gomp_error ("the tables of %s cannot be read, its target regions run on the host: %s", name, wrong);
}

/* GCC 16 and newer, when they optimise, put 1 for omp_is_initial_device in code for the host.  A module that calls
   it was compiled otherwise, at least in part; and so may be one that other compilers have a part in.  */
static void
note_folding (const struct gomp_elf *f, const struct dl_phdr_info *info, const char *name)
{
  /* Relaxed: under the lock.  */
  unsigned gcc = gomp_load_relaxed (&xfolding_gcc) == 0 ? gomp_elf_oldest_gcc (f) : 0;
  if (gcc < 16 || !gomp_elf_imports (info, "GOMP_target_ext")
      || gomp_elf_imports (info, "omp_is_initial_device")
      || gomp_elf_imports (info, "omp_is_initial_device_"))
    return;
  folding_name = gomp_strdup (name);
  gomp_store_release (&xfolding_gcc, gcc);	/* release: the name */
}

unsigned
gomp_modules_folding (const char **name)
{
  unsigned gcc = gomp_load_acquire (&xfolding_gcc);	/* acquire: the name */
  *name = gcc != 0 ? folding_name : NULL;
  return gcc;
}

/* Look into a module that was not known.  *IMAGE is NULL when it has no tables, or *UNREAD.  */
static enum outcome
read_module (const struct dl_phdr_info *info, struct gomp_image **image, void **dso_handle, bool *unread)
{
  struct gomp_elf f;
  struct range found[TABLES + 1];
  struct gomp_image_desc desc = { .kind = GOMP_IMAGE_HOST };
  enum outcome outcome = READ_DONE;
  bool main_program = *info->dlpi_name == 0;
  char path[PATH_MAX];

  *image = NULL;
  const char *wrong = gomp_elf_open (&f, info, path);
  if (wrong != NULL)
    {
      /* Most libraries have no regions, and those that have them ask for one of ours.  */
      *unread = main_program || gomp_elf_imports (info, "GOMP_target_ext");
      if (*unread)
	tell_unread (main_program ? "the program" : *path ? path : info->dlpi_name, wrong);
      else
	gomp_debug (1, "%s: %s", info->dlpi_name, wrong);
      return READ_DONE;
    }
  wrong = find_sections (&f, found);
  if (gomp_info_enabled && wrong == NULL && found[FUNCS].start != found[FUNCS].end)
    note_folding (&f, info, main_program ? "the program" : path);
  gomp_elf_close (&f);
  if (wrong == NULL && found[FUNCS].start == found[FUNCS].end
      && found[VARS].start == found[VARS].end && found[INDS].start == found[INDS].end)
    return READ_DONE;
  if (wrong == NULL)
    {
      module_extent (info, &desc);
      wrong = read_tables (info, found, &desc, &outcome);
    }
  if (wrong != NULL)
    {
      *unread = true;
      gomp_image_free_tables (&desc);
      tell_unread (main_program ? "the program" : path, wrong);
      return READ_DONE;
    }
  if (outcome == READ_LATER)
    {
      gomp_image_free_tables (&desc);
      return outcome;
    }
  desc.path = gomp_strdup (main_program ? "" : path);
  gomp_debug (1, "module %s: %zu regions, %zu variables, %zu indirect functions",
	      main_program ? "(program)" : path, desc.num_funcs, desc.num_vars,
	      desc.num_ind_funcs);
  *dso_handle = find_dso_handle (info, &found[TABLES]);
  *image = gomp_image_add (&desc, NULL);
  return outcome;
}

/* ---- all modules ---- */

/* The destructors of the module SERIAL run: it is being unloaded, or the process ends.  A scan would
   find an unloaded module, too, but not if it were loaded again at the same address meanwhile.  */
static void
module_leaves (void *serial)
{
  int saved = errno;
  if (gomp_ends_without_memory ())
    return;			/* as in GOMP_offload_unregister_ver */
  gomp_images_lock ();
  for (struct module **p = &modules; *p != NULL; p = &(*p)->next)
    if ((*p)->serial == (uintptr_t) serial)
      {
	struct module *m = *p;
	*p = m->next;
	gomp_image_remove (m->image);
	free (m->name);
	free (m);
	/* It is not gone yet: a scan before it is would make it known again, until the next one.  */
	break;
      }
  gomp_images_unlock ();
  errno = saved;
}

int __cxa_atexit (void (*) (void *), void *, void *);

void
gomp_modules_look_again (void)
{
  gomp_store_relaxed (&xadds, 0);	/* relaxed: see gomp_modules_dirty */
  gomp_store_relaxed (&xlast, NULL);
}

void
gomp_modules_keep (const void *handle)
{
  gomp_store_relaxed (&xkept, handle);	/* relaxed: see find_last */
}

bool
gomp_module_may_have_left (const struct gomp_image *image)
{
  unsigned long long now[2] = { 0, 0 };
  gomp_images_lock ();
  const struct module *m = modules;
  while (m != NULL && m->image != image)
    m = m->next;
  dl_iterate_phdr (get_counters, now);
  bool left = m == NULL || m->subs != now[1];
  gomp_images_unlock ();
  return left;
}

/* gompx's place on the loader's list; NULL: not known.  Set before the first scan.  */
static _Atomic (struct link_map *) xown;

void
gomp_modules_prepare (void)
{
  Dl_info info;
  struct link_map *own;
  gomp_check_loader ();
  /* Relaxed: every thread would store the same.  */
  if (gomp_load_relaxed (&xown) == NULL
      && dladdr1 ((void *) gomp_modules_prepare, &info, (void **) &own, RTLD_DL_LINKMAP) != 0)
    gomp_store_relaxed (&xown, own);
}

struct scan
{
  unsigned long long adds, subs;
  struct link_map *last;	/* what becomes xlast */
  bool complete;
};

/* Rule 4.  The list changes only when nobody is inside dl_iterate_phdr.  */
static struct link_map * READS_LOADERS_LIST
find_last (void)
{
  struct link_map *own = gomp_load_relaxed (&xown);	/* relaxed: its list changes only under the loader's lock */
  if (own == NULL)
    return NULL;
  while (own->l_next != NULL)
    own = own->l_next;
  uint64_t loader = getauxval (AT_BASE);
  /* Relaxed: set before there are devices, which is before the scan of anybody who would miss it.  */
  return ((loader != 0 && own->l_addr == loader) || own == gomp_load_relaxed (&xkept)) ? own : NULL;
}

static int
scan_one (struct dl_phdr_info *info, size_t size, void *data)
{
  struct scan *scan = data;
  (void) size;

  if (scan->adds == 0)
    scan->last = find_last ();
  scan->adds = info->dlpi_adds;
  scan->subs = info->dlpi_subs;
  for (struct module *m = modules; m != NULL; m = m->next)
    if (m->base == info->dlpi_addr && m->phdr == info->dlpi_phdr && m->phnum == info->dlpi_phnum
	&& strcmp (m->name, info->dlpi_name) == 0)
      {
	if (m->subs != info->dlpi_subs && gomp_image_failed (m->image))
	  {
	    /* Found when it was about to go, too late for a device, and now there again.  */
	    if (!gomp_image_retry (m->image))
	      break;
	    m->subs = info->dlpi_subs;
	  }
	m->seen = true;
	return 0;
      }

  struct gomp_image *image = NULL;
  void *dso_handle = NULL;
  bool unread = false;
  /* The kernel's virtual library has no file.  */
  uint64_t vdso = getauxval (AT_SYSINFO_EHDR);
  if ((vdso == 0 || !gomp_elf_segment_holds (info, vdso, vdso + 1, 0))
      && read_module (info, &image, &dso_handle, &unread) == READ_LATER)
    {
      scan->complete = false;
      return 0;
    }
  struct module *m = gomp_calloc (1, sizeof (*m));
  m->name = gomp_strdup (info->dlpi_name);
  m->base = info->dlpi_addr;
  m->phdr = info->dlpi_phdr;
  m->phnum = info->dlpi_phnum;
  m->subs = info->dlpi_subs;
  m->seen = true;
  m->image = image;
  m->unread = unread;
  m->next = modules;
  modules = m;
  /* Also those of the first scan: the library may itself have been loaded late, with one that is
     closed again.  At the end of the process they come after the destructors of these modules,
     since that scan is the library's constructor's.  */
  if (image != NULL && dso_handle != NULL && !is_executable (info))
    {
      m->serial = ++last_serial;
      __cxa_atexit (module_leaves, (void *) m->serial, dso_handle);
    }
  return 0;
}

void
gomp_modules_scan (void)
{
  struct scan scan = { .complete = true };

  if (!gomp_modules_dirty ())
    return;
  int saved = errno;
  for (struct module *m = modules; m != NULL; m = m->next)
    m->seen = false;
  dl_iterate_phdr (scan_one, &scan);
  if (scan.complete)
    {
      gomp_store_relaxed (&xadds, scan.adds);	/* relaxed: see gomp_modules_dirty */
      gomp_store_relaxed (&xsubs, scan.subs);
    }
  gomp_store_relaxed (&xlast, scan.complete ? scan.last : NULL);
  /* Removing an image may release the lock for a while: take the list apart first.  */
  struct module *gone = NULL;
  for (struct module **p = &modules; *p != NULL; )
    if ((*p)->seen)
      p = &(*p)->next;
    else
      {
	struct module *m = *p;
	*p = m->next;
	m->next = gone;
	gone = m;
      }
  while (gone != NULL)
    {
      struct module *m = gone;
      gone = m->next;
      if (m->image != NULL)
	gomp_image_remove (m->image);
      free (m->name);
      free (m);
    }
  errno = saved;
}

static bool
any_unread (void)
{
  for (const struct module *m = modules; m != NULL; m = m->next)
    if (m->unread)
      return true;
  return false;
}

bool
gomp_modules_unread (void)
{
  if (gomp_likely (!any_unread ()))
    return false;
  /* It may have been closed since, which nobody tells.  */
  gomp_modules_look_again ();
  gomp_modules_scan ();
  return any_unread ();
}

/* Set variables tell that a device which runs host code may be asked for.  The tables of
   start-up modules are read before the program can change its root directory.  */
bool GOMP_STARTUP
gomp_modules_init (void)
{
  const char *cpu = gomp_getenv ("GOMP_CPU_DEVICES", false);
  if ((cpu == NULL || *cpu == 0 || strcmp (cpu, "0") == 0) && gomp_getenv ("GOMP_PLUGINS", false) == NULL)
    return false;
  bool regions = false;
  gomp_modules_prepare ();
  gomp_images_lock ();
  gomp_modules_scan ();
  for (const struct module *m = modules; m != NULL; m = m->next)
    regions |= m->image != NULL;
  gomp_images_unlock ();
  return regions;
}
