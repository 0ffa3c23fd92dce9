#pragma once
#include <mosquitto.h>
#include <mqtt_protocol.h>
// The connection's TLS, which mosquitto_ssl_get(3) hands out: what it has decrypted is examined before the library reads it.
#include <openssl/err.h>
#include <openssl/ssl.h>
// What wakes the client's thread out of poll(2); Swift's Glibc module does not show it.
#include <sys/eventfd.h>
// What Swift's Glibc module does not show either: pipe2(2) and dup3(2).
int pipe2(int ends[2], int flags);
int dup3(int from, int to, int flags);
