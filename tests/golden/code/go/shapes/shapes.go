package shapes

import (
	"iter"
	"maps"
	"slices"

	"example.com/shop/api/v1"
)

type Point struct {
	X, Y int
	_    int
}

func (p Point) Norm() Length { return Length(p.X * p.Y) }

type Length int

func (l Length) Half() Length { return l / 2 }

type Points []*Point

type Labels map[Point]Label

type Label struct{ Text string }

func (l Label) Show() {}

type Shower interface{ Show() }

// Literals inside literals leave out their type, whatever the outer one is called.
var (
	corners = Points{{X: 1}, {Y: 2}}
	labels  = Labels{{X: 1}: {Text: "a"}}
	inline  = map[Point]Label{{Y: 1}: {Text: "b"}}
)

func pair() (*Point, Label) { return corners[0], Label{} }

func loops(queue chan Label) {
	for at, label := range labels {
		at.Norm()
		label.Show()
	}
	for at := range inline {
		at.Norm()
	}
	for label := range queue {
		label.Show()
	}
	for at := range corners {
		_ = at
	}
	for _, at := range slices.SortedFunc(maps.Keys(labels), nil) {
		at.Norm()
	}
	for label := range each() {
		label.Show()
	}
}

func each() iter.Seq[Label] { return maps.Values(labels) }

func values() {
	point, label := pair()
	point.Norm()
	label.Show()
	(point.Norm() + 1).Half()
	(-point.Norm()).Half()
	Shower(label).Show()
	for iota := 0; iota < 3; iota++ {
		_ = iota
	}
}

// Neither type is one of the parameters.
func (p Points) Label(Label string, v1 v1.Event, _ int) (*Label, error) {
	_ = v1.Reason
	return nil, nil
}

func First[S ~[]E, E any](list S) E { return list[0] }

func Keys[K comparable, V any](of map[K]V) []K { return nil }

func Zero[T ~int]() T { return T(0) }

func generic() {
	First(corners).Norm()
	Keys(inline)[0].Norm()
}
