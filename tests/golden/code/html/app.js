const started = true
