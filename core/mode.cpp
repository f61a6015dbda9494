#include "config.hpp"

extern "C" char const DOLMEN_MODE_SYMBOL = 1;
