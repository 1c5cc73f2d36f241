-- Removes the elements that equal a value from a part of a list.
-- KEYS: the item.
-- ARGV: the value, the number of elements before the part, the maximum number of elements in the part, "1" if both numbers count from the
-- end of the list.
-- Returns three numbers: the remaining length, how many elements of the part remain, and how many were removed. Returns nil if the list does not
-- exist.
local n = redis.call('LLEN', KEYS[1])
if n == 0 then
  return false
end
local before, most, isBack = tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4] == '1'
local part = isBack and redis.call('LRANGE', KEYS[1], -before - most, -before - 1) or redis.call('LRANGE', KEYS[1], before, before + most - 1)
local found = 0
for index = 1, #part do
  if part[index] == ARGV[1] then
    found = found + 1
  end
end
-- The part is counted from one end of the list. The elements between this end and the part no longer contain the value. The first matches that LREM
-- finds from this end are therefore in the part.
if found > 0 then
  redis.call('LREM', KEYS[1], isBack and -found or found, ARGV[1])
end
return {redis.call('LLEN', KEYS[1]), #part - found, found}
