using System.Diagnostics.CodeAnalysis;
using Larder.Wire.Sockets;

namespace Larder.Redis;

/// <summary>What the parts of one store share: options, clock, counts, and the one way that a command ends.</summary>
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

    /// <summary>The clock's timestamp now.</summary>
    public long Now => Time.GetTimestamp();

    /// <summary>Since the store was started.</summary>
    public TimeSpan Elapsed => Time.GetElapsedTime(_startedAt);

    /// <summary>Whether the store has been closed: nothing is sent again.</summary>
    public bool IsClosed
    {
        get => _isClosed;
        set => _isClosed = value;
    }

    /// <summary>A span in timestamps of the clock.</summary>
    public long Timestamps(TimeSpan span) => (long)(span.TotalSeconds * Time.TimestampFrequency);

    /// <summary>Gives a command its answer.</summary>
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
            Notify(true, $"An answer's handler failed: {error}");
        }
    }

    /// <summary>Ends a command without an answer.</summary>
    [SuppressMessage("Design", "CA1031", Justification = "One command's own mistake may not end the others'.")]
    public void Fail(RedisCommand command, RedisFailure failure)
    {
        // What an earlier attempt may have done cannot be taken back.
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
            Notify(true, $"A failure's handler failed: {error}");
        }
    }

    /// <summary>
    /// After commands were sent, or answers or failures given: what came of them travels. On a reactor's thread once all that arrived together is handled: from
    /// three nodes that is one write to a client, not three.
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

    /// <summary>Tells the operator.</summary>
    public void Notify(bool isWarning, string message) => Options.OnNotice?.Invoke(new RedisNotice(isWarning, message));

    [SuppressMessage("Design", "CA1031", Justification = "One user's own mistake may not end the others' calls.")]
    private void EndBatchNow()
    {
        // First to those who have work to do for it.
        FlushList.Current.Flush();
        try
        {
            Options.OnBatchEnd?.Invoke();
        }
        catch (Exception error)
        {
            Notify(true, $"The end of a batch failed: {error}");
        }

        FlushList.Current.Flush();
    }

    /// <summary>Failures by kind, those without any left out.</summary>
    public Dictionary<RedisFailureKind, long> Failures() => Enum.GetValues<RedisFailureKind>()
        .Select(kind => (Kind: kind, Count: Interlocked.Read(ref _failures[(int)kind])))
        .Where(static pair => pair.Count > 0)
        .ToDictionary(static pair => pair.Kind, static pair => pair.Count);
}
