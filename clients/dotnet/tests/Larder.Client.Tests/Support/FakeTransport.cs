using Larder.Client.Calls;
using Larder.Wire;

namespace Larder.Client.Tests.Support;

/// <summary>A transport controlled by the test. It holds each attempt until the test determines the outcome.</summary>
internal sealed class FakeTransport : ITransport
{
    private readonly Lock _lock = new();
    private readonly List<(Call Call, long Version)> _attempts = [];
    private int _abandoned;

    public string State => "fake";

    public int Connections => 1;

    public bool IsPipelined => false;

    public int Abandoned => Volatile.Read(ref _abandoned);

    public int Count
    {
        get
        {
            lock (_lock)
            {
                return _attempts.Count;
            }
        }
    }

    public void Start(Call call, long version)
    {
        call.Attempts++;
        call.Sends++;
        call.Leave(version, CallPhase.Sent);
        lock (_lock)
        {
            _attempts.Add((call, version));
        }
    }

    public void Resume(Call call, long version) => Start(call, version);

    public void Abandon(Call call, long version) => Interlocked.Increment(ref _abandoned);

    public ValueTask ConnectAsync(CancellationToken cancellationToken) => ValueTask.CompletedTask;

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;

    /// <summary>Answers the oldest attempt. Returns false if the call had already ended.</summary>
    public bool Answer(byte[] payload)
    {
        (Call call, long version) = Take();
        bool ended = call.Complete(version, payload);
        if (ended)
        {
            call.Signal();
        }

        return ended;
    }

    /// <summary>Fails the oldest attempt with the given error.</summary>
    public void Fail(in Failure failure)
    {
        (Call call, long version) = Take();
        call.Fail(version, failure);
    }

    /// <summary>Fails the oldest attempt.</summary>
    public void Fail(StatusCode code, bool notProcessed = false)
    {
        (Call call, long version) = Take();
        call.Fail(version, new Failure(code, "The test says so.") { NotProcessed = notProcessed });
    }

    private (Call Call, long Version) Take()
    {
        lock (_lock)
        {
            (Call, long) oldest = _attempts[0];
            _attempts.RemoveAt(0);
            return oldest;
        }
    }
}
