using System.Text.Json;

namespace Larder.Agent;

/// <summary>What a <c>near</c> request asks for (conformance/AGENT.md).</summary>
internal sealed record NearSettings
{
    private const int MostKeys = 1_000_000;
    private const int MostCallers = 10_000;

    /// <summary>What the keys begin with; two runs of one cache have two.</summary>
    public required string Prefix { get; init; }

    /// <summary>Number of keys.</summary>
    public required int Keys { get; init; }

    /// <summary>This process writes the keys k with k modulo <see cref="Writers"/> = this; -1: none.</summary>
    public required int Index { get; init; }

    /// <summary>Processes that write.</summary>
    public required int Writers { get; init; }

    /// <summary>Concurrent callers.</summary>
    public required int Callers { get; init; }

    /// <summary>Callers beside them that only try copies, and go on where there is none.</summary>
    public required int Peekers { get; init; }

    /// <summary>Part of the calls that write.</summary>
    public required double WriteShare { get; init; }

    /// <summary>Part of the other calls that are plain reads: a get with its hash, or a batch.</summary>
    public required double PlainShare { get; init; }

    /// <summary>Each version that this divides is a delete; 0: none is.</summary>
    public required int DeleteEvery { get; init; }

    /// <summary>Each key k with k + 1 divisible by this lives <see cref="ShortTtl"/>; 0: none does.</summary>
    public required int ShortEvery { get; init; }

    /// <summary>How long values live.</summary>
    public required TimeSpan Ttl { get; init; }

    /// <summary>How long the values of short-lived keys live.</summary>
    public required TimeSpan ShortTtl { get; init; }

    /// <summary>The exponent of Zipf's law; 0: all keys alike.</summary>
    public required double Zipf { get; init; }

    /// <summary>Bytes of a value.</summary>
    public required int ValueBytes { get; init; }

    /// <summary>How long it runs.</summary>
    public required TimeSpan Time { get; init; }

    /// <summary>Time before it, in which everything is done and nothing counted but what is wrong.</summary>
    public required TimeSpan Warmup { get; init; }

    /// <summary>Whether the time begins only when it is told to go.</summary>
    public required bool Hold { get; init; }

    /// <summary>Reads after which it ends, whatever the time.</summary>
    public required long MostReads { get; init; }

    /// <summary>Calls of a caller between two times that it lets others run.</summary>
    public required int Burst { get; init; }

    /// <summary>How long it waits then; 0: as long as the others take.</summary>
    public required TimeSpan Pause { get; init; }

    /// <summary>A key whose last write ended unknown is not written for so long, unless that write is seen.</summary>
    public required TimeSpan Settle { get; init; }

    /// <summary>The callers' generators begin here.</summary>
    public required long Seed { get; init; }

    /// <summary>Whether each key of this process is written once before the time begins.</summary>
    public required bool Fill { get; init; }

    /// <summary>The file for its records; null: none are kept.</summary>
    public required string? Records { get; init; }

    /// <summary>Reads them from a request.</summary>
    /// <exception cref="AgentException">One is out of its range.</exception>
    public static NearSettings From(JsonElement line) => new()
    {
        Prefix = line.Text("prefix") ?? "near",
        Keys = (int)Within(line, "keys", 1_000, 1, MostKeys),
        Index = (int)Within(line, "index", -1, -1, 1_000),
        Writers = (int)Within(line, "writers", 1, 1, 1_000),
        Callers = (int)Within(line, "callers", 16, 1, MostCallers),
        Peekers = (int)Within(line, "peekers", 0, 0, MostCallers),
        WriteShare = Within(line, "writeShare", 0.1, 0, 1),
        PlainShare = Within(line, "plainShare", 0.05, 0, 1),
        DeleteEvery = (int)Within(line, "deleteEvery", 16, 0, 1_000_000),
        ShortEvery = (int)Within(line, "shortEvery", 16, 0, 1_000_000),
        Ttl = Ms(Within(line, "ttlMs", 3_600_000, 1, 86_400_000)),
        ShortTtl = Ms(Within(line, "shortTtlMs", 1_500, 1, 86_400_000)),
        Zipf = Within(line, "zipf", 0, 0, 10),
        ValueBytes = (int)Within(line, "valueBytes", 100, NearValue.LeastBytes, 1 << 20),
        Time = TimeSpan.FromSeconds(Within(line, "seconds", 10, 0.01, 86_400)),
        Warmup = TimeSpan.FromSeconds(Within(line, "warmupSeconds", 0, 0, 3_600)),
        Hold = line.Flag("hold", false),
        MostReads = (long)Within(line, "reads", long.MaxValue, 1, long.MaxValue),
        Burst = (int)Within(line, "burst", 64, 1, 1_000_000),
        Pause = Ms(Within(line, "pauseMs", 0, 0, 60_000)),
        Settle = Ms(Within(line, "settleMs", 60_000, 0, 86_400_000)),
        Seed = line.Long("seed") ?? 1,
        Fill = line.Flag("fill", true),
        Records = line.Text("records"),
    };

    /// <summary>Whether a key is of those that live short.</summary>
    public bool IsShort(int key) => ShortEvery > 0 && (key + 1) % ShortEvery == 0;

    /// <summary>How long a key's values live.</summary>
    public TimeSpan TtlOf(int key) => IsShort(key) ? ShortTtl : Ttl;

    private static TimeSpan Ms(double ms) => TimeSpan.FromMilliseconds(ms);

    private static double Within(JsonElement line, string field, double otherwise, double least, double most)
    {
        double value = line.Number(field) ?? otherwise;
        return value >= least && value <= most ? value : throw new AgentException($"{field} is {least} to {most}, not {value}");
    }
}
