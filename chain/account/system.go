package account

// ReservedLimit is the end of the reserved band: addresses below it belong to
// system actors and precompiles and pay no rent. Spec: WP §1.3, §9.
const ReservedLimit = 0x100

// The system actors, by the last byte of their address. Spec: WP §9.
const (
	RunnerRegistry    byte = 0x01
	JobDispatcher     byte = 0x02
	ResultVerifier    byte = 0x03
	SecretsManager    byte = 0x04
	TEEVerifier       byte = 0x05
	FeesAndTokens     byte = 0x06 // dual basefee and token registry share the address
	Entitlements      byte = 0x07
	Treasury          byte = 0x08
	Governance        byte = 0x09
	StorageManager    byte = 0x0a
	RelayRegistry     byte = 0x0b
	Session           byte = 0x0c
	StreamKeys        byte = 0x0d
	RouteRegistry     byte = 0x0e
	GatewayRegistry   byte = 0x0f
	ReceiptRegistry   byte = 0x10
	ContainerRegistry byte = 0x11
	PaymentGate       byte = 0x12
	Bank              byte = 0x13
	EventSubscription byte = 0x1d
)

// System is the reserved address that ends in n.
func System(n byte) Address {
	var a Address
	a[AddressSize-1] = n
	return a
}

// IsReserved reports whether a lies in the reserved band below 0x100. The zero
// address lies in it too. Spec: WP §9.
func (a Address) IsReserved() bool {
	return a == System(a[AddressSize-1])
}

// InEnforcedBand reports whether a lies in the dense band 0x01–0x0F that may not
// be named as a fee payer; 0x1D lies deliberately outside.
// Spec: WP §9.
func (a Address) InEnforcedBand() bool {
	n := a[AddressSize-1]
	return a.IsReserved() && n >= RunnerRegistry && n <= GatewayRegistry
}

// SystemEntry is a line of the address table.
type SystemEntry struct {
	Number byte
	Name   string
	// Record says whether genesis writes an account record: a virtual address is
	// intercepted by the host and has none.
	Record bool
}

// SystemTable lists the reserved addresses in ascending order. The caller owns
// the slice. Spec: WP §9.
func SystemTable() []SystemEntry {
	return []SystemEntry{
		{RunnerRegistry, "Runner Registry", true},
		{JobDispatcher, "Job Dispatcher", true},
		{ResultVerifier, "Result Verifier", true},
		{SecretsManager, "Secrets Manager", true},
		{TEEVerifier, "TEE Verifier", true},
		{FeesAndTokens, "Dual Basefee and Token Registry", true},
		{Entitlements, "Entitlement Registry", true},
		{Treasury, "Treasury", true},
		{Governance, "Governance", true},
		{StorageManager, "Storage Manager", true},
		{RelayRegistry, "Relay Registry", true},
		{Session, "Session Actor", true},
		{StreamKeys, "Stream Key Manager", true},
		{RouteRegistry, "Route Registry", true},
		{GatewayRegistry, "Gateway Registry", true},
		{ReceiptRegistry, "Receipt Registry", true},
		{ContainerRegistry, "Container Registry", true},
		{PaymentGate, "PaymentGate", true},
		{Bank, "BankActor", true},
		{EventSubscription, "Event Subscription", false},
	}
}
