using System.Net;
using Larder.Wire;

namespace Larder.Server.Security;

/// <summary>How much one token's calls are, and when and where from it was seen. From any thread.</summary>
internal sealed class TokenUse
{
    private readonly StripedCount _calls = new();
    private Sight? _last;

    /// <summary>Its connections' common part of the workers' time.</summary>
    public WorkGroup Work { get; } = new();

    /// <summary>What its connections hold of the server's buffers together.</summary>
    public BufferShare Buffers { get; } = new();

    /// <summary>Calls and a pipeline's operations since the server began, those that were denied too; of open pipelines what they told so far.</summary>
    public long Calls => _calls.Value;

    /// <summary>When it was seen last, within a quarter of a second, and where from; null: never.</summary>
    public Sight? Last => Volatile.Read(ref _last);

    public void Add(long calls) => _calls.Add(calls);

    /// <summary>It was seen.</summary>
    public void Seen(DateTimeOffset at, IPAddress? address) => Volatile.Write(ref _last, new Sight(at, address));

    /// <summary>When, and where from; the address is null where that is not known.</summary>
    internal sealed record Sight(DateTimeOffset At, IPAddress? Address);
}
