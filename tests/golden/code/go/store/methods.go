package store

func (k Kind) String() string {
	switch k {
	case Book:
		return "book"
	}
	return "toy"
}

func (i *Item) Name() string { return i.Title }

func (b *base) lock() { b.mu.Lock() }

func (s *Store[T]) Add(it T) *Store[T] {
	s.lock()
	s.items[it.Name()] = it
	return s
}

func (s *Store[T]) Get(name string) (T, bool) {
	it, ok := s.items[name]
	return it, ok
}
