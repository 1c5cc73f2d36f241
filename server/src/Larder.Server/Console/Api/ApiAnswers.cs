using Larder.Server.Metrics;

namespace Larder.Server.Console.Api;

/// <summary><c>GET /api/session</c>: what the page may do, and what it needs to know before it asks for anything else.</summary>
internal sealed record SessionAnswer
{
    public required string Version { get; init; }

    /// <summary>Sent back with each action (<see cref="ActionCheck.Header"/>).</summary>
    public required string Csrf { get; init; }

    /// <summary>Whether the token that was shown lets it see keys and values, and act.</summary>
    public required bool MayAct { get; init; }

    /// <summary>Whether another token would; false where the server has none for that.</summary>
    public required bool CanAct { get; init; }

    /// <summary>Whether the items are in a cluster that this server stands in front of.</summary>
    public required bool IsFront { get; init; }

    /// <summary>The longest TTL that this server takes, in milliseconds.</summary>
    public required long MaxTtlMs { get; init; }
}

/// <summary><c>GET /api/overview</c>: the figures of <c>/stats</c>, without the caches one by one, and what the page shows beside them.</summary>
internal sealed record OverviewAnswer
{
    public required StatsDocument Stats { get; init; }

    /// <summary>Why calls are not answered now; null where they are.</summary>
    public required string? WhyNotReady { get; init; }

    public required IReadOnlyList<ClientAnswer> Clients { get; init; }

    /// <summary>Calls between two that are sampled; 1: all are.</summary>
    public required int SampleGap { get; init; }

    /// <summary>Null where the caller may not see keys.</summary>
    public required IReadOnlyList<HotKeyAnswer>? Hottest { get; init; }

    /// <summary>Null where the caller may not see keys.</summary>
    public required IReadOnlyList<SlowKeyAnswer>? Slowest { get; init; }
}

/// <summary>Connections of one client.</summary>
internal sealed record ClientAnswer(string Client, string Language, int Connections);

/// <summary>A key called often; its first bytes, in base64.</summary>
internal sealed record HotKeyAnswer(string Cache, byte[] Key, int KeyBytes, double Share, double CallsPerSecond);

/// <summary>A call that took long; its key's first bytes, in base64.</summary>
internal sealed record SlowKeyAnswer(string Cache, byte[] Key, int KeyBytes, string Call, double TookUs);

/// <summary><c>GET /api/monitor?after=N</c>: sampled calls after a number, oldest first.</summary>
/// <param name="Gap">How far apart samples are at present, in calls.</param>
/// <param name="Newest">The number of the newest sampled call; less than N where the server began anew.</param>
/// <param name="Calls">The calls.</param>
internal sealed record MonitorAnswer(int Gap, long Newest, IReadOnlyList<SampledCall> Calls);

/// <summary><c>GET /api/caches</c>: at most <see cref="ConsoleApi.MaxCaches"/>, by name.</summary>
internal sealed record CachesAnswer(IReadOnlyList<CacheAnswer> Caches, int Total);

/// <summary>One cache; a front knows the names alone.</summary>
internal sealed record CacheAnswer(string Name, CacheStats? Stats);

/// <summary><c>POST /api/keys</c>: some keys, and where the next page begins.</summary>
/// <param name="Keys">About <see cref="ConsoleApi.MaxKeys"/> at most; perhaps none, though more follow.</param>
/// <param name="Cursor">In base64; empty: these were the last.</param>
internal sealed record KeysAnswer(IReadOnlyList<KeyAnswer> Keys, byte[] Cursor);

/// <summary>One key.</summary>
/// <param name="Key">In base64; of one longer than <see cref="ConsoleApi.MaxKeyBytes"/> the beginning.</param>
/// <param name="KeyBytes">Its whole length.</param>
/// <param name="Type">What the item holds, by its name.</param>
/// <param name="RemainingMs">How long it has left.</param>
/// <param name="Bytes">Bytes of a scalar's value, or of all that another item holds; null where that is not known.</param>
internal sealed record KeyAnswer(byte[] Key, int KeyBytes, string Type, long RemainingMs, long? Bytes);

/// <summary><c>POST /api/item</c>: an item, looked at without being used.</summary>
/// <param name="Type">What it holds, by its name.</param>
/// <param name="RemainingMs">How long it has left.</param>
/// <param name="Bytes">The length of its value; null where it is no scalar.</param>
/// <param name="Value">In base64, the first <see cref="ConsoleApi.MaxValueBytes"/> of it; null where it is no scalar.</param>
internal sealed record ItemAnswer(string Type, long RemainingMs, long? Bytes, byte[]? Value);

/// <summary><c>POST /api/elements</c>: some of what a collection holds, looked at without being used, and where the next page begins.</summary>
/// <param name="Count">How many fields or elements it holds.</param>
/// <param name="First">The first one's position in a list, or rank in a sorted set; null where there is no order.</param>
/// <param name="Elements">About <see cref="ConsoleApi.MaxElements"/> at most; perhaps none, though more follow.</param>
/// <param name="Cursor">In base64; empty: these were the last.</param>
internal sealed record ElementsAnswer(long Count, long? First, IReadOnlyList<ElementAnswer> Elements, byte[] Cursor);

/// <summary>A field with its value, or an element.</summary>
/// <param name="Name">The beginning of the field or the element, in base64; see <see cref="ShownElements"/>.</param>
/// <param name="NameBytes">Its whole length.</param>
/// <param name="Value">The beginning of a field's value, in base64; null where there is no field.</param>
/// <param name="ValueBytes">Its whole length.</param>
/// <param name="Score">Of a sorted set's element, in the shortest digits, <c>inf</c> or <c>-inf</c>; else null.</param>
internal sealed record ElementAnswer(byte[] Name, long NameBytes, byte[]? Value = null, long ValueBytes = 0, string? Score = null);

/// <summary>An action's answer.</summary>
internal sealed record DoneAnswer(string Done);

/// <summary>Why a request was refused.</summary>
internal sealed record ErrorAnswer(string Error);
