package signer

// asked is the one command.
type asked struct {
	remote string
	body   []byte
	reply  chan []byte // one answer; closed where there is none
}

// Abandoned implements supervision.Abandoner.
func (a asked) Abandoned(error) { close(a.reply) }

// lost is the command of a listener that ended by itself.
type lost struct {
	server *server
	err    error
}
