-- The value; -2 where it is larger than may be read without a turn; nil where there is none.
-- KEYS: the item. ARGV: the most bytes.
if redis.call('STRLEN', KEYS[1]) > tonumber(ARGV[1]) then
  return -2
end
return redis.call('GET', KEYS[1])
