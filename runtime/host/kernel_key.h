// Kernels that no name can be written for at the end of a file: instantiations for a lambda or a
// type inside a function. They are tied to their ports by a key instead of an address.
#pragma once

#include <cstddef>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>

namespace neuronify {

/// A text as a template argument.
template <size_t N> struct Text {
  char characters[N];
  consteval Text(const char (&text)[N]) {
    for (size_t i = 0; i < N; ++i)
      characters[i] = text[i];
  }
};

/// A lambda that kernels take, marked with the place it had in the original and the arguments of
/// the templates around it, which tell it from others. Same size, same calls.
template <Text place, class Closure, class... Around> struct Lambda : Closure {};
template <Text place, class... Around, class Closure>
Lambda<place, Closure, Around...> lambda(Closure closure) {
  return {std::move(closure)};
}

// What stands for a template argument in a registration where it has no name, and in kernel_call.

/// A lambda; `bytes` is its size in the original, so that a different layout is found out.
template <Text place, size_t bytes, class... Around> struct LambdaAt;
/// A type inside a function, by its mangled name.
template <Text mangled> struct LocalType;
/// A value.
template <auto value> struct Value;

namespace key {

template <class T> struct Of {
  static std::string text() {
    if constexpr (std::is_reference_v<T>)
      return Of<std::remove_reference_t<T>>::text() + "&";
    else
      return typeid(T *).name(); // T need not be complete
  }
};
template <class... T> std::string list() {
  std::string text;
  ((text += (text.empty() ? "" : ", ") + Of<T>::text()), ...);
  return text;
}
inline std::string lambda(const char *place, size_t bytes, const std::string &around) {
  return "lambda " + std::string(place) + " (" + around + ") " + std::to_string(bytes);
}
template <Text place, class Closure, class... Around> struct Of<Lambda<place, Closure, Around...>> {
  static std::string text() {
    static_assert(sizeof(Lambda<place, Closure, Around...>) == sizeof(Closure));
    return lambda(place.characters, sizeof(Closure), list<Around...>());
  }
};
template <Text place, size_t bytes, class... Around> struct Of<LambdaAt<place, bytes, Around...>> {
  static std::string text() { return lambda(place.characters, bytes, list<Around...>()); }
};
template <Text mangled> struct Of<LocalType<mangled>> {
  static std::string text() { return "P" + std::string(mangled.characters); }
};
template <auto value> struct Of<Value<value>> {
  static std::string text() {
    if constexpr (std::is_integral_v<decltype(value)> || std::is_enum_v<decltype(value)>)
      return std::to_string(static_cast<long long>(value));
    else
      return typeid(Value<value> *).name();
  }
};
template <template <class...> class Template> struct Name;
/// Instantiations of a class template: what they are for may have no name.
template <template <class...> class Template, class... T> struct Of<Template<T...>> {
  static std::string text() { return typeid(Name<Template> *).name() + ("<" + list<T...>()) + ">"; }
};

} // namespace key

/// The key of a kernel: its name and what its template is instantiated for.
template <class... Arguments> std::string kernel_key(const char *name) {
  return name + ("<" + key::list<Arguments...>()) + ">";
}

} // namespace neuronify
