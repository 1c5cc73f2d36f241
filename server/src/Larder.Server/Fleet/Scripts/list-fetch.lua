-- The elements of a slice; 1 and 2 as gather says; nil where there are none.
-- KEYS: the item. ARGV: start, end, the most bytes of the answer, bytes of an element beside its own.
local n = redis.call('LLEN', KEYS[1])
local first, count = slice(ARGV[1], ARGV[2], n)
if count == 0 then
  return false
end
local most, beside = tonumber(ARGV[3]), tonumber(ARGV[4])
if count > 16384 and count * beside <= most and redis.call('MEMORY', 'USAGE', KEYS[1], 'SAMPLES', 0) <= 67108864 then
  return 2
end
return gather(function(at, some)
  return redis.call('LRANGE', KEYS[1], at, at + some - 1)
end, first, count, 1, most, beside)
