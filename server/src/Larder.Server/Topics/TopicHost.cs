using Larder.Server.Calls;
using Larder.Wire;

namespace Larder.Server.Topics;

/// <summary>
/// What the topics of a server have in common: where messages live, and one timer for all subscriptions, which makes heartbeats due and sees to it that what
/// must end does.
/// </summary>
internal sealed class TopicHost : IDisposable
{
    private static readonly TimeSpan s_tidyPeriod = TimeSpan.FromSeconds(5);

    private readonly TimeProvider _time;
    private readonly Action _look;
    private readonly Action _tidy;
    private readonly Action<Exception> _onFault;
    private readonly ITimer _timer;
    private readonly CancellationTokenRegistration _draining;
    private long _tidiedAt;
    private int _isTicking;

    /// <param name="broker">Where messages live.</param>
    /// <param name="memory">What they are counted in.</param>
    /// <param name="limits">The bounds.</param>
    /// <param name="time">The clock.</param>
    /// <param name="look">Done at each tick, which is at least four times a second.</param>
    /// <param name="tidy">Done every few seconds.</param>
    /// <param name="onFault">Told what goes wrong in these.</param>
    /// <param name="draining">Cancelled when the server goes: subscriptions end when what was accepted is sent.</param>
    public TopicHost(
        ITopicBroker broker,
        TopicMemory memory,
        TopicLimits limits,
        TimeProvider time,
        Action look,
        Action tidy,
        Action<Exception> onFault,
        CancellationToken draining)
    {
        Broker = broker;
        Memory = memory;
        Clock = new TopicClock(limits.Heartbeat);
        _time = time;
        _look = look;
        _tidy = tidy;
        _onFault = onFault;
        _tidiedAt = time.GetTimestamp();
        _timer = time.CreateTimer(static host => ((TopicHost)host!).Tick(), this, Clock.Period, Clock.Period);
        _draining = draining.UnsafeRegister(static host => ((TopicHost)host!).Drain(), this);
        Draining = draining;
    }

    /// <summary>Where messages live.</summary>
    public ITopicBroker Broker { get; }

    /// <summary>What they are counted in.</summary>
    public TopicMemory Memory { get; }

    /// <summary>Says when heartbeats are due.</summary>
    public TopicClock Clock { get; }

    /// <summary>The streams of all subscribers.</summary>
    public PushSet Everyone { get; } = new();

    /// <summary>Cancelled when the server goes.</summary>
    public CancellationToken Draining { get; }

    /// <summary>Stops the timer.</summary>
    public void Dispose()
    {
        _draining.Dispose();
        _timer.Dispose();
    }

    // A tick that takes longer than a period makes the next one wait for its own.
    private void Tick()
    {
        if (Interlocked.Exchange(ref _isTicking, 1) != 0)
        {
            return;
        }

        try
        {
            Clock.Tick();
            Everyone.Signal();
            _look();
            if (_time.GetElapsedTime(_tidiedAt) >= s_tidyPeriod)
            {
                _tidiedAt = _time.GetTimestamp();
                _tidy();
            }
        }
#pragma warning disable CA1031 // Told; the next tick tries again.
        catch (Exception error)
#pragma warning restore CA1031
        {
            _onFault(error);
        }
        finally
        {
            Volatile.Write(ref _isTicking, 0);
        }
    }

    private void Drain()
    {
        foreach (TopicReader reader in Broker.Feeds.SelectMany(static feed => feed.Readers()))
        {
            reader.End(TopicErrors.Draining, isAtOnce: false);
        }
    }
}
