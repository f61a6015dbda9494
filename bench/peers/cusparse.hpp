// cuSPARSE as a peer, where the build found it (STUDY_HAS_CUSPARSE).
#pragma once

#include <dolmen/dolmen.hpp>

namespace study::peers {

#if STUDY_HAS_CUSPARSE
/// y = A x for a square matrix in compressed rows, with 32-bit offsets and columns.
void cusparse_spmv(dolmen::cuda::stream const& s, std::int32_t const* row_offsets, std::int32_t const* columns, float const* values,
                   float const* x, float* y, dolmen::index_t rows, dolmen::index_t nonzeros);
#endif

}  // namespace study::peers
