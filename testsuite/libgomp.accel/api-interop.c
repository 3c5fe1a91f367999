/* Interop objects and identities of devices: there are none on a device.
   TEST-OPTIONS: -D_GNU_SOURCE  */

#include <dlfcn.h>
#include <omp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int failures;

#define CHECK(x) ((x) ? (void) 0 : (void) (failures++, printf ("line %d: %s\n", __LINE__, #x)))

/* Not in the library that every compiler links; new omp.h have them with types of their own.  */
static int (*the_num_interop_properties) (const void *);
static intptr_t (*the_interop_int) (const void *, int, int *);
static void *(*the_interop_ptr) (const void *, int, int *);
static const char *(*the_interop_str) (const void *, int, int *);
static const char *(*the_interop_name) (const void *, int);
static const char *(*the_interop_type_desc) (const void *, int);
static const char *(*the_interop_rc_desc) (const void *, int);
static void (*the_interop_name_) (const char **, size_t *, const void *, int);
static void (*the_interop_type_desc_) (const char **, size_t *, const void *, int);
static void (*the_interop_rc_desc_) (const char **, size_t *, const void *, int);
static void (*the_interop_str_) (const char **, size_t *, const void *, int, int *);
static const char *(*the_uid_from_device) (int);
static void (*the_uid_from_device_) (const char **, size_t *, int32_t);
static void (*the_uid_from_device_8_) (const char **, size_t *, int64_t);
static int (*the_device_from_uid) (const char *);
static int32_t (*the_device_from_uid_) (const char *, size_t);

#define LOOK_UP(name)							\
  if ((*(void **) &the_##name = dlsym (RTLD_DEFAULT, "omp_get_" #name)) == NULL)		\
    {									\
      puts ("no omp_get_" #name);						\
      return 1;								\
    }

int
main (void)
{
  /* So that the program needs the library.  */
  CHECK (omp_get_num_threads () == 1);
  LOOK_UP (num_interop_properties);
  LOOK_UP (interop_int);
  LOOK_UP (interop_ptr);
  LOOK_UP (interop_str);
  LOOK_UP (interop_name);
  LOOK_UP (interop_type_desc);
  LOOK_UP (interop_rc_desc);
  LOOK_UP (interop_name_);
  LOOK_UP (interop_type_desc_);
  LOOK_UP (interop_rc_desc_);
  LOOK_UP (interop_str_);
  LOOK_UP (uid_from_device);
  LOOK_UP (uid_from_device_);
  LOOK_UP (uid_from_device_8_);
  LOOK_UP (device_from_uid);
  LOOK_UP (device_from_uid_);
  static const char *const names[] = {
    "fr_id", "fr_name", "vendor", "vendor_name", "device_num", "platform", "device",
    "device_context", "targetsync"
  };
  int object, rc = 5;
  const char *text;
  size_t len;

  CHECK (the_num_interop_properties (NULL) == 0);
  for (int p = -9; p <= -1; p++)
    {
      CHECK (the_interop_int (NULL, p, &rc) == 0 && rc == -1);
      CHECK (the_interop_ptr (&object, p, &rc) == NULL && rc == -6);
      CHECK (the_interop_str (NULL, p, NULL) == NULL);
      CHECK (strcmp (the_interop_name (NULL, p), names[-p - 1]) == 0);
      CHECK (the_interop_type_desc (NULL, p) == NULL);
    }
  CHECK (the_interop_str (NULL, 0, &rc) == NULL && rc == -2);
  CHECK (the_interop_int (&object, -10, &rc) == 0 && rc == -2);
  CHECK (the_interop_name (NULL, 0) == NULL && the_interop_name (NULL, -10) == NULL);
  for (int i = -6; i <= 1; i++)
    CHECK (strlen (the_interop_rc_desc (NULL, i)) > 5);
  CHECK (the_interop_rc_desc (NULL, 2) == NULL && the_interop_rc_desc (NULL, -7) == NULL);

  the_interop_name_ (&text, &len, NULL, -3);
  CHECK (len == 6 && memcmp (text, "vendor", 6) == 0);
  the_interop_type_desc_ (&text, &len, NULL, -3);
  CHECK (text == NULL && len == 0);
  the_interop_rc_desc_ (&text, &len, NULL, 0);
  CHECK (len == 10 && memcmp (text, "successful", 10) == 0);
  the_interop_str_ (&text, &len, NULL, -4, &rc);
  CHECK (text == NULL && len == 0 && rc == -1);

  CHECK (the_uid_from_device (0) == NULL && the_device_from_uid ("GPU-0") == -4);
  text = names[0];
  the_uid_from_device_ (&text, &len, 0);
  CHECK (text == NULL && len == 0);
  text = names[0];
  the_uid_from_device_8_ (&text, &len, 0);
  CHECK (text == NULL && len == 0 && the_device_from_uid_ ("GPU", 3) == -4);
  return failures != 0;
}
