package tx

// Chapter is a part of the specification with instructions or a system actor of its own.
type Chapter string

// The chapters. Account to Rent have instructions, Treasury to Event only messages and calls to their addresses.
// Spec: WP §9; runner-marketplace §3.
const (
	ChapterAccount   Chapter = "account"
	ChapterTransfer  Chapter = "transfer"
	ChapterActor     Chapter = "actor"
	ChapterTimer     Chapter = "timer"
	ChapterGovern    Chapter = "govern"
	ChapterStake     Chapter = "stake"
	ChapterJob       Chapter = "job"
	ChapterToken     Chapter = "token"
	ChapterEntitle   Chapter = "entitle"
	ChapterSecret    Chapter = "secret"
	ChapterTEE       Chapter = "tee"
	ChapterSession   Chapter = "session"
	ChapterGateway   Chapter = "gateway"
	ChapterRoute     Chapter = "route"
	ChapterRelay     Chapter = "relay"
	ChapterContainer Chapter = "container"
	ChapterBank      Chapter = "bank"
	ChapterRent      Chapter = "rent"

	ChapterTreasury Chapter = "treasury"
	ChapterVolume   Chapter = "volume"
	ChapterStream   Chapter = "stream"
	ChapterPayment  Chapter = "payment"
	ChapterEvent    Chapter = "event"
)
