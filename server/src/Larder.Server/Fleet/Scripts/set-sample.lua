-- Some elements of a set that chance chooses; 1 where they are more bytes than the answer may have, 2 where they are better read at once, by a plain command;
-- nil where there is no set.
-- KEYS: the item. ARGV: how many, the most bytes of the answer, bytes of an element beside its own.
local n = redis.call('SCARD', KEYS[1])
if n == 0 then
  return false
end
local count, most = math.min(tonumber(ARGV[1]), n), tonumber(ARGV[2])
if count == 0 then
  return {}
end
if count * ARGV[3] > most then
  return 1
end
if count <= 16 then
  return redis.call('SRANDMEMBER', KEYS[1], count)
end
-- About what they take: all are counted where they are few, else some of them.
local bytes = redis.call('MEMORY', 'USAGE', KEYS[1], 'SAMPLES', n <= 2048 and 0 or 2048) * count / n
if count <= 1024 and bytes <= 65536 then
  return redis.call('SRANDMEMBER', KEYS[1], count)
end
if bytes - count * 128 > 4 * most then
  return 1
end
return 2
