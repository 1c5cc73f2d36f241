using System.Diagnostics.CodeAnalysis;
using Larder.Wire.Sockets;

namespace Larder.Redis;

/// <summary>The state that the parts of a store share: options, clock, counters, and the methods that complete commands.</summary>
internal sealed class StoreContext
{
    private readonly long _startedAt;
    private readonly Action _endBatch;
    private volatile bool _isClosed;
    private readonly long[] _failures = new long[Enum.GetValues<RedisFailureKind>().Length];

    public StoreContext(RedisOptions options)
    {
        Options = options;
        Time = options.TimeProvider;
        _startedAt = Time.GetTimestamp();
        _endBatch = EndBatchNow;
    }

    public RedisOptions Options { get; }

    public TimeProvider Time { get; }

    /// <summary>Gets the current timestamp.</summary>
    public long Now => Time.GetTimestamp();

    /// <summary>Gets the time since the store was started.</summary>
    public TimeSpan Elapsed => Time.GetElapsedTime(_startedAt);

    /// <summary>Gets or sets whether the store has been closed, so that nothing is retried.</summary>
    public bool IsClosed
    {
        get => _isClosed;
        set => _isClosed = value;
    }

    /// <summary>Converts a duration to timestamp ticks of the clock.</summary>
    public long Timestamps(TimeSpan span) => (long)(span.TotalSeconds * Time.TimestampFrequency);

    /// <summary>Completes a command with its reply.</summary>
    [SuppressMessage("Design", "CA1031", Justification = "One command's own mistake may not end the others'.")]
    public void Answer(RedisCommand command, ref RespReader reply)
    {
        command.Release();
        try
        {
            command.OnReply(ref reply);
        }
        catch (Exception error)
        {
            Notify(true, $"A response handler failed: {error}");
        }
    }

    /// <summary>Fails a command.</summary>
    [SuppressMessage("Design", "CA1031", Justification = "One command's own mistake may not end the others'.")]
    public void Fail(RedisCommand command, RedisFailure failure)
    {
        // The failure says that the last attempt was not executed. Correct the failure, because an earlier attempt may have been executed.
        if (command.MayHaveRun && failure.NotExecuted)
        {
            failure = failure.Kind is RedisFailureKind.Unavailable or RedisFailureKind.Overloaded
                ? new RedisFailure(RedisFailureKind.Ambiguous, NotExecuted: false, failure.Message)
                : failure with { NotExecuted = false };
        }

        Interlocked.Increment(ref _failures[(int)failure.Kind]);
        command.Release();
        try
        {
            command.OnFailure(failure);
        }
        catch (Exception error)
        {
            Notify(true, $"A failure handler failed: {error}");
        }
    }

    /// <summary>
    /// Called after a series of commands was queued, or after the replies or failures of one read were delivered. Flushes the queued commands and calls
    /// <see cref="RedisOptions.OnBatchEnd"/>. A reactor's thread does this only after it has handled all data that arrived together. For example, replies from
    /// three nodes then cause one write to a client instead of three.
    /// </summary>
    public void EndBatch()
    {
        if (ReactorThread.Current is { } thread)
        {
            thread.AfterRound(_endBatch);
        }
        else
        {
            EndBatchNow();
        }
    }

    /// <summary>Sends a notice to the operator.</summary>
    public void Notify(bool isWarning, string message) => Options.OnNotice?.Invoke(new RedisNotice(isWarning, message));

    [SuppressMessage("Design", "CA1031", Justification = "One user's own mistake may not end the others' calls.")]
    private void EndBatchNow()
    {
        // Commands are flushed before the callback, so that the nodes can start to process them.
        FlushList.Current.Flush();
        try
        {
            Options.OnBatchEnd?.Invoke();
        }
        catch (Exception error)
        {
            Notify(true, $"Completing a batch failed: {error}");
        }

        FlushList.Current.Flush();
    }

    /// <summary>Returns the number of failures for each kind that has occurred.</summary>
    public Dictionary<RedisFailureKind, long> Failures() => Enum.GetValues<RedisFailureKind>()
        .Select(kind => (Kind: kind, Count: Interlocked.Read(ref _failures[(int)kind])))
        .Where(static pair => pair.Count > 0)
        .ToDictionary(static pair => pair.Kind, static pair => pair.Count);
}
