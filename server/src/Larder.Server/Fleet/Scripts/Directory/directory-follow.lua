-- Checks that the changes of the directory can be followed. Fails if the key is not a stream.
-- KEYS: the stream that announces changes.
return redis.call('XLEN', KEYS[1])
