namespace Larder.Redis;

/// <content>How it ends. Others close it; its reader, or its opening where that has not ended, then ends what is on it.</content>
internal sealed partial class NodeConnection
{
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Ends when all that was on it has.</summary>
    public Task Ended => _ended.Task;

    /// <summary>Closes it; what is on it ends soon after, on another thread.</summary>
    public void Close(Exception reason)
    {
        lock (_lock)
        {
            if (_state is State.Closing or State.Closed)
            {
                return;
            }

            _whyClosed = reason;
            _state = State.Closing;
        }

        // Whichever of the two it is at.
        _opening.Cancel();
        _transport?.Dispose();
    }

    // By the reader, or by the opening: once.
    private void End(Exception error)
    {
        RedisCommand?[] expected;
        Early[] early;
        Exception reason;
        long first;
        lock (_lock)
        {
            _state = State.Closed;
            reason = _whyClosed ?? error;
            first = _expected.Taken;
            expected = new RedisCommand?[_expected.Count];
            _expected.TryTake(expected);
            early = [.. _early];
            _early.Clear();
            GiveBuffersBack();
        }

        _transport?.Dispose();
        _input.Dispose();
        for (int index = 0; index < expected.Length; index++)
        {
            if (expected[index] is { } command)
            {
                TellLost(command, first + index < _handed, reason);
            }
        }

        foreach ((RedisCommand command, _) in early)
        {
            TellLost(command, wasHanded: false, reason);
        }

        _owner.OnEnded(this, reason);
        _context.EndBatch();
        _ended.SetResult();
    }

    private void TellLost(RedisCommand command, bool wasHanded, Exception reason)
    {
        if (command != AskingCommand.Instance && command != TtlQuestion.Instance)
        {
            _owner.OnLost(command, wasHanded, reason);
        }
    }
}
