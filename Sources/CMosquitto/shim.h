#pragma once
#include <mosquitto.h>
#include <mqtt_protocol.h>
// The connection's TLS, which mosquitto_ssl_get(3) hands out: what it has decrypted is examined before the library reads it.
#include <openssl/err.h>
#include <openssl/ssl.h>
// What Swift's Glibc module does not show: pipe2(2) and dup3(2).
int pipe2(int ends[2], int flags);
int dup3(int from, int to, int flags);
