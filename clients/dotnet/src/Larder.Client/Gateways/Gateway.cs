using System.Net;

namespace Larder.Client.Gateways;

/// <summary>One gateway of a <see cref="GatewaySet"/>: its transport and its state in the set.</summary>
internal sealed class Gateway(GatewayAddress address, IPAddress? at, IGatewayTransport transport, TimeSpan longestWait)
{
    private readonly GatewayHealth _health = new(longestWait);
    private long _suspendedUntil;
    private int _isConnecting;

    public GatewayAddress Address => address;

    /// <summary>Gets the resolved address that this object represents, or null to connect by host name.</summary>
    public IPAddress? At => at;

    public IGatewayTransport Transport => transport;

    /// <summary>Gets the address as text, without the token.</summary>
    public string Name { get; } = at is null ? address.Endpoint.ToString() : $"{address.Endpoint} ({at})";

    /// <summary>Gets or sets the reason why the last attempt to connect failed, or null if it succeeded. Guarded by the set's lock.</summary>
    public string? LastFailure { get; set; }

    /// <summary>
    /// Gets or sets the time at which the current attempt to connect began, on the set's clock. Null if no attempt is in progress. Guarded by the set's lock.
    /// </summary>
    public TimeSpan? TriedAt { get; set; }

    /// <summary>Whether the address was removed from the set. No more calls are sent to a removed gateway.</summary>
    public volatile bool IsGone;

    /// <summary>
    /// Returns whether the gateway is out of rotation at <paramref name="now"/> (GATEWAY-9). The function <paramref name="now"/> is called only if the gateway
    /// was ever taken out of rotation.
    /// </summary>
    public bool IsSuspended(Func<TimeSpan> now) => Volatile.Read(ref _suspendedUntil) is var until && until != 0 && now().Ticks < until;

    /// <summary>Returns how much longer the gateway stays out of rotation. Returns zero if the gateway is not out of rotation.</summary>
    public TimeSpan SuspendedFor(TimeSpan now) => TimeSpan.FromTicks(Math.Max(0, Volatile.Read(ref _suspendedUntil) - now.Ticks));

    public void Refused(TimeSpan now, double random)
    {
        lock (_health)
        {
            _health.Refused(now, random);
            Volatile.Write(ref _suspendedUntil, _health.SuspendedUntil.Ticks);
        }
    }

    /// <summary>Marks the gateway as connecting. Returns true if the caller must connect it, or false if another caller is already connecting it.</summary>
    public bool TryBeginConnecting() => Volatile.Read(ref _isConnecting) == 0 && Interlocked.Exchange(ref _isConnecting, 1) == 0;

    public void FinishConnecting() => Volatile.Write(ref _isConnecting, 0);

    public GatewayStatistics Statistics() => new()
    {
        Address = Name,
        Connections = transport.Connections,
        InFlight = transport.InFlight,
        IsLeftOut = !transport.IsReady,
    };
}
