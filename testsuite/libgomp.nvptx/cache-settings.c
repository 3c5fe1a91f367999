/* GOMP_CACHE and GOMP_CACHE_SIZE.

   TEST-MODES: host
   TEST-OPTIONS: -I@top_srcdir@/plugin  */

#include "aux-cache.h"

int
main (void)
{
  static const struct { const char *text; uint64_t size; } good[]
    = { { "0", 0 }, { "12", 12 }, { " 12 ", 12 }, { "12B", 12 }, { "3k", 3 << 10 },
	{ "3M", 3 << 20 }, { "2G", UINT64_C (2) << 30 }, { "2t ", UINT64_C (2) << 40 },
	{ "18446744073709551615", UINT64_MAX } };
  static const char *const bad[]
    = { "", "k", "-1", "+1", "1x", "1kk", "1 0", "12 B", "0x10", "18446744073709551616", "99999999999999999T",
	"17179869184G", "off" };

  for (size_t i = 0; i < sizeof (good) / sizeof (good[0]); i++)
    {
      use_directory ("cache");
      set_env ("GOMP_CACHE_SIZE", good[i].text);
      CHECK (nvptx_cache_init (&test_core) == GOMP_OK && cache_limit == good[i].size);
    }
  for (size_t i = 0; i < sizeof (bad) / sizeof (bad[0]); i++)
    {
      set_env ("GOMP_CACHE_SIZE", bad[i]);
      test_error[0] = 0;
      CHECK (nvptx_cache_init (&test_core) == GOMP_INVALID);
      CHECK (strstr (test_error, "GOMP_CACHE_SIZE") != NULL);
    }
  set_env ("GOMP_CACHE_SIZE", NULL);

  set_env ("GOMP_CACHE", "On");
  CHECK (nvptx_cache_init (&test_core) == GOMP_OK);
  nvptx_cache_store (&test_key, content (1), CONTENT);
  CHECK (holds (&test_key, 1));
  set_env ("GOMP_CACHE", "OFF");
  CHECK (nvptx_cache_init (&test_core) == GOMP_OK && !holds (&test_key, 1));
  set_env ("GOMP_CACHE", "maybe");
  CHECK (nvptx_cache_init (&test_core) == GOMP_INVALID);
  CHECK (strstr (test_error, "maybe") != NULL);
  return 0;
}
