package object

// What some functions cost beside their call and what they do with each element: the objects that they make.
const (
	sortedCost  = 40
	extremeCost = 12 // max and min
	severalCost = 30 // map and zip, which iterate over several things
	eachCost    = 9  // each of them, and each set that a method of sets takes
	rangeCost   = 8
	divmodCost  = 25
	sumCost     = 12
	joinCost    = 12
	repeatCost  = 25 // of a sequence that is made of another, over and over
	reprCost    = 15
)

// loopIteratorCost is the price of an iterator that a loop asks an object for, whoever makes it; IteratorCost is that of one over others.
const loopIteratorCost = 12
