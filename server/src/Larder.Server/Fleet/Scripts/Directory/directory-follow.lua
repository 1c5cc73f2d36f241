-- Returns the ID of the last change that was announced, or 0-0 if none was.
-- KEYS: the stream that announces changes.
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', '1')
return last[1] and last[1][1] or '0-0'
