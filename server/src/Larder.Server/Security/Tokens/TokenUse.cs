using System.Net;
using Larder.Wire;

namespace Larder.Server.Security;

/// <summary>The usage of one token: number of calls, and when and from where it was last used. Thread-safe.</summary>
internal sealed class TokenUse
{
    private readonly StripedCount _calls = new();
    private Sight? _last;

    /// <summary>Gets the share of worker time common to its connections.</summary>
    public WorkGroup Work { get; } = new();

    /// <summary>Gets the share of buffer memory common to its connections.</summary>
    public BufferShare Buffers { get; } = new();

    /// <summary>
    /// Gets the number of calls and pipeline operations since the server started, including denied ones. Open pipelines report periodically.
    /// </summary>
    public long Calls => _calls.Value;

    /// <summary>Gets when (within 250 ms) and from where it was last used; null if never.</summary>
    public Sight? Last => Volatile.Read(ref _last);

    public void Add(long calls) => _calls.Add(calls);

    /// <summary>Records a use.</summary>
    public void Seen(DateTimeOffset at, IPAddress? address) => Volatile.Write(ref _last, new Sight(at, address));

    /// <summary>The time and address of a use. The address is null if unknown.</summary>
    internal sealed record Sight(DateTimeOffset At, IPAddress? Address);
}
