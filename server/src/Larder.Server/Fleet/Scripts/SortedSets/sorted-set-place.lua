-- Puts a sorted set that was made aside in the place of another. Answers 1; 0 where it is not whole any more, and nothing is changed.
-- KEYS: the item, what was made. ARGV: how many elements that has, TTL in ms.
redis.call('ZCARD', KEYS[1])
if redis.call('ZCARD', KEYS[2]) ~= tonumber(ARGV[1]) then
  return 0
end
redis.call('UNLINK', KEYS[1])
redis.call('RENAME', KEYS[2], KEYS[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
