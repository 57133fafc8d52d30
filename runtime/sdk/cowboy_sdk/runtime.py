"""The chain's syscalls. pvm_host has the same functions; every rule is enforced there."""

from pvm_host import (
    assume_ownership_if_unowned,
    cancel_timer,
    cells_left,
    charge_gas,
    context,
    create_deferred_tx,
    delete_state,
    emit_event,
    extend_timer,
    gas_left,
    get_actor_address,
    get_balance,
    get_block_height,
    get_chain_id,
    get_owner,
    get_pvm_version,
    get_sender,
    get_state,
    get_timestamp_ms,
    get_tx_hash,
    is_checkpoint_mode,
    is_development,
    is_initialized,
    is_production,
    keccak256,
    mode,
    next_counter as _next_counter,
    randomness,
    renounce_ownership,
    require_fsm,
    scan_state_prefix,
    schedule_timer,
    schedule_timer_ex,
    send_message,
    call_actor,
    set_interval,
    set_state,
    set_timer,
    submit_job,
    transfer,
    transfer_ownership,
    upgrade_self,
)

current_block = get_block_height


def generate_id():
    """A hex text that no other call gives: keccak256 of transaction, message or timer, block, actor and a counter."""
    now = context()
    place = now["tx_hash"] + now["msg_id"] + now["block_height"].to_bytes(8, "big") + now["actor_addr"]
    return keccak256(place + _next_counter().to_bytes(8, "big")).hex()
