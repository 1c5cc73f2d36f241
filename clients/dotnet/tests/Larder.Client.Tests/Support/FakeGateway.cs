using Larder.Client.Calls;
using Larder.Wire;

namespace Larder.Client.Tests.Support;

/// <summary>A gateway whose state and responses are controlled by the test. It either holds each call or responds immediately.</summary>
internal sealed class FakeGateway : IGatewayTransport
{
    private readonly Lock _lock = new();
    private readonly List<(Call Call, long Version)> _calls = [];
    private TaskCompletionSource<Exception?> _connecting = new();
    private int _tries;
    private int _sent;

    public string State => IsReady ? "ready" : "not ready";

    public int Connections => IsReady ? 1 : 0;

    public bool IsPipelined => true;

    public bool IsReady { get; set; }

    public bool IsClosed { get; private set; }

    /// <summary>Gets or sets whether calls return a miss immediately instead of being held.</summary>
    public bool Answers { get; set; } = true;

    /// <summary>Gets the number of calls in flight: the calls that the gateway holds, plus the number that the test sets in <see cref="Pretended"/>.</summary>
    public int InFlight
    {
        get
        {
            lock (_lock)
            {
                return _calls.Count + Pretended;
            }
        }
    }

    public int Pretended { get; set; }

    /// <summary>Gets the number of attempts to connect so far.</summary>
    public int Tries => Volatile.Read(ref _tries);

    /// <summary>Gets the number of calls that the gateway has received.</summary>
    public int Sent => Volatile.Read(ref _sent);

    public void Start(Call call, long version) => Assert.True(TrySend(call, version, isCallersThread: true));

    public void Resume(Call call, long version) => Assert.True(TrySend(call, version, isCallersThread: false));

    public bool TrySend(Call call, long version, bool isCallersThread)
    {
        if (!IsReady)
        {
            return false;
        }

        Interlocked.Increment(ref _sent);
        call.Attempts++;
        call.Sends++;
        call.Leave(version, CallPhase.Sent);
        lock (_lock)
        {
            _calls.Add((call, version));
        }

        if (Answers)
        {
            AnswerAll();
        }

        return true;
    }

    public void Abandon(Call call, long version) => throw new NotSupportedException();

    public async ValueTask ConnectAsync(CancellationToken cancellationToken)
    {
        if (IsReady)
        {
            return;
        }

        Interlocked.Increment(ref _tries);
        if (await _connecting.Task.WaitAsync(cancellationToken) is { } failure)
        {
            throw failure;
        }
    }

    public ValueTask DisposeAsync()
    {
        IsClosed = true;
        IsReady = false;
        return ValueTask.CompletedTask;
    }

    /// <summary>Completes the current attempt to connect, or the next one.</summary>
    public void Connect()
    {
        IsReady = true;
        End(null);
    }

    /// <summary>Fails the current attempt to connect, or the next one.</summary>
    public void Refuse(StatusCode code = StatusCode.Unavailable) => End(new RpcException(new Status(code, "The test refuses.")));

    public void AnswerAll()
    {
        foreach ((Call call, long version) in TakeAll())
        {
            if (call.Complete(version, TestClient.Missed))
            {
                call.Signal();
            }
        }
    }

    public void FailAll(Failure failure)
    {
        foreach ((Call call, long version) in TakeAll())
        {
            call.Fail(version, failure);
        }
    }

    private List<(Call Call, long Version)> TakeAll()
    {
        lock (_lock)
        {
            List<(Call Call, long Version)> taken = [.. _calls];
            _calls.Clear();
            return taken;
        }
    }

    private void End(Exception? failure)
    {
        TaskCompletionSource<Exception?> ended = _connecting;
        _connecting = new TaskCompletionSource<Exception?>();
        ended.SetResult(failure);
    }
}
