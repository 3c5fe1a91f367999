/* With the mapping checker regions that run at the same time share a mutex in mapped memory: one has made
   system calls that end its watching, the other one has not, and is woken.
   TEST-MODES: cpu
   TEST-ENV: GOMP_CHECK=map
   TEST-OUTPUT: ^libgomp: check: 0 findings  */

#include <omp.h>
#include <pthread.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static struct { pthread_mutex_t mutex; volatile int state; char more[8192]; } shared;

int
main (void)
{
#pragma omp target enter data map(to: shared)
#pragma omp target map(alloc: shared)
  {
    pthread_mutex_init (&shared.mutex, NULL);
    shared.state = 0;
  }
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    {
#pragma omp target map(alloc: shared)
      {
	char text[] = "held\n";
	struct iovec part = { text, strlen (text) };
	pthread_mutex_lock (&shared.mutex);
	shared.state += writev (1, &part, 1) == 5;
	/* The other one starts in spite of the checker after a second, and waits.  */
	usleep (1600000);
	pthread_mutex_unlock (&shared.mutex);
      }
    }
#pragma omp section
    {
      usleep (100000);
#pragma omp target map(alloc: shared)
      {
	pthread_mutex_lock (&shared.mutex);
	shared.state += 10;
	pthread_mutex_unlock (&shared.mutex);
      }
    }
  }
#pragma omp target exit data map(from: shared)
  return shared.state == 11 ? 0 : 1;
}
