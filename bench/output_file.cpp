#include <sys/stat.h>
#include <unistd.h>
#include <cstdio>

#include <cerrno>
#include <cstring>

#include "report.hpp"

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
  if (!in_place) temporary_ = path_ + ".part" + std::to_string(getpid());
  file_ = std::fopen(in_place ? path_.c_str() : temporary_.c_str(), "w");
  if (!file_) {
    temporary_.clear();
    throw usage_error("cannot write '" + path_ + "': " + std::strerror(errno));
  }
}

output_file::~output_file() {
  if (file_ && file_ != stdout) std::fclose(file_);
  if (!temporary_.empty()) std::remove(temporary_.c_str());
}

void output_file::write(std::string const& text) {
  bool good = std::fwrite(text.data(), 1, text.size(), file_) == text.size() && std::fflush(file_) == 0;
  if (file_ == stdout) return;
  good = std::fclose(file_) == 0 && good;
  file_ = nullptr;
  if (good && !temporary_.empty()) good = std::rename(temporary_.c_str(), path_.c_str()) == 0;
  if (!good) throw std::runtime_error("writing '" + path_ + "' failed: " + std::strerror(errno));
  temporary_.clear();
}

}  // namespace study
