// Command sample has functions that are reached in every way, and some that are not.
package main

type speaker interface {
	speak()
	marked()
}

type dog struct{}

func (dog) speak()     { helper() } // through the interface
func (dog) marked()    {}
func (dog) sit()       {} // an empty method without results marks a type: not reported
func (dog) bark() bool { return dead() }

func helper() {}

func dead() bool { return false }

func onlyTests() bool { return new(box[int]).full() }

type box[T any] struct{ item T }

func (b *box[T]) full() bool { return true }

func (b *box[T]) empty() bool { return false }

var table = [...]func(){value}

func value() {}

func main() {
	var s speaker = dog{}
	s.speak()
	s.marked()
	for _, f := range table {
		f()
	}
}
