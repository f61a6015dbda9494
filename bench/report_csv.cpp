// CSV as in RFC 4180, one row per result. What does not exist is an empty field.
#include <algorithm>
#include <cmath>

#include "report.hpp"
#include "text.hpp"

namespace study {
namespace {

std::string field(std::string const& s) {
  if (s.find_first_of(",\"\r\n") == std::string::npos) return s;
  std::string quoted = "\"";
  for (char c : s) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

std::string number(std::optional<double> v) { return v && std::isfinite(*v) ? formatted("{}", *v) : ""; }

}  // namespace

std::string to_csv(std::vector<result> const& results) {
  std::string out =
      "case,variant,backend,type,size,status,reason,verified,max_error,bound,samples,median_s,p05_s,p95_s,bytes,flops,gb_per_s,gflop_per_s,"
      "kind,cache,ceiling_fraction,threads,repetitions,min_median_s,max_median_s,doubtful\r\n";
  for (auto const& r : results) {
    bool const timed = r.status == status::ok && r.times;
    auto const giga = [&](std::optional<double> v) { return timed && v ? number(*v / 1e9) : ""; };
    auto const time = [&](double summary::*what) { return timed ? number(*r.times.*what) : ""; };
    auto const [low, high] = std::minmax_element(r.repetition_medians.begin(), r.repetition_medians.end());
    auto const median = [&](auto which) { return timed && !r.repetition_medians.empty() ? number(*which) : ""; };
    std::string const fields[] = {field(r.case_name),
                                  field(r.variant),
                                  field(r.backend),
                                  field(r.type),
                                  std::to_string(r.size),
                                  name_of(r.status),
                                  field(r.reason),
                                  r.verified ? (*r.verified ? "true" : "false") : "",
                                  number(r.max_error),
                                  number(r.bound),
                                  std::to_string(timed ? r.times->samples : 0),
                                  time(&summary::median),
                                  time(&summary::p05),
                                  time(&summary::p95),
                                  number(r.bytes),
                                  number(r.flops),
                                  giga(r.bytes_per_s()),
                                  giga(r.flops_per_s()),
                                  name_of(r.kind),
                                  r.cache,
                                  timed ? number(r.ceiling_fraction()) : "",
                                  r.threads ? std::to_string(*r.threads) : "",
                                  std::to_string(timed ? r.repetition_medians.size() : 0),
                                  median(low),
                                  median(high),
                                  timed ? (r.doubtful() ? "true" : "false") : ""};
    std::string line;
    for (auto const& f : fields) line += (&f == fields ? "" : ",") + f;
    out += line + "\r\n";
  }
  return out;
}

std::string joined_csv(std::vector<std::string> const& documents) {
  std::string all;
  for (auto const& text : documents) all += all.empty() ? text : text.substr(std::min(text.size(), text.find("\r\n") + 2));
  return all.empty() ? to_csv({}) : all;
}

}  // namespace study
