// The CPU's stores past the caches, at every size and address; algorithms use them only for large data. And its rows of halves.
#include <algorithm>

#include "../backends.hpp"

#include "../../backends/cpu/halves.hpp"
#include "../../backends/cpu/row_pieces.hpp"
#include "../../backends/cpu/stream_store.hpp"
#include "../support/data.hpp"
#include "../support/guarded.hpp"

using namespace dolmen;

namespace {

template <class T>
void check_addresses() {
  CAPTURE(sizeof(T));
  constexpr index_t guard = 70, block = cpu::staged<T>;
  CHECK(block * index_t(sizeof(T)) % cpu::line_bytes == 0);
  for (index_t n : {index_t(0), index_t(1), 4 * block - 1, 4 * block, 4 * block + 1, 9 * block + 7})
    for (index_t offset = 0; offset < 65; ++offset) {
      std::vector<T> const poison = testing::random_values<T>(n + 2 * guard, 3), values = testing::random_values<T>(n, 4);
      auto memory = poison;
      T* const to = memory.data() + guard + offset;
      index_t made = 0;
      cpu::make_elements(to, n, true, [&](T* place, index_t first, index_t count) {
        std::memcpy(place, values.data() + first, std::size_t(count) * sizeof(T));
        made += count;
      });
      REQUIRE(made == n);
      bool right = true;
      for (index_t i = 0; i < index_t(memory.size()); ++i) {
        index_t const k = i - guard - offset;
        right = right && memory[std::size_t(i)] == (k >= 0 && k < n ? values[std::size_t(k)] : poison[std::size_t(i)]);
      }
      REQUIRE(right);
    }
}

}  // namespace

TEST_CASE_TEMPLATE("stores past the caches: every address and size", B, cpu::backend) {
  check_addresses<std::uint8_t>();
  check_addresses<std::uint16_t>();
  check_addresses<float>();
  check_addresses<double>();
}

TEST_CASE_TEMPLATE("stores past the caches: bytes to any address", B, cpu::backend) {
  constexpr index_t guard = 64;
  for (index_t n : {0, 1, 63, 64, 65, 127, 128, 200, 1000})
    for (index_t offset = 0; offset < 65; ++offset) {
      auto const poison = testing::random_values<std::uint8_t>(n + 3 * guard, 5), values = testing::random_values<std::uint8_t>(n + 1, 6);
      auto memory = poison;
      cpu::store_past_caches(memory.data() + guard + offset, values.data() + 1, n);
      cpu::finish_lines();
      auto expected = poison;
      std::copy_n(values.data() + 1, n, expected.data() + guard + offset);
      REQUIRE(memory == expected);
    }
}

TEST_CASE_TEMPLATE("rows of halves: the numbers of single conversions", B, cpu::backend) {
  std::vector<half> all(65536 + 5);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = half::from_bits(std::uint16_t(i));
  std::vector<float> floats(all.size());
  cpu::impl::widen(all.data(), floats.data(), index_t(all.size()));
  for (std::size_t i = 0; i < all.size(); ++i) {
    float const one = all[i];
    bool const both_nan = one != one && floats[i] != floats[i];
    REQUIRE((both_nan || dolmen::detail::bits_as<std::uint32_t>(floats[i]) == dolmen::detail::bits_as<std::uint32_t>(one)));
  }
}

TEST_CASE_TEMPLATE("rows of floats become the halves of single conversions, bit for bit", B, cpu::backend) {
  std::vector<float> floats;
  for (std::uint64_t bits = 0; bits <= 0xffffffff; bits += 65521) floats.push_back(dolmen::detail::bits_as<float>(std::uint32_t(bits)));
  for (std::uint32_t nan : {0x7f800001u, 0x7fc00000u, 0xff800001u, 0xffffffffu}) floats.push_back(dolmen::detail::bits_as<float>(nan));
  while (floats.size() % 8 != 3) floats.push_back(1.0f / 3);  // both whole vectors and a rest
  std::vector<half> halves(floats.size());
  cpu::impl::narrow(floats.data(), halves.data(), index_t(floats.size()));
  for (std::size_t i = 0; i < floats.size(); ++i) REQUIRE(halves[i].bits() == half(floats[i]).bits());
}

TEST_CASE_TEMPLATE("stores past the caches: elements that no line begins with", B, cpu::backend) {
  alignas(64) unsigned char memory[4096] = {};
  auto* const odd = reinterpret_cast<testing::bytes_of<64>*>(memory + 1);
  CHECK(cpu::elements_to_line(odd) == -1);
  index_t calls = 0;
  cpu::make_elements(odd, 40, true, [&](testing::bytes_of<64>* place, index_t first, index_t count) {
    calls += 1;
    CHECK(place == odd);
    CHECK(first == 0);
    CHECK(count == 40);
  });
  CHECK(calls == 1);
  CHECK(cpu::elements_to_line(memory) == 0);
  CHECK(cpu::elements_to_line(reinterpret_cast<testing::bytes_of<3>*>(memory + 1)) == 21);
}

TEST_CASE_TEMPLATE("stores past the caches: only for what caches cannot keep", B, cpu::backend) {
  CHECK(!cpu::past_caches(0));
  CHECK(!cpu::past_caches(1 << 20));
  CHECK(cpu::past_caches(index_t(1) << 40));
}

namespace {

// Small whole numbers: sums are exact in every type.
template <class T>
void check_large_stencil(index_t columns, testing::place where) {
  CAPTURE(columns);
  cpu::stream s;
  index_t rows = 64;
  while (!cpu::past_caches(2 * rows * columns * index_t(sizeof(T)))) rows *= 2;
  CAPTURE(rows);
  std::vector<T> values;
  for (index_t i = 0; i < rows * columns; ++i) values.push_back(T(float(i * 7 % 31 - 15)));
  testing::guarded<T, cpu::backend, 2> out(s, {{rows, columns}}, where);
  auto const in = upload(s, values);
  stencil(s, in.view(rows, columns), out.view(), stencil_weights<2>::star(3, -1), boundary::zero);
  auto const got = out.values();
  auto const at = [&](index_t y, index_t x) {
    return y < 0 || y >= rows || x < 0 || x >= columns ? 0.0f : float(values[std::size_t(y * columns + x)]);
  };
  index_t wrong = 0;
  for (index_t y = 0; y < rows; ++y)
    for (index_t x = 0; x < columns; ++x)
      wrong += float(got[std::size_t(y * columns + x)]) != 3 * at(y, x) - at(y - 1, x) - at(y + 1, x) - at(y, x - 1) - at(y, x + 1);
  CHECK(wrong == 0);
  CHECK(out.intact());
}

}  // namespace

TEST_CASE_TEMPLATE("stores past the caches: the tails of a stencil's rows", B, cpu::backend) {
  check_large_stencil<float>(1037, {1, 3});
  check_large_stencil<float>(2049, {0, 0});
  check_large_stencil<double>(1031, {3, 1});
  check_large_stencil<half>(3083, {1, 5});
  check_large_stencil<bfloat16>(1100, {0, 7});
}

TEST_CASE_TEMPLATE("pieces of rows: every element once, in whole pieces", B, cpu::backend) {
  for (extents<3> shape : {extents<3>{{1, 1, 1}}, {{1, 1, 1000}}, {{2, 3, 5}}, {{7, 11, 1}}, {{1, 300, 4}}, {{3, 0, 2}}})
    for (index_t begin : {index_t(0), shape.volume() / 3})
      for (index_t end : {shape.volume(), shape.volume() / 2}) {
        index_t next = begin;
        index_t const extent[3] = {shape[0], shape[1], shape[2]};
        if (begin < end)
          cpu::each_piece(extent, begin, end, [&](index_t plane, index_t row, index_t column, index_t count) {
            REQUIRE((plane * shape[1] + row) * shape[2] + column == next);
            REQUIRE(count > 0);
            REQUIRE(column + count <= shape[2]);
            next += count;
          });
        REQUIRE(next == (begin < end ? end : begin));
      }
}
