from . import call as call, call_builder as call_builder, send as send
