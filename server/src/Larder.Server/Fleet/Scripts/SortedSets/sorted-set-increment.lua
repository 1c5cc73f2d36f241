-- Adds to an element's score, which is the amount where there is none, and answers with the score's text: ∞ − ∞ fails in the engine, unchanged.
-- KEYS: the item. ARGV: element, amount, TTL in ms, "1" to refresh it.
local score = redis.call('ZINCRBY', KEYS[1], ARGV[2], ARGV[1])
if ARGV[4] == '1' or redis.call('PTTL', KEYS[1]) == -1 then
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
end
return score
