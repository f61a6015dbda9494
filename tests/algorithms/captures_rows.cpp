// Matrices, rows and grids: captured and run again.
#include "captures.hpp"

using namespace dolmen;
using testing::check_repeated;
using testing::repeated_sizes;

namespace {

template <class View>
auto matrix(View v, index_t rows) {
  return view<typename View::element, 2>(v.data(), rows, v.size() / rows);
}

}  // namespace

TEST_CASE_TEMPLATE("repeated: transpose", B, DOLMEN_TEST_BACKENDS) {
  for (index_t n : repeated_sizes()) {
    check_repeated<B, float, float>(n, n, [n](auto const& s, auto in, auto out) { transpose(s, matrix(in, 20), matrix(out, n / 20)); });
    check_repeated<B, std::uint8_t, std::uint8_t>(n, n, [n](auto const& s, auto in, auto out) {  // in place
      index_t const side = n > 250000 ? 500 : 30;
      copy(s, in, out);
      transpose(s, matrix(out.slice(0, side * side), side));
    });
  }
}

TEST_CASE_TEMPLATE("repeated: softmax and norms", B, DOLMEN_TEST_BACKENDS) {
  auto const all = [](index_t rows) {
    return [rows](auto const& s, auto in, auto out) {
      using T = typename decltype(out)::element;
      index_t const n = in.size();
      buffer<T, B> between(s, n), gamma(s, n / rows), beta(s, n / rows);
      fill(s, gamma, T(3));
      fill(s, beta, T(1));
      softmax(s, matrix(in, rows), matrix(out, rows));
      log_softmax(s, matrix(in, rows), matrix(between.view(), rows));
      add(s, between, out, out);
      layer_norm(s, matrix(in, rows), matrix(between.view(), rows), {.gamma = gamma, .beta = beta});
      add(s, between, out, out);
      rms_norm(s, matrix(in, rows), matrix(between.view(), rows), {.gamma = gamma});
      add(s, between, out, out);
    };
  };
  for (index_t n : repeated_sizes())
    for (index_t rows : {index_t(1), n / 20}) {
      check_repeated<B, float, float>(n, n, all(rows));
      check_repeated<B, half, half>(n, n, all(rows));
    }
}

TEST_CASE_TEMPLATE("repeated: stencils and convolutions", B, DOLMEN_TEST_BACKENDS) {
  for (index_t n : repeated_sizes()) {
    check_repeated<B, float, float>(n, n, [](auto const& s, auto in, auto out) {
      stencil(s, matrix(in, 20), matrix(out, 20), stencil_weights<2>::star(0.5, 0.125), boundary::periodic);
    });
    check_repeated<B, double, double>(n, n, [n](auto const& s, auto in, auto out) {  // by way of temporary memory
      stencil(s, view<double const, 3>(in.data(), 10, 10, n / 100), view<double, 3>(out.data(), 10, 10, n / 100),
              stencil_weights<3>::box(0.5, 0.25, 0.125), boundary::reflect, 4);
    });
    check_repeated<B, float, float>(n, n, [](auto const& s, auto in, auto out) {
      std::vector<double> const filter(17 * 15, 0.25);  // gone when the graph runs
      convolve(s, matrix(in, 20), filter, 17, 15, matrix(out, 20), boundary::zero);
    });
  }
}

TEST_CASE_TEMPLATE("repeated: products of matrices", B, DOLMEN_TEST_BACKENDS) {
  for (index_t n : {index_t(1000), testing::size_of(60000, 3000)})
    check_repeated<B, float, float>(n, n, [n](auto const& s, auto in, auto out) {
      buffer<float, B> square(s, n / 20 * (n / 20));
      fill(s, out, 1.0f);
      gemm(s, 1, matrix(in, n / 20), matrix(in, 20), 0, square.view(n / 20, n / 20));
      gemm(s, 0.5f, square.view(n / 20, n / 20), matrix(in, n / 20), 2, matrix(out, n / 20));
    });
}
