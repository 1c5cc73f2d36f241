using System.Text.Json;

namespace Larder.Agent;

/// <summary>The settings of a <c>near</c> request (conformance/AGENT.md).</summary>
internal sealed record NearSettings
{
    private const int MaxKeys = 1_000_000;
    private const int MaxCallers = 10_000;

    /// <summary>Gets the prefix of the keys. Two runs on one cache need different prefixes.</summary>
    public required string Prefix { get; init; }

    /// <summary>Gets the number of keys.</summary>
    public required int Keys { get; init; }

    /// <summary>
    /// Gets this process's index i: it writes the keys k with k modulo <see cref="Writers"/> = i. If the index is -1, this process writes no keys.
    /// </summary>
    public required int Index { get; init; }

    /// <summary>Gets the number of processes that write.</summary>
    public required int Writers { get; init; }

    /// <summary>Gets the number of concurrent callers.</summary>
    public required int Callers { get; init; }

    /// <summary>Gets the number of additional callers that read only from the near cache. They never call the server.</summary>
    public required int Peekers { get; init; }

    /// <summary>Gets the share of writes among the calls.</summary>
    public required double WriteShare { get; init; }

    /// <summary>Gets the share of reads that bypass the near cache. Each of them is a get that also requests the hash, or a batch get.</summary>
    public required double PlainShare { get; init; }

    /// <summary>Gets the divisor that selects deletes: a write is a delete if its version is divisible by it. If it is 0, there are no deletes.</summary>
    public required int DeleteEvery { get; init; }

    /// <summary>
    /// Gets the divisor that selects short-lived keys: the values of key k have the TTL <see cref="ShortTtl"/> if k + 1 is divisible by this number. If it is
    /// 0, there are no short-lived keys.
    /// </summary>
    public required int ShortEvery { get; init; }

    /// <summary>Gets the TTL of values.</summary>
    public required TimeSpan Ttl { get; init; }

    /// <summary>Gets the TTL of short-lived keys' values.</summary>
    public required TimeSpan ShortTtl { get; init; }

    /// <summary>Gets the Zipf exponent of the keys' popularity. If it is 0, all keys are equally popular.</summary>
    public required double Zipf { get; init; }

    /// <summary>Gets the size of a value in bytes.</summary>
    public required int ValueBytes { get; init; }

    /// <summary>Gets the duration of the run, after the warm-up.</summary>
    public required TimeSpan Time { get; init; }

    /// <summary>Gets the duration of the warm-up. All kinds of calls are made during the warm-up, but only violations are counted.</summary>
    public required TimeSpan Warmup { get; init; }

    /// <summary>Gets whether the timed part waits for an explicit start.</summary>
    public required bool Hold { get; init; }

    /// <summary>Gets the maximum number of reads. The run ends when this number is reached, even if its duration is not over.</summary>
    public required long MaxReads { get; init; }

    /// <summary>Gets the number of calls that a caller makes before it yields.</summary>
    public required int Burst { get; init; }

    /// <summary>Gets the pause of a caller after each <see cref="Burst"/>. If it is 0, the caller only yields its thread.</summary>
    public required TimeSpan Pause { get; init; }

    /// <summary>
    /// Gets how long a key is not written after a write with an unknown result. The wait ends earlier if a read returns the version of that write.
    /// </summary>
    public required TimeSpan Settle { get; init; }

    /// <summary>Gets the seed of the callers' random number generators.</summary>
    public required long Seed { get; init; }

    /// <summary>Gets whether each key of this process is written once before the timed part begins.</summary>
    public required bool Fill { get; init; }

    /// <summary>Gets the path of the record file, or null if nothing is recorded.</summary>
    public required string? Records { get; init; }

    /// <summary>Parses the settings of a request.</summary>
    /// <exception cref="AgentException">A field is out of range.</exception>
    public static NearSettings From(JsonElement line) => new()
    {
        Prefix = line.Text("prefix") ?? "near",
        Keys = (int)Within(line, "keys", 1_000, 1, MaxKeys),
        Index = (int)Within(line, "index", -1, -1, 1_000),
        Writers = (int)Within(line, "writers", 1, 1, 1_000),
        Callers = (int)Within(line, "callers", 16, 1, MaxCallers),
        Peekers = (int)Within(line, "peekers", 0, 0, MaxCallers),
        WriteShare = Within(line, "writeShare", 0.1, 0, 1),
        PlainShare = Within(line, "plainShare", 0.05, 0, 1),
        DeleteEvery = (int)Within(line, "deleteEvery", 16, 0, 1_000_000),
        ShortEvery = (int)Within(line, "shortEvery", 16, 0, 1_000_000),
        Ttl = Ms(Within(line, "ttlMs", 3_600_000, 1, 86_400_000)),
        ShortTtl = Ms(Within(line, "shortTtlMs", 1_500, 1, 86_400_000)),
        Zipf = Within(line, "zipf", 0, 0, 10),
        ValueBytes = (int)Within(line, "valueBytes", 100, NearValue.MinBytes, 1 << 20),
        Time = TimeSpan.FromSeconds(Within(line, "seconds", 10, 0.01, 86_400)),
        Warmup = TimeSpan.FromSeconds(Within(line, "warmupSeconds", 0, 0, 3_600)),
        Hold = line.Flag("hold", false),
        MaxReads = (long)Within(line, "reads", long.MaxValue, 1, long.MaxValue),
        Burst = (int)Within(line, "burst", 64, 1, 1_000_000),
        Pause = Ms(Within(line, "pauseMs", 0, 0, 60_000)),
        Settle = Ms(Within(line, "settleMs", 60_000, 0, 86_400_000)),
        Seed = line.Long("seed") ?? 1,
        Fill = line.Flag("fill", true),
        Records = line.Text("records"),
    };

    /// <summary>Returns whether a key is short-lived.</summary>
    public bool IsShort(int key) => ShortEvery > 0 && (key + 1) % ShortEvery == 0;

    /// <summary>Returns the TTL of a key's values.</summary>
    public TimeSpan TtlOf(int key) => IsShort(key) ? ShortTtl : Ttl;

    private static TimeSpan Ms(double ms) => TimeSpan.FromMilliseconds(ms);

    private static double Within(JsonElement line, string field, double otherwise, double least, double most)
    {
        double value = line.Number(field) ?? otherwise;
        return value >= least && value <= most ? value : throw new AgentException($"{field} must be {least} to {most}, but is {value}");
    }
}
