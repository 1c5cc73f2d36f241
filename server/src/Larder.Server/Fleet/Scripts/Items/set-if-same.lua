-- Stores a value if the item exists and its value has not changed since the gateway read it. The SHA-1 of the value is compared.
-- KEYS: the item; in a cache with leases also its lease and its tail.
-- ARGV: the new value, the TTL in ms, the SHA-1 of the value that the gateway read, in lower-case hexadecimal.
-- Returns OK, or nil if the value was not stored.
local present = redis.call('GET', KEYS[1])
if present and redis.sha1hex(present) == ARGV[3] then
  local stored = store(ARGV[1], ARGV[2])
  endLease()
  return stored
end
return false
