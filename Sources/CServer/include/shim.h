#pragma once
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/sha.h>
// What Swift's Glibc module does not show: adjtimex(2) and, of glibc alone, mallopt(3).
#include <sys/timex.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif
