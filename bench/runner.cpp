#include "runner.hpp"

#include <algorithm>

#include <dolmen/core/error.hpp>

#include "interrupt.hpp"
#include "sampler.hpp"

namespace study {
namespace {

void set_all(std::vector<result>& rows, status s, std::string const& reason) {
  for (auto& r : rows) r.status = s, r.reason = reason;
}

std::string cache_of(group const& g, session const& s) {
  auto const footprint = g.of->info->footprint;
  return footprint ? cache_state(footprint(double(g.size)), s.last_cache_bytes()) : "";
}

/// Whether memory, and so its ceiling, has a part in every run.
bool beyond_cache(group const& g, session const& s) {
  auto const footprint = g.of->info->footprint;
  return footprint && footprint(double(g.size)) > double(s.last_cache_bytes());
}

/// Why a problem does not fit, or an empty text. The host holds the inputs and one result beside the device's memory,
/// which on the CPU is the host's as well.
std::string too_large(group const& g, session const& s) {
  if (!g.of->info->footprint) return "";
  double const device = g.of->info->footprint(double(g.size)), host = (g.of->backend == "cpu" ? 2 : 1) * device;
  auto const text = [](char const* where, double needed, double there) {
    return std::string("too large: needs ") + dolmen::detail::bytes_text(needed) + " of memory on the " + where + ", " +
           dolmen::detail::bytes_text(there) + " are free";
  };
  if (device > 0.95 * double(s.usable_bytes())) return text("device", device, double(s.usable_bytes()));
  if (host > 0.9 * double(free_host_bytes())) return text("host", host, double(free_host_bytes()));
  return "";
}

/// Runs something of one row; what it throws becomes the row's status. False then.
template <class F>
bool guarded(result& r, F f) {
  try {
    f();
    return true;
  } catch (dolmen::out_of_memory const& e) {
    r.status = status::skipped, r.reason = "too large: " + reason_text(e);
  } catch (std::bad_alloc const&) {
    r.status = status::skipped, r.reason = "too large: the host's memory ran out";
  } catch (std::exception const& e) {
    r.status = status::error, r.reason = reason_text(e);
  }
  r.times.reset();
  return false;
}

void verify(workspace& w, int variant, result& r) {
  guarded(r, [&] {
    w.reset();
    w.run(variant);
    verdict const v = w.verify();
    if (!v.compared) return;
    r.max_error = std::max(r.max_error.value_or(0), v.max_error), r.bound = v.bound, r.verified = v.ok();
    if (!v.ok()) r.status = status::failed, r.reason = "the result is wrong: its largest error is above the bound";
  });
}

/// The samples of a repetition, beside those of earlier ones.
void keep(result& r, sampler const& one, std::vector<double>& all) {
  r.repetition_medians.push_back(summarize(one.samples()).median);
  all.insert(all.end(), one.samples().begin(), one.samples().end());
  r.times = summarize(all), r.runs_per_sample = one.runs_per_sample();
}

}  // namespace

void runner::open(std::vector<group> const& groups) {
  for (auto const& entry : built_backends()) {
    auto const uses = [&](group const& g) { return g.of->backend == entry.name; };
    if (std::none_of(groups.begin(), groups.end(), uses)) continue;
    try {
      auto& s = *(sessions_[entry.name] = entry.open());
      auto const needs_ceilings = [&](group const& g) { return uses(g) && ceilings{}.of(g.of->info->kind) && beyond_cache(g, s); };
      if (std::any_of(groups.begin(), groups.end(), needs_ceilings)) ceilings_[entry.name] = s.measure_ceilings();
    } catch (std::exception const& e) {
      sessions_.erase(entry.name);
      unavailable_[entry.name] = reason_text(e);
    }
  }
}

session* runner::find(std::string const& backend) {
  auto const it = sessions_.find(backend);
  return it == sessions_.end() ? nullptr : it->second.get();
}

std::vector<result> runner::rows(group const& g) const {
  auto const& info = *g.of->info;
  double const n = double(g.size);
  std::vector<result> rows;
  for (int v : g.variants) {
    result r;
    r.case_name = info.name, r.variant = g.of->variants[std::size_t(v)], r.backend = g.of->backend, r.type = info.type, r.size = g.size;
    r.bytes = info.bytes ? info.bytes(n) : 0, r.flops = info.flops ? info.flops(n) : 0, r.kind = info.kind;
    r.asked_for = !options_.backends.empty() || !options_.sizes.empty();
    rows.push_back(std::move(r));
  }
  return rows;
}

problem_base const& runner::problem_of(group const& g) {
  if (problem_case_ != g.of->info.get() || problem_size_ != g.size) {
    problem_.reset();
    problem_case_ = nullptr;
    problem_ = g.of->info->make(g.size);
    problem_case_ = g.of->info.get(), problem_size_ = g.size;
  }
  return *problem_;
}

std::vector<result> runner::run(group const& g) {
  auto all = rows(g);
  session* const s = find(g.of->backend);
  if (!s) {
    set_all(all, status::skipped, unavailable_[g.of->backend]);
  } else if (auto const reason = too_large(g, *s); !reason.empty()) {
    set_all(all, status::skipped, reason);
  } else {
    result of_all;
    samples_.clear();
    for (auto& r : all) r.threads = s->threads(), r.clock_step = s->clock_resolution();
    for (int k = 0; k < options_.repetitions && of_all.status == status::ok && (k == 0 || !interrupted()); ++k)
      if (!guarded(of_all, [&] { measure(g, *s, all, k); })) set_all(all, of_all.status, of_all.reason);
  }
  return all;
}

void runner::measure(group const& g, session& s, std::vector<result>& rows, int repetition) {
  auto const work = g.of->prepare(s, problem_of(g));
  std::vector<std::pair<result*, sampler>> samplers;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (interrupted()) {
      if (repetition > 0) return;
      rows.resize(k);
      break;
    }
    auto& r = rows[k];
    r.cache = cache_of(g, s);
    if (beyond_cache(g, s)) r.ceiling = ceilings_[r.backend].of(r.kind);
    if (r.status == status::ok) verify(*work, g.variants[k], r);
    if (r.status != status::ok) continue;
    sampler one(s, *work, g.variants[k], g.of->info->clock, options_.budget());
    bool measurable = false;
    if (!guarded(r, [&] { measurable = one.calibrate(); })) continue;
    if (measurable)
      samplers.emplace_back(&r, one);
    else
      r.status = status::error, r.reason = "below the timer's resolution";
  }
  for (bool busy = true; busy;) {
    busy = false;
    for (auto& [r, one] : samplers) {
      if (r->status != status::ok || one.done()) continue;
      guarded(*r, [&one = one] { one.take_block(); });
      busy = true;
    }
  }
  for (auto& [r, one] : samplers)
    if (r->status == status::ok) keep(*r, one, samples_[r->variant]);
}

char const* name_of(status s) {
  switch (s) {
    case status::ok:
      return "ok";
    case status::failed:
      return "failed";
    case status::skipped:
      return "skipped";
    case status::error:
      break;
  }
  return "error";
}

char const* cache_state(double footprint, index_t cache_bytes) {
  if (4 * footprint <= double(cache_bytes)) return "hot";
  return footprint > 4 * double(cache_bytes) ? "cold" : "mixed";
}

std::optional<double> result::bytes_per_s() const {
  if (!times || times->median <= 0 || bytes <= 0) return std::nullopt;
  return bytes / times->median;
}
std::optional<double> result::flops_per_s() const {
  if (!times || times->median <= 0 || flops <= 0) return std::nullopt;
  return flops / times->median;
}
std::optional<double> result::ceiling_fraction() const {
  auto const rate = bytes_per_s();
  if (!rate || !ceiling || *ceiling <= 0) return std::nullopt;
  return *rate / *ceiling;
}
bool result::above_ceiling() const { return cache == "cold" && ceiling_fraction().value_or(0) > 1.03; }

bool result::unsteady() const { return times && times->spread() > 0.5; }
bool result::below_clock() const { return times && times->median < clock_step; }

int exit_status(std::vector<result> const& results) {
  bool any_ok = false;
  for (auto const& r : results) {
    if (r.status == status::failed || r.status == status::error || (r.status == status::skipped && r.asked_for)) return 1;
    any_ok = any_ok || r.status == status::ok;
  }
  return any_ok ? 0 : 1;
}

}  // namespace study
