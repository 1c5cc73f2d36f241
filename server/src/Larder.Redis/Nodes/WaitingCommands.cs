namespace Larder.Redis;

/// <summary>Commands that wait to be sent again to one node, or for the slot map. Bounded by <see cref="ConnectionLimits"/>.</summary>
internal sealed class WaitingCommands
{
    private readonly Lock _lock = new();
    private readonly List<RedisCommand> _commands = [];
    private int _bytes;

    /// <summary>Commands that wait.</summary>
    public int Count
    {
        get
        {
            lock (_lock)
            {
                return _commands.Count;
            }
        }
    }

    /// <summary>Adds one, which has its <see cref="RedisCommand.DueAt"/>. False where there is no room.</summary>
    public bool TryAdd(RedisCommand command)
    {
        lock (_lock)
        {
            if (!ConnectionLimits.HasRoom(_commands.Count, _bytes, command.WireBytes))
            {
                return false;
            }

            _commands.Add(command);
            _bytes += command.WireBytes;
            return true;
        }
    }

    /// <summary>What they wait for has come: all are due.</summary>
    public void MakeDue()
    {
        lock (_lock)
        {
            foreach (RedisCommand command in _commands)
            {
                command.DueAt = 0;
            }
        }
    }

    /// <summary>Takes out those that are due, in the order in which they came. True where others stay.</summary>
    public bool TakeDue(long now, List<RedisCommand> due)
    {
        lock (_lock)
        {
            int kept = 0;
            for (int index = 0; index < _commands.Count; index++)
            {
                RedisCommand command = _commands[index];
                if (command.DueAt <= now)
                {
                    due.Add(command);
                    _bytes -= command.WireBytes;
                }
                else
                {
                    _commands[kept++] = command;
                }
            }

            _commands.RemoveRange(kept, _commands.Count - kept);
            return kept > 0;
        }
    }
}
