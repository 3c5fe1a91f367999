/* Identities of devices.
   TEST-MODES: host cpu2 test gpu
   TEST-GPU: fallback
   TEST-ENV: GOMPX_TEST_PLUGIN=devices=3  */

#include <stdio.h>
#include <string.h>

/* Not in every compiler's omp.h, nor in its library: looked up at run time.  */
#include <dlfcn.h>
#include <omp.h>

int
main (void)
{
  const char *(*uid_of) (int) = (const char *(*) (int)) dlsym (RTLD_DEFAULT,
							       "omp_get_uid_from_device");
  int (*device_of) (const char *) = (int (*) (const char *)) dlsym (RTLD_DEFAULT,
								    "omp_get_device_from_uid");
  void (*fortran) (const char **, size_t *, int)
    = (void (*) (const char **, size_t *, int)) dlsym (RTLD_DEFAULT, "omp_get_uid_from_device_");
  if (uid_of == NULL || device_of == NULL || fortran == NULL)
    return printf ("no such routine\n"), 1;
  int n = omp_get_num_devices ();
  for (int i = 0; i < n; i++)
    {
      const char *uid = uid_of (i);
      if (uid == NULL || *uid == 0 || device_of (uid) != i)
	return printf ("device %d: %s\n", i, uid ? uid : "NULL"), 1;
      for (int k = 0; k < i; k++)
	if (strcmp (uid, uid_of (k)) == 0)
	  return printf ("devices %d and %d are both %s\n", i, k, uid), 1;
    }
  if (strcmp (uid_of (n), "OMP_INITIAL_DEVICE") != 0 || strcmp (uid_of (-1), uid_of (n)) != 0
      || uid_of (n + 1) != NULL || uid_of (-2) != NULL || device_of (uid_of (n)) != -1
      || device_of ("nothing") != -4 || device_of (NULL) != -4 || device_of ("") != -4)
    return printf ("the host, and nothing\n"), 1;
  const char *text;
  size_t len;
  fortran (&text, &len, n);
  if (len != 18 || memcmp (text, "OMP_INITIAL_DEVICE", 18) != 0)
    return printf ("Fortran\n"), 1;
  return 0;
}
