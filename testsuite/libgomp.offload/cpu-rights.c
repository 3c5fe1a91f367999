/* What a program gives up, regions on the cpu device do not have either, whether it does so before
   its first region or between two, in all threads of the region.  Where the worker cannot give up the same, another one is
   started, and the device is lost if it has been used.
   TEST-MODES: cpu
   TEST-TIMEOUT: 120
   TEST-SKIP-SANITIZER: address its own files and threads are forbidden, too
   TEST-SKIP-SANITIZER: thread its own thread keeps its rights  */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SPACES = 7, GROUP = 12345 };

/* What can be tried in a thread; each member is to be no more than in the program.  */
struct may
{
  unsigned user, effective_user, group, groups;	/* the same */
  unsigned long permitted, effective, bounding, inheritable, ambient;	/* no other bits */
  unsigned long size, files;			/* not more */
  int new_privileges, root_is_special, reads, creates, sets_name, sets_other, in_group;
  unsigned long space[SPACES];	/* the same */
};

#pragma omp declare target
static const char space_names[SPACES][20]
  = { "net", "user", "mnt", "ipc", "uts", "cgroup", "pid_for_children" };

static void
look (struct may *m)
{
  struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
  struct __user_cap_data_struct data[2] = { 0 };
  struct rlimit l;
  struct stat st;
  memset (m, 0, sizeof (*m));
  m->user = syscall (SYS_getuid);
  m->effective_user = syscall (SYS_geteuid);
  m->group = syscall (SYS_getgid);
  unsigned ids[64];
  m->groups = syscall (SYS_getgroups, 64, ids);
  for (unsigned i = 0; i < m->groups && i < 64; i++)
    m->in_group |= ids[i] == GROUP;
  syscall (SYS_capget, &head, data);
  m->permitted = data[0].permitted | (unsigned long) data[1].permitted << 32;
  m->effective = data[0].effective | (unsigned long) data[1].effective << 32;
  m->inheritable = data[0].inheritable | (unsigned long) data[1].inheritable << 32;
  for (int i = 0; i < 40; i++)
    {
      if (prctl (PR_CAPBSET_READ, i, 0, 0, 0) == 1)
	m->bounding |= 1ul << i;
      if (prctl (PR_CAP_AMBIENT, PR_CAP_AMBIENT_IS_SET, i, 0, 0) == 1)
	m->ambient |= 1ul << i;
    }
  getrlimit (RLIMIT_FSIZE, &l);
  m->size = l.rlim_max;
  getrlimit (RLIMIT_NOFILE, &l);
  m->files = l.rlim_cur;
  m->new_privileges = prctl (PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1;
  m->root_is_special = (prctl (PR_GET_SECUREBITS, 0, 0, 0, 0) & 1) == 0;
  int fd = open ("/etc/passwd", O_RDONLY);
  m->reads = fd >= 0;
  close (fd);
  char name[60];
  snprintf (name, sizeof (name), "/tmp/gompx-rights-%d-%d", (int) getpid (), (int) syscall (SYS_gettid));
  fd = open (name, O_CREAT | O_WRONLY, 0600);
  m->creates = fd >= 0;
  close (fd);
  unlink (name);
  /* Both do nothing, but a filter answers before that.  */
  m->sets_name = syscall (SYS_setdomainname, NULL, -1L) != 0 && errno != ENOTNAM;
  m->sets_other = syscall (SYS_setdomainname, "", -2L) != 0 && errno != ENOTUNIQ;
  for (int i = 0; i < SPACES; i++)
    {
      snprintf (name, sizeof (name), "/proc/thread-self/ns/%.20s", space_names[i]);
      m->space[i] = stat (name, &st) == 0 ? st.st_ino : 0;
    }
}
#pragma omp end declare target

/* ---- what is given up; -1: not allowed here ---- */

static int
drop_user (void)
{
  return setresuid (65534, 65534, 65534);
}

static int
drop_effective_user (void)
{
  return setresuid (-1, 65534, -1);
}

static int
drop_groups (void)
{
  return setgroups (0, NULL);
}

static int
drop_one_group (void)
{
  const gid_t other = GROUP + 1;
  return setgroups (1, &other);
}

static int
drop_group (void)
{
  return setresgid (65534, 65534, 65534);
}

static int
drop_all (void)
{
  return drop_groups () || drop_group () || drop_user () ? -1 : 0;
}

static int
drop_capabilities (void)
{
  struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
  struct __user_cap_data_struct data[2] = { 0 };
  if (syscall (SYS_capget, &head, data) != 0 || data[0].permitted == 0)
    return -1;
  data[0].permitted = data[0].effective = data[0].permitted & (1u << CAP_KILL);
  data[1].permitted = data[1].effective = 0;
  return syscall (SYS_capset, &head, data);
}

/* The program has them when it starts, before its worker does: inherit_clock.  */
static int
drop_inheritable (void)
{
  struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
  struct __user_cap_data_struct data[2] = { 0 };
  if (syscall (SYS_capget, &head, data) != 0 || data[0].inheritable == 0)
    return -1;
  data[0].inheritable = 0;
  return syscall (SYS_capset, &head, data);
}

static int
drop_ambient (void)
{
  return prctl (PR_CAP_AMBIENT, PR_CAP_AMBIENT_IS_SET, CAP_SYS_TIME, 0, 0) == 1
	 ? prctl (PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) : -1;
}

static void
inherit_clock (void)
{
  struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
  struct __user_cap_data_struct data[2] = { 0 };
  syscall (SYS_capget, &head, data);
  data[0].inheritable |= data[0].permitted & 1u << CAP_SYS_TIME;
  syscall (SYS_capset, &head, data);
  prctl (PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_SYS_TIME, 0, 0);
}

static int
drop_bounding (void)
{
  return prctl (PR_CAPBSET_DROP, CAP_SYS_TIME, 0, 0, 0);
}

static int
drop_root_is_special (void)
{
  return prctl (PR_SET_SECUREBITS, 1, 0, 0, 0);
}

static int
drop_new_privileges (void)
{
  return prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

static int
drop_size (void)
{
  struct rlimit l = { 1ul << 36, 1ul << 36 };
  return setrlimit (RLIMIT_FSIZE, &l);
}

static int
drop_files (void)
{
  struct rlimit l;
  getrlimit (RLIMIT_NOFILE, &l);
  l.rlim_cur = 64;
  return setrlimit (RLIMIT_NOFILE, &l);
}

static int
drop_directory (void)
{
  char dir[] = "/tmp/gompx-rights-XXXXXX";
  return mkdtemp (dir) == NULL || chdir (dir) != 0 || rmdir (dir) != 0 ? -1 : chroot (".");
}

static int
drop_directory_and_user (void)
{
  return drop_directory () || drop_all () ? -1 : 0;
}

static int
drop_net (void)
{
  return unshare (CLONE_NEWNET);
}

static int
drop_user_space (void)
{
  return unshare (CLONE_NEWUSER);
}

static int
drop_mounts (void)
{
  return unshare (CLONE_NEWNS);
}

static int
drop_ipc (void)
{
  return unshare (CLONE_NEWIPC);
}

static int
drop_names (void)
{
  return unshare (CLONE_NEWUTS);
}

static int
drop_cgroup (void)
{
  return unshare (CLONE_NEWCGROUP);
}

static int
drop_processes (void)
{
  /* There is such a namespace from the first process in it on.  */
  if (unshare (CLONE_NEWPID) != 0)
    return -1;
  pid_t pid = fork ();
  if (pid == 0)
    {
      prctl (PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
      /* It does not keep the pipe of who waits for the end of the program.  */
      close (1);
      close (2);
      for (;;)
	pause ();
    }
  return pid < 0 ? -1 : 0;
}

/* A call with that length fails with ERROR.  */
static int
filter (unsigned length, int error)
{
  struct sock_filter code[] =
    {
      BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, nr)),
      BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, SYS_setdomainname, 0, 3),
      BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, args[1])),
      BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, length, 0, 1),
      BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
      BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
    };
  struct sock_fprog program = { sizeof (code) / sizeof (code[0]), code };
  return prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0
	 || prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0 ? -1 : 0;
}

static int
drop_call (void)
{
  return filter (-1u, ENOTNAM);
}

/* The program has a filter when it starts.  */
static int
drop_other_call (void)
{
  return filter (-2u, ENOTUNIQ);
}

static void
inherit_filter (void)
{
  if (drop_call () != 0)
    _exit (77);
}

static int
drop_creating (void)
{
  /* Landlock: nothing may be created.  */
  unsigned long handled = 1ul << 8;
  int fd = syscall (444, &handled, sizeof (handled), 0);
  return fd < 0 || prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || syscall (446, fd, 0) != 0
	 ? -1 : 0;
}

static int
drop_creating_and_user (void)
{
  return drop_creating () || drop_all () ? -1 : 0;
}

static const struct
{
  const char *name;
  int (*drop) (void);
  const char *lost;		/* what the message names when the device has been used */
  void (*before) (void);	/* in the process that becomes the program */
  const char *none;		/* what the message names when there can be no other worker */
} cases[] =
{
  { "nothing", NULL, NULL },
  { "user", drop_user, NULL },
  { "effective-user", drop_effective_user, NULL },
  { "groups", drop_groups, NULL },
  { "one-group", drop_one_group, NULL },
  { "group", drop_group, NULL },
  { "all-ids", drop_all, NULL },
  { "capabilities", drop_capabilities, NULL },
  { "inheritable", drop_inheritable, NULL, inherit_clock },
  { "ambient", drop_ambient, NULL, inherit_clock },
  { "bounding", drop_bounding, NULL },
  { "root-is-special", drop_root_is_special, NULL },
  { "new-privileges", drop_new_privileges, NULL },
  { "size", drop_size, NULL },
  { "files", drop_files, NULL },
  { "directory", drop_directory, NULL },
  { "directory-and-user", drop_directory_and_user, NULL },
  { "net", drop_net, "namespaces" },
  { "user-space", drop_user_space, "namespaces" },
  { "mounts", drop_mounts, "namespaces" },
  { "ipc", drop_ipc, "namespaces" },
  { "names", drop_names, "namespaces" },
  { "cgroup", drop_cgroup, "namespaces" },
  { "processes", drop_processes, "namespaces", NULL, "clone into another namespace of processes" },
  { "call", drop_call, "filter of system calls" },
  { "other-call", drop_other_call, "filter of system calls", inherit_filter },
  { "creating", drop_creating, "security domain" },
  { "creating-and-user", drop_creating_and_user, "security domain" }
};
enum { CASES = sizeof (cases) / sizeof (cases[0]), THREADS = 3 };

static int
more (const struct may *a, const struct may *b)
{
  return a->user != b->user || a->effective_user != b->effective_user || a->group != b->group
	 || a->groups > b->groups || (a->permitted & ~b->permitted) != 0
	 || (a->effective & ~b->effective) != 0 || (a->bounding & ~b->bounding) != 0
	 || (a->inheritable & ~b->inheritable) != 0 || (a->ambient & ~b->ambient) != 0
	 || a->in_group > b->in_group || a->sets_other > b->sets_other
	 || memcmp (a->space, b->space, sizeof (a->space)) != 0
	 || a->size > b->size || a->files > b->files || a->new_privileges > b->new_privileges
	 || a->root_is_special > b->root_is_special || a->reads > b->reads || a->creates > b->creates
	 || a->sets_name > b->sets_name;
}

static void
print (const char *who, const struct may *m)
{
  printf ("%s: users %u %u, groups %u %u, capabilities %lx %lx %lx %lx %lx, limits %lx %lx, "
	  "may %d%d%d%d%d%d%d, spaces",
	  who, m->user, m->effective_user, m->group, m->groups, m->permitted, m->effective, m->bounding,
	  m->inheritable, m->ambient, m->size, m->files, m->new_privileges, m->root_is_special, m->reads,
	  m->creates, m->sets_name, m->sets_other, m->in_group);
  for (int i = 0; i < SPACES; i++)
    printf (" %lu%s", m->space[i], i == SPACES - 1 ? "\n" : "");
}

/* Status 0: regions have no right that the program has not; 77: it may not give up this.  */
static int
give_up (int number, int used)
{
  struct may host, dev[THREADS];
  int failed = 0;
  if (used)
    {
#pragma omp target map (from: dev)
#pragma omp parallel for num_threads (THREADS)
      for (int i = 0; i < THREADS; i++)
	look (&dev[i]);
      look (&host);
      for (int i = 0; i < THREADS; i++)
	failed |= more (&dev[i], &host);
      if (failed)
	{
	  print ("program", &host);
	  print ("region, before", &dev[0]);
	}
    }
  if (cases[number].drop != NULL && cases[number].drop () != 0)
    return 77;
  /* The library does not look all the time.  */
  usleep (20000);
  look (&host);
#pragma omp target map (from: dev)
#pragma omp parallel for num_threads (THREADS)
  for (int i = 0; i < THREADS; i++)
    look (&dev[i]);
  for (int i = 0; i < THREADS; i++)
    if (more (&dev[i], &host))
      {
	print ("program", &host);
	print ("region", &dev[i]);
	failed = 1;
      }
  return failed;
}

int
main (int argc, char **argv)
{
  int failed = 0;
  if (argc == 3)
    return give_up (atoi (argv[1]), atoi (argv[2]));
  for (int number = 0; number < CASES; number++)
    for (int used = 0; used < 2; used++)
      {
	char text[4096], digits[12];
	size_t n = 0;
	ssize_t k;
	int status = 0, fds[2];
	if (pipe (fds) != 0)
	  return 77;
	fflush (stdout);
	pid_t pid = fork ();
	if (pid == 0)
	  {
	    dup2 (fds[1], 1);
	    dup2 (fds[1], 2);
	    close (fds[0]);
	    close (fds[1]);
	    snprintf (digits, sizeof (digits), "%d", number);
	    setenv ("OMP_TARGET_OFFLOAD", "mandatory", 1);
	    const gid_t group = GROUP;
	    if (setgroups (1, &group) != 0)
	      close (-1);	/* there are others, or it does not matter */
	    if (cases[number].before != NULL)
	      cases[number].before ();
	    execl ("/proc/self/exe", argv[0], digits, used ? "1" : "0", NULL);
	    _exit (99);
	  }
	close (fds[1]);
	while (n < sizeof (text) - 1 && (k = read (fds[0], text + n, sizeof (text) - 1 - n)) > 0)
	  n += k;
	text[n] = 0;
	close (fds[0]);
	waitpid (pid, &status, 0);
	if (WIFEXITED (status) && WEXITSTATUS (status) == 77)
	  {
	    printf ("%s cannot be given up here\n", cases[number].name);
	    continue;
	  }
	const char *lost = used ? cases[number].lost : cases[number].none;
	if (lost != NULL ? !WIFEXITED (status) || WEXITSTATUS (status) != 1
			   || strstr (text, "has rights that the program has given up") == NULL
			   || strstr (text, lost) == NULL
	    : status != 0)
	  {
	    printf ("%s, %s: status %#x; it says: %s\n", cases[number].name,
		    used ? "between regions" : "before the first region", status, text);
	    failed = 1;
	  }
      }
  return failed;
}
