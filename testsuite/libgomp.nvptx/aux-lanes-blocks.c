/* aux-lanes-blocks.c -- target regions for lanes-direct.sh that are written like CUDA's kernels: arrays of the team, barriers, thread
   and team numbers.  EXPECT as in aux-lanes-direct.c; locks: direct, but for those;
   team: of critical constructs, and of the team only.  No more threads than there are are counted on.  */

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { TEAMS = 5, T = 96, N = TEAMS * T };

static int in[N], out[N];
static int failures;

static void
clear (void)
{
  for (int i = 0; i < N; i++)
    {
      in[i] = i * 7 % 1013;
      out[i] = -1;
    }
}

static void
expect (const char *name, int i, long got, long want)
{
  if (got != want)
    {
      if (failures++ < 20)
	printf ("%s: %ld instead of %ld at %d\n", name, got, want, i);
    }
}

/* Each team turns its part around.
   EXPECT: reversal direct */
static void
reversal (void)
{
  clear ();
#pragma omp target teams num_teams (TEAMS) thread_limit (T) map (to: in) map (from: out)
  {
    int part[T];
#pragma omp parallel
    {
      int first = omp_get_team_num () * T, threads = omp_get_num_threads ();
      for (int i = omp_get_thread_num (); i < T; i += threads)
	part[i] = in[first + i];
#pragma omp barrier
      for (int i = omp_get_thread_num (); i < T; i += threads)
	out[first + i] = part[T - 1 - i];
    }
  }
  for (int i = 0; i < N; i++)
    expect ("reversal", i, out[i], in[i / T * T + T - 1 - i % T]);
}

/* Teams stride over parts, and use the array again.  GCC copies the barriers for threads that have nothing to do, of which one warp
   has some.
   EXPECT: prefix direct */
static void
prefix (int parts, int used)
{
  clear ();
#pragma omp target teams num_teams (3) thread_limit (T) map (to: in) map (from: out)
  {
    int a[2][T];
    long all = 0;
#pragma omp parallel
    {
      int t = omp_get_thread_num (), threads = omp_get_num_threads ();
      for (int p = omp_get_team_num (); p < parts; p += omp_get_num_teams ())
	{
	  int now = 0;
	  for (int i = t; i < used; i += threads)
	    a[0][i] = in[p * T + i];
#pragma omp barrier
	  for (int far = 1; far < used; far *= 2)
	    {
	      for (int i = t; i < used; i += threads)
		a[!now][i] = a[now][i] + (i >= far ? a[now][i - far] : 0);
	      now = !now;
#pragma omp barrier
	    }
	  for (int i = t; i < used; i += threads)
	    out[p * T + i] = a[now][i];
	  if (t == threads - 1)
	    all += a[now][used - 1];
#pragma omp barrier
	}
    }
    if (all < 0)
      out[0] = -2;
  }
  for (int p = 0; p < parts; p++)
    for (int i = 0, sum = 0; i < used; i++)
      {
	sum += in[p * T + i];
	expect ("prefix", p * T + i, out[p * T + i], sum);
      }
}

/* What the initial thread does in front of regions, between them and behind them: it sees what they did, and they what it did.
   EXPECT: between direct */
static void
between (int times)
{
  clear ();
#pragma omp target teams num_teams (TEAMS) thread_limit (64) map (to: in) map (from: out)
  {
    int a[T], most = -1, sum = 0;
    int team = omp_get_team_num ();
    a[0] = team;
    for (int k = 0; k < times; k++)
      {
	int first = a[0];
#pragma omp parallel
	for (int i = omp_get_thread_num (); i < T; i += omp_get_num_threads ())
	  a[i] = in[team * T + i] + first;
	most = a[k] > most ? a[k] : most;
	a[k % 7] = most;
#pragma omp parallel
	{
	  int mine = 0;
	  for (int i = omp_get_thread_num (); i < T; i += omp_get_num_threads ())
	    mine += a[i];
#pragma omp atomic
	  sum += mine;
#pragma omp barrier
	  if (omp_get_thread_num () == 0)
	    a[0] = sum % 1000;
	}
      }
    out[team] = sum;
    out[team + TEAMS] = most;
  }
  for (int team = 0; team < TEAMS; team++)
    {
      int a[T], most = -1, sum = 0;
      a[0] = team;
      for (int k = 0; k < times; k++)
	{
	  int first = a[0];
	  for (int i = 0; i < T; i++)
	    a[i] = in[team * T + i] + first;
	  most = a[k] > most ? a[k] : most;
	  a[k % 7] = most;
	  for (int i = 0; i < T; i++)
	    sum += a[i];
	  a[0] = sum % 1000;
	}
      expect ("between", team, out[team], sum);
      expect ("between", team + TEAMS, out[team + TEAMS], most);
    }
}

/* Fewer threads than the team may have; scalars are shared by reference.
   EXPECT: fewer direct */
static void
fewer (void)
{
  clear ();
#pragma omp target teams num_teams (TEAMS) thread_limit (128) map (to: in) map (from: out)
  {
    int a[64], threads = 0, chosen = -1;
#pragma omp parallel num_threads (64)
    {
      int t = omp_get_thread_num (), n = omp_get_num_threads ();
      if (t == n - 1)
	{
	  threads = n;
	  chosen = in[omp_get_team_num ()];
	}
      for (int i = t; i < 64; i += n)
	a[i] = i;
#pragma omp barrier
      for (int i = t; i < 64; i += n)
	out[omp_get_team_num () * T + i] = a[i ^ 21] + chosen + (threads == n);
    }
  }
  for (int team = 0; team < TEAMS; team++)
    for (int i = 0; i < 64; i++)
      expect ("fewer", team * T + i, out[team * T + i], (i ^ 21) + in[team] + 1);
}

/* Functions with addresses of the team's array; and its address goes through memory.
   EXPECT: called direct */
#pragma omp declare target
static int __attribute__ ((noinline))
total (const int *a, int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i];
  return sum;
}
#pragma omp end declare target

static void
called (int n)
{
  clear ();
#pragma omp target teams num_teams (TEAMS) thread_limit (T) map (to: in) map (from: out)
  {
    int a[T], *places[2];
    places[0] = a;
    places[1] = a + 1;
#pragma omp parallel
    {
      int t = omp_get_thread_num ();
      for (int i = t; i < T; i += omp_get_num_threads ())
	places[i & 1][i & ~1] = in[i];
#pragma omp barrier
      for (int i = t; i < T - 4; i += omp_get_num_threads ())
	out[omp_get_team_num () * T + i] = total (&a[i], n);
    }
  }
  for (int i = 0; i < N; i++)
    if (i % T < T - 4)
      {
	int sum = 0;
	for (int k = 0; k < n; k++)
	  sum += in[i % T + k];
	expect ("called", i, out[i], sum);
      }
}

/* Types of all sizes, and an array that wants a place of its own.
   EXPECT: sizes direct */
struct wide { double v[2]; } __attribute__ ((aligned (32)));

static void
sizes (void)
{
  clear ();
#pragma omp target teams num_teams (2) thread_limit (32) map (to: in) map (from: out)
  {
    signed char c[40];
    short s[40];
    long l[40];
    struct wide w[9];
#pragma omp parallel
    for (int i = omp_get_thread_num (); i < 40; i += omp_get_num_threads ())
      {
	c[i] = i;
	s[i] = i * 3;
	l[i] = i * 1000000007L;
	if (i < 9)
	  w[i] = (struct wide) { { i, i + 0.5 } };
      }
#pragma omp parallel
    for (int i = omp_get_thread_num (); i < 40; i += omp_get_num_threads ())
      out[omp_get_team_num () * 40 + i]
	= c[39 - i] + s[i ^ 3] + (int) (l[39 - i] % 1009) + (int) (w[i % 9].v[1] * 2) + ((long) &w[0] & 31 ? 5000 : 0);
  }
  for (int i = 0; i < 80; i++)
    {
      int k = i % 40;
      expect ("sizes", i, out[i], 39 - k + (k ^ 3) * 3 + (int) ((39 - k) * 1000000007L % 1009) + k % 9 * 2 + 1);
    }
}

/* Functions that ask and wait, in one another, from several places; with arguments and results of all kinds; one of them has an array of
   its own in memory.
   EXPECT: inner direct */
#pragma omp declare target
static int __attribute__ ((noinline))
place (void)
{
  return omp_get_team_num () * T + omp_get_thread_num ();
}

static double __attribute__ ((noinline))
sum_of_team (int *room, long mine, float scale, const double *more, signed char sign)
{
  int t = omp_get_thread_num (), sum = 0;
  if (sign < 0)
    return -0.5;
  room[t] = mine;
#pragma omp barrier
  for (int i = 0; i < omp_get_num_threads (); i++)
    sum += room[i];
#pragma omp barrier
  return sum * (double) scale + (more != NULL ? *more : 0);
}

static void __attribute__ ((noinline))
turn_around (int *room, const int *from, int *to)
{
  int t = omp_get_thread_num (), threads = omp_get_num_threads (), own[5];
  for (int k = 0; k < 5; k++)
    own[k] = from[place () - t + (t + k) % threads];
  room[threads - 1 - t] = own[t % 5];
#pragma omp barrier
  to[place ()] = room[t] + (int) (sum_of_team (room, own[t * 3 % 5], 0.5f, NULL, 1) * 2);
}
#pragma omp end declare target

static void
inner (void)
{
  clear ();
#pragma omp target teams num_teams (TEAMS) thread_limit (T) map (to: in) map (from: out)
  {
    int room[T];
    double more = 0.25;
#pragma omp parallel num_threads (32)
    {
      if (omp_get_team_num () % 2 == 0)
	turn_around (room, in, out);
      else
	{
	  double a = sum_of_team (room, omp_get_thread_num (), 1, &more, 0);
	  double b = sum_of_team (room, 3, 0.25f, NULL, 5);
	  sum_of_team (room, 7, 1, NULL, 1);
	  out[place ()] = (int) (a * 4) + (int) b + (int) (sum_of_team (NULL, 0, 0, NULL, -1) * 2);
	}
    }
  }
  for (int team = 0; team < TEAMS; team++)
    for (int t = 0; t < 32; t++)
      {
	const int *from = in + team * T;
	int sum = 0, other = 31 - t, want = 496 * 4 + 1 + 24 - 1;
	for (int k = 0; k < 32; k++)
	  sum += from[(k + k * 3 % 5) % 32];
	if (team % 2 == 0)
	  want = from[(other + other % 5) % 32] + sum;
	expect ("inner", team * T + t, out[team * T + t], want);
      }
}

/* One thread does something for all.
   EXPECT: alone direct */
static void
alone (int times)
{
  clear ();
#pragma omp target teams num_teams (TEAMS) thread_limit (T) map (to: in) map (from: out)
  {
    int turns = 0, seen = 0, total = 0;
#pragma omp parallel
    for (int k = 0; k < times; k++)
      {
#pragma omp single
	turns++;
#pragma omp for reduction (+: total)
	for (int i = 0; i < T; i++)
	  total += in[i] * turns;
#pragma omp single nowait
	seen += total;
#pragma omp barrier
      }
    out[omp_get_team_num ()] = turns;
    out[omp_get_team_num () + TEAMS] = seen;
  }
  for (int team = 0; team < TEAMS; team++)
    {
      int sum = 0, seen = 0, total = 0;
      for (int i = 0; i < T; i++)
	sum += in[i];
      for (int k = 0; k < times; k++)
	seen += total += sum * (k + 1);
      expect ("alone", team, out[team], times);
      expect ("alone", team + TEAMS, out[team + TEAMS], seen);
    }
}

/* Arrays of variable length: that have room in the block's memory, that have none, in a loop; what the initial thread does with them.
   EXPECT: lengths direct */
static void
lengths (int n, int times)
{
  clear ();
#pragma omp target teams num_teams (TEAMS) thread_limit (T) map (to: in) map (from: out)
  {
    int first[n], team = omp_get_team_num ();
    first[0] = team;
    for (int k = 0; k < times; k++)
      {
	long second[n / 3 + k + 1];
	char third[17 + k];
	second[n / 3 + k] = first[0];
	third[16 + k] = k;
#pragma omp parallel
	{
	  int t = omp_get_thread_num (), threads = omp_get_num_threads ();
	  for (int i = t + 1; i < n; i += threads)
	    first[i] = in[i % N] + third[16 + k];
	  for (int i = t; i < n / 3 + k; i += threads)
	    second[i] = i;
	  for (int i = t; i < 16 + k; i += threads)
	    third[i] = 1;
#pragma omp barrier
	  for (int i = t; i < T; i += threads)
	    out[team * T + i] = first[i * 7 % (n - 1) + 1] + (int) second[i % (n / 3)] + third[i % (16 + k)] + (int) second[n / 3 + k];
	}
	first[0] += (int) second[n / 3 + k - 1];
      }
  }
  for (int team = 0; team < TEAMS; team++)
    {
      int before = team;
      for (int k = 0; k < times - 1; k++)
	before += n / 3 + k - 1;
      for (int i = 0; i < T; i++)
	expect ("lengths", team * T + i, out[team * T + i], in[(i * 7 % (n - 1) + 1) % N] + times - 1 + i % (n / 3) + 1 + before);
    }
}

/* Locks: critical constructs with a name and without, for the team's variables and for all teams'; the API's, in a function; and what
   combines a reduction of several variables.
   EXPECT: locked locks */
static long totals[3];
static omp_lock_t lock;

#pragma omp declare target
static void __attribute__ ((noinline))
add_locked (omp_lock_t *l, long *to, int what)
{
  omp_set_lock (l);
  *to += what;
  omp_unset_lock (l);
}
#pragma omp end declare target

static void
locked (int times)
{
  clear ();
  for (int k = 0; k < 3; k++)
    totals[k] = 0;
#pragma omp target teams num_teams (TEAMS) thread_limit (64) map (to: in) map (from: out) map (tofrom: totals, lock)
  {
    int own = 0, team = omp_get_team_num (), sum = 0, least = 1 << 20;
#pragma omp parallel
    {
      for (int i = omp_get_thread_num (); i < 64; i += omp_get_num_threads ())
	for (int k = 0; k < times; k++)
	  {
	    if ((i + k) % 3 != 0)
#pragma omp critical
	      {
		own++;
		totals[0] += 2;
	      }
#pragma omp critical (named)
	    totals[1] += i;
	    if (i % 2 != 0)
	      add_locked (&lock, &totals[2], team);
	  }
#pragma omp for reduction (+: sum) reduction (min: least)
      for (int i = 0; i < T; i++)
	{
	  int x = in[team * T + i];
	  sum += x;
	  least = x < least ? x : least;
	}
    }
    out[team] = own;
    out[team + TEAMS] = sum;
    out[team + 2 * TEAMS] = least;
  }
  int own = 0;
  for (int i = 0; i < 64; i++)
    for (int k = 0; k < times; k++)
      own += (i + k) % 3 != 0;
  for (int team = 0; team < TEAMS; team++)
    {
      int sum = 0, least = 1 << 20;
      for (int i = 0; i < T; i++)
	{
	  int x = in[team * T + i];
	  sum += x;
	  least = x < least ? x : least;
	}
      expect ("locked", team, out[team], own);
      expect ("locked", team + TEAMS, out[team + TEAMS], sum);
      expect ("locked", team + 2 * TEAMS, out[team + 2 * TEAMS], least);
    }
  expect ("locked", -1, totals[0], 2L * own * TEAMS);
  expect ("locked", -2, totals[1], 2016L * times * TEAMS);
  expect ("locked", -3, totals[2], 32L * times * (TEAMS * (TEAMS - 1) / 2));
}

/* Critical constructs for what is the team's: the least numbers in its part of the input, which the
   sections load, in order; how many threads have been there, by a construct with a name; and the
   same behind numbers that threads of all teams draw.
   EXPECT: least_first team
   EXPECT: named_own team
   EXPECT: drawn team */
static void
least_first (void)
{
  enum { LEAST = 5 };
  clear ();
#pragma omp target teams num_teams (TEAMS) thread_limit (T) map (to: in) map (from: out)
  {
    int least[LEAST], farthest = 1 << 20, team = omp_get_team_num ();
#pragma omp parallel
    {
      int t = omp_get_thread_num (), threads = omp_get_num_threads ();
      for (int k = t; k < LEAST; k += threads)
	least[k] = 1 << 20;
#pragma omp barrier
      for (int i = t; i < T; i += threads)
	{
	  int limit;
#pragma omp atomic read
	  limit = farthest;
	  if (in[team * T + i] < limit)
#pragma omp critical
	    {
	      int x = in[team * T + i], at = LEAST - 1;
	      if (x < least[at])
		{
		  for (; at > 0 && x < least[at - 1]; at--)
		    least[at] = least[at - 1];
		  least[at] = x;
#pragma omp atomic write
		  farthest = least[LEAST - 1];
		}
	    }
	}
#pragma omp barrier
      for (int k = t; k < LEAST; k += threads)
	out[team * T + k] = least[k];
    }
  }
  for (int team = 0; team < TEAMS; team++)
    for (int k = 0; k < LEAST; k++)
      {
	/* So many are less.  */
	int less = 0, got = out[team * T + k], is = 0;
	for (int i = 0; i < T; i++)
	  {
	    less += in[team * T + i] < got;
	    is += in[team * T + i] == got;
	  }
	expect ("least_first", team * T + k, less <= k && k < less + is, 1);
      }
}

static void
named_own (int times)
{
  clear ();
#pragma omp target teams num_teams (TEAMS) thread_limit (T) map (from: out)
  {
    int seen[4], turns = 0, team = omp_get_team_num ();
    for (int k = 0; k < 4; k++)
      seen[k] = 0;
#pragma omp parallel
    for (int i = omp_get_thread_num (); i < T; i += omp_get_num_threads ())
      for (int k = 0; k < times; k++)
	{
#pragma omp critical (seen)
	  seen[(i + k) % 4]++;
#pragma omp critical (turns)
	  turns = turns * 3 % 1000003 + 1;
	}
    for (int k = 0; k < 4; k++)
      out[team * T + 3 - k] = seen[k];
    out[team * T + 4] = turns;
  }
  int turns = 0;
  for (int i = 0; i < T * times; i++)
    turns = turns * 3 % 1000003 + 1;
  for (int team = 0; team < TEAMS; team++)
    {
      for (int k = 0; k < 4; k++)
	expect ("named_own", team * T + k, out[team * T + k], T / 4 * times);
      expect ("named_own", team * T + 4, out[team * T + 4], turns);
    }
}

static void
drawn (void)
{
  int tickets = 0;
  clear ();
#pragma omp target teams num_teams (TEAMS) thread_limit (T) map (from: out) map (tofrom: tickets)
  {
    int sum = 0, most = -1, team = omp_get_team_num ();
#pragma omp parallel
    for (int i = omp_get_thread_num (); i < T; i += omp_get_num_threads ())
      {
	int mine;
#pragma omp atomic capture
	mine = tickets++;
#pragma omp critical
	{
	  sum += mine;
	  most = mine > most ? mine : most;
	}
      }
    out[team * T] = sum;
    out[team * T + 1] = most;
  }
  int sum = 0, most = -1;
  for (int team = 0; team < TEAMS; team++)
    {
      sum += out[team * T];
      most = out[team * T + 1] > most ? out[team * T + 1] : most;
    }
  expect ("drawn", 0, tickets, N);
  expect ("drawn", 1, sum, N * (N - 1L) / 2);
  expect ("drawn", 2, most, N - 1);
}

/* ... for what is the team's, and what is all teams', in one section, in others, and of one name.
   EXPECT: mixed locks */
static void
mixed (int times)
{
  long all = 0, both = 0, named = 0;
  clear ();
#pragma omp target teams num_teams (TEAMS) thread_limit (T) map (from: out) map (tofrom: all, both, named)
  {
    int own = 0, with = 0, steps = 0, team = omp_get_team_num ();
#pragma omp parallel
    for (int i = omp_get_thread_num (); i < T; i += omp_get_num_threads ())
      for (int k = 0; k < times; k++)
	{
	  if (i % 3 != 0)
#pragma omp critical
	    own = own * 3 % 1000003 + 1;
	  else
#pragma omp critical
	    all = all * 3 % 1000003 + 1;
#pragma omp critical
	  {
	    with++;
	    both += with;
	  }
#pragma omp critical (mixed)
	  steps += 2;
#pragma omp critical (mixed)
	  named = named * 3 % 1000003 + 1;
	}
    out[team * T] = own;
    out[team * T + 1] = steps;
  }
  int own = 0;
  long every = 0, names = 0;
  for (int i = 0; i < T / 3 * 2 * times; i++)
    own = own * 3 % 1000003 + 1;
  for (int i = 0; i < T / 3 * times * TEAMS; i++)
    every = every * 3 % 1000003 + 1;
  for (int i = 0; i < T * times * TEAMS; i++)
    names = names * 3 % 1000003 + 1;
  for (int team = 0; team < TEAMS; team++)
    {
      expect ("mixed", team * T, out[team * T], own);
      expect ("mixed", team * T + 1, out[team * T + 1], 2 * T * times);
    }
  expect ("mixed", -1, all, every);
  expect ("mixed", -3, both, (long) TEAMS * T * times * (T * times + 1) / 2);
  expect ("mixed", -2, named, names);
}

/* Functions that the initial thread calls: that compute, and that load.
   EXPECT: computed direct
   EXPECT: looked_up library */
#pragma omp declare target
static int __attribute__ ((noinline))
power (int a, int n)
{
  int result = 1;
  while (n-- > 0)
    result = (int) (result * (long) a % 1009);
  return result;
}

static double __attribute__ ((noinline))
mean (double a, int b, int c)
{
  return (a + power (b, c & 7)) / 2;
}

static int __attribute__ ((noinline))
at (const int *a, int i)
{
  return a[i % N];
}
#pragma omp end declare target

#define FUNCTION(name, what, wants)						\
  static void									\
  name (int n)									\
  {										\
    clear ();									\
    PRAGMA (omp target teams num_teams (TEAMS) thread_limit (64) map (to: in) map (from: out)) \
    {										\
      int team = omp_get_team_num (), a[T], first = what;			\
      PRAGMA (omp parallel)							\
      for (int i = omp_get_thread_num (); i < T; i += omp_get_num_threads ())	\
	a[i] = in[i] + first;							\
      int last = (int) mean (a[T - 1], first, n);				\
      PRAGMA (omp parallel)							\
      for (int i = omp_get_thread_num (); i < T; i += omp_get_num_threads ())	\
	out[team * T + i] = a[T - 1 - i] + last;				\
    }										\
    for (int i = 0; i < N; i++)							\
      {										\
	int team = i / T, first = wants;					\
	expect (#name, i, out[i], in[T - 1 - i % T] + first + (int) mean (in[T - 1] + first, first, n)); \
      }										\
  }
#define PRAGMA(text) _Pragma (#text)
FUNCTION (computed, power (team + 2, n), power (team + 2, n))
FUNCTION (looked_up, at (in, team + n), in[(team + n) % N])

/* Without barriers any number of threads will do.
   EXPECT: any direct */
static void
any (int num)
{
  clear ();
#pragma omp target teams num_teams (TEAMS) map (to: in) map (from: out)
  {
    int a[T];
#pragma omp parallel num_threads (num)
    for (int i = omp_get_thread_num (); i < T; i += omp_get_num_threads ())
      a[i] = in[i] + omp_get_num_threads ();
#pragma omp parallel num_threads (num)
    for (int i = omp_get_thread_num (); i < T; i += omp_get_num_threads ())
      out[omp_get_team_num () * T + i] = a[T - 1 - i] - omp_get_num_threads ();
  }
  for (int i = 0; i < N; i++)
    expect ("any", i, out[i], in[T - 1 - i % T]);
}

/* Barriers of a number of threads that is not whole warps, or not known; and a large frame.
   EXPECT: odd library
   EXPECT: variable library
   EXPECT: large library */
#define ROTATE(name, clauses, number, size)					\
  static void									\
  name (int num)								\
  {										\
    clear ();									\
    PRAGMA (omp target teams num_teams (TEAMS) map (to: in) map (from: out) clauses) \
    {										\
      int a[size];								\
      a[size - 1] = 0;								\
      (void) num;								\
      PRAGMA (omp parallel num_threads (number))				\
      {										\
	for (int i = omp_get_thread_num (); i < T; i += omp_get_num_threads ())	\
	  a[i] = in[i] + omp_get_team_num ();					\
	PRAGMA (omp barrier)							\
	for (int i = omp_get_thread_num (); i < T; i += omp_get_num_threads ())	\
	  out[omp_get_team_num () * T + i] = a[(i + 1) % T];			\
      }										\
    }										\
    for (int i = 0; i < N; i++)							\
      expect (#name, i, out[i], in[(i + 1) % T] + i / T);			\
  }
ROTATE (variable, thread_limit (64), num, T)
ROTATE (odd, thread_limit (33), 64, T)
ROTATE (large, thread_limit (32), 32, 9000)

/* A team has no more threads than the environment allows, whole warps or not.
   EXPECT: counted direct */
static void
counted (void)
{
  const char *text = getenv ("OMP_TEAMS_THREAD_LIMIT_ALL");
  int limit = text != NULL ? atoi (text) : 1024;
  clear ();
#pragma omp target teams num_teams (TEAMS) map (from: out)
  {
    int threads[2] = { 0, 0 };
#pragma omp parallel
    {
#pragma omp atomic
      threads[0]++;
      threads[1] = omp_get_num_threads ();
    }
    out[2 * omp_get_team_num ()] = threads[0];
    out[2 * omp_get_team_num () + 1] = threads[1];
  }
  for (int i = 0; i < 2 * TEAMS; i++)
    if (out[i] < 1 || out[i] > limit || out[i] != out[i ^ 1])
      expect ("counted", i, out[i], limit);
}

int
main (void)
{
  counted ();
  reversal ();
  prefix (TEAMS, T);
  prefix (4, 41);
  prefix (0, 5);
  between (3);
  between (0);
  fewer ();
  called (3);
  called (0);
  sizes ();
  inner ();
  computed (5);
  computed (0);
  looked_up (3);
  locked (3);
  locked (0);
  least_first ();
  named_own (3);
  drawn ();
  mixed (2);
  alone (4);
  alone (0);
  lengths (20, 2);
  lengths (1200, 3);
  lengths (2500, 2);
  lengths (60, 1);
  any (1);
  any (40);
  any (1000);
  variable (40);
  variable (1);
  odd (0);
  large (0);
  return failures != 0;
}
