// split_fields and join_fields on records of eight floats, and random numbers.
#include "../arrays.hpp"

namespace study {
namespace cases {

struct particle {
  float x, y, z, vx, vy, vz, mass, charge;
};
static_assert(sizeof(particle) == record_floats * sizeof(float));

/// Eight arrays of n floats behind each other.
template <class Buffer>
auto arrays_of(Buffer& all, index_t n) {
  auto const rows = all.view(record_floats, n);
  return dolmen::fields<&particle::x, &particle::y, &particle::z, &particle::vx, &particle::vy, &particle::vz, &particle::mass,
                        &particle::charge>(rows.row(0), rows.row(1), rows.row(2), rows.row(3), rows.row(4), rows.row(5), rows.row(6),
                                           rows.row(7));
}

template <class B, class T>
struct split_fields {
  using data = arrays<B, T>;
  static void portable(data& d) {
    dolmen::view<particle const> const records(reinterpret_cast<particle const*>(d.in_data(0)), d.n);
    dolmen::split_fields(d.stream, records, arrays_of(d.out, d.n));
  }
  static void by_hand(data& d) { peers::split_records(d.stream, d.in_data(0), d.out.data(), d.n); }
  static auto variants() { return with_twin<split_fields>(); }
};

template <class B, class T>
struct join_fields {
  using data = arrays<B, T>;
  static void portable(data& d) {
    dolmen::view<particle> const records(reinterpret_cast<particle*>(d.out.data()), d.n);
    dolmen::join_fields(d.stream, arrays_of(d.in[0], d.n), records);
  }
  static void by_hand(data& d) { peers::join_records(d.stream, d.in_data(0), d.out.data(), d.n); }
  static auto variants() { return with_twin<join_fields>(); }
};

template <class B, class T>
struct uniform {
  using data = arrays<B, T>;
  static void portable(data& d) { dolmen::fill_uniform(d.stream, d.out, random_seed); }
  static auto variants() { return variants_of<data>{{"dolmen", portable}}; }
};

template <class B, class T>
struct normal {
  using data = arrays<B, T>;
  static void portable(data& d) { dolmen::fill_normal(d.stream, d.out, random_seed); }
  static auto variants() { return variants_of<data>{{"dolmen", portable}}; }
};

}  // namespace cases

namespace {

case_info records_info(char const* name, char const* about, problem_ptr (*make)(index_t)) {
  case_info info{.name = name,
                 .type = {},
                 .about = about,
                 .accuracy = "exact",
                 .kind = traffic::copy,
                 .bytes = [](double n) { return 2 * record_floats * sizeof(float) * n; },
                 .flops = nullptr,
                 .footprint = [](double n) { return 2 * record_floats * sizeof(float) * n; },
                 .cpu_sizes = cpu_lengths<float>(),
                 .gpu_sizes = gpu_lengths<float>(),
                 .tour = tour_of_arrays<float>(heading::moves),
                 .make = make};
  for (auto* sizes : {&info.cpu_sizes, &info.gpu_sizes})
    for (index_t& n : *sizes) n /= record_floats;
  for (index_t* n : {&info.tour.cpu_size, &info.tour.gpu_size}) *n /= record_floats;
  return info;
}

template <class T>
case_info random_info(char const* name, char const* about, char const* accuracy, problem_ptr (*make)(index_t)) {
  return {.name = name,
          .type = {},
          .about = about,
          .accuracy = accuracy,
          .kind = traffic::write,
          .bytes = [](double n) { return sizeof(T) * n; },
          .flops = nullptr,
          .footprint = [](double n) { return sizeof(T) * n; },
          .cpu_sizes = cpu_lengths<T>(),
          .gpu_sizes = gpu_lengths<T>(),
          .tour = std::is_same_v<T, float> ? tour_of_arrays<T>(heading::elementwise) : tour_entry{},
          .make = make};
}

}  // namespace

void add_record_cases(registry& r) {
  add_case<cases::split_fields, float>(r, records_info("split_fields", "records of eight floats to eight arrays", split_problem));
  add_case<cases::join_fields, float>(r, records_info("join_fields", "eight arrays of floats to records", join_problem));
  add_case<cases::uniform, float>(r,
                                  random_info<float>("fill_uniform", "uniform random numbers by Philox", "exact", uniform_problem<float>));
  add_case<cases::uniform, double>(
      r, random_info<double>("fill_uniform", "uniform random numbers by Philox", "exact", uniform_problem<double>));
  add_case<cases::normal, float>(r, random_info<float>("fill_normal", "normal random numbers by Philox", "2e-6", normal_problem<float>));
  add_case<cases::normal, double>(r,
                                  random_info<double>("fill_normal", "normal random numbers by Philox", "4e-15", normal_problem<double>));
}

}  // namespace study
