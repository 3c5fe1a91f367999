// threadprivate objects of class type: constructed once for each thread, kept from region to
// region, destroyed when the threads end.
#include <atomic>
#include <cstdio>
#include <omp.h>

static std::atomic<int> alive, made;

struct counter
{
  int value = 0;
  counter () { alive++, made++; }
  counter (const counter &other) : value (other.value) { alive++, made++; }
  ~counter () { alive--; }
  counter &operator= (const counter &) = default;
};

// The directive comes before the constructor's call in the definition.
extern counter mine;
#pragma omp threadprivate (mine)
counter mine;

int
main ()
{
  int bad = 0;
  for (int round = 1; round <= 10; round++)
    {
#pragma omp parallel num_threads (4) reduction (+: bad)
      {
	mine.value++;
	bad += mine.value != round;
      }
    }
  if (bad || made != 4)
    std::printf ("%d wrong values, %d objects made\n", bad, made.load ()), bad++;

  mine.value = 1000;
#pragma omp parallel num_threads (3) copyin (mine) reduction (+: bad)
  bad += mine.value != 1000;

  // Helpers end here, and with them their objects.
  if (omp_pause_resource_all (omp_pause_soft) != 0 || alive != 1)
    std::printf ("%d objects alive after the helpers ended\n", alive.load ()), bad++;

  // copyprivate of an object.
#pragma omp parallel num_threads (4) reduction (+: bad)
  {
    counter local;
#pragma omp single copyprivate (local)
    local.value = 42;
    bad += local.value != 42;
  }
  return bad != 0;
}
