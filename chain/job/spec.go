package job

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Bounds of a specification.
const (
	MaxSpecBytes     = 60 << 10 // of the canonical encoding
	MaxTextBytes     = 56 << 10 // of a prompt, a body, arguments, parameters
	MaxSchemaBytes   = 16 << 10
	MaxNameBytes     = 256
	MaxURLBytes      = 4 << 10
	MaxContextBytes  = 32 << 10
	MaxPoolBytes     = 64
	MaxHeaders       = 64
	MaxChecks        = 32
	MaxFields        = 32
	MaxSubstrings    = 32
	MaxVolumes       = 16
	MaxSecrets       = 8 // Spec: sdk §9.2
	MaxEgressRules   = 32
	MaxEnv           = 64
	MaxCommand       = 64
	MaxTimeoutBlocks = 86_400
	MaxDisputeBlocks = 86_400
	MaxRunnersAsked  = 64
	MaxRetriesAsked  = 16
	MaxResultBytes   = 65_536 // Spec: WP §5.4; runner-marketplace §2.1
)

// Kind says what a job is (job_kind).
//
// Spec: runner-marketplace §2.2.
type Kind uint8

// The kinds. 4, EthSend, is internal and is no job anybody submits.
const (
	LLM       Kind = 1
	HTTP      Kind = 2
	MCP       Kind = 3
	Custom    Kind = 5
	Container Kind = 6
)

// Spec is a job specification (JobSpec).
//
// Spec: CIP-2 §2; runner-marketplace §2.1.
type Spec struct {
	ID            digest.Hash // set by the chain
	Kind          Kind
	LLM           *LLMJob    // of kind LLM
	HTTP          *HTTPJob   // of kind HTTP
	MCP           *MCPJob    // of kind MCP
	Custom        *CustomJob // of kind Custom
	Bounds        ResourceBounds
	Verification  Verification
	Schema        ResultSchema
	MaxPrice      unit.Amount
	Tip           unit.Amount
	TimeoutBlocks uint64 // of each attempt
	Callback      Callback
	Submitter     account.Address // set by the chain
	SubmittedAt   unit.Height     // set by the chain
	Pool          []byte          // required_runner_pool; nil for none
	Volumes       []Volume
	Runtime       *Runtime // of kind Container
	Secrets       []Secret
}

// LLMJob asks a model.
type LLMJob struct {
	Model         digest.Hash // model_id; zero for any
	Prompt        string
	SystemPrompt  *string
	Temperature   *Decimal
	MaxTokens     uint32
	ResponseModel *string // JSON schema
}

// HTTPJob fetches from the web.
type HTTPJob struct {
	URL        string
	Method     string
	Headers    []Pair // strictly ascending by name
	Body       []byte // nil for none
	Extraction *Extraction
	Freshness  *Freshness
	Snapshot   *Snapshot
}

// Pair is a name with a value.
type Pair struct{ Name, Value string }

// Freshness says how old a source may be. Spec: WP "External Data and Oracle Semantics".
type Freshness struct {
	Reference      uint8 // of references()
	MaxAgeSeconds  uint64
	Timestamp      uint64 // of reference "absolute", seconds since 1970
	TimestampField string // a JSONPath; "" for the time of the fetch
}

// Snapshot says which of several results counts.
//
// Spec: WP "External Data and Oracle Semantics"; runner-marketplace §6.2.
type Snapshot struct {
	Mode             uint8 // of snapshots()
	OutlierThreshold *Decimal
}

// MCPJob calls a tool.
type MCPJob struct {
	Server         string
	Tool           string
	Arguments      string // JSON
	TimeoutSeconds *uint64
}

// CustomJob runs a registered executor.
type CustomJob struct {
	Executor digest.Hash
	Params   []byte
}

// ResourceBounds are the hard limits of a job.
type ResourceBounds struct {
	MaxInputTokens     uint32
	MaxOutputTokens    uint32
	MaxWallTimeSeconds uint64
	MaxMemoryMB        uint32
	MaxRetries         uint32
}

// Mode is how results are verified.
//
// Spec: WP §5.4; runner-marketplace §2.4.
type Mode uint8

// The modes.
const (
	ModeNone Mode = iota
	ModeEconomicBond
	ModeMajorityVote
	ModeStructuredMatch
	ModeDeterministic
	ModeSemanticSimilarity
	modes
)

// String is the mode as JSON has it.
func (m Mode) String() string { return modeNames()[m] }

// modeNames are the modes as JSON has them.
func modeNames() []string {
	return []string{"none", "economicbond", "majorityvote", "structuredmatch", "deterministic", "semanticsimilarity"}
}

// Verification is the trust model of a job.
type Verification struct {
	Mode          Mode
	Runners       uint32 // M; 0 for what the mode and the network give
	Threshold     uint32 // N; likewise
	Checks        []Check
	TEERequired   bool
	TEEType       *string
	DisputeBlocks uint64
}

// CheckKind says what a check holds results against.
//
// Spec: runner-marketplace §2.3.
type CheckKind uint8

// The kinds of checks.
const (
	CheckMajorityVote CheckKind = iota
	CheckJSONSchema
	CheckStructuredMatch
	CheckNumericTolerance
	CheckNumericRange
	CheckCustom
	CheckDNSText
	CheckDNSAlias
	CheckSetEquality
	CheckContainsAll
	CheckContainsNone
	CheckRegex
	CheckLength
	CheckEntropy
	CheckSimilarity
	CheckBond      // a parameter of the mode: what the runner's stake covers
	CheckInference // likewise: what a deterministic job pins
	checkKinds
)

// checkNames are the kinds as JSON has them.
func checkNames() []string {
	return []string{
		"MajorityVote", "JsonSchemaValid", "StructuredMatch", "NumericTolerance", "NumericRange", "Custom", "DnsTxtRecordMatch", "DnsCnameMatch",
		"SetEquality", "ContainsAll", "ContainsNone", "RegexMatch", "LengthBounds", "EntropyCheck", "SemanticSimilarity", "BondMultiplier", "InferenceConfig",
	}
}

// Check is one step of the check pipeline. What a kind does not have is zero.
type Check struct {
	Kind         CheckKind
	Field        string          // MajorityVote, NumericTolerance, NumericRange, SetEquality
	Schema       string          // JsonSchemaValid
	Fields       []string        // StructuredMatch
	Tolerance    Decimal         // NumericTolerance
	Min, Max     Decimal         // NumericRange
	Actor        account.Address // Custom
	Method       string          // Custom
	Name         string          // Dns…: fqdn
	Expected     string          // Dns…: expected_value, expected_target
	MinResolvers uint32          // Dns…
	Texts        []string        // ContainsAll, ContainsNone: substrings
	Pattern      string          // RegexMatch
	Least, Most  uint64          // LengthBounds: bytes
	Limit        Decimal         // EntropyCheck: bits a byte; SemanticSimilarity: the cosine; BondMultiplier: stake for each base unit of the price
	Model        string          // SemanticSimilarity: the embedding_model, "" for the network's
	Inference    Inference       // InferenceConfig
}

// Inference is what the runners of a deterministic job all run with.
//
// Spec: WP §5.4; WP-January "Verification Mode Details".
type Inference struct {
	Temperature Decimal
	Seed        uint64
	Framework   string      // name and version
	Toolchain   digest.Hash // toolchain_digest
}

// ResultSchema bounds what runners give back.
type ResultSchema struct {
	MaxReturnBytes      uint32
	ExpectedExecutionMs uint64
	DataFormat          string // a JSON schema or a format's name
}

// Callback is whom the verified result is sent to; a zero address is nobody.
type Callback struct {
	Actor       account.Address
	Handler     string
	Correlation digest.Hash
	Context     []byte
}

// Volume is an encrypted volume the job mounts. Spec: storage-cbfs §2.5.
type Volume struct {
	Name         string
	AccessMode   string
	PathPrefix   string
	MaxBytes     uint64
	Mount        bool
	SyncInterval uint64
}

// Secret names a secret the runner may have. Spec: sdk §9.2.
type Secret struct {
	Name    string
	Version *uint64
	Account *account.Address
}

// Runtime is what a container job runs, and with what.
//
// Spec: runner-marketplace §2.9.
type Runtime struct {
	Registry    string
	Repository  string
	Digest      digest.Hash // sha256
	Tag         *string
	Class       *string // resource_class
	CPUMilli    uint32
	MemoryMiB   uint32
	ScratchMiB  uint32
	MaxDuration uint64 // seconds
	Allowlist   bool   // network mode ALLOWLIST instead of NONE
	Egress      []Egress
	GPUCount    uint32
	MinVRAMMiB  uint32
	Env         []Pair // strictly ascending by name
	Command     []string
	WorkingDir  *string
	AllowRoot   bool
}

// Egress is an address a container may reach.
type Egress struct {
	Host     string
	Port     uint32
	Protocol string
}
