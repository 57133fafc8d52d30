# The names of encodings and error handlers are text that UTF-8 can hold, without zeros.
for f in (lambda: str(1,'\ud800'), lambda: str(b'x','\ud800'), lambda: str(b'x','utf-8','\ud800'), lambda: b'x'.decode('\ud800'), lambda: 'x'.encode('\ud800'), lambda: bytes('x','\ud800'), lambda: str(1,'a\0'), lambda: str(b'x','a\0'), lambda: bytes(1,'\ud800'), lambda: b'x'.decode('utf-8','\ud800'), lambda:'x'.encode('utf-8','\ud800')):
  try: print(f())
  except BaseException as e: print(type(e).__name__, e)
