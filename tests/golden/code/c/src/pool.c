#include "../include/pool.h"

struct owner {
  int id;
};

struct pool_s {
  struct owner *owner;
  union {
    int low;
    float high;
  };
};

#ifdef POOL_FAST
pool_t *pool_open(struct owner *owner) { return 0; }
#else
pool_t *pool_open(struct owner *owner) { return sizeof(units_t) > 4 ? 0 : 0; }
#endif

int pool_size(const pool_t *pool, int sizes[POOL_MOST]) {
  return POOL_CHECK(pool) ? pool->owner->id + pool->low + sizes[0] : 0;
}
