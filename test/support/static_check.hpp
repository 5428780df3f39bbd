#pragma once
// A check that is made twice: while compiling, and when the test runs, so that sanitizers see it too.

#include <doctest/doctest.h>

#include <plait/io/print.hpp>

#if defined(__SANITIZE_ADDRESS__)
#define STATIC_HALF(...)
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define STATIC_HALF(...)
#endif
#endif
#ifndef STATIC_HALF
#define STATIC_HALF(...) static_assert(__VA_ARGS__)
#endif

#define STATIC_CHECK(...)         \
    do {                          \
        STATIC_HALF(__VA_ARGS__); \
        CHECK((__VA_ARGS__));     \
    } while (false)
