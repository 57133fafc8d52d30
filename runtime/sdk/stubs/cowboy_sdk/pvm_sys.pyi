chain_id: int
pvm_version: str
