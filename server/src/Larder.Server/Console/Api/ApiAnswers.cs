using Larder.Server.Metrics;

namespace Larder.Server.Console.Api;

/// <summary><c>GET /api/session</c>: the rights of the page and its initial data.</summary>
internal sealed record SessionAnswer
{
    public required string Version { get; init; }

    /// <summary>Gets the CSRF token, which the page sends back with each action in the header <see cref="ActionCheck.Header"/>.</summary>
    public required string Csrf { get; init; }

    /// <summary>Gets whether the request has the right to view keys and values and to perform actions.</summary>
    public required bool MayAct { get; init; }

    /// <summary>Gets whether any request can have the right to act (<see cref="ConsoleAccess.CanAct"/>).</summary>
    public required bool CanAct { get; init; }

    /// <summary>Gets whether the server is a gateway, that is, whether it stores its items in a cluster.</summary>
    public required bool IsGateway { get; init; }

    /// <summary>Gets the maximum TTL in milliseconds.</summary>
    public required long MaxTtlMs { get; init; }
}

/// <summary><c>GET /api/overview</c>: the content of <c>/stats</c> without the individual caches, and additional data for the page.</summary>
internal sealed record OverviewAnswer
{
    public required StatsDocument Stats { get; init; }

    /// <summary>Gets the reason why the server cannot serve calls now; null if it can.</summary>
    public required string? WhyNotReady { get; init; }

    public required IReadOnlyList<ClientAnswer> Clients { get; init; }

    /// <summary>Gets the current sampling interval in calls. If it is 10, one of 10 calls is sampled. If it is 1, every call is sampled.</summary>
    public required int SampleGap { get; init; }

    /// <summary>Gets the most frequent keys; null if the caller has no right to see keys.</summary>
    public required IReadOnlyList<HotKeyAnswer>? Hottest { get; init; }

    /// <summary>Gets the slowest calls; null if the caller has no right to see keys.</summary>
    public required IReadOnlyList<SlowKeyAnswer>? Slowest { get; init; }
}

/// <summary>The connections of one client.</summary>
internal sealed record ClientAnswer(string Client, string Language, int Connections);

/// <summary>One of the most frequent keys. The JSON document contains the first bytes of the key in base64.</summary>
internal sealed record HotKeyAnswer(string Cache, byte[] Key, int KeyBytes, double Share, double CallsPerSecond);

/// <summary>One of the slowest calls. The JSON document contains the first bytes of its key in base64.</summary>
internal sealed record SlowKeyAnswer(string Cache, byte[] Key, int KeyBytes, string Call, double TookUs);

/// <summary><c>GET /api/monitor?after=N</c>: the sampled calls after the call with the number N, oldest first.</summary>
/// <param name="Gap">The current sampling interval in calls.</param>
/// <param name="Newest">The sequence number of the newest sampled call; less than N if the server has restarted.</param>
/// <param name="Calls">The calls.</param>
internal sealed record MonitorAnswer(int Gap, long Newest, IReadOnlyList<SampledCall> Calls);

/// <summary><c>GET /api/caches</c>: at most <see cref="ConsoleApi.MaxCaches"/> caches, ordered by name.</summary>
internal sealed record CachesAnswer(IReadOnlyList<CacheAnswer> Caches, int Total);

/// <summary>One cache. The statistics are null on a gateway, which has only the names of the caches.</summary>
internal sealed record CacheAnswer(string Name, CacheStats? Stats);

/// <summary><c>POST /api/keys</c>: a page of keys.</summary>
/// <param name="Keys">
/// The keys. Their number is at most approximately <see cref="ConsoleApi.MaxKeys"/>. The page may be empty even if there are more pages.
/// </param>
/// <param name="Cursor">The cursor of the next page in base64; empty for the last page.</param>
internal sealed record KeysAnswer(IReadOnlyList<KeyAnswer> Keys, byte[] Cursor);

/// <summary>One key.</summary>
/// <param name="Key">The key in base64; only the beginning if it is longer than <see cref="ConsoleApi.MaxKeyBytes"/>.</param>
/// <param name="KeyBytes">The length of the whole key in bytes.</param>
/// <param name="Type">The name of the item's type.</param>
/// <param name="RemainingMs">The remaining TTL in milliseconds.</param>
/// <param name="Bytes">The size in bytes of a scalar value or of the whole content of a collection; null if unknown.</param>
internal sealed record KeyAnswer(byte[] Key, int KeyBytes, string Type, long RemainingMs, long? Bytes);

/// <summary><c>POST /api/item</c>: an item. Viewing an item does not count as a use of it.</summary>
/// <param name="Type">The name of the item's type.</param>
/// <param name="RemainingMs">The remaining TTL in milliseconds.</param>
/// <param name="Bytes">The size of the value in bytes; null if the item is not a scalar.</param>
/// <param name="Value">The first <see cref="ConsoleApi.MaxValueBytes"/> of the value in base64; null if the item is not a scalar.</param>
internal sealed record ItemAnswer(string Type, long RemainingMs, long? Bytes, byte[]? Value);

/// <summary><c>POST /api/elements</c>: a page of a collection. Viewing a collection does not count as a use of it.</summary>
/// <param name="Count">The number of fields or elements in the collection.</param>
/// <param name="First">
/// For a list, the position of the first element of the page; for a sorted set, its rank; otherwise null, because the collection has no order.
/// </param>
/// <param name="Elements">
/// The elements. Their number is at most approximately <see cref="ConsoleApi.MaxElements"/>. The page may be empty even if there are more pages.
/// </param>
/// <param name="Cursor">The cursor of the next page in base64; empty for the last page.</param>
internal sealed record ElementsAnswer(long Count, long? First, IReadOnlyList<ElementAnswer> Elements, byte[] Cursor);

/// <summary>A dictionary field with its value, or an element of another collection.</summary>
/// <param name="Name">The beginning of the field name or element in base64; see <see cref="ShownElements"/>.</param>
/// <param name="NameBytes">The length of the whole field name or element in bytes.</param>
/// <param name="Value">The beginning of the field's value in base64; null for an element of another collection.</param>
/// <param name="ValueBytes">The length of the whole value in bytes.</param>
/// <param name="Score">The score of a sorted set element in the shortest form, or <c>inf</c> or <c>-inf</c>; null for other elements.</param>
internal sealed record ElementAnswer(byte[] Name, long NameBytes, byte[]? Value = null, long ValueBytes = 0, string? Score = null);

/// <summary>The response to an action.</summary>
internal sealed record DoneAnswer(string Done);

/// <summary>The response to a rejected request.</summary>
internal sealed record ErrorAnswer(string Error);
