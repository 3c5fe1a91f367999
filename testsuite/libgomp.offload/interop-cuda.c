/* Interop objects of a device with CUDA's runtimes: which runtime the program gets, and all
   properties, their types and return codes.
   TEST-OPTIONS: -D_GNU_SOURCE
   TEST-MODES: test
   TEST-ENV: GOMPX_TEST_PLUGIN=devices=2,cuda  */

#include "aux-interop.h"

static int failures;
#define CHECK(x) do if (!(x)) { printf ("FAIL line %d: %s\n", __LINE__, #x); failures++; } while (0)

static int
same (const char *a, const char *b)
{
  return a == b || (a != NULL && b != NULL && strcmp (a, b) == 0);
}

/* All routines for one property, which is of type RC (of the codes -3, -4, -5; 1: none).  */
static void
check (object o, int id, int rc, intptr_t number, const void *pointer, const char *type)
{
  int got = 99;
  intptr_t n = get_int (o, id, &got);
  CHECK (got == (rc == -3 ? 0 : rc) && n == (rc == -3 ? number : 0));
  void *p = get_ptr (o, id, &got);
  CHECK (got == (rc == -4 ? 0 : rc) && p == (rc == -4 ? pointer : NULL));
  const char *s = get_str (o, id, &got);
  CHECK (got == (rc == -5 ? 0 : rc) && (rc == -5 ? same (s, pointer) : s == NULL));
  if (rc == -3)
    CHECK (get_int (o, id, NULL) == number);
  CHECK (same (get_type (o, id), type));
  if (failures)
    printf ("  property %d (%s)\n", id, get_name (o, id));
}

static void
check_all (object o, int device, int fr, const char *fr_name, int device_rc,
	   const char *const types[3], int sync)
{
  CHECK (o != NULL && get_num (o) == 0);
  if (o == NULL)
    return;
  int rc;
  check (o, FR_ID, -3, fr, NULL, "omp_interop_t");
  check (o, FR_NAME, -5, 0, fr_name, "const char *");
  check (o, VENDOR, -3, 11, NULL, "int");
  check (o, VENDOR_NAME, -5, 0, "nvidia", "const char *");
  check (o, DEVICE_NUM, -3, device, NULL, "int");
  check (o, PLATFORM, 1, 0, NULL, "N/A");
  check (o, DEVICE, device_rc, 100 + device, NULL, types[0]);
  if (types[1] != NULL)
    check (o, CONTEXT, -4, 0, (void *) (uintptr_t) (0x2000 + device), types[1]);
  else
    check (o, CONTEXT, 1, 0, NULL, "N/A");
  if (sync)
    check (o, TARGETSYNC, -4, 0, get_ptr (o, TARGETSYNC, &rc), types[2]);
  else
    check (o, TARGETSYNC, 1, 0, NULL, "N/A");
  for (int id = -20; id < 10; id++)
    if (id < TARGETSYNC || id > FR_ID)
      {
	get_int (o, id, &rc);
	CHECK (rc == -2 && get_type (o, id) == NULL && get_name (o, id) == NULL);
	CHECK (get_ptr (o, id, &rc) == NULL && rc == -2);
	CHECK (get_str (o, id, &rc) == NULL && rc == -2);
      }
}

int
main (void)
{
  static const char *const cuda[3] = { "int", NULL, "cudaStream_t" };
  static const char *const driver[3] = { "CUdevice", "CUcontext", "CUstream" };
  static const char *const hip[3] = { "hipDevice_t", "hipCtx_t", "hipStream_t" };
  static const struct
  {
    const char *prefer;
    int fr;
  } tries[] = {
    { NULL, 1 },
    { "", 1 },
    { "\x80\x01\x80\0", 1 },
    { "\x80\x02\x80\0", 2 },
    { "\x80\x05\x80\0\x80\x01\x80\0", 5 },
    /* Runtimes that the device has not, an unknown one, and one of a later item.  */
    { "\x80\x07\x80\0\x80\x03\x80\0\x80\x81\x80\0\x80\x02\x80\0\x80\x01\x80\0", 2 },
    /* None that it has.  */
    { "\x80\x07\x80\0\x80\x81\x80\0", 1 },
    /* Attributes, and several runtimes in one item.  */
    { "\x80\x07\x80" "ompx_foo\0ompx_bar\0\0" "\x80\x06\x05\x01\x80" "ompx_x\0\0" "\x80\x01\x80\0", 5 },
    /* An item with attributes only takes any runtime.  */
    { "\x80\x80" "ompx_foo\0\0" "\x80\x02\x80\0", 1 }
  };

  get_symbols ();
  for (int device = 0; device < 2; device++)
    for (int sync = 0; sync < 2; sync++)
      for (size_t i = 0; i < sizeof (tries) / sizeof (tries[0]); i++)
	{
	  object o = make (device, sync, tries[i].prefer);
	  int fr = tries[i].fr;
	  check_all (o, device, fr, fr == 1 ? "cuda" : fr == 2 ? "cuda_driver" : "hip", -3,
		     fr == 1 ? cuda : fr == 2 ? driver : hip, sync);
	  if (failures)
	    printf ("  with preference %zu\n", i);
	  destroy (&o);
	  CHECK (o == NULL);
	  destroy (&o);
	  CHECK (o == NULL);
	}

  /* The default device, and the host.  */
  omp_set_default_device (1);
  object o = make (-5, 0, NULL);
  int rc = 99;
  CHECK (o != NULL && get_int (o, DEVICE_NUM, &rc) == 1 && rc == 0);
  destroy (&o);
  CHECK (make (-1, 1, NULL) == NULL && make (2, 1, NULL) == NULL);
  /* Numbers that mean no device.  */
  CHECK (make (3, 1, NULL) == NULL && make (-2, 1, NULL) == NULL);
  return failures != 0;
}
