using System.Text;
using System.Text.Json;

namespace Larder.Agent;

/// <summary>What callers ask for: keys, their popularity, sizes and the part of reads. See <c>conformance/AGENT.md</c>, "Workload".</summary>
internal sealed record LoadWorkload
{
    /// <summary>Sizes as measured in production caches: median 100–300 bytes, a tail to 100 KB; [bytes, weight].</summary>
    private static readonly double[][] s_productionMix =
        [[50, 15], [100, 20], [200, 25], [300, 15], [500, 10], [1000, 8], [2000, 4], [10_000, 2], [50_000, 0.8], [100_000, 0.2]];

    /// <summary>100-byte values, 1,000 hot keys, half gets and half sets.</summary>
    public static LoadWorkload Reference { get; } = new();

    /// <summary>Zipf keys, nine gets to one set, sizes as in production.</summary>
    public static LoadWorkload Production { get; } =
        new() { Name = "production", Keys = 100_000, Zipf = 1.0, ReadRatio = 0.9, ValueBytesMix = s_productionMix };

    private static readonly LoadWorkload s_collections = new() { Keys = 10 * LoadCollection.Elements };

    /// <summary>Each that a name stands for.</summary>
    private static readonly LoadWorkload[] s_all =
    [
        Reference,
        Production,
        s_collections with { Name = "fields", Calls = LoadCalls.Fields },
        s_collections with { Name = "queues", Calls = LoadCalls.Queues },
        s_collections with { Name = "ranks", Calls = LoadCalls.Ranks },
    ];

    /// <summary>Name it was made from.</summary>
    public string Name { get; init; } = "reference";

    /// <summary>What reads and writes are: on collections, elements of which the keys are.</summary>
    public LoadCalls Calls { get; init; }

    /// <summary>Number of keys, 1 to 10,000,000.</summary>
    public int Keys { get; init; } = 1000;

    /// <summary>α of the keys' popularity, 0 (all alike) to 5.</summary>
    public double Zipf { get; init; }

    /// <summary>Part of the calls that are gets, 0 to 1.</summary>
    public double ReadRatio { get; init; } = 0.5;

    /// <summary>Part of the gets that ask for a key never set, 0 to 1.</summary>
    public double MissRatio { get; init; }

    /// <summary>Bytes of every value where there is no mix, 0 to 5,000,000.</summary>
    public int ValueBytes { get; init; } = 100;

    /// <summary>Sizes and weights; a key always has the same size.</summary>
    public double[][]? ValueBytesMix { get; init; }

    /// <summary>TTL of sets, in ms.</summary>
    public long TtlMs { get; init; } = 600_000;

    /// <summary>TTLs in ms and weights; a key always has the same TTL.</summary>
    public double[][]? TtlMsMix { get; init; }

    /// <summary>Path of a trace to replay instead; null for none.</summary>
    public string? Trace { get; init; }

    /// <summary>Whether every key is set once before the warm-up.</summary>
    public bool Preload { get; init; } = true;

    /// <summary>The workload of a request's <c>workload</c> field.</summary>
    /// <exception cref="ArgumentException">Its name is unknown or a field is out of range.</exception>
    public static LoadWorkload From(JsonElement json)
    {
        string? name = json.TryGetProperty("name", out JsonElement text) ? text.GetString() : "reference";
        LoadWorkload basis = Array.Find(s_all, one => one.Name == name)
            ?? throw new ArgumentException($"workload.name is \"{name}\": known are {string.Join(", ", s_all.Select(one => one.Name))}");
        double? fixedSize = json.Number("valueBytes");
        return (basis with
        {
            Keys = (int)(json.Number("keys") ?? basis.Keys),
            Zipf = json.Number("zipf") ?? basis.Zipf,
            ReadRatio = json.Number("readRatio") ?? basis.ReadRatio,
            MissRatio = json.Number("missRatio") ?? basis.MissRatio,
            ValueBytes = (int)(fixedSize ?? basis.ValueBytes),
            ValueBytesMix = Mix(json, "valueBytesMix") ?? (fixedSize is null ? basis.ValueBytesMix : null),
            TtlMs = (long)(json.Number("ttlMs") ?? basis.TtlMs),
            TtlMsMix = Mix(json, "ttlMsMix"),
            Trace = json.Text("trace"),
            Preload = json.Flag("preload", json.Text("trace") is null),
        }).Checked();
    }

    /// <summary>The 16 bytes of key <paramref name="index"/>.</summary>
    public static byte[] KeyOf(int index) => Encoding.ASCII.GetBytes($"larder-{index:D9}");

    /// <summary>Bytes of the value of key <paramref name="index"/>.</summary>
    public int SizeOf(int index) => ValueBytesMix is { } mix ? (int)Drawn(mix, index, 0.6180339887498949) : ValueBytes;

    /// <summary>TTL of key <paramref name="index"/>.</summary>
    public TimeSpan TtlOf(int index) => TimeSpan.FromMilliseconds(TtlMsMix is { } mix ? Drawn(mix, index, 0.7548776662466927) : TtlMs);

    /// <summary>
    /// Steps of an irrational number spread a mix evenly over hot and cold keys, alike in each language; two numbers, so that sizes and TTLs do not go
    /// together.
    /// </summary>
    private static double Drawn(double[][] mix, int index, double step)
    {
        double spread = (index + 1) * step;
        double share = (spread - Math.Floor(spread)) * mix.Sum(pair => pair[1]);
        foreach (double[] pair in mix)
        {
            share -= pair[1];
            if (share < 0)
            {
                return pair[0];
            }
        }

        return mix[^1][0];
    }

    private LoadWorkload Checked()
    {
        Check(Keys is >= 1 and <= 10_000_000, "keys", "1 to 10,000,000");
        Check(Zipf is >= 0 and <= 5, "zipf", "0 to 5");
        Check(ReadRatio is >= 0 and <= 1, "readRatio", "0 to 1");
        Check(MissRatio is >= 0 and <= 1, "missRatio", "0 to 1");
        Check(ValueBytes is >= 0 and <= 5_000_000, "valueBytes", "0 to 5,000,000");
        Check(TtlMs >= 1, "ttlMs", "1 or more");
        Check(ValueBytesMix is null or { Length: > 0 }, "valueBytesMix", "not empty");
        Check(ValueBytesMix?.All(pair => pair is [>= 0 and <= 5_000_000, > 0]) ?? true, "valueBytesMix", "pairs of bytes and a weight above 0");
        Check(TtlMsMix is null or { Length: > 0 }, "ttlMsMix", "not empty");
        Check(TtlMsMix?.All(pair => pair is [>= 1, > 0]) ?? true, "ttlMsMix", "pairs of ms, 1 or more, and a weight above 0");
        return this;
    }

    private static void Check(bool holds, string field, string range)
    {
        if (!holds)
        {
            throw new ArgumentException($"workload.{field} must be {range}");
        }
    }

    private static double[][]? Mix(JsonElement json, string field) =>
        json.TryGetProperty(field, out JsonElement mix) && mix.ValueKind == JsonValueKind.Array ? mix.Deserialize<double[][]>() : null;
}
