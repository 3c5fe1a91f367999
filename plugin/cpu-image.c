/* cpu-image.c -- where the program's functions and variables are in the worker.

   Both processes have the same modules (executable and shared objects), at different
   addresses: an address is translated by what its module was moved by.  The worker has what
   is loaded at start-up; a module that the program opened later is opened there, too, when
   its image is loaded (which runs the module's constructors there).  A file that has taken the
   place of another one under the same name is another module: what counts is the file that the
   program has mapped.

   A module is closed there when no image has an address in it any more, and all that was in the
   queues when the last one was unloaded has been done.  Until then it stays.  The core unloads an
   image after its last deferred region.

   A table entry need not point into its own module: a variable of a shared object that a
   non-PIC executable refers to is in the executable (copy relocation), and a symbol may be
   preempted.  So every address is translated by the module that contains it.

   Variables are the worker's own, initialised by its static initialisers, as on a GPU.  They
   are not in the shared memory: the host copies them by commands of the queue.  Putting their
   pages there would need the whole page, with unrelated variables that other threads of the
   worker may be writing at that moment.

   Regions access a link variable itself, not through a pointer as compilers for GPUs do
   (GOMP_CAP_LINK_IN_PLACE).  */

#define _GNU_SOURCE 1
#include <elf.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>

#include "plugin/cpu-device.h"

struct gomp_plugin_image
{
  struct gomp_plugin_device *dev;
  struct gomp_plugin_image *next;	/* protected by dev->lock */
  size_t num_funcs, num_vars;
  uint64_t *funcs;		/* in the worker */
  /* The same by address, made at the first call of the host; protected by dev->lock.  */
  struct called { uint64_t addr; size_t index; } *called;
  struct { uint64_t addr, size; } *vars;
  /* Where its addresses are; each counts it in images.  Protected by control_lock.  */
  struct gomp_cpu_module **modules;
  size_t num_modules;
};

/* ---- modules ---- */

struct module_query
{
  uint64_t inside;		/* in: an address */
  char path[PATH_MAX];		/* out; a copy, since the module may go at any time */
  uint64_t base, start, end;
  uint8_t id[32];
  uint64_t device, inode;
  unsigned seen;
};

static int
look_inside (struct dl_phdr_info *info, size_t size, void *data)
{
  struct module_query *q = data;
  uint64_t start, end;
  (void) size;
  bool first = q->seen++ == 0;
  gomp_cpu_module_extent (info, &start, &end);
  if (q->inside < start || q->inside >= end)
    return 0;
  snprintf (q->path, sizeof (q->path), "%s", first ? "" : info->dlpi_name);
  q->base = info->dlpi_addr;
  q->start = start;
  q->end = end;
  gomp_cpu_module_id (info, q->id);
  return 1;
}

/* Ask the worker for the module that Q describes, by the name PATH.  control_lock is held.  */
static gomp_status_t
ask_worker (struct gomp_plugin_device *dev, const struct module_query *q, const char *path,
	    uint64_t *base)
{
  struct gomp_cpu_module_key *key = (struct gomp_cpu_module_key *) gomp_cpu_stage (dev, 0);
  size_t length = strlen (path) + 1;
  if (length > GOMP_CPU_STAGE - sizeof (*key))
    {
      gomp_cpu_core->set_error ("the path of a shared object is too long");
      return GOMP_INVALID;
    }
  memcpy (key->id, q->id, sizeof (key->id));
  key->extent = q->end - q->start;
  key->device = q->device;
  key->inode = q->inode;
  memcpy (key->path, path, length);
  struct gomp_cpu_command command = { .verb = GOMP_CPU_MODULE };
  gomp_status_t status = gomp_cpu_control (dev, &command);
  if (status != GOMP_OK)
    return status;

  struct gomp_cpu_slot *answer = gomp_cpu_slot_at (dev->shared, 0);
  const char *name = *path ? path : "the executable";
  /* Once.  */
  int error = *(volatile int32_t *) &answer->status;
  if (error == ESTALE)
    {
      gomp_cpu_core->set_error ("%s has changed since the program loaded it", name);
      return GOMP_BAD_IMAGE;
    }
  if (error == ETXTBSY)
    {
      gomp_cpu_core->set_error ("%s was overwritten while the worker process still uses what was in it: "
				"replace such files by other ones (mv, install)", name);
      return GOMP_BAD_IMAGE;
    }
  if (error != 0)
    {
      gomp_cpu_core->set_error ("the worker process cannot load %s: %.200s", name, answer->text);
      return GOMP_BAD_IMAGE;
    }
  *base = answer->value[0];
  return GOMP_OK;
}

static bool
no_id (const uint8_t id[static 32])
{
  static const uint8_t none[32];
  return memcmp (id, none, sizeof (none)) == 0;
}

/* Only the worker can tell what is in a file without a build-id that has been written to.  */
static bool
same_contents (const struct gomp_cpu_module *m)
{
  struct stat st;
  return !no_id (m->id) || *m->name == '\0' || stat (m->name, &st) != 0
	 || (st.st_size == m->st.st_size && st.st_ctim.tv_sec == m->st.st_ctim.tv_sec
	     && st.st_ctim.tv_nsec == m->st.st_ctim.tv_nsec);
}

static bool
same_module (const struct gomp_cpu_module *m, const struct module_query *q)
{
  return (m->host_base == q->base && m->host_start == q->start && m->host_end == q->end
	  && strcmp (m->name, q->path) == 0 && memcmp (m->id, q->id, sizeof (m->id)) == 0
	  && m->device == q->device && m->inode == q->inode && same_contents (m));
}

/* The module that contains ADDR in the host, as the worker has it.  PATH is its absolute path if
   the caller knows it, else NULL.  control_lock is held.  */
static gomp_status_t
module_at (struct gomp_plugin_device *dev, uint64_t addr, const char *path,
	   struct gomp_cpu_module **module)
{
  struct module_query q;
  q.inside = addr;
  q.seen = 0;
  if (dl_iterate_phdr (look_inside, &q) == 0)
    {
      gomp_cpu_core->set_error ("no loaded module contains the address %#llx",
				(unsigned long long) addr);
      return GOMP_INVALID;
    }
  /* The executable stays.  */
  q.device = q.inode = 0;
  if (*q.path != '\0')
    gomp_cpu_mapped_file (q.start, &q.device, &q.inode);
  for (struct gomp_cpu_module *m = dev->modules; m != NULL; m = m->next)
    if (same_module (m, &q))
      {
	*module = m;
	return GOMP_OK;
      }

  /* The worker is in another directory.  */
  char *absolute = NULL;
  if (path == NULL)
    path = *q.path == '\0' || *q.path == '/' ? q.path : (absolute = realpath (q.path, NULL));
  uint64_t base = 0;
  gomp_status_t status = ask_worker (dev, &q, path ? path : q.path, &base);
  free (absolute);
  if (status != GOMP_OK)
    return status;

  /* Without memory the worker has it once too often, and keeps it.  */
  struct gomp_cpu_module *m = calloc (1, sizeof (*m));
  if (m == NULL || (m->name = strdup (q.path)) == NULL)
    {
      free (m);
      gomp_cpu_core->set_error ("out of host memory");
      return GOMP_OUT_OF_HOST_MEMORY;
    }
  m->host_base = q.base;
  m->host_start = q.start;
  m->host_end = q.end;
  memcpy (m->id, q.id, sizeof (m->id));
  m->device = q.device;
  m->inode = q.inode;
  if (stat (q.path, &m->st) != 0)
    memset (&m->st, 0, sizeof (m->st));
  m->worker_base = base;
  pthread_mutex_lock (&dev->lock);
  m->next = dev->modules;
  dev->modules = m;
  pthread_mutex_unlock (&dev->lock);
  *module = m;
  return GOMP_OK;
}

uint64_t
gomp_cpu_host_code (struct gomp_plugin_device *dev, uint64_t addr)
{
  /* The newest first: the program may have closed a module and opened it again elsewhere.  */
  for (const struct gomp_cpu_module *m = dev->modules; m != NULL; m = m->next)
    {
      uint64_t host = addr - m->worker_base + m->host_base;
      if (host >= m->host_start && host < m->host_end)
	return host;
    }
  return 0;
}

/* What was in the queues at some time: an event for each of them.  */
struct gomp_cpu_mark
{
  unsigned num;
  struct gomp_plugin_event *event[];
};

static void
free_mark (struct gomp_cpu_mark *mark)
{
  for (unsigned i = 0; mark != NULL && i < mark->num; i++)
    gomp_cpu_event_destroy (mark->event[i]);
  free (mark);
}

/* NULL: no memory, or the device is lost.  */
static struct gomp_cpu_mark *
mark_queues (struct gomp_plugin_device *dev)
{
  /* Acquire: the queues.  */
  unsigned n = atomic_load_explicit (&dev->xnum_queues, memory_order_acquire);
  struct gomp_cpu_mark *mark = malloc (sizeof (*mark) + n * sizeof (mark->event[0]));
  if (mark == NULL)
    return NULL;
  for (mark->num = 0; mark->num < n; )
    {
      struct gomp_plugin_event **event = &mark->event[mark->num];
      /* The core's view comes first.  */
      struct gomp_plugin_queue *queue = (struct gomp_plugin_queue *) dev->queues[mark->num + 1];
      if (gomp_cpu_event_create (dev, event) != GOMP_OK)
	break;
      mark->num++;
      if (gomp_cpu_event_record (queue, *event) != GOMP_OK)
	break;
      if (mark->num == n)
	return mark;
    }
  if (n == 0)
    return mark;
  free_mark (mark);
  return NULL;
}

static bool
mark_has_passed (const struct gomp_cpu_mark *mark)
{
  for (unsigned i = 0; i < mark->num; i++)
    {
      const struct gomp_plugin_event *e = mark->event[i];
      /* Acquire: what was done before.  */
      if ((int32_t) (atomic_load_explicit (e->word, memory_order_acquire) - e->target) < 0)
	return false;
    }
  return true;
}

/* Let the worker close what no image is in any more, where nothing can be under way in it.
   control_lock is held.  */
static gomp_status_t
close_left (struct gomp_plugin_device *dev)
{
  gomp_status_t status = GOMP_OK;
  /* Perhaps nobody has looked at the queues.  */
  for (const struct gomp_cpu_module *m = dev->modules; m != NULL; m = m->next)
    if (m->left != NULL && !mark_has_passed (m->left))
      {
	gomp_cpu_progress (dev);
	break;
      }
  for (struct gomp_cpu_module **p = &dev->modules, *m; (m = *p) != NULL && status == GOMP_OK; )
    {
      if (m->left == NULL || !mark_has_passed (m->left))
	{
	  p = &m->next;
	  continue;
	}
      /* On a lost device all queues have passed; it is not told.  */
      struct gomp_cpu_command command = { .verb = GOMP_CPU_CLOSE };
      command.u.close.base = m->worker_base;
      pthread_mutex_lock (&dev->lock);
      *p = m->next;
      pthread_mutex_unlock (&dev->lock);
      free_mark (m->left);
      free (m->name);
      free (m);
      status = gomp_cpu_lost (dev) ? gomp_cpu_say_lost (dev) : gomp_cpu_control (dev, &command);
    }
  return status;
}

/* IMAGE has an address in M.  control_lock is held.  */
static gomp_status_t
enter_module (struct gomp_plugin_image *image, struct gomp_cpu_module *m)
{
  for (size_t i = 0; i < image->num_modules; i++)
    if (image->modules[i] == m)
      return GOMP_OK;
  struct gomp_cpu_module **modules = reallocarray (image->modules, image->num_modules + 1,
						   sizeof (*modules));
  if (modules == NULL)
    {
      gomp_cpu_core->set_error ("out of host memory");
      return GOMP_OUT_OF_HOST_MEMORY;
    }
  image->modules = modules;
  modules[image->num_modules++] = m;
  m->images++;
  free_mark (m->left);
  m->left = NULL;
  return GOMP_OK;
}

/* IMAGE is used no more.  control_lock is held.  */
static void
leave_modules (struct gomp_plugin_image *image)
{
  for (size_t i = 0; i < image->num_modules; i++)
    {
      struct gomp_cpu_module *m = image->modules[i];
      if (--m->images == 0 && *m->name != '\0')	/* the executable stays */
	m->left = mark_queues (image->dev);
    }
  image->num_modules = 0;
}

/* ---- images ---- */

struct translation
{
  struct gomp_plugin_device *dev;
  const struct gomp_image_desc *desc;
  struct gomp_plugin_image *image;
  struct gomp_cpu_module *last;	/* most addresses are in the same module */
};

static gomp_status_t
translate (struct translation *t, uint64_t host, uint64_t *worker)
{
  if (host == 0)
    {
      *worker = 0;		/* an entry without a function */
      return GOMP_OK;
    }
  if (t->last == NULL || host < t->last->host_start || host >= t->last->host_end)
    {
      bool own = host >= t->desc->start && host < t->desc->end;
      gomp_status_t status = module_at (t->dev, host, own ? t->desc->path : NULL, &t->last);
      if (status == GOMP_OK)
	status = enter_module (t->image, t->last);
      if (status != GOMP_OK)
	return status;
    }
  *worker = host - t->last->host_base + t->last->worker_base;
  return GOMP_OK;
}

/* Tell the worker what host addresses of functions with `indirect' mean.  control_lock is
   held.  */
static gomp_status_t
send_indirect (struct translation *t)
{
  const size_t most = GOMP_CPU_STAGE / (2 * sizeof (uint64_t));
  for (size_t at = 0, n; at < t->desc->num_ind_funcs; at += n)
    {
      n = t->desc->num_ind_funcs - at < most ? t->desc->num_ind_funcs - at : most;
      /* Translated first: that may use the stage itself.  */
      uint64_t *pairs = calloc (n, 2 * sizeof (*pairs));
      gomp_status_t status = pairs ? GOMP_OK : GOMP_OUT_OF_HOST_MEMORY;
      for (size_t i = 0; i < n && status == GOMP_OK; i++)
	{
	  pairs[2 * i] = t->desc->host_ind_funcs[at + i];
	  status = translate (t, pairs[2 * i], &pairs[2 * i + 1]);
	}
      if (status == GOMP_OK)
	{
	  memcpy (gomp_cpu_stage (t->dev, 0), pairs, n * 2 * sizeof (*pairs));
	  struct gomp_cpu_command command = { .verb = GOMP_CPU_INDIRECT };
	  command.u.indirect.count = n;
	  status = gomp_cpu_control (t->dev, &command);
	}
      free (pairs);
      if (status != GOMP_OK)
	return status;
    }
  return GOMP_OK;
}

/* What regions may change in a module: its writable segments without what is read-only once it has
   been loaded.  */
struct data_query
{
  uint64_t inside;		/* in: an address of the module; what follows is out */
  struct { uint64_t start, end; } part[4];
  unsigned parts;
  uint64_t skip_start, skip_end;	/* addresses of functions that it calls */
};

static int
find_data (struct dl_phdr_info *info, size_t size, void *arg)
{
  struct data_query *q = arg;
  uint64_t start, end, fixed = 0, got = 0, got_bytes = 0;
  const uint64_t page = GOMP_CPU_PAGE;
  (void) size;
  gomp_cpu_module_extent (info, &start, &end);
  if (q->inside < start || q->inside >= end)
    return 0;
  /* In a static program the library's own data is there, too.  Where the module has functions that
     the worker's handler calls, as with the library of a sanitizer in it, the handler would be
     watched.  */
  const uintptr_t used[] = {
    (uintptr_t) &gomp_cpu_core, (uintptr_t) memset, (uintptr_t) memcpy,
    (uintptr_t) mprotect, (uintptr_t) sigaction, (uintptr_t) clock_gettime
  };
  for (size_t i = 0; i < sizeof (used) / sizeof (used[0]); i++)
    if (used[i] >= start && used[i] < end)
      return 1;
  for (int i = 0; i < info->dlpi_phnum; i++)
    {
      const ElfW (Phdr) *p = &info->dlpi_phdr[i];
      if (p->p_type == PT_GNU_RELRO)
	fixed = (info->dlpi_addr + p->p_vaddr + p->p_memsz) & -page;
      const ElfW (Dyn) *d = (const void *) (info->dlpi_addr + p->p_vaddr);
      for (; p->p_type == PT_DYNAMIC && d->d_tag != DT_NULL; d++)
	if (d->d_tag == DT_PLTGOT)
	  got = d->d_un.d_ptr < info->dlpi_addr ? d->d_un.d_ptr + info->dlpi_addr : d->d_un.d_ptr;
	else if (d->d_tag == DT_PLTRELSZ)
	  got_bytes = d->d_un.d_val / sizeof (ElfW (Rela)) * sizeof (void *);
    }
  q->skip_start = got;
  q->skip_end = got != 0 ? got + 3 * sizeof (void *) + got_bytes : 0;
  for (int i = 0; i < info->dlpi_phnum && q->parts < sizeof (q->part) / sizeof (q->part[0]); i++)
    {
      const ElfW (Phdr) *p = &info->dlpi_phdr[i];
      start = (info->dlpi_addr + p->p_vaddr) & -page;
      end = (info->dlpi_addr + p->p_vaddr + p->p_memsz + page - 1) & -page;
      if (p->p_type != PT_LOAD || (p->p_flags & (PF_W | PF_X)) != PF_W)
	continue;
      if (fixed > start)
	start = fixed;
      if (start < end)
	{
	  q->part[q->parts].start = start;
	  q->part[q->parts++].end = end;
	}
    }
  return 1;
}

/* The mapping checker watches what regions use of the module's data.  Where that can't be done it
   knows less. control_lock is held.  */
static void
watch_data (struct translation *t)
{
  struct data_query q = { .inside = t->desc->start };
  struct gomp_cpu_module *m = NULL;
  if (dl_iterate_phdr (find_data, &q) == 0 || q.parts == 0
      || module_at (t->dev, q.inside, t->desc->path, &m) != GOMP_OK)
    return;
  for (unsigned i = 0; i < q.parts; i++)
    {
      struct gomp_cpu_command command = { .verb = GOMP_CPU_GLOBALS };
      uint64_t away = m->worker_base - m->host_base;
      command.u.globals.start = q.part[i].start + away;
      command.u.globals.end = q.part[i].end + away;
      command.u.globals.skip_start = q.skip_start + away;
      command.u.globals.skip_end = q.skip_end + away;
      if (gomp_cpu_control (t->dev, &command) != GOMP_OK)
	return;
      /* Once.  Relaxed: nothing but the flag.  */
      if (*(volatile int32_t *) &gomp_cpu_slot_at (t->dev->shared, 0)->status == ENOSYS)
	atomic_store_explicit (&t->dev->xblind, true, memory_order_relaxed);
      gomp_cpu_mem_watched (t->dev, command.u.globals.start, command.u.globals.end);
    }
}

static void
free_image (struct gomp_plugin_image *image)
{
  free (image->funcs);
  free (image->vars);
  free (image->called);
  free (image->modules);
  free (image);
}

/* Relaxed: published by the command of the next launch.  */
static void
write_icvs (struct gomp_cpu_shared *s, const struct gomp_device_icvs *icvs)
{
  atomic_store_explicit (&s->xdevice_num, icvs->device_num, memory_order_relaxed);
  atomic_store_explicit (&s->xdefault_device, icvs->default_device, memory_order_relaxed);
  atomic_store_explicit (&s->xnteams, icvs->nteams, memory_order_relaxed);
  atomic_store_explicit (&s->xteams_thread_limit, icvs->teams_thread_limit,
			 memory_order_relaxed);
  atomic_store_explicit (&s->xnum_devices, icvs->num_devices, memory_order_relaxed);
}

gomp_status_t
gomp_cpu_device_icvs (struct gomp_plugin_device *dev, struct gomp_device_icvs *icvs)
{
  /* Relaxed: whoever knows that a region is complete sees what it left.  */
  icvs->nteams = atomic_load_explicit (&dev->shared->xnteams, memory_order_relaxed);
  icvs->teams_thread_limit = atomic_load_explicit (&dev->shared->xteams_thread_limit,
						   memory_order_relaxed);
  return GOMP_OK;
}

gomp_status_t
gomp_cpu_image_load (struct gomp_plugin_device *dev, const struct gomp_image_desc *desc,
		     const struct gomp_device_icvs *icvs, struct gomp_plugin_image **result)
{
  if (gomp_cpu_lost (dev) || gomp_cpu_glance (dev) != GOMP_OK)
    return gomp_cpu_say_lost (dev);
  if (desc->kind != GOMP_IMAGE_HOST)
    {
      gomp_cpu_core->set_error ("this device runs the host's code only");
      return GOMP_UNSUPPORTED;
    }

  /* Later images find what regions have made of them.  */
  if (!dev->have_icvs)
    write_icvs (dev->shared, icvs);
  dev->have_icvs = true;

  struct gomp_plugin_image *image = calloc (1, sizeof (*image));
  if (image == NULL)
    goto no_memory;
  image->dev = dev;
  image->num_funcs = desc->num_funcs;
  image->num_vars = desc->num_vars;
  image->funcs = calloc (desc->num_funcs + 1, sizeof (image->funcs[0]));
  image->vars = calloc (desc->num_vars + 1, sizeof (image->vars[0]));
  if (image->funcs == NULL || image->vars == NULL)
    {
      free_image (image);
      goto no_memory;
    }

  struct translation t = { .dev = dev, .desc = desc, .image = image };
  pthread_mutex_lock (&dev->control_lock);
  gomp_status_t status = close_left (dev);
  for (size_t i = 0; i < desc->num_funcs && status == GOMP_OK; i++)
    status = translate (&t, desc->host_funcs[i], &image->funcs[i]);
  for (size_t i = 0; i < desc->num_vars && status == GOMP_OK; i++)
    {
      status = translate (&t, desc->host_vars[i].host_addr, &image->vars[i].addr);
      image->vars[i].size = desc->host_vars[i].size;
    }
  if (status == GOMP_OK)
    status = send_indirect (&t);
  if (status == GOMP_OK && gomp_cpu_checks (dev))
    watch_data (&t);
  if (status != GOMP_OK)
    leave_modules (image);
  pthread_mutex_unlock (&dev->control_lock);
  if (status != GOMP_OK)
    {
      free_image (image);
      return status;
    }
  pthread_mutex_lock (&dev->lock);
  image->next = dev->images;
  dev->images = image;
  pthread_mutex_unlock (&dev->lock);
  *result = image;
  return GOMP_OK;

 no_memory:
  gomp_cpu_core->set_error ("out of host memory");
  return GOMP_OUT_OF_HOST_MEMORY;
}

gomp_status_t
gomp_cpu_image_unload (struct gomp_plugin_image *image)
{
  struct gomp_plugin_device *dev = image->dev;
  pthread_mutex_lock (&dev->lock);
  struct gomp_plugin_image **p = &dev->images;
  while (*p != NULL && *p != image)
    p = &(*p)->next;
  if (*p != NULL)
    *p = image->next;
  pthread_mutex_unlock (&dev->lock);
  /* In a child of fork the locks of queues are not to be had.  */
  if (!gomp_cpu_lost (dev))
    {
      pthread_mutex_lock (&dev->control_lock);
      leave_modules (image);
      pthread_mutex_unlock (&dev->control_lock);
    }
  free_image (image);
  return GOMP_OK;
}

void
gomp_cpu_images_free (struct gomp_plugin_device *dev)
{
  while (dev->images != NULL)
    {
      struct gomp_plugin_image *image = dev->images;
      dev->images = image->next;
      free_image (image);
    }
  while (dev->modules != NULL)
    {
      struct gomp_cpu_module *m = dev->modules;
      dev->modules = m->next;
      free_mark (m->left);
      free (m->name);
      free (m);
    }
}

gomp_status_t
gomp_cpu_image_function (struct gomp_plugin_image *image, size_t index)
{
  if (index < image->num_funcs && image->funcs[index] != 0)
    return GOMP_OK;
  gomp_cpu_core->set_error ("function %zu of %zu does not exist", index, image->num_funcs);
  return GOMP_NOT_FOUND;
}

gomp_status_t
gomp_cpu_image_variable (struct gomp_plugin_image *image, size_t index, gomp_devptr_t *addr,
			 uint64_t *size)
{
  if (index >= image->num_vars)
    {
      gomp_cpu_core->set_error ("variable %zu of %zu does not exist", index, image->num_vars);
      return GOMP_NOT_FOUND;
    }
  *addr = image->vars[index].addr;
  *size = image->vars[index].size;
  return GOMP_OK;
}

gomp_status_t
gomp_cpu_launch (struct gomp_plugin_queue *queue, struct gomp_plugin_image *image, size_t index,
		 const struct gomp_launch *launch)
{
  if (index >= image->num_funcs || image->funcs[index] == 0)
    return gomp_cpu_image_function (image, index);
  gomp_status_t status = gomp_cpu_glance (queue->dev);
  if (status != GOMP_OK)
    return status;
  return gomp_cpu_enqueue_run (queue, image->funcs[index], launch);
}

bool
gomp_cpu_find_function (struct gomp_plugin_device *dev, uint64_t addr,
			struct gomp_plugin_image **image, size_t *index)
{
  for (struct gomp_plugin_image *i = dev->images; i != NULL; i = i->next)
    for (size_t n = 0; n < i->num_funcs; n++)
      if (i->funcs[n] == addr)
	{
	  *image = i;
	  *index = n;
	  return true;
	}
  return false;
}

static int
compare_called (const void *a, const void *b)
{
  const struct called *x = a, *y = b;
  return x->addr < y->addr ? -1 : x->addr > y->addr;
}

bool
gomp_cpu_find_called (struct gomp_plugin_device *dev, uint64_t addr,
		      struct gomp_plugin_image **image, size_t *index)
{
  const struct called key = { .addr = addr };
  for (struct gomp_plugin_image *i = dev->images; i != NULL && addr != 0; i = i->next)
    {
      if (i->called == NULL)
	{
	  i->called = malloc ((i->num_funcs + 1) * sizeof (i->called[0]));
	  if (i->called == NULL)
	    return gomp_cpu_find_function (dev, addr, image, index);
	  for (size_t n = 0; n < i->num_funcs; n++)
	    i->called[n] = (struct called) { i->funcs[n], n };
	  qsort (i->called, i->num_funcs, sizeof (i->called[0]), compare_called);
	}
      const struct called *found = bsearch (&key, i->called, i->num_funcs, sizeof (key),
					    compare_called);
      if (found != NULL)
	{
	  *image = i;
	  *index = found->index;
	  return true;
	}
    }
  return false;
}
