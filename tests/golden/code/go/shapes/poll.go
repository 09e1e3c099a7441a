package shapes

func Wait() { poll() }

type Poller struct{}
