package params

import "github.com/cowboyinc/cowboy-go/chain/unit"

// Costs are the prices of what the host does for an actor, in cycles and cells, as one version of the protocol has them. The constants of the same names,
// those of cycles with Cost before them, say what each pays for and where its number comes from.
//
// Spec: WP §3.5, §17.3, §17.4.
type Costs struct {
	SendMessage      unit.Cycles
	Timer            unit.Cycles
	StorageRead      unit.Cycles
	StorageWrite     unit.Cycles
	StorageDelete    unit.Cycles
	StorageScan      unit.Cycles
	StoragePassed    unit.Cycles
	Compile          unit.Cycles
	BlockInfo        unit.Cycles
	Delivery         unit.Cycles
	ActorCall        unit.Cycles
	Job              unit.Cycles
	HostError        unit.Cycles
	Event            unit.Cycles
	EventPerByte     unit.Cycles
	VerifyBLS        unit.Cycles
	DecodeBLSKey     unit.Cycles
	VerifyEd25519    unit.Cycles
	VerifySecp256k1  unit.Cycles
	SHA256PerBlock   unit.Cycles
	Keccak256PerWord unit.Cycles
	Randomness       unit.Cycles
	SerializeBase    unit.Cycles
	SerializePerByte unit.Cycles

	DeliveryBytesPerCycle uint64     // of a payload
	CellsPerByteWritten   unit.Cells // of state, and of what waits in a mailbox
	CellsPerByteCalldata  unit.Cells
	CellsPerByteReturned  unit.Cells
	StateReadBytesPerCell uint64
	EventBytesPerCell     uint64

	Machine *MachineCosts // of the Python machine
}

// FirstCosts are the prices of version 1.
func FirstCosts() *Costs {
	return &Costs{
		SendMessage:      CostSendMessage,
		Timer:            CostTimer,
		StorageRead:      CostStorageRead,
		StorageWrite:     CostStorageWrite,
		StorageDelete:    CostStorageDelete,
		StorageScan:      CostStorageScan,
		StoragePassed:    CostStoragePassed,
		Compile:          CostCompile,
		BlockInfo:        CostBlockInfo,
		Delivery:         CostDelivery,
		ActorCall:        CostActorCall,
		Job:              CostJob,
		HostError:        CostHostError,
		Event:            CostEvent,
		EventPerByte:     CostEventPerByte,
		VerifyBLS:        CostVerifyBLS,
		DecodeBLSKey:     CostDecodeBLSKey,
		VerifyEd25519:    CostVerifyEd25519,
		VerifySecp256k1:  CostVerifySecp256k1,
		SHA256PerBlock:   CostSHA256PerBlock,
		Keccak256PerWord: CostKeccak256PerWord,
		Randomness:       CostRandomness,
		SerializeBase:    CostSerializeBase,
		SerializePerByte: CostSerializePerByte,

		DeliveryBytesPerCycle: DeliveryBytesPerCycle,
		CellsPerByteWritten:   CellsPerByteWritten,
		CellsPerByteCalldata:  CellsPerByteCalldata,
		CellsPerByteReturned:  CellsPerByteReturned,
		StateReadBytesPerCell: StateReadBytesPerCell,
		EventBytesPerCell:     EventBytesPerCell,

		Machine: FirstMachineCosts(),
	}
}
