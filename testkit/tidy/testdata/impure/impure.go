// Package impure breaks every rule of purity once.
package impure

import "time"

var counter int

var table = map[string]int{}

func all(m map[string]int, x float64) float64 {
	counter++
	table["a"] = 1
	c := make(chan int)
	go func() { c <- int(time.Now().Unix()) }()
	for range m {
	}
	for range m { // order-free: the body is empty
	}
	return x * 2
}
