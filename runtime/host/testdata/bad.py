def handler(payload:
    return 1
