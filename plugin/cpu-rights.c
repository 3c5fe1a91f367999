/* cpu-rights.c -- what a process may do, compared and taken over.

   Users, groups, capabilities and filters belong to threads.  The C library changes users and groups
   in all threads of a process; the rest each thread of the worker does for itself, asked by a
   signal that its threads never block (SIGSYS, which is caught anyway).  The root directory and limits are the
   process's.

   A descriptor of a directory of /proc would be a way out of a new root directory: none is open for
   longer than a call of adopt.  */

#define _GNU_SOURCE 1
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "plugin/cpu-proto.h"
#include "plugin/cpu-rights.h"

#define ADOPT_NS UINT64_C (2000000000)	/* a thread that does not answer for so long never will */

_Static_assert (RLIM_NLIMITS <= GOMP_CPU_LIMITS, "limits");

static inline uint64_t
bit (unsigned n)
{
  return UINT64_C (1) << n;
}

/* ---- taking ---- */

static void
take_groups (struct gomp_cpu_rights *r)
{
  int n = getgroups (GOMP_CPU_GROUPS, r->group);
  uint32_t *all = NULL;
  if (n < 0 && errno == EINVAL && (n = getgroups (0, NULL)) > 0)
    {
      all = calloc (n, sizeof (*all));
      n = all != NULL ? getgroups (n, all) : -1;
    }
  r->num_groups = n > 0 ? n : 0;
  r->groups_hash = 0;
  for (int i = 0; i < n && all != NULL; i++)
    r->groups_hash = (r->groups_hash ^ all[i]) * UINT64_C (0x100000001b3) + 1;
  free (all);
}

bool
gomp_cpu_rights_caps (uint64_t caps[3])
{
  struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
  struct __user_cap_data_struct data[2] = { 0 };
  if (syscall (SYS_capget, &head, data) != 0)
    return false;
  caps[CAPS_PERMITTED] = data[0].permitted | (uint64_t) data[1].permitted << 32;
  caps[CAPS_EFFECTIVE] = data[0].effective | (uint64_t) data[1].effective << 32;
  caps[CAPS_INHERITABLE] = data[0].inheritable | (uint64_t) data[1].inheritable << 32;
  return true;
}

static void
set_caps (const uint64_t caps[3])
{
  struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
  struct __user_cap_data_struct data[2];
  for (int i = 0; i < 2; i++)
    data[i] = (struct __user_cap_data_struct) {
      .permitted = (uint32_t) (caps[CAPS_PERMITTED] >> 32 * i),
      .effective = (uint32_t) (caps[CAPS_EFFECTIVE] >> 32 * i),
      .inheritable = (uint32_t) (caps[CAPS_INHERITABLE] >> 32 * i)
    };
  syscall (SYS_capset, &head, data);
}

static uint64_t
get_bounding (void)
{
  uint64_t set = 0;
  long has;
  for (unsigned i = 0; i < 64 && (has = prctl (PR_CAPBSET_READ, i, 0, 0, 0)) >= 0; i++)
    if (has)
      set |= bit (i);
  return set;
}

static uint64_t
get_ambient (uint64_t among)
{
  uint64_t set = 0;
  for (unsigned i = 0; i < 64; i++)
    if ((among & bit (i)) != 0 && prctl (PR_CAP_AMBIENT, PR_CAP_AMBIENT_IS_SET, i, 0, 0) == 1)
      set |= bit (i);
  return set;
}

static void
take_root (struct gomp_cpu_rights *r)
{
  struct statx x;
  struct stat st;
  if (statx (AT_FDCWD, "/", 0, STATX_INO | STATX_MNT_ID, &x) == 0)
    {
      r->root[0] = (uint64_t) x.stx_dev_major << 32 | x.stx_dev_minor;
      r->root[1] = x.stx_ino;
      if ((x.stx_mask & STATX_MNT_ID) != 0)
	r->root[2] = x.stx_mnt_id;
    }
  else if (stat ("/", &st) == 0)
    r->root[1] = st.st_ino;
}

/* One line of a file of /proc, behind WHAT if that is not NULL; false: there is none.  */
static bool
read_line (const char *file, const char *what, char *buf, size_t size)
{
  char text[4096];
  int fd = open (file, O_RDONLY | O_CLOEXEC);
  ssize_t n = fd >= 0 ? read (fd, text, sizeof (text) - 1) : -1;
  if (fd >= 0)
    close (fd);
  if (n <= 0)
    return false;
  text[n] = '\0';
  const char *start = what != NULL ? strstr (text, what) : text;
  if (start == NULL)
    return false;
  start += what != NULL ? strlen (what) : 0;
  snprintf (buf, size, "%.*s", (int) strcspn (start, "\n"), start);
  return true;
}

static const char space_names[GOMP_CPU_SPACES][20] =
  { "user", "mnt", "net", "ipc", "uts", "cgroup", "pid_for_children", "time_for_children" };

/* The first one anybody may leave, the others only who leaves the first one or has a capability.  */
static void
take_spaces (struct gomp_cpu_rights *r, const struct gomp_cpu_rights *of)
{
  for (unsigned i = 0; i < GOMP_CPU_SPACES; i++)
    {
      char name[60];
      struct stat st;
      if (of == r ? i > 0 && (r->caps[CAPS_PERMITTED] & bit (CAP_SYS_ADMIN)) == 0
	  : of != NULL && of->space[i] == 0)
	continue;
      snprintf (name, sizeof (name), "/proc/thread-self/ns/%.19s", space_names[i]);
      if (stat (name, &st) == 0)
	r->space[i] = st.st_ino;
    }
}

void
gomp_cpu_rights_take (struct gomp_cpu_rights *r, const struct gomp_cpu_rights *of, bool quick)
{
  int saved = errno;
  memset (r, 0, offsetof (struct gomp_cpu_rights, group));
  if (getresuid (&r->uid[0], &r->uid[1], &r->uid[2]) != 0
      || getresgid (&r->gid[0], &r->gid[1], &r->gid[2]) != 0)
    memset (r->uid, -1, sizeof (r->uid) + sizeof (r->gid));
  take_groups (r);
  gomp_cpu_rights_caps (r->caps);
  r->no_new_privs = prctl (PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1;
  int mode = prctl (PR_GET_SECCOMP, 0, 0, 0, 0);
  r->seccomp = mode > 0 ? mode : 0;
  take_root (r);
  if (!quick)
    {
      char text[20];
      if (r->seccomp != 0
	  && read_line ("/proc/thread-self/status", "\nSeccomp_filters:", text, sizeof (text)))
	r->filters = strtoul (text, NULL, 10);
      r->dumpable = prctl (PR_GET_DUMPABLE, 0, 0, 0, 0) == 1;
      int bits = prctl (PR_GET_SECUREBITS, 0, 0, 0, 0);
      r->securebits = bits > 0 ? bits : 0;
      /* Capabilities go out of the bounding set by who has this one only.  */
      if (of == NULL || (of == r ? (r->caps[CAPS_PERMITTED] & bit (CAP_SETPCAP)) != 0
			 : of->caps[CAPS_BOUNDING] != 0))
	r->caps[CAPS_BOUNDING] = get_bounding ();
      r->caps[CAPS_AMBIENT] = get_ambient (r->caps[CAPS_INHERITABLE]);
      for (int i = 0; i < RLIM_NLIMITS; i++)
	{
	  struct rlimit l = { RLIM_INFINITY, RLIM_INFINITY };
	  getrlimit (i, &l);
	  r->limit[i].cur = l.rlim_cur;
	  r->limit[i].max = l.rlim_max;
	}
      take_spaces (r, of);
      if (of == NULL || of == r || of->label[0] != '\0')
	read_line ("/proc/thread-self/attr/current", NULL, r->label, sizeof (r->label));
    }
  errno = saved;
}

/* ---- comparing ---- */

static bool
has_group (const struct gomp_cpu_rights *r, uint32_t group)
{
  for (uint32_t i = 0; i < r->num_groups && i < GOMP_CPU_GROUPS; i++)
    if (r->group[i] == group)
      return true;
  return false;
}

static bool
more_groups (const struct gomp_cpu_rights *w, const struct gomp_cpu_rights *p)
{
  if (w->num_groups > GOMP_CPU_GROUPS || p->num_groups > GOMP_CPU_GROUPS)
    return w->num_groups != p->num_groups || w->groups_hash != p->groups_hash;
  if (w->num_groups == p->num_groups
      && memcmp (w->group, p->group, w->num_groups * sizeof (w->group[0])) == 0)
    return false;
  for (uint32_t i = 0; i < w->num_groups; i++)
    if (!has_group (p, w->group[i]))
      return true;
  return false;
}

unsigned
gomp_cpu_rights_excess (const struct gomp_cpu_rights *w, const struct gomp_cpu_rights *p, bool quick)
{
  unsigned excess = 0;
  if (memcmp (w->uid, p->uid, sizeof (w->uid)) != 0)
    excess |= EXCESS_USER;
  if (memcmp (w->gid, p->gid, sizeof (w->gid)) != 0 || more_groups (w, p))
    excess |= EXCESS_GROUP;
  for (unsigned i = 0; i <= (quick ? CAPS_INHERITABLE : CAPS_AMBIENT); i++)
    if ((w->caps[i] & ~p->caps[i]) != 0)
      excess |= EXCESS_CAPS;
  if (p->no_new_privs && !w->no_new_privs)
    excess |= EXCESS_PRIVS;
  if (p->seccomp > w->seccomp || p->filters > w->filters)
    excess |= EXCESS_FILTER;
  for (unsigned i = 0; i < 3; i++)
    if (w->root[i] != 0 && p->root[i] != 0 && w->root[i] != p->root[i])
      excess |= EXCESS_ROOT;
  if (quick)
    return excess;
  if ((p->securebits & ~w->securebits & ~SECBIT_KEEP_CAPS) != 0)
    excess |= EXCESS_BITS;
  for (unsigned i = 0; i < RLIM_NLIMITS; i++)
    if (w->limit[i].cur > p->limit[i].cur || w->limit[i].max > p->limit[i].max)
      excess |= EXCESS_LIMIT;
  for (unsigned i = 0; i < GOMP_CPU_SPACES; i++)
    if (w->space[i] != 0 && p->space[i] != 0 && w->space[i] != p->space[i])
      excess |= EXCESS_SPACE;
  if (w->label[0] != '\0' && p->label[0] != '\0' && strcmp (w->label, p->label) != 0)
    excess |= EXCESS_LABEL;
  return excess;
}

const char *
gomp_cpu_rights_text (unsigned excess, char *buf, size_t size)
{
  static const char names[][24] =
    {
      "user", "groups", "capabilities", "secure bits", "no_new_privs", "limits", "root directory",
      "namespaces", "filter of system calls", "security label", "security domain"
    };
  size_t n = 0;
  buf[0] = '\0';
  for (unsigned i = 0; i < sizeof (names) / sizeof (names[0]); i++)
    if ((excess & 1u << i) != 0 && n < size)
      n += snprintf (buf + n, size - n, "%s%s", n != 0 ? ", " : "", names[i]);
  return buf;
}

/* ---- taking over ---- */

void
gomp_cpu_rights_confine (const uint64_t wanted[3])
{
  uint64_t caps[3], fewer[3];
  if (!gomp_cpu_rights_caps (caps))
    return;
  for (unsigned i = 0; i < 3; i++)
    fewer[i] = caps[i] & wanted[i];
  if (memcmp (fewer, caps, sizeof (caps)) != 0)
    set_caps (fewer);
}

/* What each thread does; set before it is asked, by the thread that serves control commands.  */
static struct
{
  bool early;			/* while there is still the right to do so */
  const struct gomp_cpu_rights *wanted;
  _Atomic (int) xdone;		/* the thread that has done it last */
} task;

/* In a signal handler.  */
static void
do_part (void)
{
  const struct gomp_cpu_rights *w = task.wanted;
  if (task.early)
    {
      for (unsigned i = 0; i < 64; i++)
	if ((w->caps[CAPS_BOUNDING] & bit (i)) == 0)
	  {
	    long has = prctl (PR_CAPBSET_READ, i, 0, 0, 0);
	    if (has < 0)
	      break;
	    if (has)
	      prctl (PR_CAPBSET_DROP, i, 0, 0, 0);
	  }
      int bits = prctl (PR_GET_SECUREBITS, 0, 0, 0, 0);
      if (bits >= 0 && (w->securebits & ~bits & ~SECBIT_KEEP_CAPS) != 0)
	prctl (PR_SET_SECUREBITS, bits | (w->securebits & ~SECBIT_KEEP_CAPS), 0, 0, 0);
      return;
    }
  for (unsigned i = 0; i < 64; i++)
    if ((w->caps[CAPS_AMBIENT] & bit (i)) == 0
	&& prctl (PR_CAP_AMBIENT, PR_CAP_AMBIENT_LOWER, i, 0, 0) != 0)
      break;
  gomp_cpu_rights_confine (w->caps);
  if (w->no_new_privs)
    prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

bool
gomp_cpu_rights_signal (int number, const void *information)
{
  const siginfo_t *info = information;
  if (number != SIGSYS || info->si_code != SI_QUEUE || info->si_pid != getpid ()
      || info->si_value.sival_ptr != &task)
    return false;
  do_part ();
  /* Release: nothing; the one that asks knows then.  */
  atomic_store_explicit (&task.xdone, (int) syscall (SYS_gettid), memory_order_release);
  return true;
}

/* False: it does not answer.  */
static bool
ask_thread (int tid)
{
  siginfo_t info;
  memset (&info, 0, sizeof (info));
  info.si_signo = SIGSYS;
  info.si_code = SI_QUEUE;
  info.si_pid = getpid ();
  info.si_uid = getuid ();
  info.si_value.sival_ptr = &task;
  atomic_store_explicit (&task.xdone, 0, memory_order_relaxed);
  if (syscall (SYS_rt_tgsigqueueinfo, getpid (), tid, SIGSYS, &info) != 0)
    return errno == ESRCH;
  const struct timespec nap = { .tv_nsec = 20000 };
  for (uint64_t end = gomp_cpu_now () + ADOPT_NS;
       atomic_load_explicit (&task.xdone, memory_order_acquire) != tid; )
    {
      if (gomp_cpu_now () > end)
	return false;
      if (syscall (SYS_tgkill, getpid (), tid, 0) != 0 && errno == ESRCH)
	return true;
      nanosleep (&nap, NULL);
    }
  return true;
}

/* Let all threads do their part.  TASKS is the list of them.  Whoever has done it makes threads that have
   it done, so it is over when a walk through the list meets no new one.  */
static bool
ask_all (DIR *tasks, bool early, const struct gomp_cpu_rights *wanted)
{
  static int asked[4096];
  unsigned count = 0;
  const int self = (int) syscall (SYS_gettid);
  bool again = true;
  if (tasks == NULL)
    return false;
  task.early = early;
  task.wanted = wanted;
  while (again)
    {
      struct dirent *entry;
      again = false;
      rewinddir (tasks);
      while ((entry = readdir (tasks)) != NULL)
	{
	  int tid = atoi (entry->d_name);
	  bool known = tid <= 0 || tid == self;
	  for (unsigned i = 0; i < count && !known; i++)
	    known = asked[i] == tid;
	  if (known)
	    continue;
	  if (count == sizeof (asked) / sizeof (asked[0]) || !ask_thread (tid))
	    return false;
	  asked[count++] = tid;
	  again = true;
	}
    }
  do_part ();
  return true;
}

static void
adopt_root (const struct gomp_cpu_rights *wanted, int host)
{
  char name[40];
  struct stat st;
  snprintf (name, sizeof (name), "/proc/%d/root", host);
  int fd = open (name, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0)
    return;
  if (fstat (fd, &st) == 0 && st.st_ino == wanted->root[1] && fchdir (fd) == 0
      && (chroot (".") != 0 || chdir ("/") != 0))
    close (-1);			/* comparing shows it */
  close (fd);
}

void
gomp_cpu_rights_adopt (const struct gomp_cpu_rights *wanted, int host)
{
  struct gomp_cpu_rights mine = { .num_groups = 0 };
  gomp_cpu_rights_take (&mine, &mine, false);
  unsigned excess = gomp_cpu_rights_excess (&mine, wanted, false);
  DIR *tasks = opendir ("/proc/self/task");
  bool all = true;

  /* What needs rights comes first.  */
  if ((excess & EXCESS_ROOT) != 0)
    adopt_root (wanted, host);
  if ((excess & EXCESS_BITS) != 0 || (mine.caps[CAPS_BOUNDING] & ~wanted->caps[CAPS_BOUNDING]) != 0)
    all = ask_all (tasks, true, wanted);
  if ((excess & EXCESS_GROUP) != 0 && wanted->num_groups <= GOMP_CPU_GROUPS
      && setgroups (wanted->num_groups, wanted->group) != 0)
    close (-1);			/* comparing shows it */
  if (memcmp (mine.gid, wanted->gid, sizeof (mine.gid)) != 0
      && setresgid (wanted->gid[0], wanted->gid[1], wanted->gid[2]) != 0)
    close (-1);
  for (int i = 0; i < RLIM_NLIMITS; i++)
    {
      uint64_t cur = wanted->limit[i].cur, max = wanted->limit[i].max;
      struct rlimit l = { cur < mine.limit[i].cur ? cur : mine.limit[i].cur,
			  max < mine.limit[i].max ? max : mine.limit[i].max };
      if (l.rlim_cur != mine.limit[i].cur || l.rlim_max != mine.limit[i].max)
	setrlimit (i, &l);
    }
  if ((excess & EXCESS_USER) != 0
      && setresuid (wanted->uid[0], wanted->uid[1], wanted->uid[2]) != 0)
    close (-1);
  /* The change of the user may have done it, in all threads.  */
  gomp_cpu_rights_take (&mine, &mine, false);
  if (all && (gomp_cpu_rights_excess (&mine, wanted, false) & (EXCESS_CAPS | EXCESS_PRIVS)) != 0)
    all = ask_all (tasks, false, wanted);
  if (tasks != NULL)
    closedir (tasks);
}
