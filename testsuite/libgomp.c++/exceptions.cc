// Exceptions thrown and caught inside region bodies, loops, sections, critical and ordered
// regions.
#include <cstdio>
#include <stdexcept>
#include <string>

static int
thrower (int i)
{
  std::string text = "iteration " + std::to_string (i);
  if (i % 3 == 0)
    throw std::runtime_error (text);
  return 1;
}

int
main ()
{
  int caught = 0, passed = 0, bad = 0, order = 0;
  for (int round = 0; round < 5; round++)
    {
#pragma omp parallel num_threads (4) reduction (+: caught, passed, bad)
      {
	try
	  {
	    thrower (0);
	    bad++;
	  }
	catch (const std::runtime_error &)
	  {
	  }
#pragma omp for schedule (dynamic)
	for (int i = 0; i < 30; i++)
	  try
	    {
	      passed += thrower (i);
	    }
	  catch (const std::runtime_error &e)
	    {
	      caught++;
	      bad += e.what () != "iteration " + std::to_string (i);
	    }
#pragma omp for ordered schedule (dynamic)
	for (int i = 0; i < 30; i++)
	  try
	    {
#pragma omp ordered
	      {
		try
		  {
		    bad += order++ % 30 != i;
		    thrower (i);
		  }
		catch (int)
		  {
		    bad++;
		  }
		catch (const std::exception &)
		  {
		  }
	      }
	    }
	  catch (...)
	    {
	      bad++;
	    }
	try
	  {
#pragma omp critical
	    {
	      try
		{
		  thrower (3);
		}
	      catch (const std::runtime_error &)
		{
		}
	    }
	  }
	catch (...)
	  {
	    bad++;
	  }
      }
    }
  if (bad || caught != 50 || passed != 100)
    {
      std::printf ("%d wrong, %d caught, %d passed\n", bad, caught, passed);
      return 1;
    }
  return 0;
}
