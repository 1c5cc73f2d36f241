-- Stores where the item is missing, equals the comparand, or differs from it, as the caller says.
-- KEYS: the item. ARGV: value, TTL in ms, comparand, then "1" where it is stored if missing, if equal, if different.
local present = redis.call('GET', KEYS[1])
local case = 4
if present then
  case = present == ARGV[3] and 5 or 6
end
if ARGV[case] == '1' then
  return redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
end
return false
