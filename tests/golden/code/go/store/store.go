// Package store keeps items by name.
package store

import "sync"

// Kind says what an item is.
type Kind int

const (
	Book Kind = iota
	Toy
)

type Named interface {
	Name() string
}

type base struct {
	mu sync.Mutex
}

type Item struct {
	Title string
	Kind  Kind
}

// Store holds items of one shelf.
type Store[T Named] struct {
	base
	items map[string]T
}

func New[T Named](first ...T) (*Store[T], error) {
	s := &Store[T]{items: map[string]T{}}
	for _, it := range first {
		s.Add(it)
	}
	return s, nil
}
