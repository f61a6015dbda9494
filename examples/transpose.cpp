// Why tiles: a transpose that writes whole rows against one that writes down the columns; and wide accesses on top.
#include <dolmen/dolmen.hpp>

#include "kernels/transpose.hpp"
#include "kernels/transpose_packs.hpp"
#include "support/arguments.hpp"
#include "support/backends.hpp"
#include "support/timing.hpp"

namespace {

using dolmen::index_t;

template <class Backend>
bool transpose(index_t rows) {
  index_t const columns = rows + rows / 2;
  typename Backend::stream stream;
  dolmen::buffer<float, Backend> in_data(stream, rows * columns), out_data(stream, rows * columns);
  auto const in = in_data.view(rows, columns);
  auto const out = out_data.view(columns, rows);
  dolmen::for_each_index(
      stream, in.shape(),
      DOLMEN_LAMBDA(index_t row, index_t column) { in(row, column) = float(row % 1024) + 1024.0f * float(column % 1024); });

  bool right = true;
  auto const measure = [&](char const* name, auto const& run) {
    dolmen::fill(stream, out, -1.0f);
    double const seconds = example::best_seconds(stream, 3, run);
    auto const host = dolmen::download(stream, out);
    index_t wrong = 0;
    for (index_t i = 0; i < index_t(host.size()); ++i) wrong += host[i] != float(i % rows % 1024) + 1024.0f * float(i / rows % 1024);
    std::printf("%-4s  %-6s %9.3f ms %9.1f GB/s   wrong: %lld\n", Backend::name, name, 1e3 * seconds,
                2e-9 * double(host.size()) * sizeof(float) / seconds, static_cast<long long>(wrong));
    right = right && wrong == 0;
  };
  measure("naive", [&] {
    dolmen::for_each_index(
        stream, in.shape(), DOLMEN_LAMBDA(index_t row, index_t column) { out(column, row) = in(row, column); });
  });
  measure("tiled", [&] { dolmen::launch(stream, kernels::tiled_transpose::blocks(rows, columns), kernels::tiled_transpose{in, out}); });
  if (rows % 4 == 0 && columns % 4 == 0)  // as_packs would throw
    measure("packs", [&] {
      dolmen::view<float const, 2> const constant = in;
      dolmen::launch(stream, kernels::transpose_packs::blocks(rows, columns),
                     kernels::transpose_packs{constant.as_packs<4>(), out.template as_packs<4>()});
    });
  return right;
}

}  // namespace

int main(int argc, char** argv) {
  auto const rows = example::size_argument(argc, argv, "rows", example::size_for(2000, 200), 20'000);
  long long const height = rows, width = height + height / 2;
  std::printf("Transpose of %lld x %lld floats\n", height, width);
  return example::on_every_backend([=](auto backend) { return transpose<decltype(backend)>(rows); });
}
