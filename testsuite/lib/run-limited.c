/* run-limited.c -- run one test program so that it cannot hang the tests or leave anything
   behind.

     run-limited -t SECONDS -o FILE [-d DIRECTORY] [NAME=VALUE]... [--] PROGRAM [ARGUMENT]...

   The program runs in a session of its own, standard input empty, standard output and
   standard error joined in FILE.  SECONDS are those of a machine with a processor for each thread that wants
   one: on a busy machine they last longer, up to STRETCH times as long.  run-limited is the reaper of everything that descends from
   it, also of processes that left the program's process group, and ends them all when the time is
   over, when it is told to end itself, or when they outlive the program by more than a grace
   period.  What happened is told in one line on standard output:

     exit STATUS SECONDS CPU | signal NUMBER SECONDS CPU | timeout SECONDS CPU

   where CPU is the processor time, in seconds, of the program and of everything it started, followed by
   " left N" when N processes outlived the program and had to be killed.  The exit status is 0
   when that line says all there is to say, 125 for an error of its own.

   It must not be built with sanitizers: it forks and execs only.  */

#include <errno.h>
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define GRACE_MS 5000		/* for what outlives the program */
#define STRETCH 6		/* a limit never lasts more than so many times as long */
#define LOOK_MS 250		/* between two looks at how busy the machine is */
#define OUTPUT_MAX (4L << 20)	/* more than that is read and dropped */

static pid_t program;		/* 0 once reaped */
static int program_status;

static void __attribute__ ((noreturn, format (printf, 1, 2)))
die (const char *fmt, ...)
{
  va_list ap;
  fputs ("run-limited: ", stderr);
  va_start (ap, fmt);
  vfprintf (stderr, fmt, ap);
  va_end (ap);
  fputc ('\n', stderr);
  exit (125);
}

static long
now_ms (void)
{
  struct timespec ts;
  clock_gettime (CLOCK_MONOTONIC, &ts);
  return ts.tv_sec * 1000L + ts.tv_nsec / 1000000;
}

/* Which part of the time since the last call a thread could run: that of the processors that no other
   guest of the machine had, divided among all threads that want to run.  1 on an idle machine or where /proc/stat cannot be
   read.  The program's own threads count, too: STRETCH bounds what a program gains that never ends.  */
static double
share_of_processors (void)
{
  static unsigned long long total_before, stolen_before;
  char text[16384];
  int fd = open ("/proc/stat", O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return 1;
  ssize_t got = 0, more;
  while (got < (ssize_t) sizeof text - 1
	 && (more = read (fd, text + got, sizeof text - 1 - (size_t) got)) > 0)
    got += more;
  close (fd);
  text[got] = '\0';

  /* "cpu  USER NICE SYSTEM IDLE IOWAIT IRQ SOFTIRQ STEAL ...", in ticks.  */
  unsigned long long ticks[8], total = 0;
  if (sscanf (text, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &ticks[0], &ticks[1], &ticks[2],
	      &ticks[3], &ticks[4], &ticks[5], &ticks[6], &ticks[7]) != 8)
    return 1;
  for (int i = 0; i < 8; i++)
    total += ticks[i];
  double share = 1;
  if (total_before != 0 && total > total_before && ticks[7] >= stolen_before)
    share -= (double) (ticks[7] - stolen_before) / (double) (total - total_before);
  total_before = total;
  stolen_before = ticks[7];

  const char *running = strstr (text, "\nprocs_running ");
  cpu_set_t cpus;
  if (running != NULL && sched_getaffinity (0, sizeof cpus, &cpus) == 0)
    {
      long threads = strtol (running + strlen ("\nprocs_running "), NULL, 10);
      if (threads > CPU_COUNT (&cpus))
	share *= (double) CPU_COUNT (&cpus) / (double) threads;
    }
  return share < 1.0 / STRETCH ? 1.0 / STRETCH : share;
}

/* Of everything that was reaped: without what was left running and what ignores SIGCHLD starts.  */
static double
processor_seconds (void)
{
  struct rusage usage;
  if (getrusage (RUSAGE_CHILDREN, &usage) != 0)
    return 0;
  return (double) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
	 + (double) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

/* Reap what has ended.  Answers false when there is no child any more.  */
static bool
reap (void)
{
  for (;;)
    {
      int status;
      pid_t pid = waitpid (-1, &status, WNOHANG | __WALL);
      if (pid == 0)
	return true;
      if (pid < 0)
	return errno != ECHILD;
      if (pid == program)
	{
	  program_status = status;
	  program = 0;
	}
    }
}

/* Kill every child; its children become ours.  Answers how many there were.  */
static int
kill_children (void)
{
  int count = 0;
  DIR *proc = opendir ("/proc");
  if (proc == NULL)
    die ("cannot read /proc: %s", strerror (errno));
  for (struct dirent *entry; (entry = readdir (proc)) != NULL; )
    {
      char path[300], text[512];
      long pid = strtol (entry->d_name, NULL, 10);
      if (pid <= 0)
	continue;
      snprintf (path, sizeof path, "/proc/%ld/stat", pid);
      FILE *f = fopen (path, "re");
      if (f == NULL)
	continue;
      size_t got = fread (text, 1, sizeof text - 1, f);
      fclose (f);
      text[got] = '\0';
      /* "PID (any name) STATE PPID": the name may contain anything.  */
      char state;
      long ppid;
      const char *after = strrchr (text, ')');
      if (after != NULL && sscanf (after + 1, " %c %ld", &state, &ppid) == 2
	  && ppid == (long) getpid () && state != 'Z')
	{
	  count++;
	  kill ((pid_t) pid, SIGKILL);
	}
    }
  closedir (proc);
  return count;
}

/* End everything.  Answers how many processes had to be killed.  */
static int
kill_all (pid_t group)
{
  int killed = 0;
  if (program != 0)
    kill (-group, SIGKILL);
  for (int i = 0; i < 500 && reap (); i++)
    {
      killed += kill_children ();
      usleep (10000);
    }
  return killed;
}

static void
copy_output (int from, int to, long *written)
{
  char buf[65536];
  ssize_t got = read (from, buf, sizeof buf);
  if (got <= 0 || *written >= OUTPUT_MAX)
    return;
  if (write (to, buf, (size_t) got) != got)
    die ("cannot write the output: %s", strerror (errno));
  *written += got;
}

int
main (int argc, char **argv)
{
  long limit_ms = 0;
  const char *output = NULL, *directory = NULL;
  int opt;
  while ((opt = getopt (argc, argv, "+t:o:d:")) != -1)
    switch (opt)
      {
      case 't': limit_ms = (long) (strtod (optarg, NULL) * 1000); break;
      case 'o': output = optarg; break;
      case 'd': directory = optarg; break;
      default: die ("bad option");
      }
  if (limit_ms <= 0 || output == NULL)
    die ("-t SECONDS and -o FILE are needed");
  for (; optind < argc && strchr (argv[optind], '=') != NULL; optind++)
    if (putenv (argv[optind]) != 0)
      die ("cannot set %s", argv[optind]);
  if (optind < argc && strcmp (argv[optind], "--") == 0)
    optind++;
  if (optind == argc)
    die ("no program");

  int out = open (output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (out < 0)
    die ("%s: %s", output, strerror (errno));
  int pipes[2];
  if (pipe2 (pipes, O_CLOEXEC) != 0)
    die ("pipe: %s", strerror (errno));
  if (prctl (PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0)
    die ("cannot become the reaper: %s", strerror (errno));
  /* When the test driver is killed this ends, too, and what it runs.  */
  prctl (PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0);

  sigset_t set, old;
  sigemptyset (&set);
  sigaddset (&set, SIGCHLD);
  sigaddset (&set, SIGTERM);
  sigaddset (&set, SIGINT);
  sigaddset (&set, SIGHUP);
  sigprocmask (SIG_BLOCK, &set, &old);
  int sigfd = signalfd (-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
  if (sigfd < 0)
    die ("signalfd: %s", strerror (errno));

  long start = now_ms ();
  program = fork ();
  if (program < 0)
    die ("fork: %s", strerror (errno));
  if (program == 0)
    {
      setsid ();
      sigprocmask (SIG_SETMASK, &old, NULL);
      int null = open ("/dev/null", O_RDONLY);
      if (null < 0 || dup2 (null, 0) < 0 || dup2 (pipes[1], 1) < 0 || dup2 (pipes[1], 2) < 0)
	_exit (125);
      if (null > 2)
	close (null);
      if (directory != NULL && chdir (directory) != 0)
	die ("%s: %s", directory, strerror (errno));
      execvp (argv[optind], argv + optind);
      die ("cannot run %s: %s", argv[optind], strerror (errno));
    }
  pid_t group = program;
  close (pipes[1]);

  bool timed_out = false, ended = false, open_pipe = true, others = true;
  long written = 0, end = 0, looked = start;
  double left_ms = (double) limit_ms;	/* of the limit, or of the grace period */
  while (!ended || others)
    {
      long now = now_ms ();
      if (now - looked >= LOOK_MS || (double) (now - looked) >= left_ms)
	{
	  left_ms -= (double) (now - looked) * share_of_processors ();
	  looked = now;
	}
      if (left_ms < 1)
	{
	  timed_out = !ended;
	  break;
	}
      struct pollfd fds[2] = {
	{ .fd = sigfd, .events = POLLIN },
	{ .fd = open_pipe ? pipes[0] : -1, .events = POLLIN }
      };
      if (poll (fds, 2, left_ms < LOOK_MS ? (int) left_ms : LOOK_MS) < 0 && errno != EINTR)
	die ("poll: %s", strerror (errno));
      struct signalfd_siginfo info;
      while (read (sigfd, &info, sizeof info) == (ssize_t) sizeof info)
	if (info.ssi_signo != SIGCHLD)
	  {
	    kill_all (group);
	    exit (125);
	  }
      if (fds[1].revents & POLLIN)
	copy_output (pipes[0], out, &written);
      else if (fds[1].revents)
	open_pipe = false;
      others = reap ();
      if (program == 0 && !ended)
	{
	  ended = true;
	  looked = end = now_ms ();
	  left_ms = GRACE_MS;
	}
    }
  if (!ended)
    end = now_ms ();

  int killed = others ? kill_all (group) : 0;
  /* What is still in the pipe.  */
  fcntl (pipes[0], F_SETFL, O_NONBLOCK);
  for (struct pollfd p = { .fd = pipes[0], .events = POLLIN };
       poll (&p, 1, 0) == 1 && (p.revents & POLLIN); )
    copy_output (pipes[0], out, &written);
  close (out);

  double seconds = (double) (end - start) / 1000;
  double cpu = processor_seconds ();
  if (timed_out)
    printf ("timeout %.2f %.2f\n", seconds, cpu);
  else
    {
      if (WIFEXITED (program_status))
	printf ("exit %d %.2f %.2f", WEXITSTATUS (program_status), seconds, cpu);
      else
	printf ("signal %d %.2f %.2f", WTERMSIG (program_status), seconds, cpu);
      if (killed != 0)
	printf (" left %d", killed);
      putchar ('\n');
    }
  return fflush (stdout) == 0 ? 0 : 125;
}
