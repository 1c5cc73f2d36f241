using System.Diagnostics;

namespace Larder.Wire.Sockets;

/// <summary>
/// A thread that waits for sockets, and runs what waits for them on itself.
/// <para>
/// Design. What arrives is handled on the thread that saw it arrive: no hand-over to another costs a call its latency. Before it sleeps the thread looks again
/// for <see cref="SpinTime"/>, since an answer to what was just sent is often there by then, and being woken costs as much as handling some fifty calls; one
/// thread of the process does so at a time, and one that looked in vain sleeps at once the next times (1, 3, 7 … 63). A socket stays registered
/// (level-triggered): in the steady state a read costs one receive and one look.
/// </para>
/// <para>
/// Of the sockets whose last turn was long one has the next, the one that has waited longest, after all whose turns are short, and before the thread looks
/// again: who asks for little waits for one long turn, not for as many as there are.
/// </para>
/// <para>
/// What many turns lead to, an answer to the same peer say, may be put off until the others that arrived with it have been told: see
/// <see cref="ReactorThread.AfterRound"/>.
/// </para>
/// <para>
/// What runs on the thread may not block it. Callers' code might: see <c>CompletionBatch</c>, which bounds its stay and has the thread replaced.
/// </para>
/// </summary>
internal sealed class Reactor
{
    private const int MostEvents = 256;
    private const int MostMisses = 6;

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

    /// <summary>How many there may be: one for each processor.</summary>
    public static int Count { get; } = Environment.ProcessorCount;

    /// <summary>Its number, below <see cref="Count"/>.</summary>
    public int Index { get; }

    /// <summary>50 µs: an answer over loopback or one rack is back within it; longer waits are the scheduler's.</summary>
    public static TimeSpan SpinTime => TimeSpan.FromMicroseconds(50);

    /// <summary>100 µs: a turn over this is a long one. Some hundred pipelined calls take less.</summary>
    public static TimeSpan LongTurn => TimeSpan.FromMicroseconds(100);

    /// <summary>
    /// Whether sockets are on reactors where nothing else is said: on Linux, unless <c>LARDER_SOCKETS=dotnet</c>. .NET's own serve elsewhere.
    /// </summary>
    public static bool IsDefault { get; } = OperatingSystem.IsLinux() && Environment.GetEnvironmentVariable("LARDER_SOCKETS") != "dotnet";

    /// <summary>The reactor of the next socket: each in turn.</summary>
    public static Reactor Next() => At((int)((uint)Interlocked.Increment(ref s_next) % (uint)Count));

    /// <summary>The reactor of that number.</summary>
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

    /// <summary>Gives a socket its number; its events are told to it on this reactor's thread, once it asks for some.</summary>
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

            // Late events of a slot's last socket carry another number.
            long token = ((long)++_uses << 32) | (uint)slot;
            Volatile.Write(ref _sockets[slot], socket);
            return token;
        }
    }

    /// <summary>Changes what a socket wants to be told; nothing at all where <paramref name="events"/> is 0, not even its errors.</summary>
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

    /// <summary>Takes a socket's number back. It is not watched any more.</summary>
    public void Forget(long token)
    {
        lock (_lock)
        {
            int slot = (int)(uint)token;
            _sockets[slot] = null;
            _free.Push(slot);
        }
    }

    /// <summary>Waits for events and tells them, for as long as this thread is not replaced.</summary>
    public void Serve(ReactorThread thread)
    {
        byte[] room = Epoll.Room(MostEvents);
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
                    // The others are told of again: events are level-triggered.
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

    // What a socket's events lead to ends that socket alone: its thread serves others too.
    private static void Tell(ReactorSocket socket, uint events)
    {
        socket.LastTurn = Stopwatch.GetTimestamp();
        try
        {
            socket.OnEvents(events);
        }
#pragma warning disable CA1031 // Whoever receives or sends on the socket finds it closed.
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
            _misses = count > 0 ? 0 : Math.Min(_misses + 1, MostMisses);
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
