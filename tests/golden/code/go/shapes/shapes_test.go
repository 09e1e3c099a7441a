package shapes_test

import (
	"testing"

	. "example.com/shop/shapes"
)

const limit = 2

func TestPoll(t *testing.T) {
	PollForTests()
	Wait()
	_ = limit
}
