-- Defines how a script writes an item without tags, and ends the lease of its key. In a cache without leases, a script has only one key.

-- Stores a value without tags.
local function store(value, ttl, condition)
  if not KEYS[2] then
    return redis.call('SET', KEYS[1], value, 'PX', ttl)
  elseif condition then
    return redis.call('SET', KEYS[1], value, 'PXAT', expiryOf(ttl, false), condition)
  end
  return redis.call('SET', KEYS[1], value, 'PXAT', expiryOf(ttl, false))
end

-- Sets the TTL of an item without tags.
local function expire(ttl)
  if KEYS[2] then
    redis.call('PEXPIREAT', KEYS[1], expiryOf(ttl, false))
  else
    redis.call('PEXPIRE', KEYS[1], ttl)
  end
end

-- Ends the lease of the key and removes the stale value and the tags. Called after the first write, because Redis refuses a write for lack of memory only if
-- the script has not written before.
local function endLease()
  if KEYS[2] then
    redis.call('UNLINK', KEYS[2], KEYS[3])
  end
end
