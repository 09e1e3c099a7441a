package shapes

func poll() {}

func (Poller) Stop() {}
