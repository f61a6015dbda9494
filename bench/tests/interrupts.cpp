// Real runs of dolmen-study, interrupted by signals.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

extern char** environ;

namespace {

namespace fs = std::filesystem;

/// A run whose output is read while it is at work.
class process {
 public:
  explicit process(std::vector<std::string> arguments) {
    std::array<int, 2> ends{};
    REQUIRE(pipe(ends.data()) == 0);
    from_ = ends[0];
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (int to : {STDOUT_FILENO, STDERR_FILENO}) posix_spawn_file_actions_adddup2(&actions, ends[1], to);
    for (int end : ends) posix_spawn_file_actions_addclose(&actions, end);
    posix_spawnattr_t attributes;  // a script's background job, and what it starts, may ignore SIGINT
    posix_spawnattr_init(&attributes);
    sigset_t defaults;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGINT);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    arguments.insert(arguments.begin(), STUDY_PROGRAM);
    std::vector<char*> argv;
    for (auto& a : arguments) argv.push_back(a.data());
    argv.push_back(nullptr);
    REQUIRE(posix_spawn(&id_, STUDY_PROGRAM, &actions, &attributes, argv.data(), environ) == 0);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    close(ends[1]);
  }
  process(process const&) = delete;
  ~process() {
    if (id_ > 0) kill(id_, SIGKILL), waitpid(id_, nullptr, 0);
    if (from_ >= 0) close(from_);
  }

  /// Reads until the output holds a text; false if it ends before.
  bool wait_for(std::string const& wanted) {
    while (text.find(wanted) == std::string::npos)
      if (!read_some()) return false;
    return true;
  }
  /// Of user code so far: the 14th field of its stat file, in ticks; the second one is the name in parentheses.
  double cpu_seconds() const {
    std::ifstream in("/proc/" + std::to_string(id_) + "/stat");
    std::string field;
    for (int k = 1; k <= 14; ++k) in >> field;
    return std::stod(field) / double(sysconf(_SC_CLK_TCK));
  }
  void stop_reading() {
    close(from_);
    from_ = -1;
  }
  void send(int signal) const { kill(id_, signal); }
  /// Reads the rest; the exit status, or -signal.
  int finish() {
    while (read_some()) {
    }
    int status = 0;
    waitpid(id_, &status, 0);
    id_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

  std::string text;

 private:
  bool read_some() {
    std::array<char, 1024> part{};
    auto const got = read(from_, part.data(), part.size());
    if (got > 0) text.append(part.data(), std::size_t(got));
    return got > 0;
  }

  pid_t id_ = 0;
  int from_ = -1;
};

/// An empty folder for the files of one run.
struct folder {
  fs::path path = fs::current_path() / ("study_interrupts_" + std::to_string(getpid()));
  folder() {
    fs::remove_all(path);
    fs::create_directory(path);
  }
  folder(folder const&) = delete;
  ~folder() { fs::remove_all(path); }
  std::string operator/(char const* name) const { return (path / name).string(); }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (auto const& entry : fs::directory_iterator(path)) all.push_back(entry.path().filename().string());
    std::sort(all.begin(), all.end());
    return all;
  }
};

nlohmann::json parsed(std::string const& path) {
  std::ifstream in(path);
  return nlohmann::json::parse(in);
}

int lines_of(std::string const& path) {
  std::ifstream in(path);
  int count = 0;
  for (std::string line; std::getline(in, line);) ++count;
  return count;
}

std::vector<std::string> long_run(folder const& out, std::initializer_list<std::string> more = {}) {
  std::vector<std::string> all = {"run",    "--backend",    "cpu",   "--filter",   "^(sum|dot)/.*/1000$",
                                  "--json", out / "a.json", "--csv", out / "a.csv"};
  all.insert(all.end(), more);
  return all;
}

}  // namespace

TEST_CASE("a run that is interrupted ends after its row and leaves what it has") {
  for (int signal : {SIGINT, SIGTERM}) {
    CAPTURE(signal);
    folder const out;
    process run(long_run(out, {"--time", "0.3"}));
    REQUIRE(run.wait_for("dolmen  "));  // the first row
    run.send(signal);
    run.send(signal);  // at once: the same request
    CHECK(run.finish() == 130);
    CHECK(run.text.find(signal == SIGINT ? "Cut short by SIGINT: " : "Cut short by SIGTERM: ") != std::string::npos);
    CHECK(run.text.find(" left") == std::string::npos);  // no progress in a pipe
    CHECK(out.names() == std::vector<std::string>{"a.csv", "a.json"});
    auto const json = parsed(out / "a.json");
    CHECK(json["run"]["cut_short"] == true);
    auto const rows = int(json["results"].size());
    CHECK(rows >= 1);
    CHECK(rows < json["run"]["rows_planned"]);
    CHECK(json["results"][0]["status"] == "ok");
    CHECK(lines_of(out / "a.csv") == rows + 1);
  }
}

TEST_CASE("a run without arguments is the tour") {
  folder const out;
  process run({"run", "--backend", "cpu", "--time", "0.001", "--json", out / "a.json"});
  REQUIRE(run.wait_for("axpy  "));
  run.send(SIGINT);
  CHECK(run.finish() == 130);
  CHECK(run.text.find("The tour: ") != std::string::npos);
  CHECK(run.text.find("Ceilings of cpu") < run.text.find("\nKernels of the textbooks\nvector_add "));
  auto const json = parsed(out / "a.json");
  CHECK(json["run"]["tour"] == true);
  CHECK(json["run"]["rows_planned"] > 80);
}

TEST_CASE("a second request ends a run at once and leaves nothing") {
  folder const out;
  process run(long_run(out, {"--time", "600"}));
  REQUIRE(run.wait_for("ratio\n---"));
  double const start = run.cpu_seconds();
  while (run.cpu_seconds() < start + 0.3) std::this_thread::sleep_for(std::chrono::milliseconds(20));  // a row is under way
  run.send(SIGINT);
  std::this_thread::sleep_for(std::chrono::milliseconds(700));
  CHECK(out.names().size() == 2);  // both temporary
  run.send(SIGINT);
  CHECK(run.finish() == 130);
  CHECK(out.names().empty());
}

TEST_CASE("a run that is not interrupted says so") {
  folder const out;
  process run({"run", "--backend", "cpu", "--filter", "^sum/cpu/dolmen/float/1000$", "--time", "0.001", "--json", out / "a.json"});
  CHECK(run.finish() == 0);
  auto const json = parsed(out / "a.json");
  CHECK(json["run"]["cut_short"] == false);
  CHECK(json["run"]["rows_planned"] == 1);
}

TEST_CASE("rows for each number of threads") {
  folder const out;
  process run(long_run(out, {"--time", "0.001", "--threads", "1,2"}));
  CHECK(run.finish() == 0);
  auto const json = parsed(out / "a.json");
  std::map<int, int> rows;
  for (auto const& r : json["results"]) ++rows[r["threads"].get<int>()];
  CHECK(rows.size() == 2);
  CHECK(rows[1] == rows[2]);
  CHECK(rows[1] + rows[2] == json["run"]["rows_planned"]);
  CHECK(lines_of(out / "a.csv") == rows[1] + rows[2] + 1);
}

TEST_CASE("an interrupt reaches the process of a number of threads") {
  folder const out;
  process run(long_run(out, {"--time", "0.3", "--threads", "2,1"}));
  REQUIRE(run.wait_for("dolmen  "));
  run.send(SIGTERM);
  CHECK(run.finish() == 130);
  auto const json = parsed(out / "a.json");
  CHECK(json["run"]["cut_short"] == true);
  for (auto const& r : json["results"]) CHECK(r["threads"] == 2);
  CHECK(out.names() == std::vector<std::string>{"a.csv", "a.json"});
}

TEST_CASE("a run whose reader goes away still leaves its file, and says that something failed") {
  folder const out;
  process run(long_run(out, {"--time", "0.05"}));
  REQUIRE(run.wait_for("dolmen  "));
  run.stop_reading();
  CHECK(run.finish() == 1);
  CHECK(out.names() == std::vector<std::string>{"a.csv", "a.json"});
  auto const json = parsed(out / "a.json");
  CHECK(int(json["results"].size()) == json["run"]["rows_planned"]);
}
