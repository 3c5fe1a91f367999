/* cpu-file.c -- in the worker: the files of modules that were opened for the host.

   The worker closes a module later than the program does: when the device gets the next one.  By
   then somebody may have written into the file, as cp does where the file is there already.  What a
   process has mapped of a file changes with it, and where cp cuts the file short even what the loader
   has stored there is lost: neither the module's destructors nor the loader's own tables could be
   used any more.  So the memory of a module is set apart from its file as soon as it has been opened.

   The loader takes a file by its number for the module that it has, as long as it has that: then what
   is in the file now cannot be loaded.  Whether it is another one is seen by its contents, since one
   that was just touched may go on.

   All of this is for the thread that serves control commands.  */

#define _GNU_SOURCE 1
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plugin/cpu-common.h"
#include "plugin/cpu-worker.h"

#define MOST_BYTES (UINT64_C (64) << 20)	/* of a module: larger ones are left to the file */
#define MOST_PARTS 32

static struct file
{
  uint64_t base, start, end;
  uint64_t device, inode;	/* as /proc/PID/maps has them */
  char *name;
  int fd;			/* keeps its number from being another file's; -1: none */
  struct stat st;
  uint64_t contents;		/* 0: not known */
  bool apart;			/* the module's memory is its own */
  bool there;			/* used by forget_gone */
} *files;
static size_t num_files, max_files;

/* ---- contents ---- */

/* A number for what FD has; 0: it is too long, or cannot be read.  */
static uint64_t
contents_of (int fd, const struct stat *st)
{
  enum { BLOCK = 65536 };
  uint64_t *block = (uint64_t) st->st_size <= MOST_BYTES ? malloc (BLOCK) : NULL;
  uint64_t sum = UINT64_C (0xcbf29ce484222325);
  ssize_t n = block != NULL ? 0 : -1;
  for (off_t at = 0; block != NULL && (n = pread (fd, block, BLOCK, at)) > 0; at += n)
    {
      memset ((char *) block + n, 0, -n & 7);
      for (ssize_t i = 0; i < (n + 7) / 8; i++)
	sum = ((sum ^ block[i]) * UINT64_C (0x100000001b3)) ^ sum >> 47;
    }
  free (block);
  return n < 0 ? 0 : sum | 1;
}

static struct file *
file_at (uint64_t base)
{
  for (size_t i = 0; i < num_files; i++)
    if (files[i].base == base)
      return &files[i];
  return NULL;
}

bool
gomp_cpu_file_number (uint64_t base, uint64_t *device, uint64_t *inode)
{
  const struct file *f = file_at (base);
  if (f == NULL)
    return false;
  *device = f->device;
  *inode = f->inode;
  return true;
}

bool
gomp_cpu_file_overwritten (uint64_t base, bool *lost)
{
  struct file *f = file_at (base);
  struct stat st;
  *lost = false;
  if (f == NULL || f->fd < 0 || fstat (f->fd, &st) != 0
      || (st.st_size == f->st.st_size && st.st_ctim.tv_sec == f->st.st_ctim.tv_sec
	  && st.st_ctim.tv_nsec == f->st.st_ctim.tv_nsec))
    return false;
  /* The same may have been written again: what the loader has stored is lost all the same.  */
  *lost = !f->apart && (st.st_mtim.tv_sec != f->st.st_mtim.tv_sec
			|| st.st_mtim.tv_nsec != f->st.st_mtim.tv_nsec);
  if (f->contents == 0 || contents_of (f->fd, &st) != f->contents)
    return true;
  if (!*lost)
    f->st = st;
  return false;
}

/* ---- setting apart ---- */

struct part
{
  char *start, *copy;
  size_t size;
  int prot;
};

/* What is mapped of F's file, into PART; 0: nothing, or it cannot be set apart.  */
static unsigned
find_parts (const struct file *f, struct part part[MOST_PARTS])
{
  unsigned n = 0;
  uint64_t bytes = 0;
  char line[512];
  bool start_of_line = true, fits = true;
  FILE *maps = fopen ("/proc/self/maps", "re");
  while (maps != NULL && fits && fgets (line, sizeof (line), maps) != NULL)
    {
      unsigned long from, to, inode;
      unsigned major, minor;
      char rights[5];
      if (start_of_line
	  && sscanf (line, "%lx-%lx %4s %*s %x:%x %lu", &from, &to, rights, &major, &minor,
		     &inode) == 6
	  && from >= (f->start & -(uint64_t) GOMP_CPU_PAGE) && from < f->end
	  && inode == f->inode && ((uint64_t) major << 32 | minor) == f->device
	  && strncmp (rights, "---", 3) != 0)
	{
	  bytes += to - from;
	  fits = n < MOST_PARTS && rights[0] == 'r' && rights[3] == 'p' && bytes <= MOST_BYTES;
	  if (fits)
	    part[n++] = (struct part) {
	      .start = (char *) from, .size = to - from,
	      .prot = PROT_READ | (rights[1] == 'w' ? PROT_WRITE : 0)
		      | (rights[2] == 'x' ? PROT_EXEC : 0)
	    };
	}
      start_of_line = strchr (line, '\n') != NULL;
    }
  if (maps != NULL)
    fclose (maps);
  return fits ? n : 0;
}

/* As memcpy, for memory in which a sanitizer has put what nobody is to read.  */
static void GOMP_CPU_BARE
copy_pages (uint64_t *to, const uint64_t *from, size_t bytes)
{
  for (size_t i = 0; i < bytes / sizeof (*to); i++)
    {
      to[i] = from[i];
      __asm__ volatile ("" : : : "memory");	/* no call in its place */
    }
}

/* Nothing runs in F's module, and nothing else changes its data.  */
static bool
set_apart (const struct file *f)
{
  struct part part[MOST_PARTS];
  unsigned n = find_parts (f, part), have = 0;
  for (bool well = true; well && have < n; have += well)
    {
      struct part *p = &part[have];
      p->copy = mmap (NULL, p->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      well = p->copy != MAP_FAILED;
      if (!well)
	break;
      copy_pages ((uint64_t *) p->copy, (const uint64_t *) p->start, p->size);
      /* Some systems let no process execute what it has written.  */
      well = mprotect (p->copy, p->size, p->prot) == 0;
      if (!well)
	munmap (p->copy, p->size);
    }
  bool all = n != 0 && have == n;
  for (unsigned i = 0; i < have; i++)
    if (!all || mremap (part[i].copy, part[i].size, part[i].size, MREMAP_MAYMOVE | MREMAP_FIXED,
			part[i].start) == MAP_FAILED)
      {
	all = false;
	munmap (part[i].copy, part[i].size);
      }
  return all;
}

/* ---- opening and closing ---- */

struct scan
{
  unsigned seen, known;
};

static int
note_new (struct dl_phdr_info *info, size_t size, void *data)
{
  struct scan *scan = data;
  (void) size;
  if (scan->seen++ < scan->known || info->dlpi_name == NULL || *info->dlpi_name == '\0')
    return 0;
  if (num_files == max_files)
    {
      size_t max = max_files != 0 ? 2 * max_files : 16;
      void *more = reallocarray (files, max, sizeof (*files));
      if (more == NULL)
	return 0;		/* as for what came otherwise */
      files = more;
      max_files = max;
    }
  struct file *f = &files[num_files];
  *f = (struct file) { .base = info->dlpi_addr, .name = strdup (info->dlpi_name),
		       .fd = -1 };
  gomp_cpu_module_extent (info, &f->start, &f->end);
  num_files += f->name != NULL;
  return 0;
}

static int
count (struct dl_phdr_info *info, size_t size, void *data)
{
  (void) info;
  (void) size;
  ++*(unsigned *) data;
  return 0;
}

static unsigned
count_threads (void)
{
  struct stat st;
  return stat ("/proc/self/task", &st) == 0 ? st.st_nlink : 0;
}

void
gomp_cpu_files_before (struct gomp_cpu_files *before)
{
  before->modules = 0;
  dl_iterate_phdr (count, &before->modules);
  before->threads = count_threads ();
}

void
gomp_cpu_files_after (const struct gomp_cpu_files *before)
{
  struct scan scan = { 0, before->modules };
  size_t first = num_files;
  dl_iterate_phdr (note_new, &scan);
  /* A constructor may have started a thread, which changes data just now.  */
  bool quiet = before->threads != 0 && count_threads () == before->threads;
  for (size_t i = first; i < num_files; i++)
    {
      struct file *f = &files[i];
      gomp_cpu_mapped_file (f->start, &f->device, &f->inode);
      f->fd = open (f->name, O_RDONLY | O_CLOEXEC);
      if (f->fd < 0 || fstat (f->fd, &f->st) != 0)
	continue;
      f->contents = contents_of (f->fd, &f->st);
      f->apart = quiet && f->inode != 0 && set_apart (f);
    }
}

static int
note_there (struct dl_phdr_info *info, size_t size, void *data)
{
  (void) size;
  (void) data;
  for (size_t i = 0; i < num_files; i++)
    files[i].there |= files[i].base == info->dlpi_addr
		      && strcmp (files[i].name, info->dlpi_name) == 0;
  return 0;
}

void
gomp_cpu_files_closed (void)
{
  for (size_t i = 0; i < num_files; i++)
    files[i].there = false;
  dl_iterate_phdr (note_there, NULL);
  for (size_t i = 0; i < num_files; )
    if (files[i].there)
      i++;
    else
      {
	if (files[i].fd >= 0)
	  close (files[i].fd);
	free (files[i].name);
	files[i] = files[--num_files];
      }
}
