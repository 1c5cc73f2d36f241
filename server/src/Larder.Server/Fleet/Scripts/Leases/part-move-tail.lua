-- Defines moveTail, which a script calls when it changes an item's TTL: the stale time keeps its length and starts at the new end of the TTL.
local function moveTail(ttl)
  local stale = KEYS[3] and redis.call('HGET', KEYS[3], 's')
  if stale then
    redis.call('PEXPIRE', KEYS[3], tonumber(ttl) + tonumber(stale))
  end
end
