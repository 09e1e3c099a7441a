#include "../include/pool.h"

int use(pool_t *pool) {
  pool_t *other = pool_open(0);
  return POOL_CHECK(other) ? pool->low : POOL_MOST;
}
