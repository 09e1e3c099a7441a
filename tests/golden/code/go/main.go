package main

import (
	"fmt"

	shelf "example.com/shop/store"
)

var limit = 3

func describe(x any) string {
	switch it := x.(type) {
	case *shelf.Item:
		return it.Name() + it.Kind.String()
	default:
		return fmt.Sprint(it)
	}
}

func main() {
	limit := limit + 1
	s, err := shelf.New(&shelf.Item{Title: "a", Kind: shelf.Toy})
	if err != nil || limit == 0 {
		return
	}
	if it, ok := s.Add(&shelf.Item{Title: "b"}).Get("b"); ok {
		show := func(of *shelf.Item) { fmt.Println(describe(of)) }
		show(it)
	}
}
