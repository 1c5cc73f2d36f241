-- Stores a value depending on whether the item is missing, equals the comparand, or differs from it.
-- KEYS: the item; in a cache with leases also its lease and its tail.
-- ARGV: the value, the TTL in ms, the comparand, and then three flags: "1" to store if the item is missing, "1" to store if it equals the comparand,
-- "1" to store if it differs from the comparand.
local present = redis.call('GET', KEYS[1])
local case = 4
if present then
  case = present == ARGV[3] and 5 or 6
end
if ARGV[case] == '1' then
  local stored = store(ARGV[1], ARGV[2])
  endLease()
  return stored
end
return false
