/* gompx-info looks at programs with images for GPUs and at timelines that are damaged: it says
   what it can make of them and ends with status 0, 1 or 2.  It never crashes, loops or takes all
   memory.

   By hand: a.out SECONDS FIRST-SEED tries more, a.out seed N is one file, which stays as "damaged".
   TEST-MODES: cpu
   TEST-TIMEOUT: 120  */

#include <elf.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { RUNS = 400, LIMIT = 10, MOST_SECONDS = 60, MOST_KIB = 1 << 20 };

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
# define SANITIZED 1
#else
# define SANITIZED 0
#endif

/* ---- what compilers leave in a program for GPUs ---- */

static const char text[] =
  "// BEGIN PREAMBLE\n.version 6.0\n.target sm_35\n.address_size 64\n// END PREAMBLE\n";
static const struct { const char *code; unsigned long size; } objects[] =
  { { text, sizeof (text) }, { text, sizeof (text) } };
#pragma omp declare target
int counter;
#pragma omp end declare target

static const char *const variables[] = { "counter" };
static const struct { const char *name; unsigned short dim[3]; } functions[] =
  { { "main$_omp_fn$0", { 0 } }, { "main$_omp_fn$1", { 0 } } };
static const struct
{
  const void *objects;
  unsigned num_objects;
  const char *const *variables;
  unsigned num_variables;
  const void *functions;
  unsigned num_functions;
} nvptx = { objects, 2, variables, 1, functions, 2 };

static const struct { Elf64_Ehdr h; Elf64_Phdr segments[2]; } code = {
  .h = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT, 0x40, 1 },
	 .e_type = ET_DYN, .e_machine = 0xe0, .e_version = EV_CURRENT, .e_phoff = sizeof (Elf64_Ehdr),
	 .e_ehsize = sizeof (Elf64_Ehdr), .e_phentsize = sizeof (Elf64_Phdr), .e_phnum = 2,
	 .e_flags = 0x2f },
  .segments = { { .p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_filesz = 64, .p_memsz = 64 },
		{ .p_type = PT_DYNAMIC, .p_filesz = 16, .p_memsz = 16 } } };
static const struct { unsigned long size; const void *code; } image = { sizeof (code), &code };
static const struct { const char *name; int dims[3], sgprs, vgprs; } kernels[] =
  { { "_init_array", { 0 }, 0, 0 }, { "_fini_array", { 0 }, 0, 0 },
    { "main._omp_fn.0", { 0 }, 62, 24 }, { "main._omp_fn.1", { 0 }, 62, 24 } };
static const struct
{
  const void *image;
  unsigned num_kernels;
  const void *kernels;
  unsigned num_variables;
} gcn = { &image, 4, kernels, 1 };

static const void *const volatile keep[] = { &nvptx, &gcn };

/* ---- damage ---- */

static uint64_t state;

static uint64_t
any (uint64_t n)
{
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (state >> 33) % n;
}

static uint64_t
any_value (void)
{
  static const uint64_t words[] = {
    0, 1, 8, 0xff, 0x1000, 0x7fffffff, 0x80000000, 0xffffffff, (uint64_t) 1 << 32,
    (uint64_t) 1 << 63, UINT64_MAX >> 1, UINT64_MAX
  };
  if (any (5) < 3)
    return words[any (sizeof (words) / sizeof (words[0]))];
  return any ((uint64_t) 1 << 31) << 33 ^ any ((uint64_t) 1 << 31) << 15 ^ any (1 << 15);
}

/* One word of a program, where it says something to who reads it.  */
static void
damage_word (uint8_t *data, size_t size)
{
  Elf64_Ehdr h;
  uint64_t at, value = any_value ();
  size_t width = 1 << any (4);

  memcpy (&h, data, sizeof (h));
  uint64_t sections = h.e_shnum;
  if (h.e_shoff > size || sections * sizeof (Elf64_Shdr) > size - h.e_shoff)
    sections = 0;
  switch (any (6))
    {
    case 0:
      at = any (sizeof (h));
      break;
    case 1:
      at = sizeof (h) + any (sizeof (Elf64_Phdr) * 14) / 4 * 4;
      width = 4 << any (2);
      break;
    case 2:
      if (sections == 0)
	return;
      at = h.e_shoff + any (sections * sizeof (Elf64_Shdr)) / 4 * 4;
      width = 4 << any (2);
      break;
    case 3:
    case 4:
      {
	Elf64_Shdr s;
	if (sections == 0)
	  return;
	memcpy (&s, data + h.e_shoff + any (sections) * sizeof (s), sizeof (s));
	if (s.sh_size == 0 || s.sh_offset > size || s.sh_size > size - s.sh_offset)
	  return;
	at = s.sh_offset + any (s.sh_size);
	break;
      }
    default:
      at = any (size);
    }
  if (at <= size && width <= size - at)
    memcpy (data + at, &value, width);
}

/* Damages SIZE bytes of DATA; answers how many are left.  */
static size_t
damage (uint8_t *data, size_t size, int is_program)
{
  static const char marks[] = "\0\377\"{}[],-0";
  unsigned how = any (100);

  if (is_program && how < 75)
    for (unsigned n = 1 << any (3); n > 0; n--)
      damage_word (data, size);
  else if (how < 85)
    size = any (size);
  else
    {
      for (unsigned n = how % 3 == 0 ? 1 : how % 3 == 1 ? 5 : 50; n > 0; n--)
	data[any (size)] = any (4) ? marks[any (sizeof (marks) - 1)] : (char) any (256);
      if (how % 3 == 2)
	{
	  /* A piece is missing.  */
	  size_t from = any (size), n = any (size - from + 1);
	  memmove (data + from, data + from + n, size - from - n);
	  size -= n;
	}
    }
  return size;
}

/* ---- runs ---- */

static uint8_t *file[2];	/* a program, a timeline */
static size_t file_size[2];

static void
read_file (int i, const char *name)
{
  FILE *f = fopen (name, "rb");
  long size = -1;
  if (f == NULL || fseek (f, 0, SEEK_END) != 0 || (size = ftell (f)) <= 0)
    {
      printf ("cannot read %s\n", name);
      exit (1);
    }
  rewind (f);
  file[i] = malloc (size);
  file_size[i] = fread (file[i], 1, size, f);
  fclose (f);
}

static int
write_file (const char *name, const uint8_t *data, size_t size)
{
  int fd = open (name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  int ok = fd >= 0 && write (fd, data, size) == (ssize_t) size;
  close (fd);
  return ok;
}

/* Run gompx-info on "damaged"; what it says goes to SAID.  NULL, or what is wrong with it.  */
static const char *
look (int is_program, char *said, size_t most)
{
  const char *build = getenv ("TEST_BUILDDIR");
  char tool[4096];
  struct rusage use;
  size_t n = 0;
  ssize_t k;
  int fds[2], status = -1;

  snprintf (tool, sizeof (tool), "%s/gompx-info", build != NULL ? build : ".");
  if (access (tool, X_OK) != 0 || pipe (fds) != 0)
    {
      printf ("%s is not there: set TEST_BUILDDIR\n", tool);
      exit (77);
    }
  pid_t pid = fork ();
  if (pid == 0)
    {
      dup2 (fds[1], 1);
      dup2 (fds[1], 2);
      close (fds[0]);
      close (fds[1]);
      unsetenv ("GOMP_CPU_DEVICES");
      setenv ("GOMP_PLUGINS", "cpu", 1);
      alarm (MOST_SECONDS);
      if (is_program)
	execl (tool, tool, "damaged", NULL);
      else
	execl (tool, tool, "--trace", "damaged", NULL);
      _exit (99);
    }
  close (fds[1]);
  char piece[4096];
  while ((k = read (fds[0], piece, sizeof (piece))) > 0)
    if (n + k < most)
      {
	memcpy (said + n, piece, k);
	n += k;
      }
  said[n] = 0;
  for (size_t i = 0; i < n; i++)
    if (said[i] == 0)
      said[i] = '?';
  close (fds[0]);
  wait4 (pid, &status, 0, &use);
  if (WIFSIGNALED (status))
    return WTERMSIG (status) == SIGALRM ? "it does not come to its end" : "a signal";
  if (WEXITSTATUS (status) > 2)
    return "an exit status of its own";
  if (strstr (said, "runtime error") != NULL || strstr (said, "Sanitizer") != NULL)
    return "a report of a sanitizer";
  if (!SANITIZED && use.ru_maxrss > MOST_KIB)
    return "too much memory";
  return NULL;
}

static int
run (unsigned seed)
{
  static char said[16384];
  state = seed * 0x9e3779b97f4a7c15u;
  int is_program = any (3) != 0;
  size_t size = file_size[!is_program];
  uint8_t *data = malloc (size);
  memcpy (data, file[!is_program], size);
  size = damage (data, size, is_program);
  if (!write_file ("damaged", data, size))
    exit (77);
  free (data);
  const char *wrong = look (is_program, said, sizeof (said));
  if (wrong != NULL)
    printf ("seed %u, a %s: %s; it says: %s\n", seed, is_program ? "program" : "timeline", wrong,
	    said);
  return wrong != NULL;
}

/* What the test begins with is what gompx-info knows.  */
static int
check_undamaged (void)
{
  static const char *const wanted[2] = { "image for AMD GPUs", "regions" };
  static char said[16384];
  int failed = 0;
  for (int i = 0; i < 2; i++)
    {
      if (!write_file ("damaged", file[i], file_size[i]))
	exit (77);
      const char *wrong = look (i == 0, said, sizeof (said));
      if (wrong != NULL || strstr (said, wanted[i]) == NULL
	  || strstr (said, "cannot be used") != NULL)
	{
	  printf ("undamaged: %s; it says: %s\n", wrong != NULL ? wrong : "not all", said);
	  failed = 1;
	}
    }
  return failed;
}

static void
record (const char *name)
{
  int status = -1;
  pid_t pid = fork ();
  if (pid == 0)
    {
      setenv ("GOMP_TRACE", "timeline", 1);
      execl ("/proc/self/exe", name, "regions", NULL);
      _exit (99);
    }
  waitpid (pid, &status, 0);
  if (status != 0)
    {
      printf ("no timeline: status %#x\n", status);
      exit (1);
    }
}

static void
regions (void)
{
  int a[100] = { 0 };
  for (int i = 0; i < 3; i++)
    {
#pragma omp target map(tofrom: a)
      a[i] = i;
#pragma omp target map(tofrom: a) nowait depend(inout: a)
      a[i] += i;
    }
#pragma omp taskwait
}

int
main (int argc, char **argv)
{
  if (argc == 2 && strcmp (argv[1], "regions") == 0)
    return regions (), keep[0] == keep[1];
  read_file (0, "/proc/self/exe");
  record (argv[0]);
  read_file (1, "timeline");
  if (argc == 3 && strcmp (argv[1], "seed") == 0)
    return run (atoi (argv[2]));
  int failed = check_undamaged ();
  time_t limit = argc > 1 ? atoi (argv[1]) : LIMIT, start = time (NULL);
  unsigned seed = argc > 2 ? atoi (argv[2]) : 1, runs = argc > 1 ? -1u : RUNS;
  for (; runs > 0 && time (NULL) - start < limit; runs--, seed++)
    failed |= run (seed);
  return failed;
}
