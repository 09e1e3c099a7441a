package shapes

func poll() {}

func (Poller) Stop() {}

func pollAll(of Poller) {
	poll()
	of.Stop()
}
