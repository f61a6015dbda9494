// A file that is compiled without what the targets of a check build define.
#if !defined(CORRECT)
#undef DOLMEN_CHECK
#endif
#include <dolmen/dolmen.hpp>

void go(dolmen::BACKEND::stream const& s) { s.synchronize(); }
