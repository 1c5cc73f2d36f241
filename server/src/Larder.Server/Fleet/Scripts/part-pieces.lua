-- A part of scripts. Reads count elements from the first on, some at a time, so that no reply of the engine is larger than some elements are.
-- read(at, some) answers them, width values for each, the first of which counts. Answers the values; 1 where they are more bytes than the answer may have
-- (beside is what an element takes beside its own); 2 where they are so many that they are better read at once, by a plain command.
local function gather(read, first, count, width, most, beside)
  if count * beside > most then
    return 1
  end
  local keeps = count <= 16384
  local got, values, bytes, at = {}, 0, 0, 0
  while at < count do
    local some = math.min(32, count - at)
    local part = read(first + at, some)
    at = at + some
    for index = 1, #part, width do
      bytes = bytes + #part[index]
    end
    if bytes + at * beside > most then
      return 1
    end
    if some == count then
      return part
    end
    if keeps then
      for index = 1, #part do
        got[values + index] = part[index]
      end
      values = values + #part
    end
  end
  if keeps then
    return got
  end
  return 2
end
