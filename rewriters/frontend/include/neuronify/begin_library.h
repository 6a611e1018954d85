// Opens a stretch of library functions: no debug information is made for them, so that what they do
// bears the line of the code that calls them. May be included many times.
#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))
