#pragma once
#include <mosquitto.h>
#include <mqtt_protocol.h>
// What wakes the client's thread out of poll(2); Swift's Glibc module does not show it.
#include <sys/eventfd.h>
