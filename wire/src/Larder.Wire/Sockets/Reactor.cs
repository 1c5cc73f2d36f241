using System.Diagnostics;

namespace Larder.Wire.Sockets;

/// <summary>
/// Waits for events of sockets and runs their handlers on its own thread.
/// <para>
/// Design. Data is handled on the thread that detected its arrival, so no switch to another thread adds latency. Before the thread sleeps, it polls for
/// <see cref="SpinTime"/>. The response to data that was just sent often arrives within that time, and a wake-up costs as much as handling about fifty calls.
/// Only one thread of the process polls at a time. If polling finds no event, the thread does not poll before its next sleeps. The number of these sleeps grows
/// with each failed poll (1, 3, 7 … 63). A socket stays registered (level-triggered), so in the steady state a read costs one receive and one wait.
/// </para>
/// <para>
/// Each round first handles all sockets with short turns, and then only one socket whose last turn was long. This is the socket that has waited longest. So a
/// client with short requests waits for one long turn, and not for all long turns.
/// </para>
/// <para>
/// The effects of several turns, for example responses to the same peer, can be deferred until all sockets that had events in this round have been handled: see
/// <see cref="ReactorThread.AfterRound"/>.
/// </para>
/// <para>
/// Handlers must not block the thread. Application code might block it. So <c>CompletionBatch</c> limits the time of such code, and replaces the thread if it
/// is blocked.
/// </para>
/// </summary>
internal sealed class Reactor
{
    private const int MaxEvents = 256;
    private const int MaxMisses = 6;

    private static readonly long s_spinTicks = (long)(SpinTime.TotalSeconds * Stopwatch.Frequency);
    private static readonly long s_longTicks = (long)(LongTurn.TotalSeconds * Stopwatch.Frequency);
    private static Reactor[]? s_all;
    private static int s_next;
    private static int s_spinning;

    private readonly Epoll _epoll = new();
    private readonly Lock _lock = new();
    private readonly Stack<int> _free = new();
    private ReactorSocket?[] _sockets = new ReactorSocket?[16];
    private int _used;
    private int _uses;
    private int _misses;
    private int _skips;

    private Reactor(int index) => Index = index;

    /// <summary>Gets the maximum number of reactors: one per processor.</summary>
    public static int Count { get; } = Environment.ProcessorCount;

    /// <summary>Gets the reactor's index, below <see cref="Count"/>.</summary>
    public int Index { get; }

    /// <summary>
    /// Gets the time for which a thread polls before it sleeps. It is 50 µs. A response over loopback or within a rack arrives in that time. For longer waits,
    /// sleeping is cheaper.
    /// </summary>
    public static TimeSpan SpinTime => TimeSpan.FromMicroseconds(50);

    /// <summary>Gets the duration above which a turn is long. It is 100 µs. About a hundred pipelined calls take less time.</summary>
    public static TimeSpan LongTurn => TimeSpan.FromMicroseconds(100);

    /// <summary>
    /// Gets whether sockets use reactors by default: on Linux, unless <c>LARDER_SOCKETS=dotnet</c> is set. Otherwise .NET's own asynchronous sockets
    /// are used.
    /// </summary>
    public static bool IsDefault { get; } = OperatingSystem.IsLinux() && Environment.GetEnvironmentVariable("LARDER_SOCKETS") != "dotnet";

    /// <summary>Returns the reactor for the next socket, in round-robin order.</summary>
    public static Reactor Next() => At((int)((uint)Interlocked.Increment(ref s_next) % (uint)Count));

    /// <summary>Returns the reactor with the given index, and starts it if necessary.</summary>
    public static Reactor At(int index)
    {
        Reactor[] all = Volatile.Read(ref s_all) ?? Interlocked.CompareExchange(ref s_all, new Reactor[Count], null) ?? s_all!;
        if (Volatile.Read(ref all[index]) is { } reactor)
        {
            return reactor;
        }

        reactor = new Reactor(index);
        if (Interlocked.CompareExchange(ref all[index], reactor, null) is { } other)
        {
            return other;
        }

        new ReactorThread(reactor).Start();
        return reactor;
    }

    /// <summary>Assigns a token to a socket. When the socket is watched, its events are delivered on this reactor's thread.</summary>
    public long Register(ReactorSocket socket)
    {
        lock (_lock)
        {
            if (!_free.TryPop(out int slot))
            {
                slot = _used++;
                if (slot == _sockets.Length)
                {
                    Array.Resize(ref _sockets, slot * 2);
                }
            }

            // The token is different for each use of a slot, so that late events of the previous socket in this slot are recognized.
            long token = ((long)++_uses << 32) | (uint)slot;
            Volatile.Write(ref _sockets[slot], socket);
            return token;
        }
    }

    /// <summary>Changes the events for which a socket is watched. If <paramref name="events"/> is 0, nothing is reported, not even errors.</summary>
    public void Watch(int descriptor, uint before, uint events, long token)
    {
        if (events == 0)
        {
            _epoll.Unwatch(descriptor);
        }
        else if (before == 0)
        {
            _epoll.Watch(descriptor, events, token);
        }
        else
        {
            _epoll.Rewatch(descriptor, events, token);
        }
    }

    /// <summary>Releases a socket's token. The socket must no longer be watched.</summary>
    public void Forget(long token)
    {
        lock (_lock)
        {
            int slot = (int)(uint)token;
            _sockets[slot] = null;
            _free.Push(slot);
        }
    }

    /// <summary>Waits for events and delivers them until this thread is replaced.</summary>
    public void Serve(ReactorThread thread)
    {
        byte[] room = Epoll.Room(MaxEvents);
        while (!thread.IsReplaced)
        {
            int count = WaitForEvents(room);
            ReactorSocket? waiting = null;
            uint waitingFor = 0;
            for (int index = 0; index < count && !thread.IsReplaced; index++)
            {
                if (Find(Epoll.TokenAt(room, index)) is not { } socket)
                {
                    continue;
                }

                if (!socket.TakesLong)
                {
                    Tell(socket, Epoll.EventsAt(room, index));
                }
                else if (waiting is null || socket.LastTurn < waiting.LastTurn)
                {
                    // Each round handles only one socket with long turns. The events of the other sockets are reported again in the next round, because events
                    // are level-triggered.
                    waiting = socket;
                    waitingFor = Epoll.EventsAt(room, index);
                }
            }

            thread.EndRound();
            if (waiting is not null && !thread.IsReplaced && Find(waiting.Token) == waiting)
            {
                Tell(waiting, waitingFor);
                thread.EndRound();
            }
        }
    }

    private ReactorSocket? Find(long token)
    {
        ReactorSocket?[] sockets = Volatile.Read(ref _sockets);
        return Volatile.Read(ref sockets[(int)(uint)token]) is { } socket && socket.Token == token ? socket : null;
    }

    // An exception from a handler closes only its socket, because the thread also handles other sockets.
    private static void Tell(ReactorSocket socket, uint events)
    {
        socket.LastTurn = Stopwatch.GetTimestamp();
        try
        {
            socket.OnEvents(events);
        }
#pragma warning disable CA1031 // The receiver or sender of the socket finds it closed.
        catch (Exception)
#pragma warning restore CA1031
        {
            socket.Dispose();
        }

        socket.TakesLong = Stopwatch.GetTimestamp() - socket.LastTurn > s_longTicks;
    }

    private int WaitForEvents(byte[] room)
    {
        int count = _epoll.Wait(room, 0);
        if (count > 0)
        {
            return count;
        }

        if (_skips > 0)
        {
            _skips--;
        }
        else if (Interlocked.CompareExchange(ref s_spinning, 1, 0) == 0)
        {
            count = Spin(room);
            Volatile.Write(ref s_spinning, 0);
            _misses = count > 0 ? 0 : Math.Min(_misses + 1, MaxMisses);
            _skips = (1 << _misses) - 1;
            if (count > 0)
            {
                return count;
            }
        }

        return _epoll.Wait(room, Epoll.Forever);
    }

    private int Spin(byte[] room)
    {
        long until = Stopwatch.GetTimestamp() + s_spinTicks;
        int count;
        do
        {
            Thread.Yield();
            count = _epoll.Wait(room, 0);
        }
        while (count == 0 && Stopwatch.GetTimestamp() < until);
        return count;
    }
}
