// Package queue hands jobs to workers, on this machine and on others, and brings their results back: NATS JetStream, with a server inside the runner unless
// another is configured.
//
// # Subjects
//
//	jobs.CAPABILITY      stream jobs-CAPABILITY, a work queue on disk; its one consumer, workers, is shared by all who have the capability
//	results.CAPABILITY   a request to the dispatcher, which answers once the result is in its journal
//	secrets.CAPABILITY   a request to the dispatcher, which seals the answer to the worker that asks
//	progress.CAPABILITY  how far a worker is; nobody answers, and it may be lost
//
// A worker acknowledges a job after the dispatcher has answered. One that dies does not, and its job goes to another after AckWait, and longer where it was
// delivered before; one that is at work says so in time. So a job may be done twice, and the dispatcher takes one result. What a job was is decided by its id,
// which the worker repeats.
//
// # Credentials
//
// Everybody has an nkey. A worker's may ask for the jobs of its capabilities and their secrets, acknowledge them, and publish their results; it may
// neither read another subject, nor publish jobs, nor manage streams. It listens to an inbox of its own only, so that workers do not read each other's
// answers. On a cluster of the operator's own the same permissions are set there, and the dispatcher's, which makes streams: ServerConfig writes them.
//
// # Bounds
//
// The server inside is reached by other machines through a front, which has 512 connections; when they are taken, a machine that has few gets one of those that
// have many. Whoever does not log in within five seconds is sent away. A stream has a number of jobs and of bytes, and refuses more; a message has at most
// MaxMessage bytes; a job is delivered MaxDeliver times.
//
// Spec: runner-marketplace §9 (polling as the floor; assignments within the fleet are the operator's own).
package queue
