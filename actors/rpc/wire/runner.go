package wire

import "encoding/json"

// DevReply is how a job ends on a developer's network: ok with a result, error with what the actor is told, votes with a list of what several
// runners answered (null is one that failed), or lost. Late is in blocks; Copies is how often the answer is delivered, 1 if it is not given.
type DevReply struct {
	Ending string          `json:"ending"`
	Result json.RawMessage `json:"result,omitempty"` // any JSON whose numbers are integers
	Late   uint64          `json:"late,omitempty"`
	Copies uint64          `json:"copies,omitempty"`
}

// DevScope is whose jobs, or everybody's, of which type, or of every one.
type DevScope struct {
	Actor string `json:"actor,omitempty"`
	Type  string `json:"type,omitempty"`
}

// DevRunner is a script: what the runners answer to the jobs of a scope from now on, to so many of them or to all.
type DevRunner struct {
	DevScope
	DevReply
	Jobs uint64 `json:"jobs,omitempty"` // still to come; 0: all
}

// DevAnswer answers a job that waits, by its cid. Actor tells jobs of one cid apart.
type DevAnswer struct {
	Job   string `json:"job"`
	Actor string `json:"actor,omitempty"`
	DevReply
}

// DevRunners answers GET /dev/runner. The newest script a job is in the scope of answers it.
type DevRunners struct {
	Scripts []DevRunner     `json:"scripts"` // the newest first
	Waiting []DevJob        `json:"waiting"` // nobody has answered them, the oldest first
	Late    []DevLateAnswer `json:"late"`    // by the block they are due in
}

// DevJob is a job that waits.
type DevJob struct {
	Job     string          `json:"job"` // its cid, or job- and a number
	Actor   string          `json:"actor"`
	Type    string          `json:"type"`
	Height  uint64          `json:"height"` // of the block the dispatcher got it in
	Origin  string          `json:"origin"` // what its trace is found under
	Args    json.RawMessage `json:"args"`
	Options json.RawMessage `json:"options"`
}

// DevLateAnswer is an answer the dispatcher keeps back.
type DevLateAnswer struct {
	Job    string          `json:"job"`
	Actor  string          `json:"actor"`
	Due    uint64          `json:"due"` // height of the block at whose end it is sent
	Status string          `json:"status"`
	Result json.RawMessage `json:"result"`
	Copies uint64          `json:"copies"`
	Origin string          `json:"origin"`
}

// DevFleet answers GET /dev/runners: the runners that a development network runs itself, and the servers that stand in for the world.
type DevFleet struct {
	Model   string           `json:"model"` // an endpoint of OpenAI's protocol
	Tools   string           `json:"tools"` // an MCP server
	Site    string           `json:"site"`
	Runners []DevFleetRunner `json:"runners"`
}

// DevFleetRunner is one of them, and what it does with its jobs.
type DevFleetRunner struct {
	Number  int    `json:"number"`
	Address string `json:"address"`
	DevConduct
}

// DevConduct is what a runner does with its jobs until it is told otherwise: honest, diverge, fail, delay, lie or away.
type DevConduct struct {
	Conduct string `json:"conduct"`
	DelayMs uint64 `json:"delay_ms,omitempty"` // of delay
}
