#ifndef LIMITS_H
#define LIMITS_H
#define POOL_MOST 8
#define POOL_CHECK(pool) ((pool) != 0)
typedef int units_t[POOL_MOST];
#endif
