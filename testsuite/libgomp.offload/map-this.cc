// Members of a class in map clauses of its own functions: implicit this, members that are
// pointers and arrays, enter and exit data in constructor and destructor, inheritance.
// TEST-MODES: host cpu gpu

#include <cstdio>
#include <cstdlib>

static int failures;

static void
check (const char *what, long got, long wanted)
{
  if (got != wanted)
    {
      std::printf ("%s: %ld instead of %ld\n", what, got, wanted);
      failures++;
    }
}

struct base
{
  int before;
  int table[4];
};

// The object and what it points to live on the device as long as it does.
class vector : public base
{
public:
  int n;
  double *data;

  explicit vector (int length) : n (length), data (new double[length])
  {
    before = 7;
    for (int i = 0; i < 4; i++)
      table[i] = 10 * i;
    for (int i = 0; i < n; i++)
      data[i] = i;
    #pragma omp target enter data map(to: this[0:1]) map(to: data[0:n])
  }
  ~vector ()
  {
    #pragma omp target exit data map(release: data[0:n]) map(release: this[0:1])
    delete[] data;
  }
  double sum ()
  {
    double s = 0;
    #pragma omp target map(tofrom: s)
    for (int i = 0; i < n; i++)
      s += data[i];
    return s;
  }
  void add (double x)
  {
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
      data[i] += x + table[i & 3];
  }
  void fetch ()
  {
    #pragma omp target update from(data[0:n])
  }
  void send ()
  {
    #pragma omp target update to(data[0:n], table)
  }
};

struct plain
{
  int a, b;
  int *p;
  int array[8];
  plain (int *q) : a (1), b (2), p (q)
  {
    for (int i = 0; i < 8; i++)
      array[i] = i;
  }
  int implicit_this ()
  {
    int result = 0;
    #pragma omp target map(from: result)
    {
      result = a + b + array[5];
      a = 100;
    }
    return result;
  }
  int section (int n)
  {
    int result = 0;
    #pragma omp target map(tofrom: p[0:n]) map(from: result)
    {
      result = p[n - 1];
      p[0] += 50;
    }
    return result;
  }
  void members ()
  {
    #pragma omp target map(tofrom: a, b)
    {
      a += 1;
      b += 2;
    }
  }
  void part ()
  {
    #pragma omp target map(tofrom: array[2:3])
    for (int i = 2; i < 5; i++)
      array[i] = -i;
  }
};

int
main ()
{
  {
    vector v (100);
    check ("sum", v.sum (), 4950);
    v.add (1);
    check ("sum after add", v.sum (), 4950 + 100 + 1500);
    v.fetch ();
    check ("fetched", v.data[99], 99 + 1 + 30);
    v.data[0] = 1000;
    v.table[0] = 5;
    v.send ();
    v.add (0);
    v.fetch ();
    check ("sent", v.data[0], 1005);
    vector *w = new vector (5);
    check ("second", w->sum (), 10);
    delete w;
    check ("first again", v.data[1], 1 + 1 + 10 + 10);
  }
  int numbers[6] = { 1, 2, 3, 4, 5, 6 };
  plain p (numbers);
  check ("implicit this", p.implicit_this (), 8);
  check ("copied back", p.a, 100);
  check ("section", p.section (6), 6);
  check ("section back", numbers[0], 51);
  check ("pointer kept", p.p == numbers, 1);
  p.members ();
  check ("member a", p.a, 101);
  check ("member b", p.b, 4);
  p.part ();
  check ("part of array", p.array[4], -4);
  check ("rest of array", p.array[5], 5);
  return failures;
}
