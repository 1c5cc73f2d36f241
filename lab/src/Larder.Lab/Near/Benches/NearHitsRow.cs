using System.Text.Json.Nodes;
using Larder.Report.Runs;
using Larder.Tuner.Processes;
using static Larder.Report.InvariantText;

namespace Larder.Lab.Near;

/// <summary>The measurements of one kind of read. The item is already in a local cache.</summary>
/// <param name="Language">The language.</param>
/// <param name="What">The kind of read, as named in requests to the agent.</param>
/// <param name="TargetNs">The maximum duration in ns; null for a kind of read that is only measured for comparison.</param>
internal sealed record NearHitsRow(string Language, string What, double? TargetNs)
{
    private readonly List<(double Ns, double? Bytes)> _turns = [];

    /// <summary>Returns all kinds of reads to measure.</summary>
    public static IReadOnlyList<NearHitsRow> All() =>
    [
        new("dotnet", "tryGet", 100),
        new("dotnet", "get", 100),
        new("dotnet", "memoryCache", null),
        new("dotnet", "dictionary", null),
        new("python", "tryGet", 2_000),
        new("python", "get", 2_000),
        new("python", "cachetools", null),
        new("python", "functools", null),
        new("python", "dict", null),
        new("node", "tryGet", 1_000),
        new("node", "get", 1_000),
        new("node", "lruCache", null),
        new("node", "map", null),
    ];

    /// <summary>Gets the header of the Markdown table.</summary>
    public static IReadOnlyList<string> Head { get; } =
        ["| language | read | ns per hit | lowest | highest | bytes per hit | target (ns) |", "|---|---|---:|---:|---:|---:|---:|"];

    /// <summary>Gets whether the read uses the near cache of a Larder client.</summary>
    public bool IsNear => TargetNs is not null;

    /// <summary>Gets the median duration of a hit, in ns.</summary>
    public double Ns => Median.Of(_turns.Select(static turn => turn.Ns));

    /// <summary>Adds a measurement from a response of the agent.</summary>
    /// <exception cref="TunerException">Not all reads were hits.</exception>
    public void Add(JsonObject answer)
    {
        (long reads, long found, long? hits) = ((long)answer["reads"]!, (long)(double)answer["found"]!, (long?)answer["hits"]);
        if (found != reads || (IsNear && hits < reads * 0.999))
        {
            throw new TunerException(Say($"{Language} {What}: some reads were not hits ({reads} reads, {found} values, {hits} near-cache hits)"));
        }

        _turns.Add(((double)answer["nsPerHit"]!, (double?)answer["bytesPerHit"]));
    }

    public string Line() => _turns.Count == 0
        ? $"| {Language} | {Called()} | not installed | | | | |"
        : Say($"| {Language} | {Called()} | {Ns:0} | {_turns.Min(static turn => turn.Ns):0} | {_turns.Max(static turn => turn.Ns):0} ")
            + Say($"| {Bytes()} | {(TargetNs is { } target ? Say($"{target:N0}: {(Ns <= target ? "pass" : "**FAIL**")}") : "")} |");

    private string Bytes() => _turns[0].Bytes is null ? "" : Say($"{Median.Of(_turns.Select(static turn => turn.Bytes!.Value)):0.0}");

    private string Called() => What switch
    {
        "tryGet" => Language switch { "dotnet" => "`TryGetNear`", "python" => "`try_get_near`", _ => "`tryGetNear`" },
        "get" => Language == "dotnet" ? "`await GetAsync`" : "`await get`",
        "memoryCache" => "`MemoryCache`",
        "dictionary" => "`ConcurrentDictionary`",
        "cachetools" => "`cachetools.TTLCache`",
        "functools" => "`functools.lru_cache`",
        "lruCache" => "`lru-cache` with a TTL",
        "map" => "`Map`",
        _ => $"`{What}`",
    };
}
