using Larder.Server.Calls;
using Larder.Wire;

namespace Larder.Server.Topics;

/// <summary>
/// The objects that all topics of a server share. They include the broker and one timer for all subscriptions. The timer triggers heartbeats and ends the
/// subscriptions that are no longer permitted.
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

    /// <param name="broker">Stores the messages.</param>
    /// <param name="memory">Accounts for the memory of the messages.</param>
    /// <param name="limits">The limits.</param>
    /// <param name="time">The clock.</param>
    /// <param name="look">Called at each tick, at least four times a second.</param>
    /// <param name="tidy">Called every 5 s.</param>
    /// <param name="onFault">Called with exceptions that these callbacks throw.</param>
    /// <param name="draining">Cancelled when the server shuts down. Subscriptions then end after all accepted messages have been sent.</param>
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

    /// <summary>Gets the broker, which stores the messages.</summary>
    public ITopicBroker Broker { get; }

    /// <summary>Gets the memory accounting.</summary>
    public TopicMemory Memory { get; }

    /// <summary>Gets the clock for heartbeats.</summary>
    public TopicClock Clock { get; }

    /// <summary>Gets the streams of all subscribers.</summary>
    public PushSet Everyone { get; } = new();

    /// <summary>Gets the token that is cancelled when the server shuts down.</summary>
    public CancellationToken Draining { get; }

    public void Dispose()
    {
        _draining.Dispose();
        _timer.Dispose();
    }

    // Skips this tick if the previous one is still running.
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
#pragma warning disable CA1031 // The exception is reported, and the next tick tries again.
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
