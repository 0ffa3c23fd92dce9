#pragma once
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/sha.h>
// What Swift's Glibc module does not show: adjtimex(2).
#include <sys/timex.h>
