#include "commands.hpp"

#include <dolmen/core/error.hpp>

#include "output_file.hpp"
#include "peers/openblas.hpp"
#include "report.hpp"
#include "text.hpp"

namespace study {

void prepare_process([[maybe_unused]] char** argv) {
#if STUDY_HAS_OPENBLAS
  peers::restart_with_better_kernels(argv);
#endif
}

int list_command(registry const& r, std::string const& filter) {
  options matching;
  matching.all = true;
  matching.filter = filter;
  std::string out;
  case_info const* last = nullptr;
  auto const groups = select(r, matching);
  for (auto const& b : r) {
    std::string variants, sizes;
    std::vector<bool> named(b.variants.size());
    for (auto const& g : groups) {
      if (g.of != &b) continue;
      sizes += (sizes.empty() ? "" : ", ") + size_text(g.size);
      for (int v : g.variants) named[std::size_t(v)] = true;
    }
    for (std::size_t v = 0; v < named.size(); ++v)
      if (named[v]) variants += (variants.empty() ? "" : ", ") + b.variants[v];
    if (sizes.empty()) continue;
    if (b.info.get() != last) {
      out += formatted("{} ({}, {}): {}\n", b.info->name, b.info->type, name_of(b.info->kind), b.info->about);
      out += wrapped("checked: " + b.info->accuracy, table::width, 4);
    }
    last = b.info.get();
    auto const tour = b.info->tour.under == heading::none ? "" : "; in the tour " + size_text(b.tour_size());
    out += wrapped(formatted("{}: {}; sizes {}{}", b.backend, variants, sizes, tour), table::width, 4);
  }
  say(out);
  return 0;
}

int devices_command() {
  for (auto const& entry : built_backends()) {
    try {
      for (auto const& device : entry.devices()) {
        std::string out;
        for (auto const& [what, value] : dolmen::detail::describe(device)) {
          auto const text = wrapped(value, table::width, 34);
          out += formatted("{:<33} {}", what, text.size() > 34 ? text.substr(34) : "\n");
        }
        say(out + '\n');
      }
    } catch (dolmen::error const& e) {
      say(wrapped("No " + entry.name + ": " + reason_text(e), table::width, 0) + '\n');
    }
  }
  return 0;
}

int facts_command(std::string const& json_file) {
  std::optional<output_file> json;
  if (!json_file.empty()) json.emplace(json_file);
  try {
    auto const pairs = compare_kernels();
    say(kernels_text(pairs));
    if (json) json->write(kernels_json(describe_machine(), pairs));
    return 0;
  } catch (dolmen::backend_unavailable const& e) {
    say(wrapped("No facts: " + reason_text(e), table::width, 0));
    return 1;
  }
}

}  // namespace study
