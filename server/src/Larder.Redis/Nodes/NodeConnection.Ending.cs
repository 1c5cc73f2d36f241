namespace Larder.Redis;

/// <content>
/// Closing. Any thread may close the connection. The reader of the connection then ends its commands. While the connection is being opened, the task that opens
/// it ends the commands.
/// </content>
internal sealed partial class NodeConnection
{
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Gets a task that completes when all commands of the connection have ended.</summary>
    public Task Ended => _ended.Task;

    /// <summary>Closes the connection. Its commands end soon afterwards, on another thread.</summary>
    public void Close(Exception reason)
    {
        lock (_lock)
        {
            if (_state is State.Closing or State.Closed)
            {
                return;
            }

            _closeReason = reason;
            _state = State.Closing;
        }

        // Stops the reader, or the task that opens the connection if it is not open yet.
        _opening.Cancel();
        _transport?.Dispose();
    }

    // Called once, by the reader or by the task that opens the connection.
    private void End(Exception error)
    {
        RedisCommand?[] expected;
        Early[] early;
        Exception reason;
        long first;
        lock (_lock)
        {
            _state = State.Closed;
            reason = _closeReason ?? error;
            first = _expected.Taken;
            expected = new RedisCommand?[_expected.Count];
            _expected.TryTake(expected);
            early = [.. _early];
            _early.Clear();
            ReturnBuffers();
        }

        _transport?.Dispose();
        _input.Dispose();
        for (int index = 0; index < expected.Length; index++)
        {
            if (expected[index] is { } command)
            {
                FailLost(command, first + index < _handed, reason);
            }
        }

        foreach ((RedisCommand command, _) in early)
        {
            FailLost(command, wasHanded: false, reason);
        }

        _owner.OnEnded(this, reason);
        _context.EndBatch();
        _ended.SetResult();
    }

    private void FailLost(RedisCommand command, bool wasHanded, Exception reason)
    {
        if (command != AskingCommand.Instance && command != TtlQuery.Instance)
        {
            _owner.OnLost(command, wasHanded, reason);
        }
    }
}
