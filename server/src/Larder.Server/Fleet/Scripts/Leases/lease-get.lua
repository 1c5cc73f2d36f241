-- Reads an item. If it is missing, reads its stale value and takes the lease of the key.
-- KEYS: the item, its lease, its tail.
-- ARGV: the token of the caller (empty to take no lease), the duration of the lease in ms, "1" if the cache has had items with tags.
-- Returns 1, the value, the tags and the number of the last removed tag when the value was stored; or
-- 2, the stale value, the tags, that number, the time since the end of the TTL in ms, the validator, and then as for 3; or
-- 3, "1" if the caller has the lease, and the remaining time of the lease in ms.
local value = redis.pcall('GET', KEYS[1])
if type(value) == 'table' then
  -- The item is a collection, which has replaced any stale value.
  redis.call('UNLINK', KEYS[3])
  return value
end
local tail = redis.call('HMGET', KEYS[3], 't', 'n', 's')
if value and ARGV[3] == '1' and (tail[1] or '') == '' and isMarked(redis.call('PEXPIRETIME', KEYS[1])) then
  -- The item has lost its tags.
  redis.call('UNLINK', KEYS[1])
  value = false
end
if value then
  return {1, value, tail[1] or '', tail[2] or '0'}
end
local age = tail[3] and tonumber(tail[3]) - redis.call('PTTL', KEYS[3])
local kept = age and age >= 0 and redis.call('HMGET', KEYS[3], 'v', 'e')
local stale = kept and kept[1]
local mine = 0
if ARGV[1] ~= '' then
  local held = redis.call('GET', KEYS[2])
  if not held then
    local taken = redis.pcall('SET', KEYS[2], ARGV[1], 'PX', ARGV[2])
    if taken.err and not stale then
      return taken
    end
    -- Without memory for a lease, a stale value is still returned.
    mine = taken.err and 0 or 1
  elseif held == ARGV[1] then
    -- The command was sent again, because its first reply was lost.
    mine = 1
  end
end
-- The remaining time is 0 if there is no memory for a lease: the caller must not ask for it again.
local left = ARGV[1] ~= '' and mine == 0 and math.max(redis.call('PTTL', KEYS[2]), 0) or redis.call('PTTL', KEYS[2])
if stale then
  return {2, stale, tail[1] or '', tail[2] or '0', age, kept[2] or '', mine, left}
end
return {3, mine, left}
