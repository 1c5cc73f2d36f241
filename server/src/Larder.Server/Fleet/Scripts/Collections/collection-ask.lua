-- What a command answers of a collection, in an array; nil where there is no collection.
-- KEYS: the item. ARGV: the command that counts, the command; then its arguments.
if redis.call(ARGV[1], KEYS[1]) == 0 then
  return false
end
return {redis.call(ARGV[2], KEYS[1], unpack(ARGV, 3))}
