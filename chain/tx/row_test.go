package tx

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
)

// allocation is what the digests say of the sub-types of category System: the numbers, the address that is responsible, the lane, and whether governance
// alone may send. WP §9 says what each address is responsible for.
// Spec: runner-marketplace §3; WP §9; governance-staking B10, C3; tokens §4; rent §6, §11; storage-cbfs §3.2.
var allocation = []struct {
	first, last byte
	chapter     Chapter
	home        byte
	lane        params.Lane
	governed    bool
}{
	{0, 0, "account", 0, params.LaneUser, false},
	{1, 1, "transfer", 0, params.LaneUser, false},
	{2, 3, "job", 0x01, params.LaneUser, false},          // register, rate card
	{4, 4, "job", 0x01, params.LaneRunner, false},        // heartbeat
	{5, 5, "job", 0x01, params.LaneUser, false},          // deregister
	{6, 6, "job", 0x02, params.LaneUser, false},          // submit
	{7, 7, "job", 0x03, params.LaneRunner, false},        // reveal
	{8, 8, "job", 0x02, params.LaneUser, false},          // cancel
	{9, 9, "job", 0x03, params.LaneRunner, false},        // commit
	{10, 23, "token", 0x06, params.LaneUser, false},      // create to permit
	{30, 35, "entitle", 0x07, params.LaneUser, false},    // grants and roles
	{40, 40, "govern", 0x09, params.LaneSystem, true},    // settlement
	{41, 41, "actor", 0, params.LaneUser, false},         // fund
	{42, 42, "secret", 0x04, params.LaneUser, false},     // key delivery
	{43, 43, "actor", 0, params.LaneUser, false},         // upgrade
	{44, 44, "govern", 0x09, params.LaneSystem, true},    // basefee
	{45, 47, "govern", 0x09, params.LaneUser, false},     // submit, vote, execute
	{48, 50, "timer", 0x09, params.LaneSystem, true},     // cancel, configure, extend
	{51, 51, "govern", 0x09, params.LaneUser, false},     // deploy code: anybody uploads what governance may then choose
	{52, 57, "session", 0x0c, params.LaneUser, false},    // open to slash
	{60, 61, "tee", 0x05, params.LaneSystem, true},       // trusted keys
	{62, 63, "tee", 0x05, params.LaneRunner, false},      // attestations
	{65, 65, "gateway", 0x0f, params.LaneUser, false},    // ingress
	{66, 66, "gateway", 0x10, params.LaneUser, false},    // receipt
	{67, 67, "route", 0x0e, params.LaneUser, false},      // callback of an external domain
	{68, 83, "secret", 0x04, params.LaneUser, false},     // CBSS
	{84, 84, "secret", 0x04, params.LaneSystem, true},    // deregister by force
	{85, 86, "relay", 0x0b, params.LaneUser, false},      // drains
	{87, 88, "job", 0x09, params.LaneSystem, true},       // executors, pinned under 0x09
	{89, 89, "govern", 0x09, params.LaneSystem, true},    // lanes
	{90, 90, "rent", 0x09, params.LaneSystem, true},      // configure
	{91, 93, "rent", 0x09, params.LaneUser, false},       // settle, quota, restore
	{94, 96, "job", 0x09, params.LaneSystem, true},       // CIP-2 parameters
	{97, 97, "job", 0x03, params.LaneRunner, false},      // why there was no reveal
	{98, 100, "job", 0x09, params.LaneSystem, true},      // CIP-2 parameters
	{101, 101, "rent", 0x09, params.LaneUser, false},     // pay, ours
	{102, 102, "route", 0x0e, params.LaneUser, false},    // manifest of routes
	{103, 103, "timer", 0x09, params.LaneSystem, true},   // of the range of governance, ours
	{104, 104, "govern", 0x09, params.LaneSystem, false}, // the council, ours
	{105, 105, "govern", 0x09, params.LaneUser, false},   // withdraw, ours
	{106, 107, "govern", 0x09, params.LaneSystem, true},  // reserved for governance, 107 ours
	{119, 123, "job", 0x01, params.LaneUser, false},      // delegation
	{124, 124, "tee", 0x05, params.LaneSystem, true},
	{125, 125, "tee", 0x05, params.LaneRunner, false}, // as attestations
	{126, 126, "tee", 0x05, params.LaneSystem, true},
	{152, 153, "secret", 0x04, params.LaneUser, false},     // time locks
	{158, 158, "stake", 0x09, params.LaneSystem, false},    // dealer logs
	{160, 164, "container", 0x11, params.LaneSystem, true}, // images
	{170, 175, "stake", 0x09, params.LaneSystem, false},    // validators, ours
	{176, 177, "job", 0x01, params.LaneUser, false},        // models, ours
	{178, 178, "job", 0x09, params.LaneSystem, true},       // their marks, ours
	{200, 212, "bank", 0x13, params.LaneUser, false},       // cards and banks
	{213, 214, "bank", 0x13, params.LaneUser, false},       // renew, transfer, ours
	{216, 216, "bank", 0x13, params.LaneSystem, true},      // register
	{217, 218, "bank", 0x13, params.LaneUser, false},       // operator, signer, ours
}

// TestRows holds the table against the digests: every opcode once, in ascending order, with name, chapter, home and lane.
//
// Spec: runner-marketplace §3; WP §9, §6.3.
func TestRows(t *testing.T) {
	list := Rows()
	names := map[string]bool{}
	for i, row := range list {
		if i > 0 && list[i-1].Opcode >= row.Opcode {
			t.Errorf("%s does not come after %s", row.Name, list[i-1].Name)
		}
		if row.Name == "" || names[row.Name] {
			t.Errorf("%v has no name of its own", row.Opcode)
		}
		names[row.Name] = true
		if found, ok := RowNamed(row.Name); !ok || found.Opcode != row.Opcode {
			t.Errorf("%s is not found by its name", row.Name)
		}
		if _, known := slices.BinarySearchFunc(account.SystemTable(), row.Home,
			func(e account.SystemEntry, n byte) int { return int(e.Number) - int(n) }); row.Home != 0 && !known {
			t.Errorf("%s: home %#x is no system actor", row.Name, row.Home)
		}
	}
	rest := list
	for _, a := range allocation {
		for n := int(a.first); n <= int(a.last); n++ {
			if len(rest) == 0 || rest[0].Opcode != Op(System, byte(n)) {
				t.Fatalf("System %d is missing, or something before it is not allocated", n)
			}
			row := rest[0]
			rest = rest[1:]
			if row.Chapter != a.chapter || row.Home != a.home || row.Lane != a.lane || row.Privileged != a.governed {
				t.Errorf("%v: chapter %s, home %#x, lane %v, governed %v; want %+v", row.Opcode, row.Chapter, row.Home, row.Lane, row.Privileged, a)
			}
		}
	}
	if len(rest) != 3 || rest[0].Opcode != OpDeploy || rest[1].Opcode != OpExecute || rest[2].Opcode != OpTimerSchedule {
		t.Errorf("category Actor has %d rows, want Deploy, Execute and TimerSchedule", len(rest))
	}
	if len(list) != 141 {
		t.Errorf("%d rows, want 141", len(list))
	}
	if _, ok := RowNamed("transfer"); ok {
		t.Error("a row has a name that nobody gave it")
	}
}

// TestBodies holds each built row against its body.
func TestBodies(t *testing.T) {
	for _, row := range Rows() {
		if !row.Built() {
			if row.New() != nil || row.Fields() != nil {
				t.Errorf("%s is not built and has a body", row.Name)
			}
			continue
		}
		if got := row.New().Opcode(); got != row.Opcode {
			t.Errorf("%s has the body of %v", row.Name, got)
		}
		if row.Intrinsic.Cycles == 0 {
			t.Errorf("%s is free", row.Name)
		}
		_, home := row.HomeAddress()
		_, targeted := row.New().(targeted)
		if home && targeted || row.Payment != NoPayment && !targeted {
			t.Errorf("%s: home %v, target %v, payment %v", row.Name, home, targeted, row.Payment)
		}
		seen := map[string]bool{}
		for _, f := range row.Fields() {
			if f.Name == "" || seen[f.Name] {
				t.Errorf("%s has two fields %q", row.Name, f.Name)
			}
			seen[f.Name] = true
		}
		if fields := reflect.TypeOf(row.New()).Elem().NumField(); fields != len(seen) {
			t.Errorf("%s shows %d of %d fields", row.Name, len(seen), fields)
		}
	}
}

func TestTwoRowsOfOneOpcode(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("two rows of one opcode were taken")
		}
	}()
	newTable(transferRows, chapter(ChapterToken, Row{Opcode: OpTransfer, Name: "Other"}))
}

// TestTargets names whom an instruction concerns. Spec: WP §9.
func TestTargets(t *testing.T) {
	sender, other := account.Address{1}, account.Address{2}
	for i, c := range []struct {
		in   Instruction
		want account.Address
	}{
		{&Transfer{To: other}, other},
		{&Execute{To: other}, other},
		{&TimerSchedule{Actor: other}, other},
		{&UpgradeActor{Actor: other}, other},
		{&Deploy{}, sender},
		{&CancelTimer{}, account.System(account.Governance)},
		{&ValidatorExit{}, account.System(account.Governance)},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got := TargetOf(c.in, sender); got != c.want {
				t.Errorf("%T concerns %v, want %v", c.in, got, c.want)
			}
		})
	}
}

func TestHandlers(t *testing.T) {
	handler := []byte("go")
	for i, c := range []struct {
		in   Instruction
		want string
	}{
		{&Execute{Handler: handler}, "go"},
		{&Deploy{InitHandler: handler}, "go"},
		{&Deploy{}, ""},
		{&TimerSchedule{Handler: handler}, ""}, // it runs later, in a turn of the timer
		{&Transfer{}, ""},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got := HandlerOf(c.in); got != c.want {
				t.Errorf("%+v calls %q, want %q", c.in, got, c.want)
			}
		})
	}
}

// same copies every field of one body into another.
func same(t *testing.T, to, from []Field) {
	t.Helper()
	if len(to) != len(from) {
		t.Fatalf("%d fields, and %d", len(to), len(from))
	}
	for i, f := range from {
		switch f.Type {
		case TypeGroup:
			same(t, to[i].Fields(), f.Fields())
		case TypeList:
			if err := to[i].Resize(len(f.Elements())); err != nil {
				t.Fatal(err)
			}
			for k, element := range f.Elements() {
				same(t, to[i].Elements()[k], element)
			}
		default:
			if err := to[i].Set(f.Value()); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestFieldsSayEverything copies bodies field by field: what comes out has the same encoding.
func TestFieldsSayEverything(t *testing.T) {
	for _, in := range samples() {
		row, _ := RowOf(in.Opcode())
		made := row.New()
		same(t, FieldsOf(made), FieldsOf(in))
		if !reflect.DeepEqual(made, in) {
			t.Errorf("%s: %+v, copied %+v", row.Name, in, made)
		}
	}
}

func TestFieldsRefuse(t *testing.T) {
	in := &Deploy{Code: []byte("x")}
	register := &ValidatorRegister{}
	config := &UpdateTimerConfig{}
	entitle := &UpdateEntitlementConfig{}
	for _, c := range []struct {
		name  string
		field Field
		value any
	}{
		{"absent", FieldsOf(in)[0], nil},
		{"too long", FieldsOf(in)[1], make([]byte, params.MaxSaltBytes+1)},
		{"number for bytes", FieldsOf(in)[1], uint64(1)},
		{"too short", FieldsOf(register)[0], make([]byte, 47)},
		{"bytes for an amount", FieldsOf(register)[2], []byte{1}},
		{"hash for an address", FieldsOf(&Transfer{})[0], digest.Hash{}},
		{"more than 32 bits", FieldsOf(config)[0].Fields()[3], uint64(1 << 32)},
		{"a group", FieldsOf(config)[0], uint64(1)},
		{"a list", FieldsOf(entitle)[0].Fields()[2], []byte{1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := c.field.Set(c.value); !errors.Is(err, ErrField) {
				t.Errorf("%s: %v", c.name, err)
			}
		})
	}
	if err := FieldsOf(in)[1].Set(make([]byte, params.MaxSaltBytes)); err != nil {
		t.Errorf("the longest salt: %v", err)
	}
	if err := FieldsOf(config)[0].Fields()[3].Set(uint64(1<<32 - 1)); err != nil || config.Config.MaxTimersPerActor != 1<<32-1 {
		t.Errorf("32 bits: %v", err)
	}
	batch := Field{}
	for _, row := range All().Rows() {
		sample := row.New()
		if sample == nil {
			continue
		}
		for _, f := range FieldsOf(sample) {
			if f.Type == TypeList {
				batch = f
			}
		}
	}
	if err := batch.Resize(batch.Max); err != nil || len(batch.Elements()) != batch.Max {
		t.Errorf("%s with all of %d elements: %v", batch.Name, batch.Max, err)
	}
	if err := batch.Resize(batch.Max + 1); !errors.Is(err, ErrField) {
		t.Errorf("%s with one more than %d elements: %v", batch.Name, batch.Max, err)
	}
	if err := FieldsOf(in)[0].Resize(1); !errors.Is(err, ErrField) {
		t.Errorf("bytes with elements: %v", err)
	}
}

// TestNamesOfParameters shows the names that the fields of groups get.
func TestNamesOfParameters(t *testing.T) {
	for name, want := range map[string]string{
		"MaxTTLBlocks": "max_ttl_blocks", "GCCyclesPerBlock": "gc_cycles_per_block", "ID": "id", "Alpha": "alpha", "AgeV2": "age_v2",
	} {
		t.Run(name, func(t *testing.T) {
			if got := lower(name); got != want {
				t.Errorf("%s: %s, want %s", name, got, want)
			}
		})
	}
}

// Spec: WP §2.5 (Instruction is [category, sub_type, body]).
func TestInstructionRoundTrip(t *testing.T) {
	seen := map[Opcode]bool{}
	for _, in := range samples() {
		seen[in.Opcode()] = true
		raw := EncodeInstruction(in)
		if raw[0] != byte(in.Opcode().Category()) || raw[1] != in.Opcode().SubType() {
			t.Errorf("%v: opcode bytes %x", in.Opcode(), raw[:2])
		}
		back, err := DecodeInstruction(raw)
		if err != nil || !reflect.DeepEqual(back, in) {
			t.Errorf("%v: %+v decodes to %+v, %v", in.Opcode(), in, back, err)
		}
		if checkInstruction(in) != nil {
			t.Errorf("%v: %v", in.Opcode(), checkInstruction(in))
		}
		for cut := range raw {
			if _, err := DecodeInstruction(raw[:cut]); !errors.Is(err, ErrMalformed) {
				t.Errorf("%v cut at %d: %v", in.Opcode(), cut, err)
			}
		}
	}
	for _, row := range Rows() {
		if row.Built() != seen[row.Opcode] {
			t.Errorf("%s: built %v, sample %v", row.Name, row.Built(), seen[row.Opcode])
		}
	}
}

// Every opcode of the two byte space is built, a named gap, or unknown.
// Spec: WP §2.5 (unknown discriminants); runner-marketplace §3.
func TestEveryOpcodeIsAccountedFor(t *testing.T) {
	built, gaps := 0, 0
	for c := range 5 {
		for s := range 256 {
			raw := append([]byte{byte(c), byte(s)}, make([]byte, 200)...)
			_, err := DecodeInstruction(raw)
			row, listed := RowOf(Op(Category(c), uint8(s)))
			var gap *Unsupported
			switch {
			case listed && row.Built():
				built++
				if errors.Is(err, ErrUnsupported) || errors.Is(err, ErrUnknownInstruction) {
					t.Errorf("%s: %v", row.Name, err)
				}
			case listed:
				gaps++
				if !errors.As(err, &gap) || gap.Name != row.Name || gap.Chapter != row.Chapter || !errors.Is(err, ErrUnsupported) {
					t.Errorf("%s: %v", row.Name, err)
				}
			case c < int(categoryCount):
				if !errors.Is(err, ErrUnknownInstruction) {
					t.Errorf("%d %d: %v", c, s, err)
				}
			default:
				if !errors.Is(err, ErrMalformed) || !errors.Is(err, codec.ErrEnum) {
					t.Errorf("category %d: %v", c, err)
				}
			}
		}
	}
	if all := len(Rows()); built != len(samplesByOpcode()) || built+gaps != all {
		t.Errorf("%d built and %d gaps of %d", built, gaps, all)
	}
}

func samplesByOpcode() map[Opcode]bool {
	m := map[Opcode]bool{}
	for _, in := range samples() {
		m[in.Opcode()] = true
	}
	return m
}
