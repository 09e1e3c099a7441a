#ifndef POOL_H
#define POOL_H
#include "limits.h"

typedef struct pool_s pool_t;

pool_t *pool_open(struct owner *owner);
int pool_size(const pool_t *pool, int sizes[POOL_MOST]);

#endif
