package params

import "github.com/cowboyinc/cowboy-go/chain/unit"

// Volumes and relays, beside what every transaction and message pays. The documents' prices are below what the entries take that a call moves, so that a
// place, a look and an entry have prices of their own.
//
// Spec: storage-cbfs §10; WP §17.4.
const (
	CostVolumeCreate    unit.Cycles = 5_000
	CellsVolumeCreate   unit.Cells  = 500
	CostVolumePlace     unit.Cycles = 3_000 // for each slot: the relay, its entry, the placement
	CellsVolumePlace    unit.Cells  = 128
	CostVolumeLook      unit.Cycles = 200 // for each relay that is looked at
	CostVolumeGrant     unit.Cycles = 3_000
	CellsVolumeGrant    unit.Cells  = 150
	CostVolumeToken     unit.Cycles = 300 // for each other token of the volume that is looked at or ends
	CostVolumeRevoke    unit.Cycles = 1_000
	CellsVolumeRevoke   unit.Cells  = 50
	CostVolumeAnchor    unit.Cycles = 1_000 // cells: the size of the call
	CostVolumeDelete    unit.Cycles = 500
	CostVolumeTransfer  unit.Cycles = 1_000
	CellsVolumeTransfer unit.Cells  = 50
	CostVolumeEntry     unit.Cycles = 1_500 // for each entry of the state that a call moves otherwise
	CostRelayRegister   unit.Cycles = 6_000
	CellsRelayRegister  unit.Cells  = 500
	CostRelayProof      unit.Cycles = 6_000 // 268 hashes
	CostVolumeRead      unit.Cycles = 200
)
