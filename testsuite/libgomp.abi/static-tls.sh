#!/bin/bash
# An OpenMP library can be opened late where others have taken 1280 bytes of initial-exec storage
# first, as extensions of interpreters do: this library asks for no more than is left then.
# TEST-MODES: host
# TEST-SKIP-SANITIZER: address brings its own libraries
# TEST-SKIP-SANITIZER: thread brings its own libraries
# TEST-SKIP-SANITIZER: undefined brings its own libraries
. "$(dirname "$0")/aux-common.sh"
cat > "$tmp/first.c" <<'END'
__thread char big[BYTES] __attribute__ ((tls_model ("initial-exec")));
char *where (void) { return big; }
END
cat > "$tmp/openmp.c" <<'END'
int
total (int n)
{
  int sum = 0;
#pragma omp parallel for reduction (+: sum) num_threads (4)
  for (int i = 0; i < n; i++)
    sum += i;
  /* In a team of one, whose thread has no slot, and with dependences.  */
#pragma omp task depend (out: sum) shared (sum)
  sum++;
#pragma omp task depend (inout: sum) shared (sum) if (0)
  sum--;
#pragma omp taskwait
  return sum;
}
END
cat > "$tmp/main.c" <<'END'
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

static int (*total) (int);

static void *
other (void *arg)
{
  (void) arg;
  return total (100) == 4950 ? arg : "wrong in another thread";
}

int
main (int argc, char **argv)
{
  for (int i = 1; i < argc; i++)
    {
      void *lib = dlopen (argv[i], RTLD_NOW);
      if (lib == NULL)
	{
	  printf ("%d: %s\n", i, dlerror ());
	  return i;
	}
      if (i == argc - 1)
	total = (int (*) (int)) dlsym (lib, "total");
    }
  pthread_t thread;
  void *text = NULL;
  if (total (100) != 4950)
    return 10;
  if (pthread_create (&thread, NULL, other, NULL) != 0 || pthread_join (thread, &text) != 0
      || text != NULL)
    return 11;
  return 0;
}
END
"${cc[@]}" -O2 -fopenmp -foffload=disable -shared -fpic "$tmp/openmp.c" -o "$tmp/libopenmp.so" \
  || die "no OpenMP library"
"${cc[@]}" -O2 -pthread "$tmp/main.c" -ldl -o "$tmp/main" || die "no program"
for bytes in 64 640 1280; do
  "${cc[@]}" -O2 -shared -fpic -DBYTES=$bytes "$tmp/first.c" -o "$tmp/libfirst.so" \
    || die "no library"
  LD_LIBRARY_PATH=$libdir "$tmp/main" "$tmp/libfirst.so" "$tmp/libopenmp.so" > "$tmp/out" 2>&1 \
    || bad "after $bytes bytes status $?: $(cat "$tmp/out")"
done
exit $status
