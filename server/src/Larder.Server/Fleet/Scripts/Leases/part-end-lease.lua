-- Defines how a script sets the TTL of an item that it writes, and ends the lease of its key.
-- In a cache with leases, the lowest bit of an item's expiry time in ms is 1 if the item has tags. If a full node evicts the tail of such an item, the missing
-- tail is therefore noticed. Rounding makes a TTL at most 1 ms longer. In a cache without leases, a script has only one key and keeps the TTL exact.

-- Returns the time at which a TTL ends.
local function expiryOf(ttl, hasTags)
  local now = redis.call('TIME')
  local at = now[1] * 1000 + math.floor(now[2] / 1000) + tonumber(ttl)
  return string.format('%.0f', at + (at + (hasTags and 1 or 0)) % 2)
end

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

-- Ends the lease of the key and removes the stale value and the tags. Called after the first write, because Redis refuses a write for lack of memory only if the
-- script has not written before.
local function endLease()
  if KEYS[2] then
    redis.call('UNLINK', KEYS[2], KEYS[3])
  end
end
