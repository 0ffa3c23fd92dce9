#pragma once
#include <stddef.h>

// A file of the page.
struct page_file {
    const char *name;
    const unsigned char *bytes;
    size_t size;
};

// All files of the page, and their number.
const struct page_file *page_files(size_t *count);
