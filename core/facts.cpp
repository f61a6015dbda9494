#include "facts.hpp"

#include <ostream>

#include "cooperative.hpp"

namespace dolmen {
namespace {

// "512 B", "9.0 KiB": without the exact number, which bytes_text adds.
std::string short_bytes(index_t bytes) {
  if (bytes < 1024) return detail::text(bytes, " B");
  return detail::text(detail::fixed_text(double(bytes) / 1024, 1), " KiB");
}

// What a block takes, where that limits how many there are.
std::string demand(int threads, kernel_properties const& p) {
  std::string const registers = p.registers ? detail::text(", ", p.registers, " registers per thread") : "";
  return detail::text("a block has ", threads, " threads", registers, ", ", short_bytes(p.shared_bytes()), " of shared memory");
}

}  // namespace

std::ostream& types::operator<<(std::ostream& out, kernel_properties const& p) {
  if (p.registers) out << detail::text(p.registers, " registers, ", short_bytes(p.local_bytes), " spilled, ");
  out << detail::text(short_bytes(p.shared_bytes()), " shared, ", p.resident_blocks, p.resident_blocks == 1 ? " block" : " blocks",
                      " per ");
  return out << (p.registers ? "multiprocessor" : "worker");
}

namespace detail {

void no_block_fits(char const* call, char const* kernel, int threads, kernel_properties const& facts, device_properties const& device,
                   source_location where) {
  std::string limits = text("blocks up to ", device.max_threads_per_block, " threads");
  if (device.registers_per_block) limits += text(", ", *device.registers_per_block, " registers per block");
  if (device.shared_per_block_optin) limits += text(", ", short_bytes(*device.shared_per_block_optin), " of shared memory per block");
  throw launch_error(
      text(call, " of ", type_name(kernel), ": not even one block fits: ", demand(threads, facts), "; ", device.name, " has ", limits),
      where);
}

void too_many_blocks(char const* kernel, grid asked, int threads, kernel_properties const& facts, device_properties const& device,
                     source_location where) {
  char const* const unit = facts.registers ? "multiprocessor" : "worker";
  throw launch_error(
      text("launch_cooperative of ", type_name(kernel), ": asked for ", asked.blocks(), " blocks (", asked.x, " x ", asked.y, " x ",
           asked.z, "), ", device.name, " holds at most ", facts.device_blocks(), " at the same time: ", facts.resident_blocks, " per ",
           unit, ", ", facts.multiprocessors, ' ', unit, facts.multiprocessors == 1 ? "" : "s", "; ", demand(threads, facts)),
      where);
}

}  // namespace detail
}  // namespace dolmen
