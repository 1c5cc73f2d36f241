-- Defines endLease, which a script calls when it writes an item's value: the lease of the key ends, and its stale value and tags are removed. In a cache
-- without leases, the script has only one key.
local function endLease()
  if KEYS[2] then
    redis.call('UNLINK', KEYS[2], KEYS[3])
  end
end
