// Package work does jobs: it fetches from the web, asks models, calls tools and runs executors, one package for all kinds behind one interface.
//
// Start at Set: it holds an Executor for each kind, and Set.Do is the one way in. It refuses what this runner cannot do, gives the executor the job's wall
// time, and holds the data against the job's result schema and its size.
//
// # What strangers control, and what bounds it
//
// A job comes from a stranger, and so do the answers of what it names.
//
//	an answer                       Limits of bytes, before and after decompression, and of time
//	redirects                       counted; never from https to http
//	names                           resolved once for each connection; the address that was checked is the one that is dialled
//	private, loopback, link-local   refused, and everything else that is no public unicast address, unless configured
//	selectors, schemas, documents   handled in a process of its own (Examine) with limits of memory and processor time
//	programs                        see below
//	MCP servers, models             those that are configured only
//
// # Processes
//
// Executors, MCP servers over stdio and examinations run as processes on Linux: with an environment of their own, in a process group that is killed when the
// job ends, limited in memory, processor time, files and processes, and, where the kernel lets a user do so, in a process namespace, so that nothing
// outlives them. A process may use the network and read what its user may read: run the runner as a user of its own. An executor is copied into memory and
// sealed before it is hashed, so that what runs is what was pinned by its BLAKE3 hash.
//
// # Containers
//
// An OCI runtime runs them (crun or runc), each in namespaces of its own and without a network: a user namespace whose root is nobody outside, a root file
// system that is read-only, scratch in memory, no capability, a filter of system calls, and a control group of the job's resources. Images come from package
// image. What this process left behind when it was killed is ended when the next one begins.
//
// A job with rules for its network has sockets in the container's own, one for each host and port, and nothing else there (outlets). What comes in is carried
// to where the rule says by the dialler that fetches have.
//
// # Secrets
//
// ${KEY} in the path, the query, a header or the body of a request, and in the arguments of a tool, is replaced by the secret of that name behind all
// queues and journals, once the job begins. Such a request goes over https, or to this machine, and is redirected within its host alone. What comes back is
// redacted (redaction): results, headers, addresses, failures, what a tool tells on its way. Jobs of other kinds with secrets are refused. All of it happens
// in a process of its own that ends with the job (Filler), where the executor has Apart.
//
// # Volumes
//
// What is attached to a job with mount is a folder while the job runs (Volumes): an executor reads where in its question, a server over stdio and a container
// in VOLUME_MOUNTS, a container below /mnt/volumes. The job is done when what it wrote is committed. The key of a private volume is released
// to the runner for the job that has it attached: it goes to whoever mounts the volume, never to the program.
//
// # Results
//
//   - Of a fetch: the body, or the first match: the text of an element (CSS, XPath), the value as JSON (JSONPath), the first group, or the whole match where
//     there is none (regular expression, RE2). No match is a permanent error.
//   - Of a model: the text of its answer. With a response model, JSON that it validates.
//   - Of a tool: its structured content as JSON, or its one text, or the list of its contents as JSON.
//   - Of an executor: its data.
//   - Of a check of a domain (DNS), which is an executor that is part of the runner: a verdict, and what each resolver sees. Each resolver is asked once for a
//     record, whatever it says; a strict majority counts, and too few that answer are a transient failure.
//   - Of a container: what it writes to its standard output, if it ends with 0.
//
// A status of 400 and more is no result: 408, 425, 429 and 5xx are transient, all others permanent.
//
// # Absent so far
//
// GPUs and bills of containers; the freshness of a source by a field of its own, which the verifier decides from the result.
//
// Spec: runner-marketplace §2.1, §2.2, §2.3, §2.6, §2.9; WP §5.4.
package work
