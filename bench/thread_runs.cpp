#include "thread_runs.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "affinity.hpp"
#include "text.hpp"
#include "usage_error.hpp"

extern char** environ;

namespace study {
namespace {

struct close_file {
  void operator()(std::FILE* f) const { std::fclose(f); }
};
/// A file without a name, which the process that is started inherits.
using nameless_file = std::unique_ptr<std::FILE, close_file>;

nameless_file make_nameless() {
  nameless_file file(std::tmpfile());
  if (!file) throw std::runtime_error(std::string("no temporary file: ") + std::strerror(errno));
  return file;
}

std::string contents(std::FILE* file) {
  std::string all;
  std::rewind(file);
  char part[4096];
  for (std::size_t got; (got = std::fread(part, 1, sizeof part, file)) > 0;) all.append(part, got);
  return all;
}

pid_t start(char** argv, std::string const& child) {
  std::vector<char*> arguments;
  for (; *argv; ++argv) arguments.push_back(*argv);
  std::string option = "--child", value = child;
  for (char* last : {option.data(), value.data(), static_cast<char*>(nullptr)}) arguments.push_back(last);
  pid_t id = 0;
  if (int const code = posix_spawn(&id, "/proc/self/exe", nullptr, nullptr, arguments.data(), environ))
    throw std::runtime_error(std::string("cannot start a process for the threads: ") + std::strerror(code));
  return id;
}

/// The exit status of a process; of one that was interrupted before it could take that as a request, the status of such;
/// else 1 if it did not end by itself.
int wait_for(pid_t id) {
  forward_interrupts_to(id);
  if (interrupted()) kill(id, SIGTERM);  // which came before it could be passed on
  int status = 0;
  while (waitpid(id, &status, 0) < 0 && errno == EINTR) {
  }
  forward_interrupts_to(0);
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  if (interrupted()) return interrupted_status;
  say(formatted("This run was ended by signal {}.\n", WTERMSIG(status)));
  return 1;
}

void write_all(int descriptor, std::string const& text) {
  for (std::size_t done = 0; done < text.size();) {
    auto const part = write(descriptor, text.data() + done, text.size() - done);
    if (part < 0 && errno == EINTR) continue;
    if (part < 0) throw std::runtime_error(std::string("the results could not be passed on: ") + std::strerror(errno));
    done += std::size_t(part);
  }
}

}  // namespace

std::vector<std::string> backends_with_threads(std::vector<std::string> const& asked) {
  for (auto const& name : asked)
    if (name != "cpu") throw usage_error("--threads counts the threads of the cpu backend, and '" + name + "' has none");
  return {"cpu"};
}

int run_with_threads(std::vector<int> const& counts, char** argv, output_file* json, output_file* csv) {
  std::vector<std::string> jsons, csvs;
  int status = 0;
  allow_all_cores();  // a process that is started would inherit a pinned thread's one core
  unsetenv("KOKKOS_NUM_THREADS");
  for (int count : counts) {
    if (interrupted()) break;
    say(formatted("{}On {} thread{}:\n", jsons.empty() ? "" : "\n", count, count == 1 ? "" : "s"));
    setenv("OMP_NUM_THREADS", std::to_string(count).c_str(), 1);
    auto const json_part = make_nameless(), csv_part = make_nameless();
    status = std::max(status, wait_for(start(argv, formatted("{},{},{}", count, fileno(json_part.get()), fileno(csv_part.get())))));
    if (auto text = contents(json_part.get()); !text.empty()) jsons.push_back(std::move(text));
    csvs.push_back(contents(csv_part.get()));
  }
  bool const cut_short = status == interrupted_status || csvs.size() < counts.size();
  if (json) json->write(joined_json(jsons, int(counts.size()), cut_short));
  if (csv) csv->write(joined_csv(csvs));
  return cut_short ? interrupted_status : status;
}

void check_threads(int asked, int used) {
  if (used != asked)
    throw std::runtime_error(formatted("--threads asks for {}, but OpenMP gives {} here; does OMP_THREAD_LIMIT limit them?", asked, used));
}

void hand_over(std::vector<int> const& child, std::string const& json, std::string const& csv) {
  write_all(child[1], json);
  write_all(child[2], csv);
}

}  // namespace study
