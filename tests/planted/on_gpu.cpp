// One planted mistake on a GPU, for compute-sanitizer: each tool is run over each case by cmake/dev/planted.sh.
//
//   planted_gpu --list          the names that make sense on a GPU
//   planted_gpu NAME            the mistake
//   planted_gpu NAME right      its twin: status 1 if its results are wrong
//
// Status 3: an error of the device or of the library, whose text is printed. 77: the device is too small for the case.
#include <cstdio>
#include <cstring>

#include "planted.hpp"

namespace {

bool fits(planted::test_case const& c) { return c.where == planted::runs::everywhere; }

int run(planted::test_case const& c, bool right) {
  try {
    dolmen::stream const stream;
    bool const as_expected = (right ? c.right : c.wrong)(stream);
    stream.synchronize();
    if (!right || as_expected) return 0;
    std::puts("wrong results");
    return 1;
  } catch (planted::not_run const& why) {
    std::printf("not run: %s\n", why.what());
    return 77;
  } catch (std::exception const& e) {
    std::puts(e.what());
    return 3;
  }
}

}  // namespace

int main(int argc, char** argv) {
  int status = 2;
  if (argc == 2 && std::strcmp(argv[1], "--list") == 0) {
    planted::each_case([&](planted::family const& f, planted::test_case const& c) {
      if (fits(c)) std::printf("%s %s\n", f.name, c.name);
    });
    return 0;
  }
  if (argc < 2) {
    std::puts("planted_gpu --list | NAME [right]");
    return status;
  }
  planted::each_case([&](planted::family const&, planted::test_case const& c) {
    if (fits(c) && std::strcmp(c.name, argv[1]) == 0) status = run(c, argc > 2 && std::strcmp(argv[2], "right") == 0);
  });
  if (status == 2) std::printf("no case '%s' for a GPU\n", argv[1]);
  return status;
}
