package object

// Task is a coroutine in the ready queue.
type Task struct {
	coro Value
	send Value
}
