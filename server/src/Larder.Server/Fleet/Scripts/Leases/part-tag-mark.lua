-- Defines how an item with tags is marked: in a cache with leases, the expiry time of an item in ms is 5 modulo 16 if, and only if, the item has tags. If a
-- full node evicts the tail of such an item, the missing tail is therefore noticed. An item that was stored before the cache had leases may have the mark by
-- chance.

local function isMarked(at)
  return at > 0 and at % 16 == 5
end

-- Returns the time at which a TTL ends. The mark makes a TTL up to 15 ms longer, its absence up to 1 ms.
local function expiryOf(ttl, hasTags)
  local now = redis.call('TIME')
  local at = now[1] * 1000 + math.floor(now[2] / 1000) + tonumber(ttl)
  if hasTags then
    at = at + (5 - at) % 16
  elseif isMarked(at) then
    at = at + 1
  end
  return string.format('%.0f', at)
end
