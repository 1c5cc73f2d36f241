using System.Net;
using Larder.Wire;

namespace Larder.Server.Security;

/// <summary>The usage of one token: the number of calls, and the time and address of the last use. Thread-safe.</summary>
internal sealed class TokenUse
{
    private readonly StripedCount _calls = new();
    private Sight? _last;

    /// <summary>Gets the group of the connections that use this token. They share one portion of the worker time.</summary>
    public WorkGroup Work { get; } = new();

    /// <summary>Gets the share of buffer memory that all connections with this token use together.</summary>
    public BufferShare Buffers { get; } = new();

    /// <summary>
    /// Gets the number of calls and pipeline operations since the server started, including denied ones. Open pipelines add their operations periodically.
    /// </summary>
    public long Calls => _calls.Value;

    /// <summary>Gets the time (within 250 ms) and the address of the last use; null if the token was never used.</summary>
    public Sight? Last => Volatile.Read(ref _last);

    public void Add(long calls) => _calls.Add(calls);

    /// <summary>Records a use of the token.</summary>
    public void Seen(DateTimeOffset at, IPAddress? address) => Volatile.Write(ref _last, new Sight(at, address));

    /// <summary>The time and address of a use. The address is null if it is unknown.</summary>
    internal sealed record Sight(DateTimeOffset At, IPAddress? Address);
}
