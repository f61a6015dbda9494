// The schemas dolmen-study/1 and dolmen-study-facts/1. Numbers that do not exist are null.
#include <cmath>
#include <nlohmann/json.hpp>

#include "report.hpp"

namespace study {
namespace {

using json = nlohmann::ordered_json;

json number(std::optional<double> v) { return v && std::isfinite(*v) ? json(*v) : json(); }
json text(std::optional<std::string> const& s) { return s ? json(*s) : json(); }

std::string text_of(json const& all) { return all.dump(2, ' ', false, json::error_handler_t::replace) + '\n'; }

json object(facts const& list) {
  json o = json::object();
  for (auto const& [name, value] : list) o[name] = text(value);
  return o;
}

json to_object(machine const& m) {
  return {{"library_version", m.library_version},
          {"time_utc", m.time_utc},
          {"system", m.system},
          {"cpu", m.cpu_name},
          {"sockets", m.sockets},
          {"cores_present", m.cores_present},
          {"cores_allowed", m.cores_allowed},
          {"cores_used", m.cores_used},
          {"affinity", m.affinity},
          {"governor", text(m.governor)},
          {"cpu_mhz", number(m.cpu_mhz)},
          {"cpu_max_mhz", number(m.cpu_max_mhz)},
          {"busy_cores_before", number(m.busy_cores)},
          {"environment", object(m.environment)},
          {"compiler", m.compiler},
          {"flags", m.flags},
          {"build_type", m.build_type},
          {"openblas", m.openblas.empty() ? json() : object(m.openblas)},
          {"gpu", m.gpu.empty() ? json() : object(m.gpu)}};
}

json to_object(ceilings const& c) {
  return {{"array_bytes", c.array_bytes},
          {"read_gb_per_s", number(c.read / 1e9)},
          {"write_gb_per_s", number(c.write / 1e9)},
          {"copy_gb_per_s", number(c.copy / 1e9)},
          {"triad_gb_per_s", number(c.triad / 1e9)}};
}

std::optional<double> giga(std::optional<double> v) { return v ? std::optional(*v / 1e9) : std::nullopt; }

json to_object(result const& r) {
  bool const timed = r.status == status::ok && r.times;
  auto const time = [&](double summary::*what) { return timed ? number(*r.times.*what) : json(); };
  return {{"case", r.case_name},
          {"variant", r.variant},
          {"backend", r.backend},
          {"type", r.type},
          {"size", r.size},
          {"status", name_of(r.status)},
          {"reason", r.reason.empty() ? json() : json(r.reason)},
          {"verified", r.verified ? json(*r.verified) : json()},
          {"max_error", number(r.max_error)},
          {"bound", number(r.bound)},
          {"threads", r.threads ? json(*r.threads) : json()},
          {"samples", timed ? r.times->samples : 0},
          {"runs_per_sample", timed ? json(r.runs_per_sample) : json()},
          {"median_s", time(&summary::median)},
          {"p05_s", time(&summary::p05)},
          {"p95_s", time(&summary::p95)},
          {"repetition_medians_s", timed ? json(r.repetition_medians) : json()},
          {"doubtful", timed && r.doubtful()},
          {"bytes", number(r.bytes)},
          {"flops", number(r.flops)},
          {"gb_per_s", timed ? number(giga(r.bytes_per_s())) : json()},
          {"gflop_per_s", timed ? number(giga(r.flops_per_s())) : json()},
          {"kind", name_of(r.kind)},
          {"cache", r.cache.empty() ? json() : json(r.cache)},
          {"ceiling_gb_per_s", number(giga(r.ceiling))},
          {"ceiling_fraction", timed ? number(r.ceiling_fraction()) : json()},
          {"above_ceiling", timed && r.above_ceiling()}};
}

json to_object(std::optional<kernel_cost> const& c) {
  if (!c) return {};
  return {{"registers", c->registers},
          {"local_bytes", c->local_bytes},
          {"shared_bytes", c->shared_bytes},
          {"threads", c->threads},
          {"resident_blocks", c->resident_blocks}};
}

json to_array(kernel_pairs const& pairs) {
  json all = json::array();
  for (auto const& p : pairs) all.push_back({{"kernel", p.kernel}, {"dolmen", to_object(p.portable)}, {"cuda", to_object(p.twin)}});
  return all;
}

}  // namespace

std::string to_json(machine const& m, std::map<std::string, ceilings> const& c, std::vector<result> const& results,
                    kernel_pairs const& kernels, run_facts const& run) {
  json all{{"schema", "dolmen-study/1"},
           {"machine", to_object(m)},
           {"run",
            {{"tour", run.tour},
             {"rows_planned", run.rows_planned},
             {"cut_short", run.cut_short},
             {"seconds_per_row", run.seconds_per_row},
             {"repetitions", run.repetitions}}},
           {"ceilings", json::object()},
           {"results", json::array()},
           {"kernels", to_array(kernels)}};
  for (auto const& [backend, found] : c) all["ceilings"][backend] = to_object(found);
  for (auto const& r : results) all["results"].push_back(to_object(r));
  return text_of(all);
}

std::string joined_json(std::vector<std::string> const& documents, int planned, bool cut_short) {
  json all, results = json::array(), found = json::object();
  int rows = 0;
  for (auto const& text : documents) {
    all = json::parse(text);
    rows = all["run"]["rows_planned"];
    for (auto& r : all["results"]) results.push_back(std::move(r));
    for (auto const& [backend, rates] : all["ceilings"].items()) found[backend + '/' + all["machine"]["cores_used"].dump()] = rates;
  }
  if (documents.empty()) all = json::parse(to_json({}, {}, {}));
  all["run"]["rows_planned"] = rows * planned;
  all["run"]["cut_short"] = cut_short;
  all["ceilings"] = std::move(found), all["results"] = std::move(results);
  return text_of(all);
}

std::string kernels_json(machine const& m, kernel_pairs const& kernels) {
  return text_of({{"schema", "dolmen-study-facts/1"}, {"machine", to_object(m)}, {"kernels", to_array(kernels)}});
}

}  // namespace study
