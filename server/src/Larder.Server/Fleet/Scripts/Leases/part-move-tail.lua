-- Defines moveExpiry, which a script calls to change an item's TTL: the stale time keeps its length and starts at the new end of the TTL, and the tags stay.
local function moveExpiry(ttl)
  local tail = KEYS[3] and redis.call('HMGET', KEYS[3], 's', 't')
  if not tail then
    redis.call('PEXPIRE', KEYS[1], ttl)
    return
  end
  local hasTags = tail[2] and tail[2] ~= ''
  redis.call('PEXPIREAT', KEYS[1], expiryOf(ttl, hasTags))
  if tail[1] then
    redis.call('PEXPIRE', KEYS[3], tonumber(ttl) + tonumber(tail[1]))
  end
end
