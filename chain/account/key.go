package account

// Kind is the second byte of a state key: what the entry is. Spec: commonware
// §5.10.
type Kind byte

// The kinds of state entries.
const (
	KindAccount    Kind = 0x00 // account record
	KindActorMeta  Kind = 0x01 // manifest, owner and other rarely read facts about an actor
	KindCode       Kind = 0x02 // canonical source, under the zero address with the code hash as suffix
	KindStorage    Kind = 0x03 // an actor's or system actor's key/value entry
	KindMailbox    Kind = 0x04 // pending messages
	KindTimer      Kind = 0x05 // timer records
	KindTimerIndex Kind = 0x06 // timers by height
	KindDeferred   Kind = 0x07 // deferred transactions
	KindDedup      Kind = 0x08 // message identities seen
	KindChain      Kind = 0x09 // block-level singletons
	KindRecord     Kind = 0x0a // what a system actor keeps, under its address and a name
	kindCount      Kind = 0x0b
)

// Namespaces, the first byte of a state key: entries a virtual machine owns are
// kept apart from the chain's own, and those from what the native system actors
// keep. Spec: WP "Storage and State Persistence" (vm_ns).
const (
	NamespaceNative byte = 0x00
	NamespacePVM    byte = 0x01
	NamespaceSystem byte = 0x02
)

// KeyHeader is the length of the fixed part of every key: namespace, kind,
// address.
const KeyHeader = 2 + AddressSize

// Namespace is the namespace entries of kind k live in.
func (k Kind) Namespace() byte {
	switch k {
	case KindCode, KindStorage:
		return NamespacePVM
	case KindRecord:
		return NamespaceSystem
	}
	return NamespaceNative
}

// Key is the state key namespace ‖ kind ‖ address ‖ suffix. Without a suffix it
// is also the prefix of all of the address's entries of that kind.
// Spec: commonware §5.10.
func Key(kind Kind, addr Address, suffix ...byte) []byte {
	key := make([]byte, 0, KeyHeader+len(suffix))
	key = append(key, kind.Namespace(), byte(kind))
	key = append(key, addr[:]...)
	return append(key, suffix...)
}

// KeyString is Key with a text suffix, the form of the governed parameters under
// 0x09 (WP §13.1).
func KeyString(kind Kind, addr Address, suffix string) []byte {
	key := make([]byte, 0, KeyHeader+len(suffix))
	key = append(key, kind.Namespace(), byte(kind))
	key = append(key, addr[:]...)
	return append(key, suffix...)
}

// RecordKey is the key of what the system actor at home keeps under a name and the parts that follow it.
func RecordKey(home Address, name string, parts ...[]byte) []byte {
	key := KeyString(KindRecord, home, name)
	for _, p := range parts {
		key = append(key, p...)
	}
	return key
}

// KindPrefix is the prefix shared by the entries of one kind of all addresses.
func KindPrefix(kind Kind) []byte { return []byte{kind.Namespace(), byte(kind)} }

// SplitKey takes a state key apart; ok is false for a byte string that Key could
// not have made. suffix aliases key.
func SplitKey(key []byte) (kind Kind, addr Address, suffix []byte, ok bool) {
	if len(key) < KeyHeader {
		return 0, Address{}, nil, false
	}
	kind = Kind(key[1])
	if kind >= kindCount || key[0] != kind.Namespace() {
		return 0, Address{}, nil, false
	}
	return kind, Address(key[2:KeyHeader]), key[KeyHeader:], true
}
