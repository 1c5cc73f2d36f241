using System.Net;

namespace Larder.Client.Fronts;

/// <summary>One front of a <see cref="FrontSet"/>: its transport, and what the set knows of it.</summary>
internal sealed class Front(FrontAddress address, IPAddress? at, IFrontTransport transport, TimeSpan longestWait)
{
    private readonly FrontHealth _health = new(longestWait);
    private long _asideUntil;
    private int _isConnecting;

    public FrontAddress Address => address;

    /// <summary>The one of its name's addresses that it stands for; null: whatever its host is.</summary>
    public IPAddress? At => at;

    public IFrontTransport Transport => transport;

    /// <summary>Its address as text, without its token.</summary>
    public string Name { get; } = at is null ? address.Endpoint.ToString() : $"{address.Endpoint} ({at})";

    /// <summary>Why it could not be connected the last time; null once it was. Under the set's lock.</summary>
    public string? LastFailure { get; set; }

    /// <summary>When the try to connect that is under way began, by the set's clock; null between tries. Under the set's lock.</summary>
    public TimeSpan? TriedAt { get; set; }

    /// <summary>True once its address is gone: nothing more goes to it.</summary>
    public volatile bool IsGone;

    /// <summary>True where it is set aside at <paramref name="now"/> (FRONT-9), which is asked for only where it ever was.</summary>
    public bool IsAside(Func<TimeSpan> now) => Volatile.Read(ref _asideUntil) is var until && until != 0 && now().Ticks < until;

    /// <summary>How long it stays set aside.</summary>
    public TimeSpan AsideFor(TimeSpan now) => TimeSpan.FromTicks(Math.Max(0, Volatile.Read(ref _asideUntil) - now.Ticks));

    public void Refused(TimeSpan now, double random)
    {
        lock (_health)
        {
            _health.Refused(now, random);
            Volatile.Write(ref _asideUntil, _health.AsideUntil.Ticks);
        }
    }

    /// <summary>True for the one who is to connect it in the background.</summary>
    public bool TryBeginConnecting() => Volatile.Read(ref _isConnecting) == 0 && Interlocked.Exchange(ref _isConnecting, 1) == 0;

    public void EndConnecting() => Volatile.Write(ref _isConnecting, 0);

    public FrontStatistics Statistics() => new()
    {
        Address = Name,
        Connections = transport.Connections,
        InFlight = transport.InFlight,
        IsLeftOut = !transport.IsReady,
    };
}
