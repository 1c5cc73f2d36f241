-- Removes the elements of a part of a list that have a value. Answers the length afterwards, and how many elements of the part are left and were removed; nil
-- where there is no list.
-- KEYS: the item. ARGV: the value, how many elements are before the part, how many it has at most, "1" where they are counted from the list's end.
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
-- Those nearer to that end are gone already: the first that are found are the part's.
if found > 0 then
  redis.call('LREM', KEYS[1], isBack and -found or found, ARGV[1])
end
return {redis.call('LLEN', KEYS[1]), #part - found, found}
