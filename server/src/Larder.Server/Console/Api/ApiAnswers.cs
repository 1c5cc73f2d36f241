using Larder.Server.Metrics;

namespace Larder.Server.Console.Api;

/// <summary><c>GET /api/session</c>: the rights of the page and its initial data.</summary>
internal sealed record SessionAnswer
{
    public required string Version { get; init; }

    /// <summary>Sent back with each action (<see cref="ActionCheck.Header"/>).</summary>
    public required string Csrf { get; init; }

    /// <summary>Whether the presented token allows viewing keys and values and performing actions.</summary>
    public required bool MayAct { get; init; }

    /// <summary>Whether any token would allow it; false if the server has no such token.</summary>
    public required bool CanAct { get; init; }

    /// <summary>Whether the server is a gateway: the items are stored in a cluster.</summary>
    public required bool IsGateway { get; init; }

    /// <summary>The maximum TTL in milliseconds.</summary>
    public required long MaxTtlMs { get; init; }
}

/// <summary><c>GET /api/overview</c>: the content of <c>/stats</c> without the individual caches, and additional data for the page.</summary>
internal sealed record OverviewAnswer
{
    public required StatsDocument Stats { get; init; }

    /// <summary>Why calls cannot be answered now; null if they can.</summary>
    public required string? WhyNotReady { get; init; }

    public required IReadOnlyList<ClientAnswer> Clients { get; init; }

    /// <summary>The sampling interval in calls; 1 if every call is sampled.</summary>
    public required int SampleGap { get; init; }

    /// <summary>Null if the caller may not see keys.</summary>
    public required IReadOnlyList<HotKeyAnswer>? Hottest { get; init; }

    /// <summary>Null if the caller may not see keys.</summary>
    public required IReadOnlyList<SlowKeyAnswer>? Slowest { get; init; }
}

/// <summary>The connections of one client.</summary>
internal sealed record ClientAnswer(string Client, string Language, int Connections);

/// <summary>One of the most frequent keys; its first bytes in base64.</summary>
internal sealed record HotKeyAnswer(string Cache, byte[] Key, int KeyBytes, double Share, double CallsPerSecond);

/// <summary>One of the slowest calls; the first bytes of its key in base64.</summary>
internal sealed record SlowKeyAnswer(string Cache, byte[] Key, int KeyBytes, string Call, double TookUs);

/// <summary><c>GET /api/monitor?after=N</c>: the sampled calls after a number, oldest first.</summary>
/// <param name="Gap">The current sampling interval in calls.</param>
/// <param name="Newest">The number of the newest sampled call; less than N if the server has restarted.</param>
/// <param name="Calls">The calls.</param>
internal sealed record MonitorAnswer(int Gap, long Newest, IReadOnlyList<SampledCall> Calls);

/// <summary><c>GET /api/caches</c>: at most <see cref="ConsoleApi.MaxCaches"/> caches, ordered by name.</summary>
internal sealed record CachesAnswer(IReadOnlyList<CacheAnswer> Caches, int Total);

/// <summary>One cache. Its statistics are null on a gateway, which knows only the names.</summary>
internal sealed record CacheAnswer(string Name, CacheStats? Stats);

/// <summary><c>POST /api/keys</c>: a page of keys.</summary>
/// <param name="Keys">Approximately <see cref="ConsoleApi.MaxKeys"/> keys at most; may be empty even if more follow.</param>
/// <param name="Cursor">The cursor of the next page in base64; empty for the last page.</param>
internal sealed record KeysAnswer(IReadOnlyList<KeyAnswer> Keys, byte[] Cursor);

/// <summary>One key.</summary>
/// <param name="Key">The key in base64; only the beginning if it is longer than <see cref="ConsoleApi.MaxKeyBytes"/>.</param>
/// <param name="KeyBytes">The length of the whole key in bytes.</param>
/// <param name="Type">The name of the item's type.</param>
/// <param name="RemainingMs">The remaining TTL in milliseconds.</param>
/// <param name="Bytes">The size of the value of a scalar, or of all content of another item; null if unknown.</param>
internal sealed record KeyAnswer(byte[] Key, int KeyBytes, string Type, long RemainingMs, long? Bytes);

/// <summary><c>POST /api/item</c>: an item. Viewing it does not count as a use.</summary>
/// <param name="Type">The name of the item's type.</param>
/// <param name="RemainingMs">The remaining TTL in milliseconds.</param>
/// <param name="Bytes">The size of the value in bytes; null if the item is not a scalar.</param>
/// <param name="Value">The first <see cref="ConsoleApi.MaxValueBytes"/> of the value in base64; null if the item is not a scalar.</param>
internal sealed record ItemAnswer(string Type, long RemainingMs, long? Bytes, byte[]? Value);

/// <summary><c>POST /api/elements</c>: a page of a collection. Viewing it does not count as a use.</summary>
/// <param name="Count">The number of fields or elements in the collection.</param>
/// <param name="First">The position in a list, or the rank in a sorted set, of the first element of the page; null if the collection has no order.</param>
/// <param name="Elements">Approximately <see cref="ConsoleApi.MaxElements"/> elements at most; may be empty even if more follow.</param>
/// <param name="Cursor">The cursor of the next page in base64; empty for the last page.</param>
internal sealed record ElementsAnswer(long Count, long? First, IReadOnlyList<ElementAnswer> Elements, byte[] Cursor);

/// <summary>A field with its value, or an element.</summary>
/// <param name="Name">The beginning of the field name or element in base64; see <see cref="ShownElements"/>.</param>
/// <param name="NameBytes">Its whole length in bytes.</param>
/// <param name="Value">The beginning of the field's value in base64; null if this is not a field.</param>
/// <param name="ValueBytes">Its whole length in bytes.</param>
/// <param name="Score">The score of a sorted set element in the shortest form, or <c>inf</c> or <c>-inf</c>; otherwise null.</param>
internal sealed record ElementAnswer(byte[] Name, long NameBytes, byte[]? Value = null, long ValueBytes = 0, string? Score = null);

/// <summary>The response to an action.</summary>
internal sealed record DoneAnswer(string Done);

/// <summary>The response to a rejected request.</summary>
internal sealed record ErrorAnswer(string Error);
