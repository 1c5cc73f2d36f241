-- The elements of a range; 1 and 2 as gather says; nil where there is no sorted set.
-- KEYS: the item. ARGV: "1" in descending order, "1" with scores, the most bytes of the answer, bytes of an element beside its own; then of a range by index
-- its start and its end; of one by score the lowest and the highest as the engine takes them, what is below the lowest so too (empty: nothing), how many to
-- pass over, and how many to answer (below 0: all).
local n = redis.call('ZCARD', KEYS[1])
if n == 0 then
  return false
end
local first, count
if #ARGV == 6 then
  first, count = slice(ARGV[5], ARGV[6], n)
else
  count = redis.call('ZCOUNT', KEYS[1], ARGV[5], ARGV[6])
  local below = ARGV[7] == '' and 0 or redis.call('ZCOUNT', KEYS[1], '-inf', ARGV[7])
  local offset, asked = tonumber(ARGV[8]), tonumber(ARGV[9])
  first = (ARGV[1] == '1' and n - below - count or below) + offset
  count = math.max(count - offset, 0)
  if asked >= 0 then
    count = math.min(count, asked)
  end
end
local order = {}
if ARGV[1] == '1' then
  order[1] = 'REV'
end
if ARGV[2] == '1' then
  order[#order + 1] = 'WITHSCORES'
end
local most, beside = tonumber(ARGV[3]), tonumber(ARGV[4])
-- All of it is counted where it is not much more than what is asked for.
if count > 16384 and count * beside <= most and n <= 4 * count and redis.call('MEMORY', 'USAGE', KEYS[1], 'SAMPLES', 0) <= 67108864 then
  return 2
end
return gather(function(at, some)
  return redis.call('ZRANGE', KEYS[1], at, at + some - 1, unpack(order))
end, first, count, ARGV[2] == '1' and 2 or 1, most, beside)
