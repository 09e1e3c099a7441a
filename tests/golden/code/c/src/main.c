#include "queue.h"

static void greet(job_t *self) { self->id = queue_count; }

int main(void) {
  queue *jobs = queue_new();
  job_t job = {.id = 1, .priority = HIGH, .run = greet};
  for (int i = 0; i < QUEUE_LIMIT; i++) {
    job.run(&job);
    queue_push(jobs, &job);
  }
  return queue_size(jobs);
}
