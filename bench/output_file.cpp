#include "output_file.hpp"

#include <sys/stat.h>
#include <unistd.h>
#include <cstdio>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "usage_error.hpp"

namespace study {

output_file::output_file(std::string path) : path_(std::move(path)) {
  if (path_ == "-") {
    file_ = stdout;
    return;
  }
  struct stat there {};
  bool const exists = stat(path_.c_str(), &there) == 0;
  bool const in_place = exists && !S_ISREG(there.st_mode) && !S_ISDIR(there.st_mode);
  if (exists && S_ISDIR(there.st_mode)) throw usage_error("cannot write '" + path_ + "': it is a folder");
  if (exists && !in_place && access(path_.c_str(), W_OK) != 0) throw usage_error("cannot write '" + path_ + "': " + std::strerror(errno));
  if (!in_place) {
    temporary_ = path_ + ".part" + std::to_string(getpid());
    removal_ = std::make_unique<temporary_file>(temporary_.c_str());
  }
  file_ = std::fopen(in_place ? path_.c_str() : temporary_.c_str(), "w");
  if (!file_) {
    int const reason = errno;
    removal_.reset();
    temporary_.clear();
    throw usage_error("cannot write '" + path_ + "': " + std::strerror(reason));
  }
}

output_file::~output_file() {
  if (file_ && file_ != stdout) std::fclose(file_);
  if (!temporary_.empty()) std::remove(temporary_.c_str());
}

void output_file::write(std::string const& text) {
  bool good = std::fwrite(text.data(), 1, text.size(), file_) == text.size() && std::fflush(file_) == 0;
  if (file_ != stdout) {
    good = std::fclose(file_) == 0 && good;
    file_ = nullptr;
  }
  if (good && !temporary_.empty()) good = std::rename(temporary_.c_str(), path_.c_str()) == 0;
  if (!good) throw std::runtime_error("writing '" + path_ + "' failed: " + std::strerror(errno));
  removal_.reset();
  temporary_.clear();
}

bool same_file(std::string const& a, std::string const& b) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (fs::is_character_file(a, ignored) && a != "/dev/stdout") return false;
  if (fs::equivalent(a, b, ignored)) return true;
  auto const whole = [&](std::string const& path) { return fs::weakly_canonical(fs::absolute(path, ignored), ignored); };
  return a == b || whole(a) == whole(b);
}

void say(std::string const& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    throw std::runtime_error(std::string("writing the output failed: ") + std::strerror(errno));
}

}  // namespace study
