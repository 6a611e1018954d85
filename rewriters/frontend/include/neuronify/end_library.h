// Closes what begin_library.h opened.
#pragma clang attribute pop
